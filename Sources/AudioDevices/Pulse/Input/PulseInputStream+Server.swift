import CPulse
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
        guard let context = unsafe connection.context, var map = streamMap() else { return }
        var spec = configuration.format.pulseSampleSpec
        guard let made = unsafe properties.makeStream(in: context, &spec, &map) else {
            let errorNumber = unsafe pa_context_errno(context)
            return fail(.pulse(.unsupportedFormat, "cannot make a stream", errorNumber: errorNumber))
        }
        unsafe stream = unsafe made
        isStreamReady = false
        isRealSource = false
        isPipeWire = connection.isPipeWire
        learnArrival()
        isSuspended = false
        receivedFrames = 0
        cutFrame = .max
        timingAt = 0
        times.restart(at: 0)
        clockFit.restart()
        time.device.interrupt()
        timesBeforeEnd = 0
        unsafe setCallbacks(made)
        if Double(fragmentFrames) < ThreadPriority.urgentSeconds * sampleRate {
            connection.loop.makeRealTime()
        }
        var attributes = bufferAttributes(fragmentFrames: fragmentFrames)
        // No timing updates of libpulse's own: each wakes this process and the server.
        var flags = PA_STREAM_ADJUST_LATENCY.rawValue
        // Whoever chose a microphone is not to record another when it is unplugged. The default is followed.
        if source != nil { flags |= PA_STREAM_DONT_MOVE.rawValue }
        // Each channel comes from the one of its position, and from no other.
        if configuration.channelNumbers != nil { flags |= PA_STREAM_NO_REMIX_CHANNELS.rawValue }
        let status = unsafe pa_stream_connect_record(
            made, source, &attributes, pa_stream_flags_t(rawValue: flags))
        if status < 0 { streamFailed() }
    }

    func bufferAttributes(fragmentFrames: Int) -> pa_buffer_attr {
        let shortest = max(1, Int(PulseInputStream.shortestFragmentSeconds * sampleRate))
        let longest = max(shortest, PulseInputStream.longestFragmentBytes / bytesPerFrame)
        // Of one length, so that a client's buffer ends with the last of them.
        let parts = max(1, (fragmentFrames + longest - 1) / longest)
        let part = max(shortest, (fragmentFrames + parts - 1) / parts)
        let frames = wholeFragment(frames: part)
        // The longest queue there is: frames wait in it only while this process does not run.
        return pa_buffer_attr(
            maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
            fragsize: UInt32(frames * bytesPerFrame))
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
        isPipeWire = true
        learnArrival()
    }

    /// Notes whether a monitor's block is there when its first frame is heard.
    ///
    /// PipeWire's server hands a period over with the next one, and a fragment when it is whole: the last frame has been
    /// heard then, as if it came from a microphone.
    private func learnArrival() {
        let isAhead = isMonitor && !isPipeWire
        times.isMonitor = isAhead
        arrivesAhead.store(isAhead, ordering: .relaxed)
    }

    private func setCallbacks(_ stream: OpaquePointer) {
        // SAFETY: the connection holds this object until it is stopped, closed or failed, and all of those
        // detach these.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pa_stream_set_read_callback(
            stream, { _, _, context in unsafe pulseInputStreamHasData(context) }, context)
        unsafe pa_stream_set_latency_update_callback(
            stream, { _, context in unsafe pulseInputStreamIsTimed(context) }, context)
        unsafe pa_stream_set_state_callback(
            stream,
            { _, context in
                unsafe PulseInputStream.from(context)?.stateChanged()
            }, context)
        unsafe pa_stream_set_moved_callback(
            stream,
            { _, context in
                unsafe PulseInputStream.from(context)?.moved()
            }, context)
        unsafe pa_stream_set_suspended_callback(
            stream,
            { _, context in
                unsafe PulseInputStream.from(context)?.suspensionChanged()
            }, context)
        unsafe pa_stream_set_buffer_attr_callback(
            stream,
            { _, context in
                unsafe PulseInputStream.from(context)?.readGranted()
            }, context)
    }

    /// The stream behind a callback's user data.
    static func from(_ context: UnsafeMutableRawPointer?) -> PulseInputStream? {
        unsafe context.map { unsafe Unmanaged<PulseInputStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func stateChanged() {
        guard let stream = unsafe stream else { return }
        switch unsafe pa_stream_get_state(stream) {
        case PA_STREAM_READY: streamIsReady()
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: streamFailed()
        default: break
        }
    }

    private func streamIsReady() {
        guard let stream = unsafe stream else { return }
        isStreamReady = true
        unsafe properties.renew(on: stream)
        isSuspended = unsafe pa_stream_is_suspended(stream) == 1
        recoverBy = .max
        readGranted()
        beginCapture()
    }

    /// Answers a start as soon as the source captures for this stream.
    ///
    /// What is captured from now on comes with the first fragment, which takes as long as half a client's buffer: who
    /// waited for that would find so much more recorded than it waited after the start.
    private func beginCapture() {
        // What sleeps may never capture anything: its frames tell.
        if isSuspended { return }
        guard case .connecting = phase else { return }
        let now = aq_host_time()
        let frame = time.frame(at: now)
        time.setAnchor(frame: frame, at: now)
        time.limitFrame = frame + grantedFragmentSeconds * sampleRate
        answerStart()
        clock.publish(time)
    }

    /// Reads what the server granted, at the start and whenever it changed its mind.
    func readGranted() {
        guard let stream = unsafe stream, let attributes = unsafe pa_stream_get_buffer_attr(stream)?.pointee
        else { return }
        let frames = Int(attributes.fragsize) / bytesPerFrame
        // What was asked for last is not what a pause or stop waits for.
        if ending == nil { grantedFragmentSeconds = Double(frames) / sampleRate }
        let name = unsafe pa_stream_get_device_name(stream).map { unsafe String(cString: $0) } ?? "unknown"
        grantedBox.withLock { granted in
            granted = GrantedLatency(
                targetFrames: Int(attributes.maxlength) / bytesPerFrame, requestFrames: frames,
                measuredSeconds: 0, deviceName: name,
                deviceSampleRate: granted?.deviceSampleRate ?? 0, deviceChannels: granted?.deviceChannels ?? 0
            )
        }
        guard let context = unsafe connection.context else { return }
        let target = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe operations.append(
            pa_context_get_source_info_by_index(
                context, pa_stream_get_device_index(stream),
                { _, info, end, target in
                    guard end == 0, let info = unsafe info else { return }
                    unsafe PulseInputStream.from(target)?.readSource(info.pointee)
                }, target))
        connection.askForNews()
    }

    private func readSource(_ info: pa_source_info) {
        isRealSource = unsafe info.monitor_of_sink_name == nil
        if !isRealSource { times.latencyNanoseconds = 0 }
        isMonitor = !isRealSource
        learnArrival()
        grantedBox.withLock { granted in
            granted?.deviceSampleRate = unsafe Double(info.sample_spec.rate)
            granted?.deviceChannels = unsafe Int(info.sample_spec.channels)
        }
    }

    /// Detaches and drops the server stream, if there is one.
    func dropStream() {
        isStreamReady = false
        isSuspended = false
        secondLook = .max
        operations.callOff()
        isAskingForMap = false
        guard let old = unsafe stream else { return }
        unsafe stream = nil
        unsafe PulseStreamEnd.drop(old)
    }
}
