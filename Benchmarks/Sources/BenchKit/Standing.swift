// SPDX-License-Identifier: MIT

/// The results of one library in the sweep and the frontier.
public struct Standing: Sendable {
    public var peer: String
    /// The run with the lowest latency among the long runs without a gap.
    public var best: OutputResult?
    /// Median latencies in milliseconds of runs without a gap, and of runs with gaps. If a setting is in the frontier,
    /// its run of the sweep does not count.
    public var gapFree: [Double]
    public var withGaps: [Double]

    /// Returns the standing of every library that played on a server, the lowest latency first. Libraries without a
    /// result are last, in their usual order.
    public static func all(sweep: [OutputResult], frontier: [OutputResult]) -> [Standing] {
        let played = Set((sweep + frontier).map(\.peer))
        let standings = PeerTraits.allNames.filter(played.contains).map { peer in
            Standing(
                peer, sweep: sweep.filter { $0.peer == peer }, frontier: frontier.filter { $0.peer == peer })
        }
        // Sorted separately, because the sort may change the order of equal elements.
        return standings.filter { $0.best != nil }.sorted { $0.lowest < $1.lowest }
            + standings.filter { $0.best == nil }
    }

    private init(_ peer: String, sweep: [OutputResult], frontier: [OutputResult]) {
        self.peer = peer
        best = frontier.filter(\.isGapFree).leastDisturbed.min { Self.median($0) < Self.median($1) }
        let tried = Set(frontier.map(\.setting))
        let runs = (frontier + sweep.filter { !tried.contains($0.setting) }).filter { $0.latency != nil }
        gapFree = runs.filter(\.isGapFree).map(Self.median)
        withGaps = runs.filter { !$0.isGapFree }.map(Self.median)
    }

    private var lowest: Double { best.map(Self.median) ?? .infinity }

    private static func median(_ run: OutputResult) -> Double { run.latency?.median ?? .infinity }
}
