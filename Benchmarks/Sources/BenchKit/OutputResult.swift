// SPDX-License-Identifier: MIT

/// The number of buffers, and the number of frames in each.
public struct BufferSetting: Sendable, Codable, Hashable, CustomStringConvertible {
    public var buffers: Int
    public var frames: Int

    /// A text such as "3x240".
    public var description: String { "\(buffers)x\(frames)" }

    public init(buffers: Int, frames: Int) {
        self.buffers = buffers
        self.frames = frames
    }

    public func milliseconds(sampleRate: Double) -> Double { Double(frames) * 1000 / sampleRate }
}

/// The results of one run of a program that plays. Times are in milliseconds.
public struct OutputResult: Sendable, Codable {
    /// Differences from the known sequence.
    public struct Gaps: Sendable, Codable, Equatable {
        public var number = 0
        public var totalMilliseconds = 0.0
        public var longestMilliseconds = 0.0
        /// Gaps that are attributed to stalls of the machine; nil if stalls were not detected.
        public var besideStalls: Int?
        /// The first gaps: seconds after the first audible frame, and length in milliseconds.
        public var first: [[Double]] = []

        public init() {}

        /// Gaps that are the library's fault.
        public var own: Int { number - (besideStalls ?? 0) }
    }

    /// The resources that the process used from its first second to its end, and its peak memory.
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
    /// The requested latency goal; nil for the program's default.
    public var goal: String?
    /// The reason why there are no results; nil if there are.
    public var failure: String?
    /// Notes of the peer: versions, requested sizes, granted sizes.
    public var notes: [String: String] = [:]

    /// The time from the entry of a callback until its first frame is audible.
    public var latency: Summary?
    /// The latency that the library reported minus the measured latency.
    public var predictionError: Summary?
    public var interval: Summary?
    /// Gaps in the steady part, which begins a second after the first audible frame.
    public var gaps = Gaps()
    /// The length of the steady part in seconds.
    public var countedSeconds = 0.0
    public var startGaps = Gaps()
    /// Nil if stalls were not detected.
    public var stalls: Stalls?
    /// Underruns that the library reported.
    public var underruns = 0
    /// Callbacks whose first frame was not recorded.
    public var inaudible = 0
    public var cost: Cost?

    /// The delay of the recorder's fragments: median and largest.
    public var fragmentLateness: [Double] = []
    /// The sink's period: the median length of its blocks.
    public var sinkPeriod = 0.0
    public var recorderHoles = 0
    public var isExact = true
    public var gain = 1.0
    public var fraction = 0.0

    /// Latency over time for a plot: at most a few hundred pairs of seconds and milliseconds.
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

    /// Gaps per minute of the steady part that are the library's fault.
    public var gapsPerMinute: Double {
        countedSeconds > 0 ? Double(gaps.own) * 60 / countedSeconds : 0
    }

    /// Whether the run had no gaps except those that are attributed to stalls of the machine.
    public var isGapFree: Bool { failure == nil && gaps.own == 0 && latency != nil }

    /// Whether the machine had too many stalls for a reliable result. Several short stalls together may cause a gap
    /// that is attributed to none of them, and they increase the latency.
    public var isDisturbed: Bool {
        guard failure == nil, let stalls, countedSeconds > 0 else { return false }
        return Double(stalls.number) / countedSeconds > OutputResult.mostStallsPerSecond
    }

    private static let mostStallsPerSecond = 10.0
}

extension [OutputResult] {
    /// The undisturbed runs of each library with each setting, or all runs if none was undisturbed.
    public var leastDisturbed: [OutputResult] {
        filter { run in
            !run.isDisturbed
                || !contains { $0.peer == run.peer && $0.setting == run.setting && !$0.isDisturbed }
        }
    }
}

/// The number of values in each of several bins of equal width.
public struct Histogram: Sendable, Codable, Equatable {
    public var start: Double
    public var binWidth: Double
    public var counts: [Int]
    /// The number of values after the last bin; nil if there are none.
    public var later: Int?

    /// Makes `bins` bins from the smallest value to the 99th percentile, or fewer bins with a width of `leastWidth`.
    ///
    /// Up to as many bins follow for larger values, so that one late value does not make all bins wide.
    public init?(_ values: [Double], bins: Int = 60, leastWidth: Double = 0.01) {
        let sorted = values.filter(\.isFinite).sorted()
        guard let smallest = sorted.first, let largest = sorted.last, bins > 0 else { return nil }
        let bulk = Summary.percentile(sorted, 0.99)
        binWidth = max(leastWidth, (bulk - smallest) / Double(bins))
        start = (smallest / binWidth).rounded(.down) * binWidth
        let needed = ((largest - start) / binWidth).rounded(.down) + 1
        counts = [Int](repeating: 0, count: Int(min(needed, Double(2 * bins))))
        for value in sorted {
            let place = (value - start) / binWidth
            if place < Double(counts.count) { counts[Int(place)] += 1 } else { later = (later ?? 0) + 1 }
        }
    }
}
