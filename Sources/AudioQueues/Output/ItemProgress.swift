// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The progress of the first waiting item, and the latest start time of an enqueued buffer.
struct ItemProgress {
    /// The number of the item; 0 if none has begun.
    private var number: UInt64 = 0
    /// The number of frames of silence still to be made before the item.
    private(set) var silentFrames = 0
    /// The number of the item's decoded frames.
    private var frames = 0
    /// The latest start time of an enqueued buffer, as a position on the timeline.
    private var latestStartFrames = -Double.infinity

    /// Checks the start time of a buffer to enqueue.
    ///
    /// - Throws: ``QueueError/Code/invalidArgument`` if the time is not a frame number, or is before that of a buffer
    ///   enqueued earlier.
    func check(startFrames: Double) throws(QueueError) {
        // A later time is a mistake: the limit is nearly a year at 384 kHz.
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

    /// Returns the position on the timeline of an item that is appended next; nil if the length of packets before the
    /// item is unknown.
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

    /// Begins the first item, after `silentFrames` frames of silence that are still to be made.
    mutating func begin(_ item: OutputItem, silentFrames: Int = 0) {
        (number, self.silentFrames, frames) = (item.number, silentFrames, 0)
    }

    mutating func didMakeSilence(frames: Int) { silentFrames -= frames }

    mutating func didDecode(frames: Int) { self.frames += frames }
}
