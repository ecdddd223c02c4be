import BenchKit
import Foundation
import SoundHarness

/// Runs the measures that were asked for, one server after the other.
struct Bench {
    let options: Options
    let peers: [PeerProgram]
    private(set) var record: Record

    init(_ options: Options) throws {
        self.options = options
        peers = try PeerProgram.find(
            in: options.peerFolders + Self.peerFolders, names: options.peers)
        record = Record(machine: .current, arguments: Array(CommandLine.arguments.dropFirst()))
    }

    /// Where `make` and SwiftPM put them: beside this program, and in Benchmarks/.peers.
    private static var peerFolders: [String] {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return [
            program.deletingLastPathComponent().path,
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../.peers")
                .standardizedFileURL.path,
        ]
    }

    mutating func run() throws {
        for kind in options.servers {
            let rig = try Rig(kind: kind, seconds: longestSeconds + 20)
            record.servers[kind.rawValue] = rig.serverVersion
            print("# \(rig.serverVersion), null sink at \(Rig.sampleRate) Hz")
            let load = try options.isLoaded ? Load() : nil
            for measure in options.measures { try run(measure, on: rig) }
            load?.end()
            rig.server.stop()
        }
        if let folder = options.folder { try Report(record).write(to: folder) }
    }

    private mutating func run(_ measure: Options.Measure, on rig: Rig) throws {
        switch measure {
        case .roundtrip: roundTrip(on: rig)
        default: break
        }
    }

    /// How long the longest run of all is.
    private var longestSeconds: Double { max(options.seconds ?? 0, options.effort == .full ? 60 : 10) }

    private mutating func roundTrip(on rig: Rig) {
        let settings = options.settings ?? [BufferSetting(buffers: 3, frames: 240)]
        let runs = settings.flatMap { setting in
            peers.map { peer in
                PeerRun(
                    measure: "roundtrip", peer: peer, setting: setting, seconds: options.seconds ?? 6,
                    isLoaded: options.isLoaded, moreArguments: options.fault.map { ["--fault", $0] } ?? [])
            }
        }
        var order = RunOrder(seed: options.seed)
        print(OutputTable.header)
        for run in order.interleaved(runs, repeats: options.repeats ?? 1) {
            let result = run.measured(on: rig)
            print(OutputTable.line(result))
            record.outputs.append(result)
        }
    }
}
