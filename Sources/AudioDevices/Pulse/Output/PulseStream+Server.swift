import CPulse
import CRealTime
import Synchronization

/// Making, corking and dropping the server's stream.
extension PulseStream {
    /// Makes the server stream; what follows comes through its state callback.
    func connectStream() {
        guard let context = unsafe connection.context, var map = streamMap() else { return }
        var spec = configuration.format.pulseSampleSpec
        let made = unsafe properties.makeStream(in: context, &spec, &map)
        guard let made = unsafe made else {
            fail(
                .pulse(
                    .unsupportedFormat, "cannot make a stream", errorNumber: unsafe pa_context_errno(context))
            )
            return
        }
        unsafe stream = unsafe made
        isStreamReady = false
        deviceFrames = 0
        seekFrames = -1
        replacedFrames = 0
        timing = PulseTiming()
        clockFit.followsPeriods = connection.isPipeWire
        unsafe setCallbacks(made)

        chooseTarget()
        // As the threads that make the callbacks: it must not come after them.
        if configuration.latency.isUrgent { connection.loop.makeRealTime() }
        var attributes = bufferAttributes
        // Early requests: the sink takes what one request is for, the server has room for all of the client's buffers,
        // and tells each time that the sink has taken some of it.
        var flags = returnsWhenUsedUp ? PA_STREAM_EARLY_REQUESTS.rawValue : PA_STREAM_ADJUST_LATENCY.rawValue
        if !wantsToRun { flags |= PA_STREAM_START_CORKED.rawValue }
        // Each channel goes to the one of its position, and to no other.
        if channelNumbers != nil { flags |= PA_STREAM_NO_REMIX_CHANNELS.rawValue }
        askForSink()
        let status = unsafe pa_stream_connect_playback(
            made, sink, &attributes, pa_stream_flags_t(rawValue: flags), nil, nil)
        if status < 0 { streamFailed() }
    }

    private var bufferAttributes: pa_buffer_attr {
        let frameBytes = UInt32(bytesPerFrame)
        return pa_buffer_attr(
            maxlength: .max, tlength: UInt32(targetFrames) * frameBytes,
            // One frame: the server starts with the first data, and after an underrun as soon as there is any.
            prebuf: frameBytes, minreq: UInt32(requestFrames) * frameBytes, fragsize: .max)
    }

    /// Asks for another buffer, if what is there to be played at a new start needs one.
    func renewTarget() {
        let earlier = targetFrames
        chooseTarget()
        guard targetFrames != earlier, let stream = unsafe stream else { return }
        var attributes = bufferAttributes
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe operations.append(
            pa_stream_set_buffer_attr(
                stream, &attributes,
                { _, _, context in
                    unsafe PulseStream.from(context)?.renewGranted()
                }, context))
    }

    /// Asks whether the sink that was named is there, ahead of the first stream that is made for it.
    ///
    /// QUIRK: PipeWire's server makes a stream for a sink that it does not have, and plays it on the default.
    private func askForSink() {
        guard let sink, !hasPlayed, let context = unsafe connection.context else {
            return
        }
        let target = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe operations.append(
            pa_context_get_sink_info_by_name(
                context, sink,
                { context, _, end, target in
                    guard end < 0, let context = unsafe context,
                        unsafe pa_context_errno(context) == Int32(PA_ERR_NOENTITY.rawValue)
                    else { return }
                    unsafe PulseStream.from(target)?.streamFailed()
                }, target))
    }

    private var wantsToRun: Bool {
        switch phase {
        case .connecting, .running, .interrupted: true
        case .idle, .fadingToPause, .fadingToStop, .paused, .closed: false
        }
    }

