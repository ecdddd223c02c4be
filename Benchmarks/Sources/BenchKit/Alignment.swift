/// Which frames of a known sequence were heard when, and every departure from it.
public struct Alignment: Sendable {
    /// Frames that were heard as they are in the sequence.
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

    /// A departure from the sequence between two segments.
    public struct Gap: Sendable, Equatable, Codable {
        public var captureStart: Int
        /// Frames heard that are not of the sequence: silence, or a click.
        public var heardFrames: Int
        /// Frames of the sequence that were never heard; negative when some were heard twice.
        public var lostFrames: Int

        public init(captureStart: Int, heardFrames: Int, lostFrames: Int) {
            self.captureStart = captureStart
            self.heardFrames = heardFrames
            self.lostFrames = lostFrames
        }

        /// How long the sound was not what it should be.
        public var frames: Int { max(heardFrames, abs(lostFrames)) }
    }

    public var segments: [Segment] = []
    public var gaps: [Gap] = []
    /// What the sound's amplitude was multiplied by on its way.
    public var gain = 1.0
    /// By what part of a frame it was heard later than at a whole frame.
    public var fraction = 0.0
    /// Whether every sample within segments was the sequence's own, but for rounding.
    public var isExact = true

    public init() {}

    /// Frames from the first that was heard to the last.
    public var capturedRange: Range<Int> {
        guard let first = segments.first, let last = segments.last else { return 0..<0 }
        return first.captureStart..<last.captureEnd
    }

    /// Where a frame of the sequence was heard, in the recording; nil where it was not.
    public func captureFrame(of sequenceFrame: Int) -> Double? {
        // The last piece that starts before it, for what was heard twice.
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

    /// Which frame of the sequence is heard at a place of the recording; nil where none is.
    public func sequenceFrame(at captureFrame: Int) -> Int? {
        segments.last { $0.captureStart <= captureFrame }
            .flatMap {
                captureFrame < $0.captureEnd ? $0.sequenceStart + captureFrame - $0.captureStart : nil
            }
    }
}
