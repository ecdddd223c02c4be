// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The audio path: from the feed to the server's memory.
extension PulseStream {
    /// Writes the frames that the server requests, as far as the feed has them. REAL-TIME.
    @_noLocks func writeRequested() {
        guard isFeeding, let stream else { return feedLeadIn() }
        let writable = stream.writableBytes / bytesPerFrame
        if buffer.returnsWhenUsedUp { returnUsedUp(asked: writable) }
        let asked = dueFrames(room: writer.takeAsked(writable))
        if asked <= 0 { return }
        // Written data is sent when the loop turns. The first write is short, so that it is sent soon; the rest follows
        // in the next turn, as after every write that was shorter than the request.
        let written = write(frames: writer.hasPlayed ? asked : min(asked, buffer.firstWriteFrames))
        if written > 0 {
            if !writer.hasPlayed {
                writer.beginAudio(at: writer.end &- Int64(written))
            }
            isStarved.store(false, ordering: .relaxed)
            publishLimit()
            if buffer.returnsWhenUsedUp {
                // A part of the written audio may already be more than the server holds besides the buffers.
                returnUsedUp(asked: writable &- written)
                watchForStall()
            }
        }
        if written < asked {
            // The client checks the flag after it has enqueued; this thread checks the feed after it has set the flag.
            // So at least one of them finds the other's change.
            isStarved.store(true, ordering: .sequentiallyConsistent)
            let hasMore = unsafe references.renderer._withUnsafeGuaranteedRef { $0.hasData }
            if hasMore {
                mustBeFed.store(true, ordering: .relaxed)
                unsafe references.loop._withUnsafeGuaranteedRef { $0.feedAgain() }
            }
            if lifecycle.drain.isWaitingForFeed {
                unsafe references.loop._withUnsafeGuaranteedRef { $0.wakeUp(at: 0) }
            }
        }
    }

    /// Handles the server's request for more data. REAL-TIME.
    @_noLocks func dataWanted() {
        noteRequest()
        writeUnlessFedSoon()
        // A position request at this time causes no wake-up.
        if polling.isUsualQuestionDue(at: loopTime) { requestTiming() }
    }

    /// Feeds this stream if its own ``dataAvailable()`` was called. Calls for other streams are ignored: with hundreds
    /// of streams, each call would otherwise feed all streams, while all wait for their clients. REAL-TIME.
    @_noLocks func feedIfAsked() {
        if !mustBeFed.load(ordering: .relaxed) { return }
        // Audio enqueued after this sets the flag again.
        if mustBeFed.exchange(false, ordering: .acquiringAndReleasing) { writeRequested() }
    }

    /// Writes the frames that the server requests, unless the next turn feeds them, as after the first write. The
    /// server requests data as soon as the stream exists, and would have to take this data before it plays. REAL-TIME.
    @_noLocks private func writeUnlessFedSoon() {
        if !stall.isPlaying {
            if mustBeFed.load(ordering: .relaxed) { return }
        }
        writeRequested()
    }

    /// Records the sink's position, which the server's request for more reveals. REAL-TIME.
    @_noLocks private func noteRequest() {
        guard buffer.returnsWhenUsedUp, let stream else { return }
        let asked = stream.writableBytes / bytesPerFrame
        timing.requestReadFrames = Double(writer.end &- Int64(buffer.heldFrames(asked: asked)))
        timing.requestHostTime = loopTime
    }

    /// Renders up to `frames` frames into the server's memory and returns their number. REAL-TIME.
    @_noLocks @discardableResult func write(frames: Int) -> Int {
        guard let stream else { return 0 }
        unsafe references.loop._withUnsafeGuaranteedRef { $0.didWrite() }
        return writer.write(frames: frames, to: stream)
    }

    /// Writes silence. REAL-TIME.
    @_noLocks func writeSilence(frames: Int) {
        if let stream { writer.write(frames: frames, isSilence: true, to: stream) }
    }

    /// Returns the buffers that the server has used up, except the reserve. REAL-TIME.
    ///
    /// - Parameter asked: The frames that the server requests; it has not played the rest of its buffer.
    @_noLocks private func returnUsedUp(asked: Int) {
        let kept = buffer.keptFrames(
            asked: asked, hasPlayed: writer.hasPlayed,
            periodFrames: clockFit.followsPeriods ? blockFrames : 0, at: loopTime)
        let usedUp = writer.end &+ writer.offset &- Int64(kept)
        unsafe references.renderer._withUnsafeGuaranteedRef { $0.returnSegments(usedUpTo: usedUp) }
    }

    /// Publishes the limit of the playback position to readers of the clock. REAL-TIME.
    @_noLocks func publishLimit() {
        time.limitFrame = Double(writer.end &+ writer.offset)
        publishTime()
    }
}
