// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// A record as tables in Markdown.
struct ReportTables {
    let record: Record

    init(_ record: Record) { self.record = record }

    var text: String {
        var parts = [head]
        for server in SoundServerKind.allCases.map(\.rawValue) {
            guard let name = record.servers[server] else { continue }
            parts += ["## \(name)\n", failures(server)]
            parts += [frontier(server), loadAtLatencies(server), roundTrip(server), cost(server)]
            parts += [granted(server), load(server), goals(server)]
            parts += [scales(server), starts(server), tools(server), input(server), duplex(server)]
            parts += [audioThreads(server), mixes(server)]
            parts += [sweep(server)]
        }
        parts.append(conversions)
        return parts.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private var head: String {
        let machine = record.machine
        let sessions = record.sessions.map {
            "\($0.date), commit \($0.commit), \(Int($0.minutes.rounded(.up))) minutes: "
                + "`bench \($0.arguments.joined(separator: " "))`"
        }
        let absent =
            record.peersMissing.isEmpty
            ? ""
            : "Not measured, because their libraries are missing: \(record.peersMissing.map(library).joined(separator: ", ")).\n"
        return """
            # Benchmarks

            \(machine.processor), \(machine.cores) cores, Linux \(machine.kernel). \
            \(sessions.joined(separator: "; ")).

            Every program plays the same noise on the same sink, in turn: a null sink of 48 kHz, 32-bit float, with \
            the period that the program under test requests. *Latency* is the time from the entry of a callback until \
            its first frame is audible, by the sink's own clock, within about 0.03 ms. A *gap* is a difference \
            between the audio of the monitor and the known noise, compared sample by sample after the first second. \
            A *stall of the machine* kept a thread of the highest priority, bound to a processor, from running. A gap \
            during a stall of at least a third of the stream's latency is counted separately. *Predicted − measured* \
            is the latency that the library reports at that moment, minus the measured one; – if the library reports \
            none. Buffers are requested as number × frames (240 frames are 5 ms), as far as each library supports \
            this. On PipeWire the sink's period is always 256 frames. Benchmarks/README.md explains each measure.
            \(absent)
            """
    }

    private func failures(_ server: String) -> String {
        let failed = record.failures.filter { $0.server == server }
            .map { "**\($0.measure.rawValue)** could not be measured: \($0.reason)\n" }
        let lost = record.losses.filter { $0.server == server }.map { "\($0.run) (\($0.measure))" }
        let losses =
            "Runs that were repeated because the server ended: " + lost.joined(separator: ", ")
            + ".\n"
        return failed.joined() + (lost.isEmpty ? "" : losses)
    }

    // MARK: Parts of tables

    func section(_ title: String, _ method: String, _ table: MarkdownTable) -> String {
        table.isEmpty ? "" : "### \(title)\n\n\(method)\n\n\(table.text)"
    }

    func number(_ value: Double?, _ digits: Int = 2) -> String {
        value.map { $0.isFinite ? String(format: "%.\(digits)f", $0) : "–" } ?? "–"
    }

    func whole(_ value: Int?) -> String { value.map(String.init) ?? "–" }

    func setting(_ setting: BufferSetting) -> String { "\(setting.buffers) × \(setting.frames)" }

    /// Returns the results of a measure on a server, sorted by setting and library.
    func outputs(_ measure: Measure, _ server: String) -> [OutputResult] {
        record.outputs.filter { $0.measure == measure.rawValue && $0.server == server }
            .sorted { one, other in
                (one.setting.frames, one.setting.buffers, Self.place(one.peer))
                    < (other.setting.frames, other.setting.buffers, Self.place(other.peer))
            }
    }

    func standings(_ server: String) -> [Standing] {
        Standing.all(sweep: outputs(.sweep, server), frontier: outputs(.frontier, server))
    }

    func library(_ peer: String) -> String { PeerTraits(name: peer).library }

    static func place(_ peer: String) -> Int {
        PeerTraits.allNames.firstIndex(of: peer) ?? PeerTraits.allNames.count
    }

    /// Adds a row with a reason for each peer that has no row.
    func addAbsent(_ table: inout MarkdownTable, having: [String], reason: (PeerTraits) -> String) {
        guard !table.isEmpty else { return }
        for name in PeerTraits.allNames where !having.contains(name) {
            let why =
                record.peersMissing.contains(name)
                ? "not built here: its library is missing" : reason(PeerTraits(name: name))
            table.add([library(name), why])
        }
    }

    // MARK: Conversion

    private var conversions: String {
        var table = MarkdownTable([
            "Program", "Conversion", "× real time, by the clock", "× real time, by processor",
        ])
        for run in record.conversions.sorted(by: { $0.conversion < $1.conversion }) {
            table.add(
                [run.tool, run.conversion]
                    + (run.failure.map { [$0] } ?? [
                        number(run.timesRealTime?.median, 0), number(run.processorTimesRealTime, 0),
                    ]))
        }
        return section(
            "Conversion and rendering",
            "The speed as a multiple of real time. *Render a queue*: an Audio Queue of three buffers of 0.1 s, with "
                + "its callback, into a device without a clock. *Render an engine*: eight players, an equalizer of eight "
                + "bands and another rate; the samples are the same in each run. *Wav to nowhere*: a file that is read without output.",
            table)
    }
}
