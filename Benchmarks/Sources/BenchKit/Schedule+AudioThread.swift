extension Schedule {
    /// How long programs run while what their threads do is counted.
    public var audioThreadSeconds: Double { wishes.seconds ?? (effort == .quick ? 2 : 4) }

    /// What counting comes to: output and input of each program, but for pacat.
    func audioThreadRuns(_ peers: [PeerTraits]) -> Int { peers.filter { $0.name != "pacat" }.count * 2 }
}
