/// The progress of the calls that render a queue without a device.
struct OfflineRendering {
    /// Whether a call is rendering, which uses the queue's memory.
    var isUnderWay = false
    /// Whether that call is using the decoder or the effects, without the lock.
    var isWorking = false
    /// Frames that were passed on but not rendered.
    var framesInDevice = 0
    /// Rendered frames of the current stream.
    private var renderedFrames = 0
    /// Decoded buffers, each with the frames to render before it is returned: when its callback reaches the end of the
    /// file, the client has received all requested frames.
    private var held = FIFO<(item: OutputItem, frames: Int)>()
    /// Counts restarts, to distinguish frames before one from frames after it.
    private(set) var stream: UInt64 = 0
    /// Whether the queue was ever started: rendering after its end is then no error.
    var wasStarted = false
    /// Whether the last frame was rendered, including those held back by the conversion.
    var hasGivenAll = false

    /// Takes frames to render: at most up to the end of a buffer, which is returned before the next one.
    ///
    /// - Returns: The number of frames.
    mutating func take(frames: Int) -> Int {
        let limit = held.first.map { $0.frames - renderedFrames } ?? frames
        let run = max(0, min(frames, framesInDevice, limit))
        framesInDevice -= run
        renderedFrames += run
        return run
    }

    /// Holds a buffer until all frames decoded so far are rendered.
    ///
    /// - Parameter openFrames: Those of them that were not passed on.
    mutating func hold(_ item: OutputItem, openFrames: Int) {
        held.append((item, renderedFrames + framesInDevice + openFrames))
    }

    /// Removes the oldest held buffer if its last frame was rendered.
    mutating func takeRendered() -> OutputItem? {
        guard let first = held.first, first.frames <= renderedFrames else { return nil }
        return held.popFirst()?.item
    }

    /// Removes the oldest held buffer if its number is below `limit`.
    mutating func takeHeld(below limit: UInt64) -> OutputItem? {
        guard let first = held.first, first.item.number < limit else { return nil }
        return held.popFirst()?.item
    }

    /// Begins another stream, whose frames are counted from 0.
    mutating func restart() {
        (framesInDevice, renderedFrames) = (0, 0)
        hasGivenAll = false
        stream += 1
    }

    mutating func removeHeld() { held.removeAll() }
}
