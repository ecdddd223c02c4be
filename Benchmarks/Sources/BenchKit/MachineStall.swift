/// A while in which the machine let nobody run on one of its processors: a thread of the highest priority that
/// sleeps for a moment at a time woke too late.
///
/// A virtual machine shares its processors with others, which no program on it can do anything about. A gap that comes
/// with a stall is told apart from those that a library is to blame for.
///
/// The thread sees no more than where a stall ends: it may have begun at any time since the thread last ran.
public struct MachineStall: Sendable, Equatable {
    /// What is shorter belongs to a machine that works: nearly every wake-up is in time to 0.1 ms.
    public static let leastMilliseconds = 0.15
    /// How long the thread sleeps at a time. A stall that ends before the next look is not seen: of those of half a
    /// millisecond, by which a stream of 1 ms has a gap, half escaped a thread that slept for as long.
    public static let sleepMilliseconds = 0.2
    /// A stall of less than this share of a library's latency leaves it time enough.
    static let leastShare = 1.0 / 3
    /// How much later than its latency says a stall is heard at most, or seems to be heard before it.
    private static let slackNanoseconds = 2e6

    /// When the thread should have woken, and when it did: CLOCK_MONOTONIC.
    public var beginNanoseconds: Double
    public var endNanoseconds: Double

    public init(beginNanoseconds: Double, endNanoseconds: Double) {
        self.beginNanoseconds = beginNanoseconds
        self.endNanoseconds = endNanoseconds
    }

    public var milliseconds: Double { (endNanoseconds - beginNanoseconds) / 1e6 }

    /// Whether this accounts for a gap.
    ///
    /// - Parameters:
    ///   - time: When the gap begins to be heard: CLOCK_MONOTONIC.
    ///   - latencyMilliseconds: Of the stream: so much was on its way when the stall began, at most.
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
    /// What the machine did to a run.
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
