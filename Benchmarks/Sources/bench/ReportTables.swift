import BenchKit
import Foundation
import SoundHarness

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
            parts += [audioThreads(server)]
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
            : "Left out for want of their libraries: \(record.peersMissing.map(library).joined(separator: ", ")).\n"
        return """
            # Benchmarks

            \(machine.processor), \(machine.cores) cores, Linux \(machine.kernel). \
            \(sessions.joined(separator: "; ")).

            Every program plays the same noise on the same sink, in turn: a null sink of 48 kHz, 32-bit float, whose \
            period is what the program under test asks for. *Latency* is from a callback's entry until its first frame \
            is heard, by the sink's own clock, to about 0.03 ms. A *gap* is a departure of what the monitor hears from \
            the known noise, sample by sample, from the second second on. A *stall of the machine* kept a thread of the \
            highest priority, bound to a processor, from running; a gap that came with one of at least a third of the \
            stream's latency is told apart. *Predicted − measured* is what the library \
            says of its latency at that moment, less what it was; – where it says nothing. Buffers are asked for as \
            number × frames (240 frames are 5 ms), as far as each library can be asked. On PipeWire the sink's period \
            is 256 frames throughout. The method, measure by measure, is in Benchmarks/README.md.
            \(absent)
            """
    }

    private func failures(_ server: String) -> String {
        let failed = record.failures.filter { $0.server == server }
            .map { "**\($0.measure.rawValue)** could not be measured: \($0.reason)\n" }
        let lost = record.losses.filter { $0.server == server }.map { "\($0.run) (\($0.measure))" }
        let losses =
            "Runs that were made again, since the server ended meanwhile: " + lost.joined(separator: ", ")
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
            "Program", "What", "× real time, by the clock", "× real time, by processor",
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
            "How many times faster than real time. *Render a queue*: an Audio Queue of three buffers of 0.1 s, with "
                + "its callback, into a device without a clock. *Wav to nowhere*: a file, read and thrown away.",
            table)
    }
}