    private func setCallbacks(_ stream: OpaquePointer) {
        // SAFETY: the connection holds the stream until it is closed or failed, and both detach these.
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe pa_stream_set_write_callback(
            stream, { _, _, context in unsafe pulseStreamWantsData(context) }, context)
        unsafe pa_stream_set_state_callback(
            stream,
            { _, context in
                unsafe PulseStream.from(context)?.stateChanged()
            }, context)
        unsafe pa_stream_set_underflow_callback(
            stream, { _, context in unsafe pulseStreamRanDry(context) }, context)
        unsafe pa_stream_set_started_callback(
            stream, { _, context in unsafe pulseStreamSounds(context) }, context)
        unsafe pa_stream_set_latency_update_callback(
            stream, { _, context in unsafe pulseStreamIsTimed(context) }, context)
        unsafe pa_stream_set_moved_callback(
            stream,
            { _, context in
                unsafe PulseStream.from(context)?.moved()
            }, context)
        unsafe pa_stream_set_suspended_callback(
            stream,
            { _, context in
                unsafe PulseStream.from(context)?.suspensionChanged()
            }, context)
        unsafe pa_stream_set_buffer_attr_callback(
            stream,
            { _, context in
                unsafe PulseStream.from(context)?.renewGranted()
            }, context)
    }

    /// The stream behind a callback's user data.
    static func from(_ context: UnsafeMutableRawPointer?) -> PulseStream? {
        unsafe context.map { unsafe Unmanaged<PulseStream>.fromOpaque($0).takeUnretainedValue() }
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
        isStreamReady = true
        isSettled = true
        unsafe properties.renew(on: stream)
        // The server would answer before it plays what it is now given; a short buffer would run dry if it did so later.
        if !returnsWhenUsedUp {
            questionsAt = aq_host_time() + PulseStream.questionNanoseconds
            connection.loop.wakeUp(at: questionsAt)
        }
        isSuspended = unsafe stream.map { unsafe pa_stream_is_suspended($0) == 1 } ?? false
        readGranted()
        switch phase {
        case .connecting:
            beginRunning()
        case .interrupted:
            recoverBy = .max
            beginRunning()
            feed.post(.resumed)
        case .idle, .paused:
            // A stop or pause came before the stream was there.
            setCorked(true)
        case .running, .fadingToPause, .fadingToStop, .closed: break
        }
        if questionsAt == .max { askForSinkFacts() }
        if isSuspended { connection.tellDefaultSink() }
        drainServerIfWritten()
    }

    /// Corks or uncorks. The answer is not waited for.
    func setCorked(_ isCorked: Bool) {
        guard let stream = unsafe stream else { return }
        if unsafe pa_stream_is_corked(stream) == (isCorked ? 1 : 0) { return }
        unsafe PulseOperations.release(pa_stream_cork(stream, isCorked ? 1 : 0, nil, nil))
    }

    /// Corks, empties the server's buffer, and learns where its reading stopped.
    func settle() {
        guard let stream = unsafe stream, isStreamReady else { return }
        isSettled = false
        isFeeding = false
        unsafe PulseOperations.release(pa_stream_cork(stream, 1, nil, nil))
        unsafe PulseOperations.release(pa_stream_flush(stream, nil, nil))
        unsafe askForTiming { _, _, context in unsafe PulseStream.from(context)?.settled() }
    }

    private func settled() {
        guard let stream = unsafe stream else { return }
        guard let info = unsafe pa_stream_get_timing_info(stream) else {
            // Nobody knows where it stands: a new one stands at its beginning.
            dropStream()
            if case .connecting = phase { connectStream() }
            return
        }
        deviceFrames = unsafe info.pointee.read_index / Int64(bytesPerFrame)
        seekFrames = -1
        replacedFrames = 0
        isSettled = true
        if case .connecting = phase { beginRunning() }
    }

    // MARK: Letting go

    /// Detaches and drops the server stream, if there is one.
    func dropStream() {
        isStreamReady = false
        isSettled = false
        isFeeding = false
        leadIn = .none
        questionsAt = .max
        operations.callOff()
        isAskingForMap = false
        guard let old = unsafe stream else { return }
        unsafe stream = nil
        unsafe PulseStreamEnd.drop(old)
    }
}
