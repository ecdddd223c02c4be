/// Which runs are made of each measure, and how long they are.
///
/// A full schedule is made to fit into an hour on PulseAudio and a third of one on PipeWire, a quick one into five
/// minutes.
public struct Schedule: Sendable {
    /// Runs of some settings, each made several times.
    public struct Runs: Sendable, Equatable {
        public var settings: [BufferSetting]
        public var seconds: Double
        public var repeats: Int
    }

    /// What stands in the command line, and comes before what is usual.
    public struct Wishes: Sendable {
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
    /// A server whose period is the same throughout: few settings differ, and few runs are made.
    public let hasFixedPeriod: Bool
    let wishes: Wishes

    public init(effort: Effort, hasFixedPeriod: Bool = false, wishes: Wishes = Wishes()) {
        self.effort = effort
        self.hasFixedPeriod = hasFixedPeriod
        self.wishes = wishes
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
            settings: wishes.settings
                ?? usual.frames.map { BufferSetting(buffers: $0 == 960 ? 4 : 3, frames: $0) },
            seconds: wishes.seconds ?? usual.seconds, repeats: wishes.repeats ?? usual.repeats)
    }

    /// What is measured unless the command line chooses.
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

    /// Latency goals by name, and buffers that fit each.
    public var goals: [(name: String, setting: BufferSetting)] {
        [("lowest", 240), ("interactive", 480), ("balanced", 2400), ("leastPower", 24_000)]
            .map { ($0, BufferSetting(buffers: 3, frames: $1)) }
    }
    /// With the goal for least power, several seconds pass before the callbacks are steady.
    public var goalSeconds: Double { wishes.seconds ?? (effort == .full && !hasFixedPeriod ? 10 : 8) }

    public var input: Runs {
        runs(
            quick: ([240], 2.5), normal: ([80, 240, 480], 4), full: ([240, 480], 3, 2),
            fixed: ([240, 480], 3))
    }

    // MARK: Streams, starts, files

    /// Whether a library is played many streams of; one that plays a single one shows nothing new by it.
    public func isScaled(_ peer: PeerTraits) -> Bool { effort != .quick || peer.isContender }

    /// How many streams are played at once, and for how long: the last is for this project's alone.
    public var streams: (numbers: [Int], seconds: Double, longest: (number: Int, seconds: Double)?) {
        if let numbers = wishes.streams { return (numbers, wishes.seconds ?? 5, nil) }
        return switch effort {
        case .quick: ([1, 50], wishes.seconds ?? 3.5, nil)
        case .normal: ([1, 10, 50, 100, 200, 250], wishes.seconds ?? 5, nil)
        case .full where hasFixedPeriod: ([1, 10, 50], wishes.seconds ?? 5, nil)
        case .full:
            ([1, 10, 50, 100, 200, 250], wishes.seconds ?? 5, wishes.seconds == nil ? (250, 60) : nil)
        }
    }

    /// How often programs are started, at once and after a rest, and how often they pause.
    public var starts: (repeats: Int, pauses: Int) {
        switch effort {
        case .quick: (wishes.repeats ?? 2, 0)
        case .normal: (wishes.repeats ?? 10, 3)
        case .full: (wishes.repeats ?? (hasFixedPeriod ? 2 : 6), hasFixedPeriod ? 1 : 2)
        }
    }

    /// How often each tool plays or records a file, and of how many seconds.
    public var tools: (repeats: Int, seconds: Double) {
        switch effort {
        case .quick: (wishes.repeats ?? 1, 1)
        case .normal: (wishes.repeats ?? 5, 1)
        case .full: (wishes.repeats ?? (hasFixedPeriod ? 3 : 5), 1)
        }
    }

    /// How often each of the tools is started whose starts are compared in turn. They differ by less than a period that
    /// is the same throughout, where nothing would be learnt of them; nor from one start.
    public var toolStarts: Int {
        if hasFixedPeriod { return 0 }
        return switch effort {
        case .quick: 0
        case .normal: 15
        case .full: 50
        }
    }

    /// How often each file is converted, and of how many seconds.
    public var conversions: (repeats: Int, seconds: Int) {
        (wishes.repeats ?? (effort == .full ? 5 : 3), effort == .full ? 120 : 60)
    }

    /// How long the longest run of all is: what a recorder must have room for.
    public var longestSeconds: Double {
        max(wishes.seconds ?? 0, frontierSeconds, goalSeconds, streams.longest?.seconds ?? 0, 10)
    }
}
