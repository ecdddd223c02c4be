// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// The clock: the server's timing answers, and the time published to readers.
extension PulseStream {
    /// Updates the clock from a timing answer that has arrived. REAL-TIME.
    ///
    /// The raw answer is used, because libpulse's interpolation is wrong for seconds after a pause.
    @_noLocks func timingChanged() {
        guard let stream, let info = stream.timing, info.isReadOffsetKnown else { return }
        let now = loopTime
        let bytesPerSecond = sampleRate * Double(bytesPerFrame)
        timing.isValid = true
        timing.hostTime = now
        timing.isMoving = info.isPlaying && !stream.isCorked
        let transportFrames = timing.isMoving ? Double(info.transportTime) / 1e6 * sampleRate : 0
        timing.readFrames = max(0, Double(info.readOffset) / Double(bytesPerFrame) + transportFrames)
        timing.sinkSeconds = max(0, Double(info.sinkTime) / 1e6)
        readBlock(info)
        // After an underrun the read position is constant while the sink plays the frames that it has taken.
        let sinceUnderrun = timing.isMoving ? 0 : max(0, Double(info.bytesSinceUnderrun) / bytesPerSecond)
        timing.playedFrames = min(
            timing.readFrames, timing.readFrames - (timing.sinkSeconds - sinceUnderrun) * sampleRate)
        if let held = measuredLatencySeconds() {
            unsafe references.grant._withUnsafeGuaranteedRef { $0.measured(seconds: held) }
        }
        // A sink with a long latency holds more than was requested from the server. Before the stream's first frame it
        // holds no frames of the stream, however long its silence is.
        let heldFrames = max(0, min(Double(writer.end) - max(0, timing.playedFrames), 10 * sampleRate))
        let kept = unsafe references.renderer._withUnsafeGuaranteedRef { $0.historyFrames }
        let wanted = PlaybackHistory.frames(forHeldFrames: Int(heldFrames))
        if wanted > kept { keepMore(frames: wanted) }
        guard lifecycle.isRunning else { return }
        guard timing.isMoving, !isSuspended else {
            clockFit.restart()
            time.device.interrupt()
            time.setAnchor(timing.playedFrames + Double(writer.offset), at: now)
            time.frameRate = 0
            return publishTime()
        }
        let playedFrames =
            clockFit.followsPeriods
            ? enterPeriod(info, transportFrames: transportFrames, at: now)
            : clockFit.add(frame: timing.playedFrames, at: now)
        time.device.follow(playedFrames, at: now, rate: clockFit.rate)
        if timedStart.isWaiting { updateStartFrame() }
        time.setAnchor(playedFrames + Double(writer.offset), at: now)
        time.frameRate = clockFit.rate
        publishTime()
    }

    /// Reads the length of the sink's blocks. REAL-TIME.
    @_noLocks private func readBlock(_ info: PulseTimingAnswer) {
        timing.sinkBlockFrames = Int(min(Double(info.sinkBlockTime) / 1e6, 4) * sampleRate)
    }

    // REAL-TIME: not checked by the compiler, because it allocates when a sink holds more than ever before.
    /// Ensures that `frames` frames can be replayed.
    @_semantics("no_performance_analysis") private func keepMore(frames: Int) {
        renderer.reserveHistory(frames: frames)
    }

    /// The time from writing the last frame until it is audible, in seconds; nil if the stream does not play, or
    /// drains.
    @_noLocks private func measuredLatencySeconds() -> Double? {
        guard timing.isMoving, isFeeding, lifecycle.drain.ticket == nil else { return nil }
        return max(0, (Double(writer.end) - timing.playedFrames) / sampleRate)
    }

    /// Stops the clock at a frame. REAL-TIME.
    @_noLocks func stopClock(at frame: Double) {
        clockFit.restart()
        time.device.interrupt()
        time.setAnchor(frame, at: loopTime)
        time.limitFrame = max(time.limitFrame, frame)
        time.frameRate = 0
        publishTime()
    }

