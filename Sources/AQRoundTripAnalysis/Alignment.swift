// SPDX-License-Identifier: MIT

/// The parts of a recording that match a known sequence, and the gaps between them.
public struct Alignment: Sendable {
    /// Consecutive frames that match the sequence.
    public struct Segment: Sendable, Equatable {
        public var captureStart: Int
        public var sequenceStart: Int
        public var frames: Int

        public init(captureStart: Int, sequenceStart: Int, frames: Int) {
            self.captureStart = captureStart
            self.sequenceStart = sequenceStart
            self.frames = frames
        }

        public var captureEnd: Int { captureStart + frames }
        public var sequenceEnd: Int { sequenceStart + frames }
    }

    /// A difference from the sequence between two segments.
    public struct Gap: Sendable, Equatable, Codable {
        public var captureStart: Int
        /// Recorded frames that are not in the sequence, such as silence or a click.
        public var foreignFrames: Int
        /// Frames of the sequence that were not recorded; negative if some were recorded twice.
        public var lostFrames: Int

        public init(captureStart: Int, foreignFrames: Int, lostFrames: Int) {
            self.captureStart = captureStart
            self.foreignFrames = foreignFrames
            self.lostFrames = lostFrames
        }

        /// The length of the difference in frames.
        public var frames: Int { max(foreignFrames, abs(lostFrames)) }
    }

    public var segments: [Segment] = []
    public var gaps: [Gap] = []
    /// The amplitude of the recording divided by that of the sequence.
    public var gain = 1.0
    /// The delay of the recording in addition to whole frames, as a fraction of a frame.
    public var fraction = 0.0
    /// Whether all samples within segments match the sequence, except for rounding.
    public var isExact = true

    public init() {}

    /// The frames of the recording from the first match to the last.
    public var capturedRange: Range<Int> {
        guard let first = segments.first, let last = segments.last else { return 0..<0 }
        return first.captureStart..<last.captureEnd
    }

    /// Returns the position of a frame of the sequence in the recording; nil if it was not recorded.
    public func captureFrame(of sequenceFrame: Int) -> Double? {
        // The last segment that begins at or before the frame, because frames may be recorded twice.
        var low = 0
        var high = segments.count
        while low < high {
            let middle = (low + high) / 2
            if segments[middle].sequenceStart <= sequenceFrame { low = middle + 1 } else { high = middle }
        }
        guard low > 0, sequenceFrame < segments[low - 1].sequenceEnd else { return nil }
        let segment = segments[low - 1]
        return Double(segment.captureStart + sequenceFrame - segment.sequenceStart) + fraction
    }

    /// Returns the frame of the sequence at a position of the recording; nil in a gap.
    public func sequenceFrame(at captureFrame: Int) -> Int? {
        segments.last { $0.captureStart <= captureFrame }
            .flatMap {
                captureFrame < $0.captureEnd ? $0.sequenceStart + captureFrame - $0.captureStart : nil
            }
    }
}
