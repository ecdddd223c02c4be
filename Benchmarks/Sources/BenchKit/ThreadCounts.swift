// SPDX-License-Identifier: MIT

/// The calls of all threads with one name between a run's first second and its end, as counted by the meter.
public struct ThreadCounts: Sendable, Codable, Equatable {
    /// Calls that do not belong in a realtime thread.
    public struct Calls: Sendable, Codable, Equatable {
        public var allocations = 0
        public var frees = 0
        public var locks = 0
        /// Waits for a condition or a semaphore.
        public var waits = 0
        /// Retains and releases of Swift objects.
        public var references = 0

        public init() {}

        /// Reads five fields of a line.
        init?(_ fields: ArraySlice<String>) {
            let numbers = fields.compactMap { Int($0) }
            guard fields.count == 5, numbers.count == 5 else { return nil }
            (allocations, frees, locks) = (numbers[0], numbers[1], numbers[2])
            (waits, references) = (numbers[3], numbers[4])
        }

        static func += (calls: inout Calls, more: Calls) {
            calls.allocations += more.allocations
            calls.frees += more.frees
            calls.locks += more.locks
            calls.waits += more.waits
            calls.references += more.references
        }
    }

    public var name: String
    public var callbacks: Int
    /// Calls by the program and its audio library, by libpulse, and by the C library.
    public var program: Calls
    public var libpulse: Calls
    public var cLibrary: Calls

    /// Reads the fields of a line `meter`.
    init?(fields: [String]) {
        guard fields.count == 19, let callbacks = Int(fields[2]), let program = Calls(fields[3..<8]),
            let libpulse = Calls(fields[8..<13]), let cLibrary = Calls(fields[13..<18])
        else { return nil }
        name = fields[18]
        self.callbacks = callbacks
        self.program = program
        self.libpulse = libpulse
        self.cLibrary = cLibrary
    }

    /// Whether the thread had no callback and no counted call.
    public var isIdle: Bool {
        callbacks == 0 && [program, libpulse, cLibrary].allSatisfy { $0 == Calls() }
    }

    /// Combines threads with the same name, those with callbacks first. Idle threads are omitted.
    public static func merged(_ threads: [ThreadCounts]) -> [ThreadCounts] {
        var merged: [ThreadCounts] = []
        for thread in threads where !thread.isIdle {
            guard let index = merged.firstIndex(where: { $0.name == thread.name }) else {
                merged.append(thread)
                continue
            }
            merged[index].callbacks += thread.callbacks
            merged[index].program += thread.program
            merged[index].libpulse += thread.libpulse
            merged[index].cLibrary += thread.cLibrary
        }
        return merged.sorted { ($1.callbacks, $0.name) < ($0.callbacks, $1.name) }
    }
}
