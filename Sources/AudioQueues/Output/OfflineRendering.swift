// SPDX-License-Identifier: MIT

/// The progress of the calls that render a queue without a device.
struct OfflineRendering {
    /// Whether a call renders, and uses the queue's memory.
    var isUnderWay = false
    /// Whether the rendering call uses the decoder or the effects, without the lock.
    var isWorking = false
    /// The number of frames that were passed on but not rendered.
    var framesInDevice = 0
    private var renderedFrames = 0
    /// Decoded buffers, each with the number of frames to render before its return. So the client has received all
    /// requested frames before a callback reaches the end of the file.
    private var held = FIFO<(item: OutputItem, frames: Int)>()
    /// The number of restarts, which distinguishes frames before a restart from those after it.
    private(set) var stream: UInt64 = 0
    /// Whether the queue was ever started. If it was, rendering after the queue's end is not an error.
    var wasStarted = false
    /// Whether the last frame was rendered, including those held back by the conversion.
    var hasGivenAll = false

    /// Takes frames to render, at most up to the end of a buffer, which is returned before the next frames.
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
    /// - Parameter openFrames: The number of decoded frames that were not passed on.
    mutating func hold(_ item: OutputItem, openFrames: Int) {
        held.append((item, renderedFrames + framesInDevice + openFrames))
    }

    /// Removes and returns the oldest held buffer if its last frame was rendered.
    mutating func takeRendered() -> OutputItem? {
        guard let first = held.first, first.frames <= renderedFrames else { return nil }
        return held.popFirst()?.item
    }

    /// Removes and returns the oldest held buffer if its number is below `limit`.
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