    /// Publishes the clock, and the parameters changed by segments, to readers. REAL-TIME.
    @_noLocks func publishTime() {
        // REAL-TIME: a closure that captures `self` would retain it.
        let published = time
        unsafe references.clock._withUnsafeGuaranteedRef { $0.publish(published) }
        let isVaried = unsafe references.renderer._withUnsafeGuaranteedRef { $0.hasSegmentChanges }
        if isVaried { publishParameters() }
    }

    /// Handles an underrun of the server, which then plays silence. REAL-TIME.
    @_noLocks func underran() {
        guard lifecycle.isRunning, lifecycle.drain.ticket == nil, time.starvedSince == 0, let stream
        else { return }
        // Silence before a start time is not audio.
        if timedStart.isWaiting { return }
        // More audio may have been written since. An underrun before the first frame interrupted no audio.
        let index = stream.underflowOffset
        let underrunFrame = index < 0 ? writer.end : min(writer.end, index / Int64(bytesPerFrame))
        if writer.hasPlayed, underrunFrame <= writer.firstFrame { return }
        stall.underran(writtenTo: writer.end)
        time.starvedSince = underrunTime(of: underrunFrame)
        // After a flush the silence is no discontinuity, because there was nothing to play.
        if writer.hasPlayed { time.discontinuities += 1 }
        stopClock(at: Double(underrunFrame + writer.offset))
        if !writer.hasPlayed { return }
        // A server that takes whole blocks keeps the rest, and requests nothing more.
        if buffer.slices != nil, clockFit.followsPeriods { writeRequested() }
        buffer.underran(at: loopTime)
        let usedUp = underrunFrame + writer.offset
        unsafe references.renderer._withUnsafeGuaranteedRef { $0.returnSegments(usedUpTo: usedUp) }
        unsafe references.feed._withUnsafeGuaranteedRef { $0.post(.underran) }
        if buffer.returnsWhenUsedUp, underrunFrame < writer.end { watchForStall() }
    }

    /// Counts silence from now on, until the server plays data.
    func beginSilence() {
        time.starvedSince = loopTime
        publishTime()
    }

    /// The host time when the server's read position reached `frame`; the report may reach this thread late.
    @_noLocks private func underrunTime(of frame: Int64) -> UInt64 {
        let now = loopTime
        guard timing.isMoving else { return now }
        let seconds = max(0, min((Double(frame) - timing.readFrames) / sampleRate, 10))
        return min(now, timing.hostTime + UInt64(seconds * 1e9))
    }

    /// Handles the start of playback on the server, for the first time or after an underrun. REAL-TIME.
    @_noLocks func audioStarted() {
        stall.plays()
        if time.starvedSince != 0 {
            let nominalRate = unsafe references.clock._withUnsafeGuaranteedRef { $0.nominalRate }
            time.endSilence(at: loopTime, nominalRate: nominalRate)
            publishTime()
        }
        pollClosely()
    }

    func attributesChanged() {
        readGranted()
        askForSinkFacts()
    }

    /// Reads the granted buffer sizes.
    func readGranted() {
        guard let stream, let attributes = stream.attributes else { return }
        let grantedFrames = Int(attributes.target) / bytesPerFrame
        let requestFrames = Int(attributes.request) / bytesPerFrame
        buffer.grant(grantedFrames, requestFrames: requestFrames)
        if let info = stream.timing { readBlock(info) }
        renderer.reserveHistory(frames: PlaybackHistory.frames(forHeldFrames: grantedFrames))
        grant.set(
            targetFrames: grantedFrames, requestFrames: requestFrames,
            deviceName: stream.deviceName)
    }

    /// Asks for the sink's properties. Called only after the first frames are sent, because the answer would delay
    /// them.
    func askForSinkFacts() {
        connection.askForNews()
        guard let stream else { return }
        server.ask(.sinkAt(index: stream.deviceIndex)) { [self] answer in
            if let sink = answer.device { grant.setDevice(sink.info) }
            // The sink disappeared before the connection was subscribed to changes.
            if answer == .failed(errorNumber: PulseError.noEntity) { streamFailed() }
        }
    }
}
