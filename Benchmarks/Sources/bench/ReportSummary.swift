// SPDX-License-Identifier: MIT

import BenchKit
import Foundation

/// A record as a single table with a line for each library.
struct ReportSummary {
    let record: Record
    private let server = "pulseaudio"
    private let tables: ReportTables

    init(_ record: Record) {
        self.record = record
        tables = ReportTables(record)
    }

    /// The table; empty without a frontier on PulseAudio.
    var text: String {
        let frontier = tables.outputs(.frontier, server)
        guard let longest = frontier.map(\.seconds).max() else { return "" }
        let seconds = Int(longest)
        let near = Int(Schedule.reportedLoadLatency)
        var table = MarkdownTable([
            "Library", "Lowest latency without a gap, ms (buffers × frames)",
            "Gaps a minute during stalls of the machine", "99 % within, ms",
            "Predicted − measured, ms", "CPU, %",
            "Busy machine, near \(near) ms: gaps a minute (latency, ms)",
            "Start to audio, ms",
        ])
        let standings = tables.standings(server)
        let others = PeerTraits.allNames.filter { name in !standings.contains { $0.peer == name } }
        for standing in standings { table.add(line(standing.peer, latency(standing, seconds))) }
        for name in others {
            let reason = record.peersMissing.contains(name) ? "not built here" : "not measured"
            table.add(line(name, [reason, "–", "–", "–", "–"]))
        }
        let machine = record.machine
        return """
            \(table.text)
            \(record.servers[server] ?? server), null sink at 48 kHz; \(machine.processor), \(machine.cores) cores, \
            Linux \(machine.kernel), \(record.sessions.first?.date.prefix(10) ?? ""). *Lowest latency without a gap*: \
            the median latency from callback to sink, at the lowest setting that had no gap in \(seconds) s except \
            during stalls of the machine. The next columns describe this setting: the number of these gaps, the \
            latency that 99 of 100 callbacks do not exceed, the latency that the library reports minus the measured \
            one, and processor time as a share of one core. *Busy machine*: beside two processes that use all \
            available processor time, at the setting whose latency is nearest to \(near) ms. *Start to audio*: the \
            median time from the call that starts a filled and idle stream until its first audible frame.

            """
    }

    private func line(_ name: String, _ latency: [String]) -> [String] {
        let library = PeerTraits(name: name).library
        let start = record.starts.first { $0.peer == name && $0.server == server }?.startToSound?.median
        return [name == PeerTraits.ours ? "**\(library)** (this project)" : library] + latency
            + [loaded(name), tables.number(start, 1)]
    }

    private func latency(_ standing: Standing, _ seconds: Int) -> [String] {
        guard let best = standing.best else {
            return [standing.gapFree.isEmpty ? "none" : "none for \(seconds) s", "–", "–", "–", "–"]
        }
        return [
            "\(tables.number(best.latency?.median)) (\(tables.setting(best.setting)))",
            tables.whole(best.gaps.besideStalls),
            tables.number(best.latency?.percentile99), tables.number(best.predictionError?.median),
            tables.number(best.cost?.processorPercent),
        ]
    }

    /// Returns the gaps under load at the latency of the summary.
    private func loaded(_ name: String) -> String {
        let own = tables.loadPoints(server).filter { $0.peer == name }
        return LoadPoint.nearest(Schedule.reportedLoadLatency, in: own).map { point in
            let gaps = point.gapsPerMinute
            return "\(tables.number(gaps, gaps > 0 && gaps < 10 ? 1 : 0)) "
                + "(\(tables.number(point.latencyMilliseconds, 1)))"
        } ?? "–"
    }
}
