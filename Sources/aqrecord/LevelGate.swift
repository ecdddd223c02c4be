// SPDX-License-Identifier: MIT

/// Decides which frames are recorded: from the first loud frame on, with the audio just before it, until the audio has
/// been silent for the requested time. The result is exact to the frame.
struct LevelGate {
    /// The part of a buffer that is recorded.
    struct Passage: Equatable {
        /// The number of frames from before the buffer that are recorded too.
        var preRollFrames = 0
        /// Frames of the buffer.
        var frames: Range<Int>
        /// Whether the recording ends with these frames.
        var isEnd = false
    }

    /// The silence that ends a recording.
    struct Silence: Equatable {
        /// The linear level; frames below it in every channel are silent.
        var level: Float
        var frames: Int64
    }

    /// The linear level; nil if everything is recorded from the start.
    private let startLevel: Float?
    private let preRollFrames: Int
    private let silence: Silence?
    /// Whether frames are recorded: the first loud frame has arrived, or none is required.
    private(set) var isOpen: Bool
    /// The number of frames since the last that was not silent, or since the recording began.
    private var quietFrames: Int64 = 0

    init(startLevel: Float?, preRollFrames: Int, silence: Silence?) {
        self.startLevel = startLevel
        self.preRollFrames = preRollFrames
        self.silence = silence
        isOpen = startLevel == nil
    }

    /// Whether everything is recorded.
    var isAlwaysOpen: Bool { startLevel == nil && silence == nil }

    /// Returns the part of the next frames that is recorded.
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
            // The frame that opened the gate is loud, even if it is below the level of silence.
            scanned = loud + 1
        }
        guard let silence else { return passage }
        while scanned < count {
            // The number of further silent frames that would end the recording in this buffer.
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
