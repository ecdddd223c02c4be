// SPDX-License-Identifier: MIT

import BenchKit

/// The tables of streams, starts, tools and recording.
extension ReportTables {
    func scales(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Streams", "Seconds", "Gaps", "Streams with gaps", "Never audible", "CPU %",
            "CPU % a stream",
            "Server's CPU %", "Memory MB", "MB a stream", "Threads", "Threads a stream",
        ])
        let runs = record.scales.filter { $0.server == server }.sorted {
            (Self.place($0.peer), $0.streams, $0.seconds) < (Self.place($1.peer), $1.streams, $1.seconds)
        }
        for run in runs {
            let count = Double(run.streams)
            let cells =
                run.failure.map { [$0] } ?? [
                    String(run.gaps), String(run.streamsWithGaps), String(run.inaudibleStreams),
                    number(run.cost?.processorPercent),
                    number(run.cost.map { $0.processorPercent / count }, 3),
                    number(run.cost?.serverProcessorPercent), number(run.cost?.peakMegabytes, 1),
                    number(run.cost.map { $0.peakMegabytes / count }, 3), whole(run.cost?.threads),
                    number(run.cost.map { Double($0.threads) / count }, 2),
                ]
            table.add([library(run.peer), String(run.streams), number(run.seconds, 0)] + cells)
        }
        let most = runs.map(\.streams).max() ?? 0
        for name in Set(runs.map(\.peer)).sorted(by: { Self.place($0) < Self.place($1) }) {
            let can = PeerTraits(name: name).mostStreams
            if can < most { table.add([library(name), "> \(can)", "", "its program plays \(can) at most"]) }
        }
        addAbsent(&table, having: runs.map(\.peer)) { _ in "not measured" }
        let buffers = runs.first.map { " in \(setting($0.setting)) frames" } ?? ""
        return section(
            "Many streams in one process",
            "Each stream plays a sine\(buffers). The streams are distributed over several sinks, because PulseAudio "
                + "mixes at most 32 streams in a sink. A gap is a span of 50 ms, or of a second for a single stream, "
                + "in which the audio of a stream is not the expected sine. Callbacks are not logged here, so one "
                + "stream costs less than in the tables above.",
            table)
    }

    func starts(_ server: String) -> String {
        var table = MarkdownTable([
            "Library", "Process to audio, median ms", "Its p99 ms", "Creation to audio ms",
            "Primed start to audio, median ms", "Its largest ms", "Sink's period at that start ms",
            "Largest, in periods", "Stop to silence ms", "Pause to silence ms", "Resume to audio ms",
        ])
        let runs = record.starts.filter { $0.server == server }
        for run in runs {
            table.add(
                [library(run.peer)]
                    + (run.failure.map { [$0] } ?? [
                        number(run.processToSound?.median, 1), number(run.processToSound?.percentile99, 1),
                        number(run.createToSound?.median, 1), number(run.startToSound?.median, 1),
                        number(run.startToSound?.largest, 1), number(run.sinkPeriod, 1),
                        number(run.startInPeriods?.largest, 2), number(run.stopToSilence?.median, 1),
                        number(run.pauseToSilence?.median, 1), number(run.resumeToSound?.median, 1),
                    ]))
        }
        addAbsent(&table, having: runs.map(\.peer)) { _ in "not measured" }
        let buffers = runs.first.map { ", \(setting($0.setting)) frames" } ?? ""
        return section(
            "Start and stop",
            "Medians\(buffers), on a sink that is awake. *Process*: from the start of the process. *Creation*: from "
                + "the creation of the stream, which the program starts at once in these runs. *Primed start*: from the "
                + "start call of a stream that has been filled and idle for 0.4 s, as far as the library supports this. "
                + "`pacat` starts its process at this moment, and cannot pause; GStreamer waits once more for the time "
                + "that it was idle. *Stop*: until the last frame of a fade is audible.",
            table)
    }

    func tools(_ server: String) -> String {
        var table = MarkdownTable([
            "Tool", "Does", "File", "Runs", "Process to audio, median ms", "p99 ms", "End to exit ms",
            "Audio missing ms", "Gaps", "CPU ms a second", "Memory MB", "In turn: runs",
            "Process to audio, median ms (95 %)", "The same with a file of 10 s",
        ])
        for run in record.tools where run.server == server {
            table.add(
                [run.tool, run.action, run.format]
                    + (run.failure.map { [$0] } ?? [
                        whole(run.processToSound?.repeats), number(run.processToSound?.median, 1),
                        number(run.processToSound?.percentile99, 1), number(run.soundToExit?.median, 1),
                        number(run.missingMilliseconds, 1),
                        whole(run.gaps), number(run.processorMillisecondsPerSecond, 1),
                        number(run.peakMegabytes, 1), whole(run.startInTurn?.repeats),
                        run.startInTurn?.medianWithConfidence ?? "",
                        run.longStartInTurn?.medianWithConfidence ?? "",
                    ]))
        }
        return section(
            "Tools",
            "Players: the time from the start until the first audible frame, and from the last audible frame to the "
                + "exit. Recorders: the time from the start until the first frame of the file passes the monitor, and "
                + "from the last frame, or from the signal that ends the recorder, to the exit. *In turn*: short runs "
                + "of the closest tools alone, on a sink with periods of a millisecond, because periods of five would "
                + "hide the differences; with a file of 0.3 s, and with a file that is longer than the audio that any "
                + "player sends in advance.", table)
    }

    func input(_ server: String) -> String {
        let columns = [
            "First frame to callback, median ms", "p99 ms", "Last frame to callback ms",
            "Predicted − measured ms",
        ]
        return section(
            "Input", "From the moment when a frame passes the monitor to the callback that receives it.",
            recordings(.input, server, columns) { run in
                [
                    run.oldest?.median, run.oldest?.percentile99, run.newest?.median,
                    run.predictionError?.median,
                ]
            })
    }

    func duplex(_ server: String) -> String {
        let columns = [
            "Callback to callback, median ms", "p99 ms", "Largest ms", "Predicted − measured, input ms",
        ]
        return section(
            "Full duplex",
            "From the callback that plays a frame to the callback of the same process that records it.",
            recordings(.duplex, server, columns) { run in
                let trip = run.roundTrip
                return [trip?.median, trip?.percentile99, trip?.largest, run.predictionError?.median]
            })
    }

    /// Returns a table of runs that record, with the columns of the measure between the common ones.
    private func recordings(
        _ measure: Measure, _ server: String, _ columns: [String], values: (InputResult) -> [Double?]
    ) -> MarkdownTable {
        var table = MarkdownTable(
            ["Library", "Buffers × frames"] + columns + ["Gaps", "Callbacks every ms", "Sink's period ms"])
        let runs = record.inputs.filter { $0.server == server && $0.measure == measure.rawValue }
            .sorted {
                ($0.setting.frames, $0.setting.buffers, Self.place($0.peer))
                    < ($1.setting.frames, $1.setting.buffers, Self.place($1.peer))
            }
        for run in runs {
            let figures = values(run).map { number($0) } + [String(run.gaps)]
            let regularity = [number(run.interval?.median), number(run.sinkPeriod)]
            table.add(
                [library(run.peer), setting(run.setting)] + (run.failure.map { [$0] } ?? figures + regularity)
            )
        }
        addAbsent(&table, having: runs.map(\.peer)) { _ in "not measured" }
        return table
    }
}
