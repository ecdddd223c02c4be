// SPDX-License-Identifier: MIT

import BenchKit

/// The tables of gaps beside two busy processes.
extension ReportTables {
    /// Returns a table with a row for each library and a column for each latency.
    func loadAtLatencies(_ server: String) -> String {
        let points = loadPoints(server)
        let latencies = Schedule.loadLatencies.filter { latency in
            PeerTraits.allNames.filter { peer in
                LoadPoint.nearest(latency, in: points.filter { $0.peer == peer }) != nil
            }.count > 1
        }
        guard !latencies.isEmpty else { return "" }
        var table = MarkdownTable(["Library"] + latencies.map { "Near \(number($0, 1)) ms" })
        for name in PeerTraits.allNames {
            let own = points.filter { $0.peer == name }
            guard !own.isEmpty else { continue }
            table.add(
                [library(name)]
                    + latencies.map { latency in
                        LoadPoint.nearest(latency, in: own).map {
                            "\(number($0.gapsPerMinute, 1)) (\(number($0.latencyMilliseconds, 2)) ms)"
                        } ?? "–"
                    })
        }
        addAbsent(&table, having: points.map(\.peer)) { _ in "not measured" }
        let seconds = points.map(\.countedSeconds)
        let (least, most) = (number(seconds.min(), 0), number(seconds.max(), 0))
        let counted = least == most ? most : "\(least) to \(most)"
        return section(
            "Gaps a minute beside two busy processes, at the same latency",
            "While two processes of normal priority use all available processor time: gaps a minute, and in brackets "
                + "the median latency, of the setting whose latency is nearest to that of the column; – if none is "
                + "within a quarter. Each result is counted over \(counted) s, in "
                + "\(points.map(\.runs).max() ?? 1) runs at most, in turn with the other libraries.", table)
    }

    func load(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Buffers × frames", "Latency, median ms", "Largest p99 ms", "Runs", "Seconds counted",
            "Gaps", "Gaps a minute", "Gaps during stalls", "All gaps ms", "Longest gap ms",
        ])
        let points = loadPoints(server)
        for name in PeerTraits.allNames {
            for point in points where point.peer == name {
                table.add([
                    library(name), setting(point.setting), number(point.latencyMilliseconds),
                    number(point.percentile99Milliseconds), String(point.runs),
                    number(point.countedSeconds, 0), String(point.gaps), number(point.gapsPerMinute, 1),
                    String(point.gapsBesideStalls), number(point.gapMilliseconds, 1),
                    number(point.longestGapMilliseconds, 1),
                ])
            }
        }
        for run in outputs(.load, server) {
            if let failure = run.failure { table.add([library(run.peer), setting(run.setting), failure]) }
        }
        return section(
            "Beside two busy processes: every setting",
            "The settings were chosen so that all libraries have similar latencies.", table)
    }

    func loadPoints(_ server: String) -> [LoadPoint] { LoadPoint.points(outputs(.load, server)) }
}
