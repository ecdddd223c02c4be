// SPDX-License-Identifier: MIT

extension Schedule {
    /// The duration of a run in which the calls of threads are counted, in seconds.
    public var audioThreadSeconds: Double { overrides.seconds ?? (effort == .quick ? 2 : 4) }

    /// Returns whether the calls of a peer's threads are counted. `pacat` is a separate process, whose threads the
    /// meter cannot count.
    public func isMetered(_ peer: PeerTraits) -> Bool {
        peer.name != "pacat" && (effort != .quick || peer.isContender)
    }

    /// Returns the number of runs: one for output and one for input of each peer.
    func audioThreadRuns(_ peers: [PeerTraits]) -> Int { peers.filter(isMetered).count * 2 }
}
