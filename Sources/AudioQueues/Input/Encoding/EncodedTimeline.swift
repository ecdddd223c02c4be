/// Where packets are on the queue's timeline, given where the frames were that they were made of.
///
/// The encoder counts the frames that it is given, one after the other. Marks say which of them were captured
/// where and when. Frames before the first mark are the encoder's priming: they lie before the first that was
/// captured, at negative times.
struct EncodedTimeline {
    /// From which frame of the encoder's on something holds.
    private struct Mark {
        let inputFrame: Int64
        let timelineFrame: Int64
        let hostTime: UInt64
        /// Frames that are missing right before; nil where the packets go on.
        let lostFrames: Int64?
    }

    /// A packet's place.
    struct Place: Equatable {
        var frame: Int64
        var hostTime: UInt64
        /// Frames missing before the packet; nil if it follows the one before.
        var lostFrames: Int64?
    }

    private let sampleRate: Double
    private var marks = FIFO<Mark>()
    /// The mark that the last packet began behind.
    private var current: Mark?

    init(sampleRate: Double) { self.sampleRate = sampleRate }

    mutating func mark(inputFrame: Int64, timelineFrame: Int64, hostTime: UInt64, lostFrames: Int64?) {
        marks.append(
            Mark(
                inputFrame: inputFrame, timelineFrame: timelineFrame, hostTime: hostTime,
                lostFrames: lostFrames))
    }

    /// Whether the packet that begins at an encoder's frame does not follow the one before.
    func isJump(atInputFrame frame: Int64) -> Bool {
        current != nil && marks.elementsInOrder.contains { $0.inputFrame <= frame && $0.lostFrames != nil }
    }

    /// The encoder's frames from one to the next gap; nil if none is known.
    func framesUntilJump(fromInputFrame frame: Int64) -> Int64? {
        // What is missing before the first frame is no gap between two packets.
        marks.elementsInOrder.dropFirst(current == nil ? 1 : 0)
            .first { $0.inputFrame > frame && $0.lostFrames != nil }.map { $0.inputFrame - frame }
    }

    /// The place of a packet that begins at an encoder's frame, the earlier packets having been asked for.
    mutating func place(ofInputFrame frame: Int64) -> Place {
        var lost: Int64?
        while let next = marks.first, current == nil || next.inputFrame <= frame {
            current = marks.popFirst()
            if let frames = next.lostFrames { lost = (lost ?? 0) + frames }
        }
        guard let current else { return Place(frame: frame, hostTime: 0, lostFrames: nil) }
        let offset = frame - current.inputFrame
        let nanoseconds = Int64((Double(offset) / sampleRate * 1e9).rounded())
        let hostTime = Int64(clamping: current.hostTime) + nanoseconds
        return Place(
            frame: current.timelineFrame + offset, hostTime: UInt64(clamping: hostTime), lostFrames: lost)
    }

    mutating func restart() {
        marks.removeAll()
        current = nil
    }
}
