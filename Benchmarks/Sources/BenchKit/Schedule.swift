// SPDX-License-Identifier: MIT

/// The runs of each measure, and their durations.
///
/// A full schedule takes about 90 minutes on PulseAudio and 23 minutes on PipeWire; a quick one takes five minutes.
public struct Schedule: Sendable {
    /// Runs of several settings, each repeated.
    public struct Runs: Sendable, Equatable {
        public var settings: [BufferSetting]
        public var seconds: Double
        public var repeats: Int
    }

    /// Values from the command line, which replace the defaults.
    public struct Overrides: Sendable {
        public var settings: [BufferSetting]?
        public var seconds: Double?
        public var repeats: Int?
        public var streams: [Int]?

        public init(
            settings: [BufferSetting]? = nil, seconds: Double? = nil, repeats: Int? = nil,
            streams: [Int]? = nil
        ) {
            self.settings = settings
            self.seconds = seconds
            self.repeats = repeats
            self.streams = streams
        }
    }

    public let effort: Effort
    /// Whether the server's period is fixed. Fewer settings differ then, and fewer runs are made.
    public let hasFixedPeriod: Bool
    let overrides: Overrides

    public init(effort: Effort, hasFixedPeriod: Bool = false, overrides: Overrides = Overrides()) {
        self.effort = effort
        self.hasFixedPeriod = hasFixedPeriod
        self.overrides = overrides
    }

    private func runs(
        quick: (frames: [Int], seconds: Double), normal: (frames: [Int], seconds: Double),
        full: (frames: [Int], seconds: Double, repeats: Int), fixed: (frames: [Int], seconds: Double)
    ) -> Runs {
        let usual: (frames: [Int], seconds: Double, repeats: Int) =
            switch effort {
            case .quick: (quick.frames, quick.seconds, 1)
            case .normal: (normal.frames, normal.seconds, 1)
            case .full: hasFixedPeriod ? (fixed.frames, fixed.seconds, 1) : full
            }
        return Runs(
            settings: overrides.settings
                ?? usual.frames.map { BufferSetting(buffers: $0 == 960 ? 4 : 3, frames: $0) },
            seconds: overrides.seconds ?? usual.seconds, repeats: overrides.repeats ?? usual.repeats)
    }

    /// Returns the measures that run if the command line names none.
    public static func measures(of effort: Effort) -> [Measure] {
        effort == .quick
            ? [.roundtrip, .sweep, .frontier, .load, .scale, .coldstart, .tools, .audiothread]
            : Measure.allCases
    }

    // MARK: Playing

    public var roundTrip: Runs {
        runs(
            quick: ([80, 480], 2), normal: ([80, 240, 480, 960], 5), full: ([80, 240, 480, 960], 3.5, 2),
            fixed: ([240, 480, 960], 4))
    }

    /// Latency goals by name, and buffers that suit each.
    public var goals: [(name: String, setting: BufferSetting)] {
        [("lowest", 240), ("interactive", 480), ("balanced", 2400), ("leastPower", 24_000)]
            .map { ($0, BufferSetting(buffers: 3, frames: $1)) }
    }
    /// The duration of a run in seconds. With the goal for least power, callbacks are steady after several seconds.
    public var goalSeconds: Double { overrides.seconds ?? (effort == .full && !hasFixedPeriod ? 10 : 8) }

    public var input: Runs {
        runs(
            quick: ([240], 2.5), normal: ([80, 240, 480], 4), full: ([240, 480], 3, 2),
            fixed: ([240, 480], 3))
    }

    // MARK: Streams, starts, files

    /// Returns whether the streams of a library are counted. Only contenders are in a quick run.
    public func isScaled(_ peer: PeerTraits) -> Bool { effort != .quick || peer.isContender }

    /// The numbers of streams that are played at once, and the duration in seconds. The longest run is only for this
    /// project's library.
    public var streams: (numbers: [Int], seconds: Double, longest: (number: Int, seconds: Double)?) {
        if let numbers = overrides.streams { return (numbers, overrides.seconds ?? 5, nil) }
        return switch effort {
        case .quick: ([1, 50], overrides.seconds ?? 3.5, nil)
        case .normal: ([1, 10, 50, 100, 200, 250], overrides.seconds ?? 5, nil)
        case .full where hasFixedPeriod: ([1, 10, 50], overrides.seconds ?? 5, nil)
        case .full:
            ([1, 10, 50, 100, 200, 250], overrides.seconds ?? 5, overrides.seconds == nil ? (250, 60) : nil)
        }
    }

    /// The runs of programs that mix files, and the number of files.
    public var mix: (files: Int, runs: Runs) {
        (
            32,
            runs(
                quick: ([512], 3), normal: ([512], 6), full: ([512], 6, 3), fixed: ([512], 6))
        )
    }

    /// The number of starts of each peer, at once and after a rest, and the number of its pauses.
    public var starts: (repeats: Int, pauses: Int) {
        switch effort {
        case .quick: (overrides.repeats ?? 2, 0)
        case .normal: (overrides.repeats ?? 10, 3)
        case .full: (overrides.repeats ?? (hasFixedPeriod ? 2 : 6), hasFixedPeriod ? 1 : 2)
        }
    }

    /// The number of times that each tool plays or records a file, and the length of the file.
    public var tools: (repeats: Int, seconds: Double) {
        switch effort {
        case .quick: (overrides.repeats ?? 1, 1)
        case .normal: (overrides.repeats ?? 5, 1)
        case .full: (overrides.repeats ?? (hasFixedPeriod ? 3 : 5), 1)
        }
    }

    /// The number of starts of each tool that is compared in turn. On a server with a fixed period there are none,
    /// because the tools differ by less than the period. A quick run has none, because one start shows no difference.
    public var toolStarts: Int {
        if hasFixedPeriod { return 0 }
        return switch effort {
        case .quick: 0
        case .normal: 15
        case .full: 50
        }
    }

    /// The number of times that each file is converted, and its length.
    public var conversions: (repeats: Int, seconds: Int) {
        (overrides.repeats ?? (effort == .full ? 5 : 3), effort == .full ? 120 : 60)
    }

    /// The duration of the longest run in seconds, for which a recorder needs memory.
    public var longestSeconds: Double {
        max(overrides.seconds ?? 0, frontierSeconds, goalSeconds, streams.longest?.seconds ?? 0, 10)
    }
}
