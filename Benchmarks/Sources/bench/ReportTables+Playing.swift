import BenchKit

/// Latency, gaps and cost.
extension ReportTables {
    func frontier(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Buffers × frames", "Seconds", "Latency, median ms", "p99 ms", "p99 − median ms",
            "Predicted − measured ms", "CPU %", "Gaps",
        ])
        let runs = outputs(.frontier, server)
        let held = runs.filter(\.isGapFree).sorted {
            ($0.latency?.median ?? 0) < ($1.latency?.median ?? 0)
        }
        for run in held {
            guard let latency = run.latency else { continue }
            table.add([
                run.peer, setting(run.setting), number(run.seconds, 0), number(latency.median, 3),
                number(latency.percentile99, 3), number(latency.percentile99 - latency.median, 3),
                number(run.predictionError?.median), number(run.cost?.processorPercent), "0",
            ])
        }
        for run in runs where !run.isGapFree {
            table.add(
                [run.peer, setting(run.setting), number(run.seconds, 0)]
                    + (run.failure.map { [$0] } ?? [
                        number(run.latency?.median, 3), number(run.latency?.percentile99, 3), "",
                        number(run.predictionError?.median), number(run.cost?.processorPercent),
                        String(run.gaps.number),
                    ]))
        }
        addAbsent(&table, having: runs.map(\.peer)) { _ in
            "not tried: no setting of its sweep was without gaps"
        }
        return section(
            "Frontier: the lowest latency without a gap",
            "The settings of the sweep that had no gap there, the lowest latency first, until one had none in a long "
                + "run. Settings that were tried and had gaps are at the end.", table)
    }

    private static let columns = [
        "Library", "Buffers × frames", "Latency, median ms", "± 95 % ms", "Deviation ms", "p99 ms",
        "Largest ms",
        "Predicted − measured ms", "Its largest ms", "Gaps", "Together ms", "Longest ms",
        "Callbacks every ms",
        "p99 ms", "Sink's period ms", "CPU %", "Server's CPU %", "Switches a second", "Memory MB", "Threads",
    ]

    private func cells(_ run: OutputResult) -> [String] {
        guard run.failure == nil, let latency = run.latency else { return [run.failure ?? "was not heard"] }
        let error = run.predictionError
        return [
            number(latency.median, 3), number((latency.medianHigh - latency.medianLow) / 2, 3),
            number(latency.meanAbsoluteDeviation, 3), number(latency.percentile99), number(latency.largest),
            number(error?.median), number(error.map { max(abs($0.smallest), abs($0.largest)) }),
            String(run.gaps.number), number(run.gaps.totalMilliseconds, 1),
            number(run.gaps.longestMilliseconds, 1), number(run.interval?.median),
            number(run.interval?.percentile99), number(run.sinkPeriod), number(run.cost?.processorPercent),
            number(run.cost?.serverProcessorPercent), number(run.cost?.voluntarySwitchesPerSecond, 0),
            number(run.cost?.peakMegabytes, 1), whole(run.cost?.threads),
        ]
    }

    private func table(_ measure: Measure, _ server: String) -> MarkdownTable {
        var table = MarkdownTable(Self.columns)
        let runs = outputs(measure, server)
        for run in runs { table.add([run.peer, setting(run.setting)] + cells(run)) }
        addAbsent(&table, having: runs.map(\.peer)) { _ in "not measured" }
        return table
    }

    func roundTrip(_ server: String) -> String {
        section(
            "Round trip, and its cost",
            "From callback to monitor. *Deviation* is the mean absolute one from the median; CPU is processor time as "
                + "a share of one core's, after the first second; switches are voluntary.",
            table(.roundtrip, server))
    }

    func load(_ server: String) -> String {
        section(
            "Beside two busy processes", "The same, while two processes of normal priority use all they get.",
            table(.load, server))
    }

    func sweep(_ server: String) -> String {
        section(
            "Sweep", "Every setting for 2.5 s, or a few rounds of its buffers if they are longer.",
            table(.sweep, server))
    }

    /// What was asked of the server, as far as each library tells.
    func granted(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Version", "Can be asked for", "Asked", "Granted in all, frames",
            "Granted a request, frames",
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
                run.peer, record.versions[run.peer] ?? "–", asks, setting(run.setting),
                run.notes["granted_total_frames"] ?? "does not tell",
                run.notes["granted_period_frames"] ?? "does not tell", number(run.sinkPeriod),
            ])
        }
        return section("Asked and granted", "Of the round trip above.", table)
    }

    func goals(_ server: String) -> String {
        var table = MarkdownTable([
            "Goal", "Buffers × frames", "Latency, median ms", "p99 ms", "Predicted − measured ms",
            "Gaps, idle",
            "Gaps, busy", "CPU %", "Server's CPU %", "Wake-ups a second",
        ])
        let runs = outputs(.goals, server)
        for run in runs where !run.isLoaded {
            let busy = runs.first { $0.goal == run.goal && $0.isLoaded }
            table.add(
                [run.goal ?? "", setting(run.setting)]
                    + (run.failure.map { [$0] } ?? [
                        number(run.latency?.median, 2), number(run.latency?.percentile99, 2),
                        number(run.predictionError?.median), String(run.gaps.number),
                        busy.map { $0.failure ?? String($0.gaps.number) } ?? "–",
                        number(run.cost?.processorPercent), number(run.cost?.serverProcessorPercent),
                        number(run.cost?.voluntarySwitchesPerSecond, 0),
                    ]))
        }
        return section(
            "One setting from lowest latency to least power",
            "This project's `LatencyGoal`, each with buffers that fit it; *balanced* is the default. Latency is "
                + "of the callback, which is ahead by all buffers. Busy: beside two processes as above.",
            table)
    }
}
