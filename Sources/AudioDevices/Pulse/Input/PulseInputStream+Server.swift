import CRealTime
import Synchronization

/// Making and dropping the server's stream, and what the server says about it.
extension PulseInputStream {
    /// A fragment below this would drag the whole source to its wake-up rate.
    private static let shortestFragmentSeconds = 0.001
    /// What a server sends at once.
    ///
    /// QUIRK: PipeWire's cuts it from what it has as soon as that is a whole fragment, and keeps the rest of a longer
    /// one until it is a whole one again: for ever behind by that much.
    private static let longestFragmentBytes = 1 << 16

    /// Makes the server stream; what follows comes through its callbacks.
    func connectStream() {
        guard connection.context != nil, let map = streamMap() else { return }
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
        // No timing updates of libpulse's own: each wakes this process and the server.
        var options: PulseStreamOptions = .adjustsLatency
        // Whoever chose a microphone is not to record another when it is unplugged. The default is followed.
        if source != nil { options.insert(.staysAtDevice) }
        if channels.numbers != nil { options.insert(.keepsChannelsApart) }
        let attributes = bufferAttributes(fragmentFrames: fragmentFrames)
        if !made.connectRecording(source: source, attributes, options) { streamFailed() }
    }

    func bufferAttributes(fragmentFrames: Int) -> PulseBufferAttributes {
        let shortest = max(1, Int(PulseInputStream.shortestFragmentSeconds * sampleRate))
        let longest = max(shortest, PulseInputStream.longestFragmentBytes / bytesPerFrame)
        // Of one length, so that a client's buffer ends with the last of them.
        let parts = max(1, (fragmentFrames + longest - 1) / longest)
        let part = max(shortest, (fragmentFrames + parts - 1) / parts)
        let frames = wholeFragment(frames: part)
        // The longest queue there is: frames wait in it only while this process does not run.
        return PulseBufferAttributes(fragment: UInt32(frames * bytesPerFrame))
    }

    /// What to ask for so that a fragment has that many frames.
    ///
    /// The server counts whole microseconds and rounds down on its way there and back: of 80 frames at 48 kHz
    /// 79 are left, so that each buffer ends within a fragment, and waits for the next. One frame more is less
    /// than one more in the end.
    private func wholeFragment(frames: Int) -> Int {
        let isWhole = (Double(frames) * 1e6).truncatingRemainder(dividingBy: sampleRate) == 0
        return isWhole ? frames : frames + 1
    }

    /// The server says that it is PipeWire's.
    func serverIsPipeWire() {
        kind.serverIsPipeWire()
        learnArrival()
    }

    /// Notes whether blocks are there when their first frame is heard.
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
    /// What is captured from now on comes with the first fragment, which takes as long as half a client's buffer: who
    /// waited for that would find so much more recorded than it waited after the start.
    private func beginCapture() {
        // What sleeps may never capture anything: its frames tell.
        if isSuspended { return }
        guard lifecycle.phase == .connecting else { return }
        let now = loopTime
        let frame = time.frame(at: now)
        time.setAnchor(frame: frame, at: now)
        time.limitFrame = frame + grantedFragmentSeconds * sampleRate
        answerStart()
        clock.publish(time)
    }

    /// Reads what the server granted, at the start and whenever it changed its mind.
    func attributesChanged() {
        guard let stream, let attributes = stream.attributes else { return }
        let frames = Int(attributes.fragment) / bytesPerFrame
        // What was asked for last is not what a pause or stop waits for.
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
        watch.forgetLooks()
        channels.endAsking()
        server.drop()
    }
}
