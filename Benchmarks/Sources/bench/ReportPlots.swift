import BenchKit
import Foundation

/// The plots of a record.
struct ReportPlots {
    let record: Record

    init(_ record: Record) { self.record = record }

    /// By the names of their files; a plot of nothing is left out.
    var all: [(name: String, plot: SVGPlot)] {
        record.servers.keys.sorted().flatMap { server -> [(name: String, plot: SVGPlot)] in
            let tail = server == "pulseaudio" ? "" : "-\(server)"
            return [
                ("latency\(tail)", histogram(server, "Callback to monitor", \.latencyHistogram)),
                ("interval\(tail)", histogram(server, "Callback to callback", \.intervalHistogram)),
                ("jitter\(tail)", jitter(server)), ("frontier\(tail)", frontier(server)),
                ("load\(tail)", load(server)),
            ].filter { !$0.plot.series.isEmpty }
        }
    }

    /// What the README shows: for each library, the lowest latency that held, among all that was tried.
    var summary: SVGStrips? {
        let runs = record.outputs.filter { $0.server == "pulseaudio" && $0.latency != nil }
        let frontier = runs.filter { $0.measure == Measure.frontier.rawValue }
        let swept = runs.filter { $0.measure == Measure.sweep.rawValue }
        guard !frontier.isEmpty else { return nil }
        func values(_ runs: [OutputResult], _ peer: String, isGapFree: Bool) -> [Double] {
            runs.filter { $0.peer == peer && $0.isGapFree == isGapFree }.compactMap(\.latency?.median)
        }
        let rows = PeerTraits.allNames.filter { name in swept.contains { $0.peer == name } }.map { name in
            SVGStrips.Row(
                name: name, good: values(swept, name, isGapFree: true),
                bad: values(swept + frontier, name, isGapFree: false),
                best: values(frontier, name, isGapFree: true).min(), isOurs: isOurs(name))
        }
        let seconds = Int(frontier.map(\.seconds).max() ?? 0)
        return SVGStrips(
            title: "Latency from callback to sink: the lowest without a gap in \(seconds) s", note: note,
            label: "median latency of each setting, ms", limits: 0.5...100, rows: rows)
    }

    private var note: String {
        "\(record.machine.processor), \(record.machine.cores) cores, \(record.sessions.first?.date.prefix(10) ?? "")"
    }

    /// A run of each peer at the setting that most of them were run at.
    private func examples(_ server: String) -> (setting: String, results: [OutputResult]) {
        let runs = record.outputs.filter {
            $0.measure == "roundtrip" && $0.server == server && $0.failure == nil
        }
        let counts = Dictionary(grouping: runs, by: \.setting)
        guard
            let setting = counts.max(by: { ($0.value.count, $1.key.frames) < ($1.value.count, $0.key.frames) }
            )?.key
        else { return ("", []) }
        var seen: Set<String> = []
        let results = runs.filter { $0.setting == setting && seen.insert($0.peer).inserted }
        return (setting.description, results.sorted { $0.peer < $1.peer })
    }

    private func colour(_ peer: String) -> Int? {
        Set(record.outputs.map(\.peer)).sorted().firstIndex(of: peer)
    }

    private func isOurs(_ peer: String) -> Bool { peer == PeerTraits.ours }

    private func histogram(
        _ server: String, _ title: String, _ histogram: KeyPath<OutputResult, Histogram?>
    ) -> SVGPlot {
        let (setting, results) = examples(server)
        let series = results.compactMap { result -> SVGPlot.Series? in
            guard let histogram = result[keyPath: histogram] else { return nil }
            let total = Double(max(1, histogram.counts.reduce(0, +)))
            var points: [(x: Double, y: Double)] = []
            for (index, count) in histogram.counts.enumerated() {
                let start = histogram.start + Double(index) * histogram.binWidth
                points += [start, start + histogram.binWidth].map { ($0, Double(count) / total * 100) }
            }
            return SVGPlot.Series(
                name: result.peer, points: points, style: .line, isOurs: isOurs(result.peer),
                colour: colour(result.peer))
        }
        return SVGPlot(
            title: "\(title), \(setting) frames", note: note, x: .init("ms"), y: .init("% of callbacks"),
            series: series)
    }

    private func jitter(_ server: String) -> SVGPlot {
        let (setting, results) = examples(server)
        let series = results.compactMap { result -> SVGPlot.Series? in
            guard let median = result.latency?.median, !result.latencySeries.isEmpty else { return nil }
            return SVGPlot.Series(
                name: result.peer, points: result.latencySeries.map { ($0[0], $0[1] - median) }, style: .line,
                isOurs: isOurs(result.peer),
                colour: colour(result.peer))
        }
        return SVGPlot(
            title: "Latency over time, less its median, \(setting) frames", note: note, x: .init("s"),
            y: .init("ms", limits: -5...5), series: series)
    }

    private func frontier(_ server: String) -> SVGPlot {
        let runs = record.outputs.filter {
            ["sweep", "frontier"].contains($0.measure) && $0.server == server && $0.latency != nil
        }
        let series = Set(runs.map(\.peer)).sorted().map { peer in
            let points = runs.filter { $0.peer == peer }.compactMap { run -> (x: Double, y: Double)? in
                guard let latency = run.latency?.median, latency > 0 else { return nil }
                return (latency, max(Self.noGaps, run.gapsPerMinute))
            }
            return SVGPlot.Series(
                name: peer, points: points.sorted { $0.x < $1.x }, style: .dots, isOurs: isOurs(peer),
                colour: colour(peer))
        }
        return SVGPlot(
            title: "Latency against gaps, a dot for each setting", note: note,
            x: .init("latency, median, ms", isLogarithmic: true),
            y: .init("gaps a minute (0.5: none)", isLogarithmic: true, limits: 0.4...10_000), series: series)
    }

    /// Where none at all are on a logarithmic axis of gaps a minute.
    private static let noGaps = 0.5

    /// Gaps a minute against latency, beside two busy processes.
    private func load(_ server: String) -> SVGPlot {
        let points = ReportTables(record).loadPoints(server)
        let series = Set(points.map(\.peer)).sorted().map { peer in
            SVGPlot.Series(
                name: peer,
                points: points.filter { $0.peer == peer && $0.latencyMilliseconds > 0 }
                    .map { ($0.latencyMilliseconds, max(Self.noGaps, $0.gapsPerMinute)) },
                style: .both, isOurs: isOurs(peer), colour: colour(peer))
        }
        return SVGPlot(
            title: "Gaps beside two busy processes, by latency", note: note,
            x: .init("latency, median, ms", isLogarithmic: true),
            y: .init("gaps a minute (0.5: none)", isLogarithmic: true, limits: 0.4...1000), series: series)
    }
}
