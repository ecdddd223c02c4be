import CRealTime
import Synchronization

/// The clock: what the server tells about time, and what readers are told.
extension PulseStream {
    /// A timing answer came. REAL-TIME.
    ///
    /// Computed from the raw answer: libpulse's own interpolation is known to be wrong for seconds after a
    /// pause.
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
        timing.sinkBlockFrames = Int(min(Double(info.sinkBlockTime) / 1e6, 4) * sampleRate)
        // After an underrun the reading stands, while what the sink had taken is played.
        let sinceUnderrun = timing.isMoving ? 0 : max(0, Double(info.bytesSinceUnderrun) / bytesPerSecond)
        timing.heardFrames = min(
            timing.readFrames, timing.readFrames - (timing.sinkSeconds - sinceUnderrun) * sampleRate)
        if let held = measuredLatencySeconds() {
            unsafe references.grant._withUnsafeGuaranteedRef { $0.measured(seconds: held) }
        }
        // A sink with a long latency of its own holds more than was asked of the server.
        // Before the stream's first frame it holds nothing of the stream's, however long its silence is.
        let heldFrames = max(0, min(Double(writer.end) - max(0, timing.heardFrames), 10 * sampleRate))
        let kept = unsafe references.renderer._withUnsafeGuaranteedRef { $0.historyFrames }
        let wanted = PlaybackHistory.frames(forHeldFrames: Int(heldFrames))
        if wanted > kept { keepMore(frames: wanted) }
        guard lifecycle.isRunning else { return }
        guard timing.isMoving, !isSuspended else {
            clockFit.restart()
            time.device.interrupt()
            time.setAnchor(timing.heardFrames + Double(writer.offset), at: now)
            time.frameRate = 0
            return publishTime()
        }
        let heardFrames =
            clockFit.followsPeriods
            ? enterPeriod(info, transportFrames: transportFrames, at: now)
            : clockFit.add(frame: timing.heardFrames, at: now)
        time.device.follow(heardFrames, at: now, rate: clockFit.rate)
        if timedStart.isWaiting { placeStart() }
        time.setAnchor(heardFrames + Double(writer.offset), at: now)
        time.frameRate = clockFit.rate
        publishTime()
    }

    // REAL-TIME: not checked by the compiler, since it allocates: when a sink turns out to hold more than ever before.
    /// Makes sure that `frames` frames can be replayed.
    @_semantics("no_performance_analysis") private func keepMore(frames: Int) {
        renderer.reserveHistory(frames: frames)
    }

    /// From the last frame's writing to its being heard, in seconds; nil while nothing moves or is to come.
    @_noLocks private func measuredLatencySeconds() -> Double? {
        guard timing.isMoving, isFeeding, lifecycle.drain.ticket == nil else { return nil }
        return max(0, (Double(writer.end) - timing.heardFrames) / sampleRate)
    }

    /// Stops the clock for readers. REAL-TIME.
    @_noLocks func standStill(at frame: Double) {
        clockFit.restart()
        time.device.interrupt()
        time.setAnchor(frame, at: loopTime)
        time.limitFrame = max(time.limitFrame, frame)
        time.frameRate = 0
        publishTime()
    }

    /// Tells readers of the clock, and of what segments have changed by then. REAL-TIME.
    @_noLocks func publishTime() {
        // REAL-TIME: a closure that captures `self` would retain it.
        let published = time
        unsafe references.clock._withUnsafeGuaranteedRef { $0.publish(published) }
        let isVaried = unsafe references.renderer._withUnsafeGuaranteedRef { $0.hasSegmentChanges }
        if isVaried { noteHeardParameters() }
    }

    /// The server ran out of data and plays silence. REAL-TIME.
    @_noLocks func ranDry() {
        guard lifecycle.isRunning, lifecycle.drain.ticket == nil, time.starvedSince == 0, let stream
        else { return }
        // Silence that waits for a start's time is no audio.
        if timedStart.isWaiting { return }
        // More may have been written since. What ran dry before the first frame was a stream without audio.
        let index = stream.underflowOffset
        let dryFrame = index < 0 ? writer.end : min(writer.end, index / Int64(bytesPerFrame))
        if writer.hasPlayed, dryFrame <= writer.firstFrame { return }
        standstill.ranDry(writtenTo: writer.end)
        time.starvedSince = dryTime(of: dryFrame)
        // Behind a flush the silence is no gap: nothing was to be heard.
        if writer.hasPlayed { time.discontinuities += 1 }
        standStill(at: Double(dryFrame + writer.offset))
        if !writer.hasPlayed { return }
        let now = loopTime
        buffer.ranDry(at: now)
        unsafe references.loop._withUnsafeGuaranteedRef { $0.streamRanDry(at: now) }
        let usedUp = dryFrame + writer.offset
        unsafe references.renderer._withUnsafeGuaranteedRef { $0.returnSegments(usedUpTo: usedUp) }
        unsafe references.feed._withUnsafeGuaranteedRef { $0.post(.underran) }
        if buffer.returnsWhenUsedUp, dryFrame < writer.end { watchForStandstill() }
    }

    /// Counts silence from now on, until the server plays data.
    func beginSilence() {
        time.starvedSince = loopTime
        publishTime()
    }

    /// When the server's reading came to `frame`, as host time: this thread may hear of it late.
    @_noLocks private func dryTime(of frame: Int64) -> UInt64 {
        let now = loopTime
        guard timing.isMoving else { return now }
        let seconds = max(0, min((Double(frame) - timing.readFrames) / sampleRate, 10))
        return min(now, timing.hostTime + UInt64(seconds * 1e9))
    }

    /// The server plays data, for the first time or after an underrun. REAL-TIME.
    @_noLocks func soundStarted() {
        standstill.sounds()
        if time.starvedSince != 0 {
            let nominalRate = unsafe references.clock._withUnsafeGuaranteedRef { $0.nominalRate }
            time.endSilence(at: loopTime, nominalRate: nominalRate)
            publishTime()
        }
        lookClosely()
    }

    func attributesChanged() {
        readGranted()
        askForSinkFacts()
    }

    /// Reads what the server granted.
    func readGranted() {
        guard let stream, let attributes = stream.attributes else { return }
        let grantedFrames = Int(attributes.target) / bytesPerFrame
        buffer.grant(grantedFrames)
        renderer.reserveHistory(frames: PlaybackHistory.frames(forHeldFrames: grantedFrames))
        grant.set(
            targetFrames: grantedFrames, requestFrames: Int(attributes.request) / bytesPerFrame,
            deviceName: stream.deviceName)
    }

    /// Asks what the sink is like; not before the first frames are on their way, which the answer would hold up.
    func askForSinkFacts() {
        connection.askForNews()
        guard let stream else { return }
        server.ask(.sinkAt(index: stream.deviceIndex)) { [self] answer in
            if let sink = answer.device { grant.setDevice(sink.info) }
        }
    }
}
