// SPDX-License-Identifier: MIT

/// A period in which no program ran on one of the machine's processors. It is detected by a thread with the highest
/// priority that sleeps for short times and wakes up late.
///
/// A virtual machine shares its processors with others, and no program in it can prevent stalls. Therefore a gap that
/// occurs with a stall is counted separately from those that are a library's fault.
///
/// The thread only detects the end of a stall. The stall may have begun at any time since the thread last ran.
public struct MachineStall: Sendable, Equatable {
    /// The shortest delay of a wake-up that counts: without stalls, nearly every wake-up is less than 0.1 ms late.
    public static let leastMilliseconds = 0.15
    /// The time for which the thread sleeps. A stall that ends before the next wake-up is not detected, so a longer
    /// sleep misses more of the short ones. A shorter sleep disturbs the programs under test.
    public static let sleepMilliseconds = 0.2
    /// The share of a stream's latency below which a stall cannot cause a gap.
    static let leastShare = 1.0 / 3
    /// The tolerance of a gap's time, before the stall and after the stream's latency.
    private static let slackNanoseconds = 2e6

    /// The time at which the thread should have woken up, and the time at which it did, in nanoseconds of
    /// CLOCK_MONOTONIC.
    public var beginNanoseconds: Double
    public var endNanoseconds: Double

    public init(beginNanoseconds: Double, endNanoseconds: Double) {
        self.beginNanoseconds = beginNanoseconds
        self.endNanoseconds = endNanoseconds
    }

    public var milliseconds: Double { (endNanoseconds - beginNanoseconds) / 1e6 }

    /// Returns whether the stall accounts for a gap.
    ///
    /// - Parameters:
    ///   - time: The start of the gap in nanoseconds of CLOCK_MONOTONIC.
    ///   - latencyMilliseconds: The stream's latency, which is the most audio that is buffered when a stall begins.
    func explains(gapAt time: Double, latencyMilliseconds: Double) -> Bool {
        guard milliseconds + Self.sleepMilliseconds >= latencyMilliseconds * Self.leastShare else {
            return false
        }
        let first = beginNanoseconds - Self.sleepMilliseconds * 1e6 - Self.slackNanoseconds
        let last = endNanoseconds + latencyMilliseconds * 1e6 + Self.slackNanoseconds
        return first <= time && time <= last
    }
}

extension OutputResult {
    /// The stalls of the machine during a run.
    public struct Stalls: Sendable, Codable, Equatable {
        public var number = 0
        public var totalMilliseconds = 0.0
        public var longestMilliseconds = 0.0

        public init(_ stalls: [MachineStall]) {
            number = stalls.count
            totalMilliseconds = stalls.reduce(0) { $0 + $1.milliseconds }
            longestMilliseconds = stalls.map(\.milliseconds).max() ?? 0
        }
    }
}
