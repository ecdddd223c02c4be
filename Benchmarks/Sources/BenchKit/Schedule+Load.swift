// SPDX-License-Identifier: MIT

/// The runs beside two busy processes. They compare libraries at equal latency, because a higher latency gives fewer
/// gaps.
extension Schedule {
    /// The latencies at which libraries are compared, in milliseconds.
    public static let loadLatencies = [1.5, 2.5, 3.3, 5, 10]
    /// The latency in the summary, in milliseconds.
    public static let reportedLoadLatency = 5.0

    /// Returns the settings that give a library approximately the latencies of the comparison.
    public func load(of peer: PeerTraits, sampleRate: Double) -> [BufferSetting] {
        if let settings = overrides.settings { return settings }
        // A fixed period of the server is most of the latency.
        if hasFixedPeriod, effort == .full {
            return [240, 480].map { BufferSetting(buffers: 3, frames: $0) }
        }
        let latencies =
            switch effort {
            case .quick: [Self.reportedLoadLatency]
            case .normal: [2.5, Self.reportedLoadLatency, 10]
            case .full: peer.isContender ? Self.loadLatencies : [Self.reportedLoadLatency, 10]
            }
        return latencies.map { latency in
            let frames = latency / 1000 * sampleRate / peer.latencyInBuffers
            // Half a buffer then lasts whole microseconds. A server shortens any other period by a frame, so that the
            // end of a buffer moves between two of its periods.
            return BufferSetting(buffers: 3, frames: max(1, Int((frames / 12).rounded())) * 12)
        }
    }

    /// The duration of a run in seconds.
    public var loadSeconds: Double {
        overrides.seconds ?? (effort == .quick ? 3 : effort == .full && !hasFixedPeriod ? 8.8 : 5)
    }

    /// Returns the number of runs of each setting, in turn with the other libraries. They are spread because the load
    /// of the machine changes from minute to minute.
    func loadRounds(of peer: PeerTraits) -> Int {
        if let repeats = overrides.repeats { return repeats }
        return effort == .full && !hasFixedPeriod ? (peer.isContender ? 6 : 2) : 1
    }

    /// Returns the libraries of each round. A library with fewer rounds gets them at equal distances.
    public func loadRounds(_ peers: [PeerTraits]) -> [[PeerTraits]] {
        let most = peers.map { loadRounds(of: $0) }.max() ?? 0
        return (0..<most).map { round in
            peers.filter { round % max(1, most / loadRounds(of: $0)) == 0 }
        }
    }
}
