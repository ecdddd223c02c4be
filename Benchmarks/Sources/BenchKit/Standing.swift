/// What a sweep and the long runs after it say of one library.
public struct Standing: Sendable {
    public var peer: String
    /// The run of the lowest latency among those that were long and had no gap.
    public var best: OutputResult?
    /// Median latencies of the settings that had no gap, and of those that had some, in the longest run of each.
    public var gapFree: [Double]
    public var withGaps: [Double]

    /// Of every library that played in either, on one server, the lowest latency first; those that have none come
    /// last, in their usual order.
    public static func all(sweep: [OutputResult], frontier: [OutputResult]) -> [Standing] {
        let played = Set((sweep + frontier).map(\.peer))
        let standings = PeerTraits.allNames.filter(played.contains).map { peer in
            Standing(
                peer, sweep: sweep.filter { $0.peer == peer }, frontier: frontier.filter { $0.peer == peer })
        }
        // Those without are equal to each other, and the sort may change the order of equals.
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
