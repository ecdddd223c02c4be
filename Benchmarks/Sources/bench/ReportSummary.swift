import BenchKit
import Foundation

/// A record as one table of a line for each library, for who reads but one.
struct ReportSummary {
    let record: Record
    private let server = "pulseaudio"

    init(_ record: Record) { self.record = record }

    /// Empty where there was no frontier on PulseAudio.
    var text: String {
        let tables = ReportTables(record)
        let frontier = tables.outputs(.frontier, server)
        guard !frontier.isEmpty else { return "" }
        var table = MarkdownTable([
            "Library", "Lowest without a gap, ms", "p99 ms", "Predicted − measured, ms", "CPU %",
            "Gaps a minute on a busy machine, near 5 ms", "Primed start to sound, ms",
        ])
        for name in PeerTraits.allNames {
            let best = frontier.filter { $0.peer == name && $0.isGapFree }
                .min { ($0.latency?.median ?? .infinity) < ($1.latency?.median ?? .infinity) }
            let start = record.starts.first { $0.peer == name && $0.server == server }?.startToSound?.median
            let isTried = frontier.contains { $0.peer == name }
            let isMissing = record.peersMissing.contains(name)
            table.add(
                [name == PeerTraits.ours ? "**\(name)** (this project)" : name]
                    + (best.map {
                        [
                            "\(tables.number($0.latency?.median)) (\(tables.setting($0.setting)))",
                            tables.number($0.latency?.percentile99),
                            tables.number($0.predictionError?.median),
                            tables.number($0.cost?.processorPercent),
                        ]
                    } ?? [isMissing ? "not built here" : isTried ? "none held" : "not tried", "–", "–", "–"])
                    + [loaded(name, tables), tables.number(start, 1)])
        }
        let seconds = Int(frontier.map(\.seconds).max() ?? 0)
        let machine = record.machine
        return """
            \(table.text)
            \(record.servers[server] ?? server), null sink, 48 kHz; \(machine.processor), \(machine.cores) cores, \
            Linux \(machine.kernel), \(record.sessions.first?.date.prefix(10) ?? ""). *Lowest without a gap*: the \
            lowest latency from callback to monitor, as a median, that held for \(seconds) s, and its buffers × frames. \
            *Busy*: beside two busy processes, at a setting whose latency there was near 5 ms; it is told in brackets.

            """
    }

    /// Gaps under load at the latency that is told.
    private func loaded(_ name: String, _ tables: ReportTables) -> String {
        let own = tables.loadPoints(server).filter { $0.peer == name }
        return LoadPoint.nearest(Schedule.toldLoadLatency, in: own).map {
            "\(tables.number($0.gapsPerMinute, 1)) (\(tables.number($0.latencyMilliseconds, 1)) ms)"
        } ?? "–"
    }
}
