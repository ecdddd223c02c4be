import CRealTime
import Synchronization

/// The audio path: from the feed into the server's memory.
extension PulseStream {
    /// Writes what the server asks for, as far as the feed has it. REAL-TIME.
    @_noLocks func writeWhatIsAsked() {
        guard isFeeding, let stream else { return feedLeadIn() }
        let writable = stream.writableBytes / bytesPerFrame
        if returnsWhenUsedUp { returnUsedUp(asked: writable) }
        let asked = writable &+ replacedFrames
        replacedFrames = 0
        if asked <= 0 { return }
        // What is written is sent when the loop turns. The first is short, to be sent soon, and the rest follows
        // with the next turn, as after every write that was less than asked for.
        let written = write(frames: hasPlayed ? asked : min(asked, firstWriteFrames))
        if written > 0 {
            if !hasPlayed {
                hasPlayed = true
                firstFrame = deviceFrames &- Int64(written)
            }
            isStarved.store(false, ordering: .relaxed)
            publishLimit()
            if returnsWhenUsedUp { watchForStandstill() }
        }
        if written < asked {
            // The client looks at the flag after enqueueing, this thread at the feed after raising it: one
            // of the two sees the other.
            isStarved.store(true, ordering: .sequentiallyConsistent)
            let hasMore = unsafe rendererReference._withUnsafeGuaranteedRef { $0.hasData }
            if hasMore {
                mustBeFed.store(true, ordering: .relaxed)
                unsafe loopReference._withUnsafeGuaranteedRef { $0.feedAgain() }
            }
            if lifecycle.drain.isWaitingForFeed { unsafe loopReference._withUnsafeGuaranteedRef { $0.wakeUp(at: 0) } }
        }
    }

    /// The server asks for more. REAL-TIME.
    @_noLocks func dataWanted() {
        noteRequest()
        writeUnlessFedSoon()
        lookNowAndThen()
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
        if !isSounding {
            if mustBeFed.load(ordering: .relaxed) { return }
        }
        writeWhatIsAsked()
    }

    /// Notes how far the sink has come, which the server's asking for more tells. REAL-TIME.
    @_noLocks private func noteRequest() {
        guard returnsWhenUsedUp, let stream else { return }
        let asked = stream.writableBytes / bytesPerFrame
        timing.requestReadFrames = Double(deviceFrames &- Int64(max(0, grantedFrames &- asked)))
        timing.requestHostTime = loopTime
    }

    /// Renders up to `frames` frames into the server's memory and returns how many there were. REAL-TIME.
    @_noLocks func write(frames: Int) -> Int {
        guard let stream else { return 0 }
        var done = 0
        while done < frames {
            guard let memory = stream.beginWrite(bytes: (frames &- done) &* bytesPerFrame) else { break }
            let room = min(memory.bytes / bytesPerFrame, frames &- done)
            let rendered = unsafe rendererReference._withUnsafeGuaranteedRef {
                unsafe $0.render(into: memory.start, frames: room)
            }
            if rendered == 0 {
                stream.cancelWrite()
                break
            }
            if !commit(stream, memory, frames: rendered) { break }
            done &+= rendered
        }
        return done
    }

    /// Writes silence, so that a fade-out is followed by something. REAL-TIME.
    @_noLocks func writeSilence(frames: Int) {
        guard let stream else { return }
        var done = 0
        while done < frames {
            guard let memory = stream.beginWrite(bytes: (frames &- done) &* bytesPerFrame) else { break }
            let room = min(memory.bytes / bytesPerFrame, frames &- done)
            unsafe rendererReference._withUnsafeGuaranteedRef {
                unsafe $0.writeSilence(to: memory.start, frames: room)
            }
            if room == 0 { break }
            if !commit(stream, memory, frames: room) { break }
            done &+= room
        }
    }

    /// Hands memory filled by this thread to the server. REAL-TIME.
    @_noLocks private func commit(
        _ stream: PulseStreamCalls, _ memory: PulseStreamCalls.Memory, frames: Int
    ) -> Bool {
        var offset: Int64 = -1
        if seekFrames >= 0 {
            deviceFrames = seekFrames
            offset = seekFrames &* Int64(bytesPerFrame)
            seekFrames = -1
        }
        if !stream.write(memory, bytes: frames &* bytesPerFrame, at: offset) { return false }
        deviceFrames &+= Int64(frames)
        return true
    }

    /// Tells readers of the clock how far playback can have come. REAL-TIME.
    @_noLocks func publishLimit() {
        time.limitFrame = Double(deviceFrames &+ sourceOffset)
        publishTime()
    }
}
