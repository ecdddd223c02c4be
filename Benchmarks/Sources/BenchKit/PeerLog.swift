// SPDX-License-Identifier: MIT

/// The log of a program under test.
public struct PeerLog: Sendable {
    /// One direction of one stream.
    public struct Lane: Sendable, Equatable {
        public var stream: Int
        public var isInput: Bool
        public var callbacks: Int
        public var frames: Int
        public var firstNanoseconds: Double
        public var lastNanoseconds: Double
        public var longestIntervalNanoseconds: Double
        /// Callbacks and frames that did not fit into the log.
        public var lostCallbacks: Int
        public var lostFrames: Int
    }

    /// The resources that a process or its children had used at one moment.
    public struct Usage: Sendable, Equatable {
        public var atNanoseconds: Double
        public var processorSeconds: Double
        public var voluntarySwitches: Int
        public var involuntarySwitches: Int
        public var peakResidentBytes: Int

        /// Returns the resources that were used since `earlier`, with the later peak.
        public func since(_ earlier: Usage) -> Usage {
            Usage(
                atNanoseconds: atNanoseconds - earlier.atNanoseconds,
                processorSeconds: processorSeconds - earlier.processorSeconds,
                voluntarySwitches: voluntarySwitches - earlier.voluntarySwitches,
                involuntarySwitches: involuntarySwitches - earlier.involuntarySwitches,
                peakResidentBytes: peakResidentBytes)
        }

        /// Returns the resources of two processes together.
        public func adding(_ other: Usage) -> Usage {
            Usage(
                atNanoseconds: atNanoseconds, processorSeconds: processorSeconds + other.processorSeconds,
                voluntarySwitches: voluntarySwitches + other.voluntarySwitches,
                involuntarySwitches: involuntarySwitches + other.involuntarySwitches,
                peakResidentBytes: max(peakResidentBytes, other.peakResidentBytes))
        }
    }

    /// Lines that occur once, by key: requested sizes, granted sizes, versions.
    public var notes: [String: String] = [:]
    /// The times of events in nanoseconds of CLOCK_MONOTONIC, by name.
    public var events: [String: Double] = [:]
    /// The resources by the moment's name: "steady", "last" and "end".
    public var usages: [String: Usage] = [:]
    /// The policy and priority of each thread, such as "other 0".
    public var threadPolicies: [String] = []
    /// The counted calls of each thread, if the meter was loaded.
    public var threads: [ThreadCounts] = []
    public var lanes: [Lane] = []
    public var outputs: [CallbackRecord] = []
    public var inputs: [CallbackRecord] = []
    /// Whether the log has its last line.
    public var isComplete = false

    /// Reads a log. Lines with unknown keys become notes.
    ///
    /// - Throws: ``BenchError`` that names the line that cannot be read.
    public init(text: some StringProtocol) throws(BenchError) {
        var number = 0
        for line in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            if line.isEmpty { continue }
            let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            guard read(fields) else {
                let start = String(decoding: line.prefix(80), as: UTF8.self)
                throw BenchError("cannot read line \(number) of a peer's log: '\(start)'")
            }
        }
    }

    public var underruns: Int { notes["underruns"].flatMap(Int.init) ?? 0 }
    public var amplitude: Float { notes["amplitude"].flatMap(Float.init) ?? 0.25 }

    private mutating func read(_ fields: [String]) -> Bool {
        switch fields[0] {
        case "out", "in":
            guard fields.count == 5, let entry = Double(fields[1]), let first = Int(fields[2]),
                let frames = Int(fields[3])
            else { return false }
            let callback = CallbackRecord(
                entryNanoseconds: entry, firstFrame: first, frames: frames,
                predictedNanoseconds: Double(fields[4]))
            if fields[0] == "out" { outputs.append(callback) } else { inputs.append(callback) }
        case "event":
            guard fields.count == 3, let time = Double(fields[2]) else { return false }
            if events[fields[1]] == nil { events[fields[1]] = time }
        case "usage": return readUsage(fields)
        case "thread":
            guard fields.count >= 4 else { return false }
            threadPolicies.append("\(fields[2]) \(fields[3])")
        case "meter":
            guard let counts = ThreadCounts(fields: fields) else { return false }
            threads.append(counts)
        case "lane": return readLane(fields)
        case "end": isComplete = true
        default: notes[fields[0]] = fields.dropFirst().joined(separator: "\t")
        }
        return true
    }

    private mutating func readUsage(_ fields: [String]) -> Bool {
        guard fields.count == 10, let time = Double(fields[3]), let user = Double(fields[4]),
            let system = Double(fields[5]), let voluntary = Int(fields[6]), let involuntary = Int(fields[7]),
            let kilobytes = Int(fields[9])
        else { return false }
        let usage = Usage(
            atNanoseconds: time, processorSeconds: (user + system) / 1e6, voluntarySwitches: voluntary,
            involuntarySwitches: involuntary, peakResidentBytes: kilobytes * 1024)
        usages[fields[1]] = usages[fields[1]]?.adding(usage) ?? usage
        return true
    }

    private mutating func readLane(_ fields: [String]) -> Bool {
        let numbers = fields.enumerated().filter { $0.offset != 0 && $0.offset != 2 }
            .compactMap { Double($0.element) }
        guard fields.count == 10, numbers.count == 8, ["in", "out"].contains(fields[2]),
            numbers.allSatisfy({ abs($0) < 1e18 })
        else { return false }
        lanes.append(
            Lane(
                stream: Int(numbers[0]), isInput: fields[2] == "in", callbacks: Int(numbers[1]),
                frames: Int(numbers[2]), firstNanoseconds: numbers[3], lastNanoseconds: numbers[4],
                longestIntervalNanoseconds: numbers[5], lostCallbacks: Int(numbers[6]),
                lostFrames: Int(numbers[7])))
        return true
    }
}
