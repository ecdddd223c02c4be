import CoreAudioTypes

/// The items that were enqueued and not returned, in order, and the progress of the first that waits.
struct EnqueuedItems {
    /// The progress of the first item that waits.
    private struct Front {
        /// Its number; 0 if it has not begun.
        var number: UInt64 = 0
        /// Frames of silence that are still to be put before it.
        var silentFrames = 0
        /// Frames that were decoded of it.
        var frames = 0
    }

    /// Items that were not handed on: to the device, or past the decoder.
    private var waiting = FIFO<OutputItem>()
    /// Buffers that the device plays from, without a decoder between.
    private var inDevice = FIFO<OutputItem>()
    private var front = Front()
    /// The latest time on the timeline that a buffer was enqueued for.
    private var latestStartFrames = -Double.infinity
    /// The number of the next item.
    private(set) var nextNumber: UInt64 = 1

    /// Whether no item waits.
    var isEmpty: Bool { waiting.isEmpty }
    /// The first item that waits.
    var first: OutputItem? { waiting.first }
    /// Whether the device plays from any buffer.
    var isDeviceEmpty: Bool { inDevice.isEmpty }

    // MARK: Enqueueing

    /// - Throws: ``QueueError/Code/invalidArgument`` for a time that is no frame number, or is before that of an
    ///   earlier buffer.
    func check(startFrames: Double) throws(QueueError) {
        // A year at the highest rate: a time beyond that is a mistake.
        guard startFrames.isFinite, abs(startFrames) < 1e13 else {
            throw QueueError(.invalidArgument, "cannot enqueue a buffer for frame \(startFrames)")
        }
        guard startFrames >= latestStartFrames else {
            throw QueueError(
                .invalidArgument,
                "cannot enqueue a buffer for frame \(startFrames): one before it is for frame "
                    + "\(latestStartFrames)")
        }
    }

    /// Appends an item that was made with ``nextNumber``.
    mutating func append(_ item: OutputItem) {
        nextNumber = item.number + 1
        if let startFrames = item.startFrames { latestStartFrames = startFrames }
        waiting.append(item)
    }

    mutating func appendEndMark() { append(.endMark(number: nextNumber)) }

    /// The position on the timeline of an item that is appended next; nil if the length of
    /// packets before it is not known.
    ///
    /// - Parameter nextFrame: The position of the next frame that is handed on.
    func expectedFrame(
        of item: OutputItem, from nextFrame: Double, _ format: AudioStreamBasicDescription
    ) -> Double? {
        var frame = nextFrame
        for earlier in waiting.elementsInOrder {
            guard let frames = earlier.expectedFrames(of: format) else { return nil }
            if hasBegun(earlier) {
                frame += Double(front.silentFrames + max(0, frames - front.frames))
            } else {
                frame = max(frame, earlier.startFrames ?? frame) + Double(frames)
            }
        }
        return max(frame, item.startFrames ?? frame)
    }

    // MARK: Facts

    /// The frames that wait or are in the device, as far as the packets' lengths are known.
    var audibleFrames: Int {
        (waiting.elementsInOrder + inDevice.elementsInOrder).reduce(0) { $0 + $1.audibleFrames.count }
    }

    /// The frames that the waiting buffers last together, with the silence before those that have a time.
    ///
    /// - Returns: Nil for less than two buffers, since a single one leaves nothing to play while it is filled again.
    var waitingFrames: Double? {
        var buffers = 0
        var frames = 0.0
        for item in waiting.elementsInOrder where !item.audibleFrames.isEmpty {
            buffers += 1
            frames = max(frames, item.startFrames ?? 0) + Double(item.audibleFrames.count)
        }
        return buffers > 1 ? frames : nil
    }

    /// Whether a waiting buffer moves the audio out of the middle.
    var isPanned: Bool {
        waiting.elementsInOrder.contains { item in
            item.events.contains { event in
                if case .pan(let pan) = event { EffectChain.validPan(pan) != 0 } else { false }
            }
        }
    }

    // MARK: Progress

    func hasBegun(_ item: OutputItem) -> Bool { front.number == item.number }

    /// Begins the first item, behind frames of silence that are still to be made.
    mutating func begin(_ item: OutputItem, silentFrames: Int = 0) {
        front = Front(number: item.number, silentFrames: silentFrames)
    }

    /// Frames of silence that are still to be made before the first item.
    var silentFrames: Int { front.silentFrames }

    mutating func didMakeSilence(frames: Int) { front.silentFrames -= frames }

    mutating func didDecode(frames: Int) { front.frames += frames }

    /// Forgets the progress, and the times that buffers were enqueued for.
    mutating func forgetProgress() {
        front = Front()
        latestStartFrames = -.infinity
    }

    // MARK: Taking out

    /// Removes the first item, which was decoded.
    mutating func dropFirst() { _ = waiting.popFirst() }

    /// Removes the mark of a sequence's end, if it is the first item.
    mutating func takeEndMark() -> Bool {
        guard let item = waiting.first, item.buffer == nil else { return false }
        _ = waiting.popFirst()
        return true
    }

    mutating func moveFirstToDevice() {
        if let item = waiting.popFirst() { inDevice.append(item) }
    }

    /// Removes the oldest buffer from those in the device, which returns them in order, up to the one numbered
    /// `token`.
    mutating func takeReturned(through token: UInt64) -> OutputItem? {
        guard let item = inDevice.first, item.number <= token else { return nil }
        return inDevice.popFirst()
    }

    /// Removes the oldest item if its number is below `limit`.
    mutating func takeFirst(below limit: UInt64) -> OutputItem? {
        if let item = inDevice.first, item.number < limit { return inDevice.popFirst() }
        if let item = waiting.first, item.number < limit { return waiting.popFirst() }
        return nil
    }

    mutating func removeAll() {
        waiting.removeAll()
        inDevice.removeAll()
    }
}
