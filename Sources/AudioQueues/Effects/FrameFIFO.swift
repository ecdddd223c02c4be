// SPDX-License-Identifier: MIT

/// A queue of interleaved float frames before a stage of the effects, with marks between frames.
///
/// The memory grows to the largest number of frames held at once, and is kept. Belongs to the engine's thread.
@safe final class FrameFIFO {
    // SAFETY: frames `head` to `head + frames` are held, and inside the memory, which deinit frees.

    /// An event at a position between two frames.
    enum Mark {
        case events([QueueParameterEvent])
        /// A gap: the next frames do not follow the previous ones.
        case gap
        /// The end of a sequence: the next frames are independent of it.
        case end
    }

    private struct PositionedMark {
        /// The number of frames added before the mark.
        let position: Int64
        let mark: Mark
    }

    let channels: Int
    private var memory: UnsafeMutablePointer<Float>
    private var capacityFrames: Int
    private var head = 0
    /// The number of frames of the room returned last; 0 once they were added.
    private var roomFrames = 0
    private var marks = FIFO<PositionedMark>()
    private(set) var frames = 0
    /// The number of frames taken since the last `removeAll`.
    private(set) var framesTaken: Int64 = 0
    /// The number of ends that are marked and not removed.
    private(set) var ends = 0

    init(channels: Int, capacityFrames: Int) {
        self.channels = max(channels, 1)
        self.capacityFrames = max(capacityFrames, 1)
        unsafe memory = .allocate(capacity: self.capacityFrames * self.channels)
    }

    deinit { unsafe memory.deallocate() }

    // MARK: In

    /// Returns room for frames after those held; valid until the next call of any other function.
    func room(frames wanted: Int) -> UnsafeMutablePointer<Float> {
        let wanted = max(wanted, 0)
        if head + frames + wanted > capacityFrames {
            if 2 * (frames + wanted) <= capacityFrames {
                unsafe memory.update(from: memory + head * channels, count: frames * channels)
            } else {
                // Twice the required size, so that frames are rarely moved.
                let capacity = 2 * (frames + wanted)
                let larger = UnsafeMutablePointer<Float>.allocate(capacity: capacity * channels)
                unsafe larger.update(from: memory + head * channels, count: frames * channels)
                unsafe memory.deallocate()
                unsafe memory = larger
                capacityFrames = capacity
            }
            head = 0
        }
        roomFrames = wanted
        return unsafe memory + (head + frames) * channels
    }

    /// Adds frames that were written to the room returned last.
    func didPut(frames count: Int) {
        let count = min(max(count, 0), roomFrames)
        frames += count
        roomFrames = 0
    }

    func put(_ mark: Mark) {
        marks.append(PositionedMark(position: framesTaken + Int64(frames), mark: mark))
        if case .end = mark { ends += 1 }
    }

    // MARK: Out

    /// The number of frames before the next mark; all frames held if there is no mark.
    var framesToMark: Int { marks.first.map { Int($0.position - framesTaken) } ?? frames }

    /// The mark at the position of the next frame; nil if there is none.
    var nextMark: Mark? {
        guard let placed = marks.first, placed.position == framesTaken else { return nil }
        return placed.mark
    }

    /// Whether a sequence ends at the position of the next frame, possibly after changes of parameters.
    var isAtEnd: Bool {
        for placed in marks.elementsInOrder {
            guard placed.position == framesTaken else { return false }
            switch placed.mark {
            case .events: continue
            case .gap: return false
            case .end: return true
            }
        }
        return false
    }

    func dropMark() {
        guard let mark = nextMark else { return }
        if case .end = mark { ends -= 1 }
        _ = marks.popFirst()
    }

    /// The first of all frames held, including those after the next mark.
    var start: UnsafePointer<Float> { unsafe UnsafePointer(memory + head * channels) }

    /// Removes frames, at most up to the next mark.
    func drop(frames count: Int) {
        let count = min(max(count, 0), framesToMark)
        frames -= count
        framesTaken += Int64(count)
        head = frames == 0 ? 0 : head + count
        roomFrames = 0
    }

    /// Copies and removes frames, at most up to the next mark, and returns their number.
    func take(into output: UnsafeMutablePointer<Float>, frames wanted: Int) -> Int {
        let count = min(max(wanted, 0), framesToMark)
        unsafe output.update(from: start, count: count * channels)
        drop(frames: count)
        return count
    }

    /// Removes all frames and marks. The next frames are counted from 0.
    func removeAll() {
        marks.removeAll()
        (head, frames, roomFrames, framesTaken, ends) = (0, 0, 0, 0, 0)
    }
}
