import CoreAudioTypes

/// The progress of the first waiting item, and the latest time of an enqueued buffer.
struct ItemProgress {
    /// The number of the item; 0 if it has not begun.
    private var number: UInt64 = 0
    /// Frames of silence that are still to be made before it.
    private(set) var silentFrames = 0
    /// Decoded frames of it.
    private var frames = 0
    /// The latest time on the timeline of an enqueued buffer.
    private var latestStartFrames = -Double.infinity

    /// Checks the time of a buffer to enqueue.
    ///
    /// - Throws: ``QueueError/Code/invalidArgument`` for a time that is not a frame number, or is before that of an
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

    mutating func didEnqueue(startFrames: Double) { latestStartFrames = startFrames }

    /// The position on the timeline of an item that is appended next; nil if the length of packets before it is
    /// unknown.
    ///
    /// - Parameter nextFrame: The position of the next frame to pass on.
    func expectedFrame(
        of item: OutputItem, behind waiting: ArraySlice<OutputItem>, from nextFrame: Double,
        _ format: AudioStreamBasicDescription
    ) -> Double? {
        var frame = nextFrame
        for earlier in waiting {
            guard let frames = earlier.expectedFrames(of: format) else { return nil }
            if hasBegun(earlier) {
                frame += Double(silentFrames + max(0, frames - self.frames))
            } else {
                frame = max(frame, earlier.startFrames ?? frame) + Double(frames)
            }
        }
        return max(frame, item.startFrames ?? frame)
    }

    func hasBegun(_ item: OutputItem) -> Bool { number == item.number }

    /// Begins the first item, after frames of silence that are still to be made.
    mutating func begin(_ item: OutputItem, silentFrames: Int = 0) {
        (number, self.silentFrames, frames) = (item.number, silentFrames, 0)
    }

    mutating func didMakeSilence(frames: Int) { silentFrames -= frames }

    mutating func didDecode(frames: Int) { self.frames += frames }
}
