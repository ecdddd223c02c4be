// SPDX-License-Identifier: MIT

import BenchKit

/// The tables of latency, gaps and cost.
extension ReportTables {
    func frontier(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Buffers × frames", "Seconds", "Latency, median ms", "p99 ms", "p99 − median ms",
            "Predicted − measured ms", "CPU %", "Gaps", "Gaps during stalls", "Longest stall ms",
        ])
        let runs = outputs(.frontier, server)
        let held = runs.filter(\.isGapFree).sorted {
            ($0.latency?.median ?? 0) < ($1.latency?.median ?? 0)
        }
        for run in held + runs.filter({ !$0.isGapFree }) {
            table.add(
                [library(run.peer), setting(run.setting), number(run.seconds, 0)]
                    + (run.failure.map { [$0] } ?? [
                        number(run.latency?.median, 3), number(run.latency?.percentile99, 3),
                        number(run.latency.map { $0.percentile99 - $0.median }, 3),
                        number(run.predictionError?.median), number(run.cost?.processorPercent),
                        String(run.gaps.own), whole(run.gaps.besideStalls),
                        number(run.stalls?.longestMilliseconds, 1),
                    ]))
        }
        let swept = outputs(.sweep, server)
        addAbsent(&table, having: runs.map(\.peer)) { peer in
            let own = swept.filter { $0.peer == peer.name }
            return own.isEmpty
                ? "not swept"
                : own.contains { $0.failure == nil && $0.gaps.own <= Schedule.mostGapsOfCandidates }
                    ? "not tried for so long" : "not tried: every setting of its sweep had gaps"
        }
        return section(
            "Frontier: the lowest latency without a gap",
            "The settings of the sweep with few or no gaps, the lowest latency first, in runs of increasing length, "
                + "until a setting had no gap in the longest run. Gaps during a stall of the machine that was long "
                + "enough to cause them do not count. Settings with gaps are at the end, with the run in which they "
                + "were abandoned.",
            table)
    }

    private static let latencyColumns = [
        "Library", "Buffers × frames", "Latency, median ms", "± 95 % ms", "Mean deviation ms", "p99 ms",
        "Largest ms", "Predicted − measured, median ms", "Largest error ms", "Gaps", "All gaps ms",
        "Longest gap ms", "Sink's period ms",
    ]

    private func latencyCells(_ run: OutputResult) -> [String] {
        guard run.failure == nil, let latency = run.latency else { return [run.failure ?? "was not audible"] }
        let error = run.predictionError
        return [
            number(latency.median, 3), number((latency.medianHigh - latency.medianLow) / 2, 3),
            number(latency.meanAbsoluteDeviation, 3), number(latency.percentile99), number(latency.largest),
            number(error?.median), number(error.map { max(abs($0.smallest), abs($0.largest)) }),
            String(run.gaps.number), number(run.gaps.totalMilliseconds, 1),
            number(run.gaps.longestMilliseconds, 1), number(run.sinkPeriod),
        ]
    }

    private func latencyTable(_ measure: Measure, _ server: String) -> MarkdownTable {
        var table = MarkdownTable(Self.latencyColumns)
        let runs = outputs(measure, server)
        for run in runs { table.add([library(run.peer), setting(run.setting)] + latencyCells(run)) }
        addAbsent(&table, having: runs.map(\.peer)) { _ in "not measured" }
        return table
    }

    func roundTrip(_ server: String) -> String {
        section(
            "Round trip",
            "From callback to monitor. *± 95 %*: the confidence interval of the median. *Mean deviation*: the mean "
                + "absolute deviation from the median.", latencyTable(.roundtrip, server))
    }

    /// Returns the cost of the round-trip runs, and the regularity of their callbacks.
    func cost(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Buffers × frames", "Callbacks every, median ms", "Their p99 ms",
            "Largest interval ms",
            "CPU %", "Server's CPU %", "Context switches a second", "Memory MB", "Threads",
        ])
        for run in outputs(.roundtrip, server) where run.failure == nil {
            table.add([
                library(run.peer), setting(run.setting), number(run.interval?.median),
                number(run.interval?.percentile99), number(run.interval?.largest),
                number(run.cost?.processorPercent), number(run.cost?.serverProcessorPercent),
                number(run.cost?.voluntarySwitchesPerSecond, 0), number(run.cost?.peakMegabytes, 1),
                whole(run.cost?.threads),
            ])
        }
        return section(
            "Cost, and the regularity of callbacks",
            "Of the round trips above. CPU is processor time as a share of one core, after the first second, and "
                + "includes the work of the program that makes and logs the noise. Context switches are the voluntary "
                + "ones, which are wake-ups. Memory is the peak resident memory, without the log.", table)
    }

    func sweep(_ server: String) -> String {
        section(
            "Sweep", "Every setting for 2.4 s, or for a few cycles of its buffers if these take longer.",
            latencyTable(.sweep, server))
    }

    /// Returns the requested and granted sizes, as reported by each library.
    func granted(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Version", "Accepts", "Requested", "Granted in total, frames",
            "Granted for each request, frames",
            "Sink's period ms",
        ])
        let runs = outputs(.roundtrip, server).filter { $0.failure == nil && $0.setting.frames == 240 }
        var seen: Set<String> = []
        for run in runs where seen.insert(run.peer).inserted {
            let asks =
                switch PeerTraits(name: run.peer).asks {
                case .period: "one buffer's length"
                case .total: "the length of all buffers"
                case .both: "both"
                }
            table.add([
                library(run.peer), record.versions[run.peer] ?? "–", asks, setting(run.setting),
                run.notes["granted_total_frames"] ?? "not reported",
                run.notes["granted_period_frames"] ?? "not reported", number(run.sinkPeriod),
            ])
        }
        return section(
            "Requested and granted", "Of the round trips above, with buffers of 240 frames.", table)
    }

    func goals(_ server: String) -> String {
        var table = MarkdownTable([
            "Goal", "Buffers × frames", "Latency, median ms", "p99 ms", "Predicted − measured ms",
            "Gaps, idle", "Gaps, busy", "Seconds each", "CPU %", "Server's CPU %",
            "Context switches a second", "Memory MB",
        ])
        let runs = outputs(.goals, server)
        for run in runs where !run.isLoaded {
            let busy = runs.first { $0.goal == run.goal && $0.isLoaded }
            table.add(
                [run.goal ?? "", setting(run.setting)]
                    + (run.failure.map { [$0] } ?? [
                        number(run.latency?.median, 2), number(run.latency?.percentile99, 2),
                        number(run.predictionError?.median), String(run.gaps.number),
                        busy.map { $0.failure ?? String($0.gaps.number) } ?? "–", number(run.seconds, 0),
                        number(run.cost?.processorPercent), number(run.cost?.serverProcessorPercent),
                        number(run.cost?.voluntarySwitchesPerSecond, 0),
                        number(run.cost?.peakMegabytes, 1),
                    ]))
        }
        return section(
            "Latency goals from the lowest latency to the least power",
            "The goals of this project's `LatencyGoal`, each with buffers that fit the goal; *balanced* is the "
                + "default. Latency is measured from the callback, so it includes all buffers. Busy: beside two "
                + "processes as above.",
            table)
    }
}
