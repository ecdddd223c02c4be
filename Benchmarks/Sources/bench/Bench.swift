import BenchKit
import Foundation
import SoundHarness

/// Runs the measures that were asked for, one server after the other.
struct Bench {
    let options: Options
    let peers: [PeerProgram]
    var record: Record
    var order: RunOrder

    init(_ options: Options) throws {
        self.options = options
        peers = try PeerProgram.find(in: options.peerFolders + Self.peerFolders, names: options.peers)
        record = Record(machine: .current, arguments: options.told)
        order = RunOrder(seed: options.seed)
    }

    /// Where SwiftPM puts them, beside this program, and where `make` does, two folders up.
    private static var peerFolders: [String] {
        let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent()
        return [folder.path, folder.appending(path: "../../peers").standardizedFileURL.path]
    }

    mutating func run() throws {
        for kind in options.servers {
            let rig = try Rig(kind: kind, seconds: longestSeconds + 20)
            record.servers[kind.rawValue] = rig.serverVersion
            say("# \(rig.serverVersion), null sink at \(Rig.sampleRate) Hz")
            let load = try options.isLoaded ? Load() : nil
            for measure in options.measures {
                try run(measure, on: rig)
                // What was measured is kept should a later measure fail.
                if let folder = options.folder { try Report(record).write(to: folder) }
            }
            load?.end()
            rig.server.stop()
        }
    }

    private mutating func run(_ measure: Options.Measure, on rig: Rig) throws {
        switch measure {
        case .roundtrip: roundTrip(on: rig)
        case .sweep: sweep(on: rig)
        case .load: try loaded(on: rig)
        case .scale: scale(on: rig)
        case .input: input(on: rig, isDuplex: false)
        case .duplex: input(on: rig, isDuplex: true)
        case .coldstart: coldStart(on: rig)
        case .tools: try tools(on: rig)
        case .throughput: try throughput()
        }
    }

    /// How long the longest run of all is.
    private var longestSeconds: Double { max(options.seconds ?? 0, options.effort == .full ? 60 : 10) }

    /// Ours with the arguments that only it has, the others without.
    func run(
        _ measure: String, _ peer: PeerProgram, _ setting: BufferSetting, seconds: Double,
        isLoaded: Bool? = nil, more: [String] = []
    ) -> PeerRun {
        let fault = options.fault.map { ["--fault", $0] } ?? []
        return PeerRun(
            measure: measure, peer: peer, setting: setting, seconds: seconds,
            isLoaded: isLoaded ?? options.isLoaded, moreArguments: fault + more)
    }

    /// Makes the runs, tells of each, and keeps what they were measured at.
    @discardableResult
    mutating func measure(_ runs: [PeerRun], on rig: Rig) -> [OutputResult] {
        let results = runs.map { run in
            let result = run.measured(on: rig)
            say(OutputTable.line(result))
            return result
        }
        record.outputs += results
        return results
    }

    // MARK: Playing

    /// Latency, gaps, callback timing and cost of all peers at a few settings.
    private mutating func roundTrip(on rig: Rig) {
        let settings =
            options.settings
            ?? (options.effort == .quick
                ? [BufferSetting(buffers: 3, frames: 240)]
                : [(3, 96), (3, 240), (3, 480), (4, 960)].map { BufferSetting(buffers: $0, frames: $1) })
        let seconds = options.seconds ?? (options.effort == .full ? 10 : options.effort == .quick ? 3 : 5)
        let repeats = options.repeats ?? (options.effort == .full ? 2 : 1)
        let runs = settings.flatMap { setting in
            peers.map { run("roundtrip", $0, setting, seconds: seconds) }
        }
        say("\n## Round trip: callback to monitor, ms\n\(OutputTable.header)")
        measure(order.interleaved(runs, repeats: repeats), on: rig)
    }

    /// The same beside two busy processes.
    private mutating func loaded(on rig: Rig) throws {
        let settings =
            options.settings
            ?? [(3, 96), (3, 240), (3, 480)].map { BufferSetting(buffers: $0, frames: $1) }
            .suffix(options.effort == .quick ? 1 : 3)
        let seconds = options.seconds ?? (options.effort == .full ? 10 : options.effort == .quick ? 3 : 5)
        let runs = settings.flatMap { setting in
            peers.map { run("load", $0, setting, seconds: seconds, isLoaded: true) }
        }
        say("\n## Beside two busy processes\n\(OutputTable.header)")
        let load = try Load()
        measure(
            order.interleaved(runs, repeats: options.repeats ?? (options.effort == .full ? 2 : 1)), on: rig)
        load.end()
    }
}
