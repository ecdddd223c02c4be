// SPDX-License-Identifier: MIT

import BenchKit
import Foundation

/// All results, as they are stored in record.json.
struct Record: Codable {
    struct Machine: Codable {
        var processor: String
        var cores: Int
        var kernel: String
    }

    /// One start of this program. A resumed record has several sessions.
    struct Session: Codable {
        var date: String
        var commit: String
        var arguments: [String]
        var minutes = 0.0
    }

    struct Failure: Codable {
        var server: String
        var measure: Measure
        var reason: String
    }

    /// A server that ended during a run, which was repeated.
    struct Loss: Codable {
        var server: String
        var measure: String
        var run: String
        var reason: String
    }

    var machine = Machine.current
    var sessions: [Session] = []
    /// The names and versions of the servers by server type, and the versions of the libraries by peer.
    var servers: [String: String] = [:]
    var versions: [String: String] = [:]
    /// Peers that were not built, because their libraries are missing.
    var peersMissing: [String] = []
    var completion = Completion()
    var failures: [Failure] = []
    var losses: [Loss] = []
    var outputs: [OutputResult] = []
    var scales: [ScaleResult] = []
    var inputs: [InputResult] = []
    var starts: [StartResult] = []
    var tools: [ToolResult] = []
    var conversions: [ConversionResult] = []
    var audioThreads: [AudioThreadResult] = []
    /// Nil in records from before this measure.
    var mixes: [MixResult]?

    init() {}

    /// Keeps the parts of a result that reports use: numbers, and the curves of plots.
    mutating func keep(_ result: inout OutputResult) {
        if let version = result.notes["version"] { versions[result.peer] = version }
        result.notes = result.notes.filter { $0.key.hasPrefix("granted_") }
        if result.measure != Measure.roundtrip.rawValue {
            result.latencySeries = []
            result.latencyHistogram = nil
            result.intervalHistogram = nil
        }
        result.gaps.first = Array(result.gaps.first.prefix(5))
        result.startGaps.first = Array(result.startGaps.first.prefix(5))
        outputs.append(result)
    }

    /// Removes the results of an incomplete measure.
    ///
    /// - Parameter peers: The peers that are measured again; nil for all.
    mutating func forget(_ measure: Measure, on server: String, of peers: [String]?) {
        func isMeant(_ peer: String) -> Bool { peers?.contains(peer) ?? true }
        failures.removeAll { $0.measure == measure && $0.server == server }
        losses.removeAll { $0.measure == measure.rawValue && $0.server == server }
        outputs.removeAll { $0.measure == measure.rawValue && $0.server == server && isMeant($0.peer) }
        inputs.removeAll { $0.measure == measure.rawValue && $0.server == server && isMeant($0.peer) }
        if measure == .scale { scales.removeAll { $0.server == server && isMeant($0.peer) } }
        if measure == .coldstart { starts.removeAll { $0.server == server && isMeant($0.peer) } }
        if measure == .tools { tools.removeAll { $0.server == server } }
        if measure == .throughput { conversions = [] }
        if measure == .mix { mixes?.removeAll { $0.server == server } }
        if measure == .audiothread { audioThreads.removeAll { $0.server == server && isMeant($0.peer) } }
    }

    // MARK: Files

    private static let infinities = ("inf", "-inf", "nan")

    /// Reads a record from a folder, to resume it.
    ///
    /// - Throws: ``BenchError`` if the record is missing, is from another machine, or has another format.
    init(folder: String) throws {
        try self.init(ofAnyMachineIn: folder)
        guard machine.processor == Machine.current.processor, machine.cores == Machine.current.cores else {
            throw BenchError("cannot go on with \(folder)/record.json: it is of another machine")
        }
    }

    /// Reads a record from a folder, to report it.
    ///
    /// - Throws: ``BenchError`` if the record is missing, or has another format.
    init(ofAnyMachineIn folder: String) throws {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: Self.infinities.0, negativeInfinity: Self.infinities.1, nan: Self.infinities.2)
        do {
            self = try decoder.decode(
                Record.self, from: Data(contentsOf: URL(fileURLWithPath: "\(folder)/record.json")))
        } catch {
            throw BenchError("cannot read \(folder)/record.json: \(error)")
        }
    }

    /// Returns the record as small JSON with readable differences.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: Self.infinities.0, negativeInfinity: Self.infinities.1, nan: Self.infinities.2)
        return try Data(CompactJSON.text(encoder.encode(self)))
    }

    /// Stores the duration of this session.
    mutating func noteEnd() {
        guard let last = sessions.indices.last,
            let began = try? Date(sessions[last].date, strategy: .iso8601)
        else { return }
        sessions[last].minutes = Date().timeIntervalSince(began) / 60
    }
}

extension Record.Machine {
    static var current: Record.Machine {
        let facts = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let model = facts.split(separator: "\n").first { $0.hasPrefix("model name") }
            .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
        let kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8)) ?? ""
        return Record.Machine(
            processor: model ?? "unknown", cores: ProcessInfo.processInfo.activeProcessorCount,
            kernel: kernel.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

extension Record.Session {
    /// Makes a session that starts now, at this project's commit.
    init(arguments: [String]) {
        self.init(date: Date().formatted(.iso8601), commit: Self.commit, arguments: arguments)
    }

    private static var commit: String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
        let answer = try? HarnessCommand.output("git", ["-C", folder, "describe", "--always", "--dirty"])
        return answer ?? "unknown"
    }
}
