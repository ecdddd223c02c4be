// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The plots of a record.
struct ReportPlots {
    let record: Record

    init(_ record: Record) { self.record = record }

    /// The SVG source of all plots by file name; nil for a plot without data.
    var all: [(name: String, text: String?)] {
        SoundServerKind.allCases.map(\.rawValue).flatMap { server in
            let tail = server == "pulseaudio" ? "" : "-\(server)"
            let panels: [(String, SVGPanels)] = [
                (
                    "latency",
                    histogram(server, "Latency from callback to sink", \.latencyHistogram, \.latency)
                ),
                (
                    "interval",
                    histogram(server, "Interval between callbacks", \.intervalHistogram, \.interval)
                ),
                ("jitter", jitter(server)),
            ]
            let plots = [("frontier", frontier(server)), ("load", load(server))]
            return panels.map { ("\($0.0)\(tail).svg", $0.1.rows.isEmpty ? nil : $0.1.text) }
                + plots.map { ("\($0.0)\(tail).svg", $0.1.series.isEmpty ? nil : $0.1.text) }
        }
    }

    /// The plot in the README: for each library, the lowest latency without a gap, and all tried settings.
    var summary: SVGStrips? {
        let server = "pulseaudio"
        let tables = ReportTables(record)
        guard let seconds = tables.outputs(.frontier, server).map(\.seconds).max() else { return nil }
        let rows = tables.standings(server).map { standing in
            SVGStrips.Row(
                name: PeerTraits(name: standing.peer).library, good: standing.gapFree,
                bad: standing.withGaps, best: standing.best?.latency?.median, isOurs: isOurs(standing.peer))
        }
        return SVGStrips(
            title: "Latency from callback to sink: the lowest without a gap of its own in \(Int(seconds)) s",
            note: "\(record.servers[server] ?? server), null sink; \(note)",
            label: "median latency of each setting, ms", limits: 0.5...100, rows: rows)
    }

    private var note: String {
        "\(record.machine.processor), \(record.machine.cores) cores, \(record.sessions.first?.date.prefix(10) ?? "")"
    }

    /// Returns a run of each peer with the setting that most peers have in common.
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
        return (
            "\(setting.buffers) buffers of \(setting.frames) frames",
            results.sorted { ReportTables.place($0.peer) < ReportTables.place($1.peer) }
        )
    }

    private func isOurs(_ peer: String) -> Bool { peer == PeerTraits.ours }

    /// Returns each name once, in the order of the tables.
    private static func inOrder(_ peers: [String]) -> [String] {
        Set(peers).sorted { ReportTables.place($0) < ReportTables.place($1) }
    }

    private func histogram(
        _ server: String, _ title: String, _ histogram: KeyPath<OutputResult, Histogram?>,
        _ summary: KeyPath<OutputResult, Summary?>
    ) -> SVGPanels {
        let (setting, results) = examples(server)
        let rows = results.compactMap { result -> SVGPanels.Row? in
            guard let histogram = result[keyPath: histogram], let summary = result[keyPath: summary] else {
                return nil
            }
            var points: [(x: Double, y: Double)] = []
            for (index, count) in histogram.counts.enumerated() {
                let start = histogram.start + Double(index) * histogram.binWidth
                points += [start, start + histogram.binWidth].map { ($0, Double(count)) }
            }
            return SVGPanels.Row(
                name: PeerTraits(name: result.peer).library, points: points, remark: Self.remark(summary),
                largest: summary.largest, isOurs: isOurs(result.peer))
        }
        return SVGPanels(
            title: "\(title), \(setting)",
            note: note, label: "ms (height: share of callbacks; beside: \(Self.remarked))",
            longest: results.compactMap { $0[keyPath: summary]?.percentile99 }.max().map { $0 * Self.margin },
            rows: rows)
    }

    /// The length of an axis, in multiples of the largest 99th percentile of its rows: a single late callback would
    /// compress all rows.
    private static let margin = 1.3

    private static let remarked = "median, 99th percentile"

    private static func remark(_ summary: Summary) -> String {
        String(format: "%.2f, %.2f ms", summary.median, summary.percentile99)
    }

    /// The largest distance from the median in the plot of jitter.
    private static let jitterMilliseconds = 1.0

    private func jitter(_ server: String) -> SVGPanels {
        let (setting, results) = examples(server)
        let rows = results.compactMap { result -> SVGPanels.Row? in
            guard let latency = result.latency, !result.latencySeries.isEmpty else { return nil }
            return SVGPanels.Row(
                name: PeerTraits(name: result.peer).library,
                points: result.latencySeries.map { ($0[0], $0[1] - latency.median) },
                remark: Self.remark(latency), isOurs: isOurs(result.peer))
        }
        let limit = Self.jitterMilliseconds
        return SVGPanels(
            title: "Latency over time, \(setting)",
            note: note, label: "seconds (each row: its median ± 1 ms; beside: \(Self.remarked))",
            limits: -limit...limit, rows: rows)
    }

    private func frontier(_ server: String) -> SVGPlot {
        let runs = record.outputs.filter {
            ["sweep", "frontier"].contains($0.measure) && $0.server == server && $0.latency != nil
        }
        let series = Self.inOrder(runs.map(\.peer)).map { peer in
            let points = runs.filter { $0.peer == peer }.compactMap { run -> (x: Double, y: Double)? in
                guard let latency = run.latency?.median, latency > 0 else { return nil }
                return (latency, height(run.gapsPerMinute))
            }
            return SVGPlot.Series(
                name: PeerTraits(name: peer).library, points: points.sorted { $0.x < $1.x }, style: .dots,
                isOurs: isOurs(peer),
                colour: ReportTables.place(peer))
        }
        return SVGPlot(
            title: "Latency against gaps, a dot for each setting", note: note,
            x: .init("median latency from callback to sink, ms", isLogarithmic: true),
            y: .init("gaps a minute", isLogarithmic: true, limits: 0.3...10_000, word: (Self.noGaps, "none")),
            series: series)
    }

    /// The height of no gaps on the logarithmic axis, whose tick is labelled with a word.
    private static let noGaps = 0.5

    /// Returns the height of a number of gaps on a logarithmic axis. A long run may have fewer gaps a minute than the
    /// height of none, and is still above it.
    private func height(_ gapsPerMinute: Double) -> Double {
        gapsPerMinute > 0 ? max(Self.noGaps * 1.2, gapsPerMinute) : Self.noGaps
    }

    /// Returns the plot of gaps per minute against latency, beside two busy processes.
    private func load(_ server: String) -> SVGPlot {
        let points = ReportTables(record).loadPoints(server)
        let series = Self.inOrder(points.map(\.peer)).map { peer in
            SVGPlot.Series(
                name: PeerTraits(name: peer).library,
                points: points.filter { $0.peer == peer && $0.latencyMilliseconds > 0 }
                    .map { ($0.latencyMilliseconds, height($0.gapsPerMinute)) },
                style: .both, isOurs: isOurs(peer), colour: ReportTables.place(peer))
        }
        return SVGPlot(
            title: "Gaps beside two busy processes, by latency", note: note,
            x: .init("median latency from callback to sink, ms", isLogarithmic: true),
            y: .init("gaps a minute", isLogarithmic: true, limits: 0.3...10_000, word: (Self.noGaps, "none")),
            series: series)
    }
}
