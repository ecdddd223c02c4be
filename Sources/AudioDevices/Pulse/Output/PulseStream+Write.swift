import CRealTime
import Synchronization

/// The audio path: from the feed into the server's memory.
extension PulseStream {
    /// Writes what the server asks for, as far as the feed has it. REAL-TIME.
    @_noLocks func writeWhatIsAsked() {
        guard isFeeding, let stream else { return feedLeadIn() }
        let writable = stream.writableBytes / bytesPerFrame
        if buffer.returnsWhenUsedUp { returnUsedUp(asked: writable) }
        let asked = writer.takeAsked(writable)
        if asked <= 0 { return }
        // What is written is sent when the loop turns. The first is short, to be sent soon, and the rest follows
        // with the next turn, as after every write that was less than asked for.
        let written = write(frames: writer.hasPlayed ? asked : min(asked, buffer.firstWriteFrames))
        if written > 0 {
            if !writer.hasPlayed {
                writer.beginAudio(at: writer.end &- Int64(written))
            }
            isStarved.store(false, ordering: .relaxed)
            publishLimit()
            if buffer.returnsWhenUsedUp { watchForStandstill() }
        }
        if written < asked {
            // The client looks at the flag after enqueueing, this thread at the feed after raising it: one
            // of the two sees the other.
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

    /// The server asks for more. REAL-TIME.
    @_noLocks func dataWanted() {
        noteRequest()
        writeUnlessFedSoon()
        // Where nobody is woken for it.
        if polling.isUsualQuestionDue(at: loopTime) { requestTiming() }
    }

    /// Feeds after a ``dataAvailable()`` for this stream, and not for others: of hundreds each asks in its turn, while
    /// all wait for their clients. REAL-TIME.
    @_noLocks func feedIfAsked() {
        if !mustBeFed.load(ordering: .relaxed) { return }
        // What is enqueued from here on asks anew.
        if mustBeFed.exchange(false, ordering: .acquiringAndReleasing) { writeWhatIsAsked() }
    }

    /// Writes what the server asks for, unless that comes with the next turn, as what follows the first write: the server
    /// asks as soon as the stream is there, and would have to take more before it plays what it has. REAL-TIME.
    @_noLocks private func writeUnlessFedSoon() {
        if !standstill.isSounding {
            if mustBeFed.load(ordering: .relaxed) { return }
        }
        writeWhatIsAsked()
    }

    /// Notes how far the sink has come, which the server's asking for more tells. REAL-TIME.
    @_noLocks private func noteRequest() {
        guard buffer.returnsWhenUsedUp, let stream else { return }
        let asked = stream.writableBytes / bytesPerFrame
        timing.requestReadFrames = Double(writer.end &- Int64(buffer.heldFrames(asked: asked)))
        timing.requestHostTime = loopTime
    }

    /// Renders up to `frames` frames into the server's memory and returns how many there were. REAL-TIME.
    @_noLocks @discardableResult func write(frames: Int) -> Int {
        guard let stream else { return 0 }
        return writer.write(frames: frames, to: stream)
    }

    /// Writes silence. REAL-TIME.
    @_noLocks func writeSilence(frames: Int) {
        if let stream { writer.writeSilence(frames: frames, to: stream) }
    }

    /// Returns the buffers that the server has used up, except the reserve. REAL-TIME.
    ///
    /// - Parameter asked: How much the server asks for: it has the rest of its buffer yet to play.
    @_noLocks private func returnUsedUp(asked: Int) {
        let kept = buffer.keptFrames(asked: asked, hasPlayed: writer.hasPlayed, at: loopTime)
        let usedUp = writer.end &+ writer.offset &- Int64(kept)
        unsafe references.renderer._withUnsafeGuaranteedRef { $0.returnSegments(usedUpTo: usedUp) }
    }

    /// Tells readers of the clock how far playback can have come. REAL-TIME.
    @_noLocks func publishLimit() {
        time.limitFrame = Double(writer.end &+ writer.offset)
        publishTime()
    }
}
