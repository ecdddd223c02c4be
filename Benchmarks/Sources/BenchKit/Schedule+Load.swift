/// What is played beside two busy processes: libraries are compared there at the same latency, since who has more
/// of it has fewer gaps.
extension Schedule {
    /// The latencies, in milliseconds, that the libraries are compared at.
    public static let loadLatencies = [1.5, 2.5, 3.3, 5, 10]
    /// The one that a summary tells.
    public static let toldLoadLatency = 5.0

    /// Settings at which a library's latencies are about those that all are compared at.
    public func load(of peer: PeerTraits, sampleRate: Double) -> [BufferSetting] {
        if let settings = wishes.settings { return settings }
        // Where the server's period is fixed it is most of the latency.
        if hasFixedPeriod, effort == .full {
            return [240, 480].map { BufferSetting(buffers: 3, frames: $0) }
        }
        let latencies =
            switch effort {
            case .quick: [Self.toldLoadLatency]
            case .normal: [2.5, Self.toldLoadLatency, 10]
            case .full: peer.isContender ? Self.loadLatencies : [Self.toldLoadLatency, 10]
            }
        return latencies.map { latency in
            let frames = latency / 1000 * sampleRate / peer.latencyInBuffers
            // Periods of half a buffer are whole microseconds then. Others a server shortens by a frame, so that buffers
            // end now in one of its periods and now in the next.
            return BufferSetting(buffers: 3, frames: max(1, Int((frames / 12).rounded())) * 12)
        }
    }

    /// How long each of them is played at a time.
    public var loadSeconds: Double {
        wishes.seconds ?? (effort == .quick ? 3 : effort == .full && !hasFixedPeriod ? 8.8 : 5)
    }

    /// How often each setting of a library is played, in turn with everybody else's: what else the machine does
    /// changes from minute to minute.
    func loadRounds(of peer: PeerTraits) -> Int {
        if let repeats = wishes.repeats { return repeats }
        return effort == .full && !hasFixedPeriod ? (peer.isContender ? 6 : 2) : 1
    }

    /// Who plays in each round; who plays in some of them only does so at equal distances.
    public func loadRounds(_ peers: [PeerTraits]) -> [[PeerTraits]] {
        let most = peers.map { loadRounds(of: $0) }.max() ?? 0
        return (0..<most).map { round in
            peers.filter { round % max(1, most / loadRounds(of: $0)) == 0 }
        }
    }
}
