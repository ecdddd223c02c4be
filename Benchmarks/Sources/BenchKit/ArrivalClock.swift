/// When each frame of a recording was played by the sink, told from when its fragments came in.
///
/// A null sink wakes when everything that it rendered has been played, renders the next block, and hands it
/// to its monitor at once. So a burst of fragments comes in when its *first* frame is due, or a little later:
/// never earlier, and most often within a few microseconds of the same delay. The lower envelope of
/// *arrival minus frame / rate*, taken over the first frames of bursts, is the sink's clock. A straight line
/// between the envelope's points in short windows follows its drift, since PulseAudio's null sink rounds
/// each block to whole microseconds.
///
/// It takes a sink that does not rewind: otherwise its monitor holds back what could still be changed.
public struct ArrivalClock: Sendable {
    /// Frames that came in together.
    public struct Fragment: Sendable, Equatable {
        /// Frames up to its end, from the recording's first.
        public var endFrame: Int
        public var arrivalNanoseconds: Double

        public init(endFrame: Int, arrivalNanoseconds: Double) {
            self.endFrame = endFrame
            self.arrivalNanoseconds = arrivalNanoseconds
        }
    }

    private struct Point {
        var frame: Double
        var offset: Double
    }

    /// Fragments that come in this soon after another are of one burst: a block may be in several pieces.
    private static let burstNanoseconds = 200_000.0
    /// A window's envelope this much above both neighbours' line was late as a whole.
    private static let latenessNanoseconds = 200_000.0
    /// What share of a window's bursts may be early, where a pause fell into the middle of one.
    private static let earlyShare = 0.05

    /// How late bursts came in after the envelope: median and largest.
    public let lateness: (medianNanoseconds: Double, largestNanoseconds: Double)
    /// How many frames a burst has, which is the sink's period: median.
    public let burstFrames: Double

    private let nanosecondsPerFrame: Double
    private let points: [Point]
    private let burstStarts: [Double]

    /// - Parameter windowFrames: How many frames share a point; nil is a quarter of a second.
    /// - Returns: Nil when there are no fragments.
    public init?(_ fragments: [Fragment], sampleRate: Double, windowFrames: Int? = nil) {
        let perFrame = 1e9 / sampleRate
        nanosecondsPerFrame = perFrame
        let windowFrames = windowFrames ?? max(1, Int(sampleRate / 4))
        let bursts = Self.bursts(fragments, nanosecondsPerFrame: perFrame)
        guard let first = bursts.first else { return nil }
        var points: [Point] = []
        var window: [Point] = []
        var end = Int(first.frame) + windowFrames
        for burst in bursts {
            if Int(burst.frame) >= end {
                points += Self.envelope(window)
                window.removeAll(keepingCapacity: true)
                end = Int(burst.frame) + windowFrames
            }
            window.append(burst)
        }
        points += Self.envelope(window)
        let kept = Self.withoutLate(points)
        self.points = kept
        let late = Summary(bursts.map { $0.offset - Self.offset(at: $0.frame, in: kept) })
        lateness = (late?.median ?? 0, late?.largest ?? 0)
        burstStarts = bursts.map(\.frame)
        burstFrames = Summary(zip(bursts, bursts.dropFirst()).map { $1.frame - $0.frame })?.median ?? 0
    }

    /// When a frame was played: CLOCK_MONOTONIC.
    public func nanoseconds(ofFrame frame: Double) -> Double {
        frame * nanosecondsPerFrame + Self.offset(at: frame, in: points)
    }

    /// The frame that was played at a time.
    public func frame(atNanoseconds time: Double) -> Double {
        var frame = (time - points[0].offset) / nanosecondsPerFrame
        // The offset changes by less than a thousandth of a frame with each: three steps are plenty.
        for _ in 0..<3 { frame = (time - Self.offset(at: frame, in: points)) / nanosecondsPerFrame }
        return frame
    }

    /// When the burst that holds a frame came through the monitor, at the earliest: no recorder can have it
    /// before.
    ///
    /// - Parameter frame: Found to part of a frame, so that a burst's first may seem to be just before it.
    public func passingNanoseconds(ofFrame frame: Double) -> Double {
        let frame = frame.rounded()
        var low = 0
        var high = burstStarts.count
        while low < high {
            let middle = (low + high) / 2
            if burstStarts[middle] <= frame { low = middle + 1 } else { high = middle }
        }
        return nanoseconds(ofFrame: low > 0 ? burstStarts[low - 1] : frame)
    }

    /// The first frame of each burst.
    ///
    /// A busy server may pause in the middle of one, for longer than a burst usually lasts. So what belongs
    /// together is looked for twice: the second time knowing how far bursts are apart.
    private static func bursts(_ fragments: [Fragment], nanosecondsPerFrame: Double) -> [Point] {
        let arrivals = grouped(fragments, nanosecondsPerFrame, pause: burstNanoseconds)
            .map { $0.offset + $0.frame * nanosecondsPerFrame }
        let intervals = zip(arrivals, arrivals.dropFirst()).map { $1 - $0 }.sorted()
        let period = Summary.percentile(intervals, 0.75)
        return grouped(
            fragments, nanosecondsPerFrame, pause: max(burstNanoseconds, period.isFinite ? period * 0.4 : 0))
    }

    /// The first frame of each run of fragments with no pause in between.
    private static func grouped(
        _ fragments: [Fragment], _ nanosecondsPerFrame: Double, pause: Double
    ) -> [Point] {
        var bursts: [Point] = []
        var start = 0
        var lastArrival = -Double.infinity
        for fragment in fragments {
            if fragment.arrivalNanoseconds - lastArrival > pause {
                let offset = fragment.arrivalNanoseconds - Double(start) * nanosecondsPerFrame
                bursts.append(Point(frame: Double(start), offset: offset))
            }
            lastArrival = fragment.arrivalNanoseconds
            start = fragment.endFrame
        }
        return bursts
    }

    /// The point below which all but a few of a window's are not.
    private static func envelope(_ window: [Point]) -> [Point] {
        let sorted = window.sorted { $0.offset < $1.offset }
        return sorted.isEmpty ? [] : [sorted[Int(Double(sorted.count) * earlyShare)]]
    }

    private static func withoutLate(_ points: [Point]) -> [Point] {
        let kept = points.indices.filter { index in
            guard index > 0, index < points.count - 1 else { return true }
            let line = interpolate(points[index - 1], points[index + 1], at: points[index].frame)
            return points[index].offset - line < latenessNanoseconds
        }
        return kept.map { points[$0] }
    }

    private static func interpolate(_ first: Point, _ second: Point, at frame: Double) -> Double {
        let share = (frame - first.frame) / (second.frame - first.frame)
        return first.offset + (second.offset - first.offset) * share
    }

    /// Constant before the first point and after the last: the nominal rate.
    private static func offset(at frame: Double, in points: [Point]) -> Double {
        var low = 0
        var high = points.count - 1
        if frame <= points[low].frame { return points[low].offset }
        if frame >= points[high].frame { return points[high].offset }
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].frame <= frame { low = middle } else { high = middle }
        }
        return interpolate(points[low], points[high], at: frame)
    }
}
