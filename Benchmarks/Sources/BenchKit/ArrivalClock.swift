// SPDX-License-Identifier: MIT

/// The sink's clock: the time at which each frame of a recording was played, from the arrival times of fragments.
///
/// A null sink wakes when everything that it rendered has been played, renders the next block, and passes it to its
/// monitor at once. So a burst of fragments arrives when its *first* frame is due or a little later, and never earlier.
/// Most bursts have the same delay within a few microseconds. The lower envelope of *arrival minus frame / rate*, over
/// the first frames of bursts, is the sink's clock. The clock drifts, because PulseAudio's null sink rounds each block
/// to whole microseconds. Straight lines between the envelope's points in short windows follow the drift.
///
/// The sink must not rewind: otherwise its monitor delays frames that can still be changed.
public struct ArrivalClock: Sendable {
    /// Frames that arrived together.
    public struct Fragment: Sendable, Equatable {
        /// The end of the fragment, in frames from the start of the recording.
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

    /// The longest time between two fragments of a burst: a block may be delivered in several pieces.
    private static let burstNanoseconds = 200_000.0
    /// The time by which a window's point may be above the line through its neighbours. A higher point is ignored.
    private static let latenessNanoseconds = 200_000.0
    /// The share of a window's bursts that may be early: if a burst is interrupted, its second part appears to be
    /// early.
    private static let earlyShare = 0.05

    /// The time between the envelope and the arrival of bursts: median and largest.
    public let lateness: (medianNanoseconds: Double, largestNanoseconds: Double)
    /// The median number of frames in a burst, which is the sink's period.
    public let burstFrames: Double

    private let nanosecondsPerFrame: Double
    private let points: [Point]
    private let burstStarts: [Double]

    /// - Parameter windowFrames: The frames of a window, which gives one point; nil for a quarter of a second.
    /// - Returns: Nil if there are no fragments.
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

    /// Returns the time at which a frame was played, in nanoseconds of CLOCK_MONOTONIC.
    public func nanoseconds(ofFrame frame: Double) -> Double {
        frame * nanosecondsPerFrame + Self.offset(at: frame, in: points)
    }

    /// Returns the frame that was played at a time in nanoseconds of CLOCK_MONOTONIC.
    public func frame(atNanoseconds time: Double) -> Double {
        var frame = (time - points[0].offset) / nanosecondsPerFrame
        // The offset changes by less than a thousandth of a frame for each frame, so three steps suffice.
        for _ in 0..<3 { frame = (time - Self.offset(at: frame, in: points)) / nanosecondsPerFrame }
        return frame
    }

    /// Returns the time at which the burst with a frame passed the monitor, in nanoseconds of CLOCK_MONOTONIC. No
    /// recorder can receive the frame earlier.
    ///
    /// - Parameter frame: A position with a fraction, which may be just before the burst that contains the frame.
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

    /// Returns the first frame of each burst.
    ///
    /// A busy server may pause within a burst, for longer than a burst usually lasts. Therefore fragments are grouped
    /// twice, the second time with the interval between bursts from the first.
    private static func bursts(_ fragments: [Fragment], nanosecondsPerFrame: Double) -> [Point] {
        let arrivals = grouped(fragments, nanosecondsPerFrame, pause: burstNanoseconds)
            .map { $0.offset + $0.frame * nanosecondsPerFrame }
        let intervals = zip(arrivals, arrivals.dropFirst()).map { $1 - $0 }.sorted()
        let period = Summary.percentile(intervals, 0.75)
        return grouped(
            fragments, nanosecondsPerFrame, pause: max(burstNanoseconds, period.isFinite ? period * 0.4 : 0))
    }

    /// Returns the first frame of each group of fragments without a pause.
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

    /// Returns the lowest point of a window, after the earliest 5 % have been ignored.
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

    /// Returns the interpolated offset. Before the first point and after the last it is constant, as at the nominal
    /// rate.
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
