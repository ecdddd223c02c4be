/// Decides which frames are recorded: from the first loud one on, with what lies just before it, and until it
/// has been silent for long enough. Exact to the frame.
struct SoundGate {
    /// What of a buffer is to be recorded.
    struct Passage: Equatable {
        /// Frames from before the buffer that belong to the recording too.
        var preRollFrames = 0
        /// Frames of the buffer.
        var frames: Range<Int>
        /// Whether the recording ends with them.
        var isEnd = false
    }

    /// When a recording ends by itself.
    struct Silence: Equatable {
        /// Linear: what is below in every channel is silence.
        var level: Float
        var frames: Int64
    }

    /// Linear; nil when everything is recorded from the start.
    private let startLevel: Float?
    private let preRollFrames: Int
    private let silence: Silence?
    /// Whether the first loud frame was seen, or is not waited for.
    private(set) var isOpen: Bool
    /// Frames since the last that was not silent, or since the recording began.
    private var quietFrames: Int64 = 0

    init(startLevel: Float?, preRollFrames: Int, silence: Silence?) {
        self.startLevel = startLevel
        self.preRollFrames = preRollFrames
        self.silence = silence
        isOpen = startLevel == nil
    }

    /// Whether there is nothing to decide: all is recorded.
    var isAlwaysOpen: Bool { startLevel == nil && silence == nil }

    /// Looks at the frames that come next.
    mutating func pass(_ bytes: UnsafeRawBufferPointer, _ scanner: SampleScanner) -> Passage {
        let count = unsafe scanner.frames(in: bytes)
        var passage = Passage(frames: 0..<count)
        var scanned = 0
        if !isOpen, let startLevel {
            guard let loud = unsafe scanner.firstFrame(atOrAbove: startLevel, of: bytes, in: 0..<count)
            else { return Passage(frames: count..<count) }
            isOpen = true
            passage.preRollFrames = max(0, preRollFrames - loud)
            passage.frames = max(0, loud - preRollFrames)..<count
            // The frame that opened it is sound, whatever counts as silence.
            scanned = loud + 1
        }
        guard let silence else { return passage }
        while scanned < count {
            // The stretch that would have to be silent for the recording to end in this buffer.
            let needed = silence.frames - quietFrames
            let end = needed < Int64(count - scanned) ? scanned + Int(needed) : count
            let last = unsafe scanner.lastFrame(atOrAbove: silence.level, of: bytes, in: scanned..<end)
            quietFrames = last.map { Int64(end - 1 - $0) } ?? quietFrames + Int64(end - scanned)
            scanned = end
            if quietFrames >= silence.frames {
                passage.frames = min(passage.frames.lowerBound, end)..<end
                passage.isEnd = true
                break
            }
        }
        return passage
    }
}
