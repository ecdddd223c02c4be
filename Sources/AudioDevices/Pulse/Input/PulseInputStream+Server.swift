import CRealTime
import Synchronization

/// Making and dropping the server's stream, and the server's reports about it.
extension PulseInputStream {
    /// A shorter fragment would make the whole source wake up that often.
    private static let shortestFragmentSeconds = 0.001
    /// The most that a server sends at once.
    ///
    /// QUIRK: PipeWire sends this much as soon as it has a whole fragment, and keeps the rest of a longer one until
    /// there is a whole fragment again, so it always lags by that much.
    private static let longestFragmentBytes = 1 << 16

    /// Makes the server stream. Its callbacks continue from there.
    func connectStream() {
        guard connection.context != nil, let (source, map) = streamTarget() else { return }
        let made: PulseStreamCalls
        do { made = try server.make(configuration.format, map) } catch { return fail(error) }
        kind.restart(isPipeWire: connection.isPipeWire)
        learnArrival()
        wasSuspended = false
        receivedFrames = 0
        cutFrame = .max
        timingAt = 0
        watch.restart()
        rate.restart()
        time.device.interrupt()
        if Double(fragmentFrames) < ThreadPriority.urgentSeconds * sampleRate {
            connection.loop.makeRealTime()
        }
        // No timing updates by libpulse: each wakes this process and the server.
        var options: PulseStreamOptions = .adjustsLatency
        // A chosen microphone is not replaced by another when unplugged. The default source is followed.
        if source != nil { options.insert(.staysAtDevice) }
        if channels.numbers != nil { options.insert(.keepsChannelsApart) }
        let attributes = bufferAttributes(fragmentFrames: fragmentFrames)
        if !made.connectRecording(source: source, attributes, options) { streamFailed() }
    }

    func bufferAttributes(fragmentFrames: Int) -> PulseBufferAttributes {
        let shortest = max(1, Int(PulseInputStream.shortestFragmentSeconds * sampleRate))
        let longest = max(shortest, PulseInputStream.longestFragmentBytes / bytesPerFrame)
        // Equal parts, so that a client's buffer ends with the last of them.
        let parts = max(1, (fragmentFrames + longest - 1) / longest)
        let part = max(shortest, (fragmentFrames + parts - 1) / parts)
        let frames = wholeFragment(frames: part)
        // The longest possible queue: frames wait in it only if this process does not run.
        return PulseBufferAttributes(fragment: UInt32(frames * bytesPerFrame))
    }

    /// The size to request so that a fragment has that many frames.
    ///
    /// The server converts to whole microseconds and back and rounds down each time. Of 80 frames at 48 kHz only 79
    /// would remain, so each buffer would end inside a fragment and wait for the next. One more frame requested gives
    /// less than one more in the result.
    private func wholeFragment(frames: Int) -> Int {
        let isWhole = (Double(frames) * 1e6).truncatingRemainder(dividingBy: sampleRate) == 0
        return isWhole ? frames : frames + 1
    }

    /// The server has reported that it is PipeWire's.
    func serverIsPipeWire() {
        kind.serverIsPipeWire()
        learnArrival()
    }

    /// Records whether blocks arrive when their first frame is audible.
    private func learnArrival() {
        watch.times.isMonitor = kind.arrivesAhead
        arrivesAhead.store(kind.arrivesAhead, ordering: .relaxed)
    }

    func streamIsReady() {
        wasSuspended = isSuspended
        lifecycle.streamIsReady()
        attributesChanged()
        beginCapture()
    }

    /// Answers a start as soon as the source captures for this stream.
    ///
    /// The first fragment takes as long as half a client's buffer. A client that waited for it would find that much
    /// more recorded than the time it waited after the start.
    private func beginCapture() {
        // A suspended source may never capture anything, so its first frames answer the start.
        if isSuspended { return }
        guard lifecycle.phase == .connecting else { return }
        let now = loopTime
        let frame = time.frame(at: now)
        time.setAnchor(frame: frame, at: now)
        time.limitFrame = frame + grantedFragmentSeconds * sampleRate
        answerStart()
        clock.publish(time)
    }

    /// Reads what the server granted, at the start and after each change.
    func attributesChanged() {
        guard let stream, let attributes = stream.attributes else { return }
        let frames = Int(attributes.fragment) / bytesPerFrame
        // A pause or stop does not wait for the fragment requested last.
        if lifecycle.ending == nil { grantedFragmentSeconds = Double(frames) / sampleRate }
        grant.set(
            targetFrames: Int(attributes.longest) / bytesPerFrame, requestFrames: frames,
            deviceName: stream.deviceName)
        server.ask(.sourceAt(index: stream.deviceIndex)) { [self] answer in
            if let source = answer.device { readSource(source.info) }
        }
        connection.askForNews()
    }

    private func readSource(_ info: DeviceInfo) {
        kind.describe(isMonitor: info.isMonitor)
        if info.isMonitor { watch.times.latencyNanoseconds = 0 }
        learnArrival()
        grant.setDevice(info)
    }

    /// Detaches and drops the server stream, if there is one.
    func dropStream() {
        wasSuspended = false
        watch.cancelCheck()
        channels.endAsking()
        server.drop()
    }
}
