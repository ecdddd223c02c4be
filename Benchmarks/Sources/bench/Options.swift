// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The options of the command line.
struct Options {
    var effort = Effort.normal
    var chosenMeasures: [Measure]?
    var peers: [String]?
    var peerFolders: [String] = []
    /// The folder of this project's tools; nil for PATH.
    var toolFolder: String?
    var servers: [SoundServerKind] = [.pulseAudio]
    var settings: [BufferSetting]?
    var seconds: Double?
    var repeats: Int?
    /// The numbers of streams for the measure `scale`.
    var streams: [Int]?
    var folder: String?
    /// The folder of the record to resume.
    var resumed: String?
    /// The folder of the record whose plots are drawn again.
    var redrawn: String?
    var seed: UInt64 = 1
    /// A fault that the peers make on request, and that the measuring code must detect.
    var fault: String?
    var isLoaded = false
    /// The fixed period of the sink; nil if the programs under test determine it.
    var periodMilliseconds: Double?

    /// The options whose values are folders, which are omitted from the record.
    private static let folderOptions = ["--out", "--resume", "--redraw", "--tool-dir", "--peer-dir"]
    /// The command line without its folders, for the record.
    private(set) var given: [String] = []

    static let usage = """
        usage: bench [OPTION...]

          --out FOLDER        write record.json, table.md, summary.md and plots there (default: only a table, on the
                              terminal)
          --resume FOLDER     go on with the record there: what is complete is not measured again
          --redraw FOLDER     only draw the plots of the record there again
          --only M,...        measures: roundtrip, sweep, frontier (after a sweep), load, goals, scale, coldstart,
                              tools, input, duplex, audiothread, mix, throughput
          --peers P,...       programs to measure (default: all that were built)
          --peer-dir FOLDER   where they are; may be given more than once
          --tool-dir FOLDER   where aqplay, aqrecord and aqconvert are (default: in PATH)
          --server S,...      pulseaudio, pipewire (default: pulseaudio)
          --settings B,...    buffers, as 3x240: three of 240 frames
          --seconds S         how long each run is, also of the frontier
          --repeats N         how often each run is made, in turn with the others
          --streams N,...     how many streams are played at once, for the measure scale
          --seed N            for the order of the runs (default: 1)
          --period MS         hold the sink's period at that, 1 to 50 ms (default: what the programs ask for)
          --load              everything beside two busy processes
          --fault gap|alloc   each peer leaves out 3 ms every second, or takes memory and a lock in each callback:
                              the instruments must say so
          --quick             short runs, few settings, the essentials: five minutes
          --full              long runs, all settings: 90 minutes, and 23 on PipeWire (default: half an hour)

        """

    /// - Throws: ``BenchError`` for an unknown option or an invalid value.
    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw BenchError("\(option) lacks its value") }
            return value
        }
        while let option = rest.popFirst() {
            if !Self.folderOptions.contains(option) {
                given += [option] + rest.prefix { !$0.hasPrefix("--") }.prefix(1)
            }
            switch option {
            case "--out": folder = try value(option)
            case "--resume":
                resumed = try value(option)
                folder = resumed
            case "--redraw": redrawn = try value(option)
            case "--only":
                chosenMeasures = try Self.list(try value(option)) { Measure(rawValue: $0) }
            case "--peers": peers = try value(option).split(separator: ",").map(String.init)
            case "--peer-dir": peerFolders.append(try value(option))
            case "--tool-dir": toolFolder = URL(fileURLWithPath: try value(option)).path
            case "--server":
                servers = try Self.list(try value(option)) { SoundServerKind(rawValue: $0) }
            case "--settings": settings = try Self.list(try value(option), BufferSetting.init(text:))
            case "--seconds": seconds = try Self.number(try value(option), in: 1...3600)
            case "--repeats": repeats = Int(try Self.number(try value(option), in: 1...1000))
            case "--streams":
                streams = try Self.list(try value(option)) {
                    Int($0).flatMap { (1...250).contains($0) ? $0 : nil }
                }
            case "--seed": seed = UInt64(try Self.number(try value(option), in: 0...1e15))
            case "--fault": fault = try value(option)
            case "--period": periodMilliseconds = try Self.number(try value(option), in: 1...50)
            case "--load": isLoaded = true
            case "--quick": effort = .quick
            case "--full": effort = .full
            default: throw BenchError("unknown option '\(option)'\n\n\(Self.usage)")
            }
        }
    }

    var measures: [Measure] { chosenMeasures ?? Schedule.measures(of: effort) }

    /// Returns the schedule of these options for a server.
    func schedule(for server: SoundServerKind) -> Schedule {
        Schedule(
            effort: effort, hasFixedPeriod: server == .pipeWire,
            overrides: .init(settings: settings, seconds: seconds, repeats: repeats, streams: streams))
    }

    private static func list<Value>(_ text: String, _ parse: (String) -> Value?) throws -> [Value] {
        try text.split(separator: ",").map { word in
            guard let value = parse(String(word)) else { throw BenchError("cannot understand '\(word)'") }
            return value
        }
    }

    private static func number(_ text: String, in range: ClosedRange<Double>) throws -> Double {
        guard let number = Double(text), range.contains(number) else {
            throw BenchError("'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}

extension BufferSetting {
    /// Reads a text such as "3x240".
    init?(text: String) {
        let parts = text.split(separator: "x").compactMap { Int($0) }
        guard parts.count == 2, (1...64).contains(parts[0]), (8...192_000).contains(parts[1]) else {
            return nil
        }
        self.init(buffers: parts[0], frames: parts[1])
    }
}
