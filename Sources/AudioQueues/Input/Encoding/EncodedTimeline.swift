// SPDX-License-Identifier: MIT

/// The positions of packets on the queue's timeline, derived from those of the captured frames.
///
/// The encoder counts its input frames continuously. Marks record the position and capture time of some input frames.
/// Frames before the first mark are the encoder's priming: they have negative times, before the first captured frame.
struct EncodedTimeline {
    /// The position of an input frame of the encoder, which applies until the next mark.
    private struct Mark {
        let inputFrame: Int64
        let timelineFrame: Int64
        let hostTime: UInt64
        /// The number of frames missing right before; nil if the packets are continuous.
        let lostFrames: Int64?
    }

    struct Position: Equatable {
        var frame: Int64
        var hostTime: UInt64
        /// The number of frames missing before the packet; nil if the packet follows the previous one.
        var lostFrames: Int64?
    }

    private let sampleRate: Double
    private var marks = FIFO<Mark>()
    /// The mark before the start of the last packet.
    private var current: Mark?

    init(sampleRate: Double) { self.sampleRate = sampleRate }

    mutating func mark(inputFrame: Int64, timelineFrame: Int64, hostTime: UInt64, lostFrames: Int64?) {
        marks.append(
            Mark(
                inputFrame: inputFrame, timelineFrame: timelineFrame, hostTime: hostTime,
                lostFrames: lostFrames))
    }

    /// Returns whether the packet that begins at an input frame does not follow the previous one.
    func isJump(atInputFrame frame: Int64) -> Bool {
        current != nil && marks.elementsInOrder.contains { $0.inputFrame <= frame && $0.lostFrames != nil }
    }

    /// Returns the number of input frames from one to the next gap; nil if no gap is known.
    func framesUntilJump(fromInputFrame frame: Int64) -> Int64? {
        // Frames missing before the first frame are not a gap between two packets.
        marks.elementsInOrder.dropFirst(current == nil ? 1 : 0)
            .first { $0.inputFrame > frame && $0.lostFrames != nil }.map { $0.inputFrame - frame }
    }

    /// Returns the position of a packet that begins at an input frame. Packets must be requested in order.
    mutating func position(ofInputFrame frame: Int64) -> Position {
        var lost: Int64?
        while let next = marks.first, current == nil || next.inputFrame <= frame {
            current = marks.popFirst()
            if let frames = next.lostFrames { lost = (lost ?? 0) + frames }
        }
        guard let current else { return Position(frame: frame, hostTime: 0, lostFrames: nil) }
        let offset = frame - current.inputFrame
        let nanoseconds = Int64((Double(offset) / sampleRate * 1e9).rounded())
        let hostTime = Int64(clamping: current.hostTime) + nanoseconds
        return Position(
            frame: current.timelineFrame + offset, hostTime: UInt64(clamping: hostTime), lostFrames: lost)
    }

    mutating func restart() {
        marks.removeAll()
        current = nil
    }
}
