/// How many frames a buffer has, and how many buffers there are.
public struct BufferSetting: Sendable, Codable, Hashable, CustomStringConvertible {
    public var buffers: Int
    public var frames: Int

    /// "3x240".
    public var description: String { "\(buffers)x\(frames)" }

    public init(buffers: Int, frames: Int) {
        self.buffers = buffers
        self.frames = frames
    }

    public func milliseconds(sampleRate: Double) -> Double { Double(frames) * 1000 / sampleRate }
}

/// What one run of a program that plays was measured at. Times are in milliseconds.
public struct OutputResult: Sendable, Codable {
    /// Departures from the known sequence.
    public struct Gaps: Sendable, Codable, Equatable {
        public var number = 0
        public var totalMilliseconds = 0.0
        public var longestMilliseconds = 0.0
        /// Those that came with a stall of the machine that accounts for them; nil where nobody watched for stalls.
        public var besideStalls: Int?
        /// The first of them: seconds after the first sound, and milliseconds long.
        public var first: [[Double]] = []

        public init() {}

        /// Those that the library is to blame for.
        public var own: Int { number - (besideStalls ?? 0) }
    }

    /// What the process used between its first second and its last, and how large it became.
    public struct Cost: Sendable, Codable {
        public var processorPercent: Double
        public var serverProcessorPercent: Double?
        public var voluntarySwitchesPerSecond: Double
        public var involuntarySwitchesPerSecond: Double
        public var peakMegabytes: Double
        public var threads: Int

        public init(
            processorPercent: Double, serverProcessorPercent: Double?, voluntarySwitchesPerSecond: Double,
            involuntarySwitchesPerSecond: Double, peakMegabytes: Double, threads: Int
        ) {
            self.processorPercent = processorPercent
            self.serverProcessorPercent = serverProcessorPercent
            self.voluntarySwitchesPerSecond = voluntarySwitchesPerSecond
            self.involuntarySwitchesPerSecond = involuntarySwitchesPerSecond
            self.peakMegabytes = peakMegabytes
            self.threads = threads
        }
    }

    public var measure: String
    public var peer: String
    public var server: String
    public var setting: BufferSetting
    public var seconds: Double
    public var isLoaded: Bool
    /// The latency goal that was asked for; nil for what a program asks for by itself.
    public var goal: String?
    /// Why there are no figures; nil when there are.
    public var failure: String?
    /// What the peer tells of itself: versions, what was asked for, what was granted.
    public var notes: [String: String] = [:]

    /// Callback entry to its first frame being heard.
    public var latency: Summary?
    /// What the library told less what was measured.
    public var predictionError: Summary?
    public var interval: Summary?
    /// Gaps in the steady part, from a second after the first sound on; and those before.
    public var gaps = Gaps()
    /// How long that part was.
    public var countedSeconds = 0.0
    public var startGaps = Gaps()
    /// Nil where nobody watched for them.
    public var stalls: Stalls?
    /// Underruns that the library reported.
    public var underruns = 0
    /// Callbacks whose first frame was never heard.
    public var unheard = 0
    public var cost: Cost?

    /// The instrument's own state: how late fragments were (median, largest), how many it lost, whether the samples
    /// came out as they went in.
    public var fragmentLateness: [Double] = []
    /// How long the sink's blocks were.
    public var sinkPeriod = 0.0
    public var recorderHoles = 0
    public var isExact = true
    public var gain = 1.0
    public var fraction = 0.0

    /// For plots: latency over time, at most a few hundred pairs of seconds and milliseconds; counts of
    /// latencies and intervals.
    public var latencySeries: [[Double]] = []
    public var latencyHistogram: Histogram?
    public var intervalHistogram: Histogram?

    public init(
        measure: String, peer: String, server: String, setting: BufferSetting, seconds: Double, isLoaded: Bool
    ) {
        self.measure = measure
        self.peer = peer
        self.server = server
        self.setting = setting
        self.seconds = seconds
        self.isLoaded = isLoaded
    }

    /// Gaps of the steady part, for a minute of it, that the library is to blame for.
    public var gapsPerMinute: Double {
        countedSeconds > 0 ? Double(gaps.own) * 60 / countedSeconds : 0
    }

    /// Whether it was heard without a gap, but for those that the machine is to blame for.
    public var isGapFree: Bool { failure == nil && gaps.own == 0 && latency != nil }

    /// Whether the machine stood still so often meanwhile that it says little. Of gaps several short stalls together, of
    /// which none accounts for one, are likely then; and what is late is not the library's doing.
    public var isDisturbed: Bool {
        guard failure == nil, let stalls, countedSeconds > 0 else { return false }
        return Double(stalls.number) / countedSeconds > OutputResult.mostStallsPerSecond
    }

    private static let mostStallsPerSecond = 10.0
}

extension [OutputResult] {
    /// Of the runs of each library with each setting those that the machine did not disturb, or all if it disturbed all.
    public var leastDisturbed: [OutputResult] {
        filter { run in
            !run.isDisturbed
                || !contains { $0.peer == run.peer && $0.setting == run.setting && !$0.isDisturbed }
        }
    }
}

/// How many values fell into each of equal bins.
public struct Histogram: Sendable, Codable, Equatable {
    public var start: Double
    public var binWidth: Double
    public var counts: [Int]

    /// From the smallest value to the largest, in `bins` bins, or in fewer of at least `leastWidth`.
    public init?(_ values: [Double], bins: Int = 60, leastWidth: Double = 0.01) {
        let finite = values.filter(\.isFinite)
        guard let smallest = finite.min(), let largest = finite.max(), bins > 0 else { return nil }
        binWidth = max(leastWidth, (largest - smallest) / Double(bins))
        start = (smallest / binWidth).rounded(.down) * binWidth
        counts = [Int](repeating: 0, count: Int(((largest - start) / binWidth).rounded(.down)) + 1)
        for value in finite { counts[min(counts.count - 1, Int((value - start) / binWidth))] += 1 }
    }
}
