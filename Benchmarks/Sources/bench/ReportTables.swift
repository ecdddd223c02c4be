import BenchKit
import Foundation

/// A record as tables in Markdown.
struct ReportTables {
    let record: Record

    init(_ record: Record) { self.record = record }

    var text: String {
        var parts = [head]
        for server in record.servers.keys.sorted() {
            parts.append("## \(record.servers[server] ?? server)\n")
            parts += [
                section("Frontier: the lowest latency without a gap", frontier(server)),
                outputs("Round trip", "roundtrip", server),
                outputs("Beside two busy processes", "load", server),
                outputs("Sweep", "sweep", server), section("Many streams in one process", scales(server)),
                section("Start and stop, median ms", starts(server)),
                section("Tools", tools(server)), inputs("Input", "input", server),
                inputs("Full duplex", "duplex", server),
            ]
        }
        parts.append(section("Conversion, times real time", conversions))
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var head: String {
        let machine = record.machine
        return """
            # Benchmarks

            \(machine.processor), \(machine.cores) cores, Linux \(machine.kernel), \(machine.date), commit \
            \(machine.commit). `bench \(record.arguments.joined(separator: " "))`

            The sink is a null sink of 48 kHz, 32-bit float, whose period is what the program under test asks for. \
            A frame counts as heard when the sink's own clock says that it is played, to about 0.03 ms. Latency is \
            from a callback's entry until its first frame is heard; gaps are departures, from the second second \
            on, of what the monitor hears from the known noise, sample by sample. Starts and tools meet a sink \
            that is awake with a period of 10 ms; on PipeWire the period is 256 frames throughout. Times are in \
            milliseconds.

            """
    }

    private func section(_ title: String, _ table: MarkdownTable) -> String {
        table.isEmpty ? "" : "### \(title)\n\n\(table.text)"
    }

    private func number(_ value: Double?, _ digits: Int = 2) -> String {
        value.map { $0.isFinite ? String(format: "%.\(digits)f", $0) : "" } ?? ""
    }

    private func outputs(_ title: String, _ measure: String, _ server: String) -> String {
        var table = MarkdownTable([
            "Peer", "Buffers × frames", "Median", "± 95 %", "MAD", "p99", "Max", "Predicted − measured",
            "Largest",
            "Gaps", "ms", "Interval", "p99", "Sink", "CPU %", "Server %", "Switches/s", "MB", "Threads",
        ])
        let runs = record.outputs.filter { $0.measure == measure && $0.server == server }
        for run in runs.sorted(by: {
            ($0.setting.frames, $0.setting.buffers, $0.peer) < (
                $1.setting.frames, $1.setting.buffers, $1.peer
            )
        }) {
            table.add(cells(run))
        }
        return section(title, table)
    }

    private func cells(_ run: OutputResult) -> [String] {
        let name = [run.peer, "\(run.setting.buffers) × \(run.setting.frames)"]
        guard run.failure == nil, let latency = run.latency else {
            return name + [run.failure ?? "not heard"]
        }
        let error = run.predictionError
        return name + [
            number(latency.median, 3), number((latency.medianHigh - latency.medianLow) / 2, 3),
            number(latency.meanAbsoluteDeviation), number(latency.percentile99), number(latency.largest),
            number(error?.median), number(error.map { max(abs($0.smallest), abs($0.largest)) }),
            String(run.gaps.number), number(run.gaps.totalMilliseconds, 1), number(run.interval?.median),
            number(run.interval?.percentile99), number(run.sinkPeriod), number(run.cost?.processorPercent),
            number(run.cost?.serverProcessorPercent), number(run.cost?.voluntarySwitchesPerSecond, 0),
            number(run.cost?.peakMegabytes, 1), run.cost.map { String($0.threads) } ?? "",
        ]
    }

    private func frontier(_ server: String) -> MarkdownTable {
        var table = MarkdownTable([
            "Peer", "Buffers × frames", "Seconds", "Median", "p99", "p99 − median", "Predicted − measured",
            "CPU %",
        ])
        let runs = record.outputs.filter { $0.measure == "frontier" && $0.server == server && $0.isGapFree }
        for run in runs.sorted(by: { ($0.latency?.median ?? 0) < ($1.latency?.median ?? 0) }) {
            guard let latency = run.latency else { continue }
            table.add([
                run.peer, "\(run.setting.buffers) × \(run.setting.frames)", number(run.seconds, 0),
                number(latency.median, 3), number(latency.percentile99, 3),
                number(latency.percentile99 - latency.median, 3), number(run.predictionError?.median),
                number(run.cost?.processorPercent),
            ])
        }
        return table
    }

    private func scales(_ server: String) -> MarkdownTable {
        var table = MarkdownTable([
            "Peer", "Streams", "Gaps", "Streams with gaps", "Never heard", "CPU %",
            "CPU % a stream",
            "Server %", "MB", "MB a stream", "Threads",
        ])
        let runs = record.scales.filter { $0.server == server }
        for run in runs.sorted(by: { ($0.peer, $0.streams) < ($1.peer, $1.streams) }) {
            let count = Double(run.streams)
            guard run.failure == nil else {
                table.add([run.peer, String(run.streams), run.failure ?? ""])
                continue
            }
            table.add([
                run.peer, String(run.streams), String(run.gaps), String(run.streamsWithGaps),
                String(run.unheardStreams), number(run.cost?.processorPercent),
                number(run.cost.map { $0.processorPercent / count }, 3),
                number(run.cost?.serverProcessorPercent),
                number(run.cost?.peakMegabytes, 1), number(run.cost.map { $0.peakMegabytes / count }, 3),
                run.cost.map { String($0.threads) } ?? "",
            ])
        }
        return table
    }

    private func starts(_ server: String) -> MarkdownTable {
        var table = MarkdownTable([
            "Peer", "Process to sound", "p99", "Creation to sound", "Start to sound", "p99",
            "Stop to silence",
            "Pause to silence", "Resume to sound", "Sink",
        ])
        for run in record.starts where run.server == server {
            table.add(
                [run.peer]
                    + (run.failure.map { [$0] } ?? [
                        number(run.processToSound?.median, 1), number(run.processToSound?.percentile99, 1),
                        number(run.createToSound?.median, 1), number(run.startToSound?.median, 1),
                        number(run.startToSound?.percentile99, 1), number(run.stopToSilence?.median, 1),
                        number(run.pauseToSilence?.median, 1), number(run.resumeToSound?.median, 1),
                        number(run.sinkPeriod, 1),
                    ]))
        }
        return table
    }

    private func tools(_ server: String) -> MarkdownTable {
        var table = MarkdownTable([
            "Tool", "File", "Process to sound", "p99", "End of sound to exit", "Sound missing",
            "CPU ms a second",
            "MB",
        ])
        for run in record.tools where run.server == server {
            table.add(
                [run.tool, run.format]
                    + (run.failure.map { [$0] } ?? [
                        number(run.processToSound?.median, 1), number(run.processToSound?.percentile99, 1),
                        number(run.soundToExit?.median, 1), number(run.missingMilliseconds, 1),
                        number(run.processorMillisecondsPerSecond, 1), number(run.peakMegabytes, 1),
                    ]))
        }
        return table
    }

    private func inputs(_ title: String, _ measure: String, _ server: String) -> String {
        var table = MarkdownTable([
            "Peer", "Buffers × frames", "Callback to callback", "p99", "First frame to callback", "p99",
            "Last frame to callback", "Predicted − measured", "Gaps", "Interval", "Sink",
        ])
        for run in record.inputs where run.server == server && run.measure == measure {
            table.add(
                [run.peer, "\(run.setting.buffers) × \(run.setting.frames)"]
                    + (run.failure.map { [$0] } ?? [
                        number(run.roundTrip?.median), number(run.roundTrip?.percentile99),
                        number(run.oldest?.median), number(run.oldest?.percentile99),
                        number(run.newest?.median),
                        number(run.predictionError?.median), String(run.gaps), number(run.interval?.median),
                        number(run.sinkPeriod),
                    ]))
        }
        return section(title, table)
    }

    private var conversions: MarkdownTable {
        var table = MarkdownTable(["Tool", "Conversion", "By the clock", "By processor time"])
        for run in record.conversions {
            table.add(
                [run.tool, run.conversion]
                    + (run.failure.map { [$0] } ?? [
                        number(run.timesRealTime?.median, 0), number(run.processorTimesRealTime, 0),
                    ]))
        }
        return table
    }
}
