extension Schedule {
    /// How long programs run while what their threads do is counted.
    public var audioThreadSeconds: Double { wishes.seconds ?? (effort == .quick ? 2 : 4) }

    /// Whether it is counted what a program's threads do. What pacat does it does in another process, of which a pipe
    /// tells nothing.
    public func isMetered(_ peer: PeerTraits) -> Bool {
        peer.name != "pacat" && (effort != .quick || peer.isContender)
    }

    /// What counting comes to: output and input of each program.
    func audioThreadRuns(_ peers: [PeerTraits]) -> Int { peers.filter(isMetered).count * 2 }
}
