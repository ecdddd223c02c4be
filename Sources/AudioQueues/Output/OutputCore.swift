import AudioCodecs
import AudioDevices
import CoreAudioTypes
import Synchronization

/// What is behind an ``OutputQueue``: the state, the device's stream, and the two threads that serve them.
///
/// - With a decoder, the engine's thread takes the device's notices, decodes ahead, and hands on what is
///   enqueued; the callback context runs the client's code and nothing else.
/// - Without one, two threads are alike: whichever a notice wakes takes it, and makes the callbacks that
///   follow from it at once. While the client's code holds up one, the other takes the notices.
///
/// Either way calls may wait for what notices bring, and slow code delays only itself.
///
/// Locks: the queue's lock is held around the stream's control calls, which return at once, and never
/// around the client's code.
@safe final class OutputCore: @unchecked Sendable {
    // SAFETY: what is not constant is in `monitor`, in `cursor`, which belongs to the engine's thread, or is
    // `handle`, which is set once before the queue is known to anybody.

    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    let configuration: OutputQueue.Configuration
    /// What the device plays.
    let deviceFormat: SampleFormat
    let stream: any OutputStream
    let feed: StreamFeed
    let monitor: Monitor<OutputState>
    /// What makes the callbacks; nil if the engine's threads do.
    let context: (any CallbackContext)?
    let cursor: DecodeCursor?
    let makeDecoder: DecoderMaker
    weak var handle: OutputQueue?

    init(
        format: AudioStreamBasicDescription, magicCookie: [UInt8] = [], channelLabels: [AudioChannelLabel]?,
        device: any OutputDevice, configuration: OutputQueue.Configuration,
        context: (any CallbackContext)? = nil,
        makeDecoder: @escaping DecoderMaker = OutputCore.makeDecoder,
        onBufferDone: @escaping @Sendable (OutputQueue, QueueBuffer) -> Void
    ) throws(QueueError) {
        if let failure = format.validationFailure {
            throw QueueError(.unsupportedFormat, "cannot make a queue for \(format.summary): \(failure)")
        }
        guard format.isInterleaved || format.mChannelsPerFrame == 1 else {
            throw QueueError(
                .unsupportedFormat, "cannot make a queue for \(format.summary): channels are not interleaved")
        }
        let channels = Int(format.mChannelsPerFrame)
        let labels = channelLabels ?? ChannelLabels.defaults(channels: channels)
        guard labels.count == channels else {
            throw QueueError(
                .invalidArgument, "cannot make a queue of \(channels) channels with \(labels.count) labels")
        }
        self.format = format
        self.channelLabels = labels
        self.configuration = configuration
        self.makeDecoder = makeDecoder

        var state = OutputState()
        state.onBufferDone = OutputState.BufferDone(call: onBufferDone)
        state.magicCookie = magicCookie
        if let direct = SampleFormat(direct: format, channelLabels: labels) {
            deviceFormat = direct
            cursor = nil
            self.context = context
        } else {
            let decoder: any PacketDecoder
            do throws(CodecError) {
                decoder = try makeDecoder(OutputCore.roomy(format, magicCookie), magicCookie)
            } catch {
                throw QueueError(codec: error)
            }
            // What a decoder gives may be in another order than the packets.
            let decodedLabels = DecodedChannelOrder.labels(of: format, magicCookie: magicCookie)
            guard
                let decoded = SampleFormat(
                    direct: decoder.outputFormat,
                    channelLabels: decodedLabels?.count == channels ? decodedLabels ?? labels : labels)
            else {
                throw QueueError(
                    .codecNotFound,
                    "cannot play what \(format.summary) decodes to: "
                        + decoder.outputFormat.summary)
            }
            deviceFormat = decoded
            self.context = context ?? CallbackThread()
            cursor = DecodeCursor(decoder)
            let rate = format.mSampleRate
            state.decoded = DecodedAudio(
                aheadFrames: max(
                    Int(configuration.decodeAheadSeconds.clamped(to: 0.02...10) * rate),
                    2 * Int(format.mFramesPerPacket)),
                packetFrames: decoder.maximumFramesPerPacket, chunkFrames: Int(rate * 0.02),
                bytesPerFrame: decoded.bytesPerFrame)
        }
        do throws(DeviceError) {
            stream = try device.makeStream(
                OutputStreamConfiguration(
                    format: deviceFormat, latency: configuration.latency,
                    recoverySeconds: configuration.recoverySeconds, streamName: configuration.name))
        } catch {
            throw QueueError(error)
        }
        feed = stream.feed
        monitor = Monitor(state)
        LiveObjects.queues.add(1, ordering: .relaxed)
    }

    deinit { LiveObjects.queues.subtract(1, ordering: .relaxed) }

    /// Makes the decoder of a format with a magic cookie, which may be empty.
    typealias DecoderMaker =
        @Sendable (AudioStreamBasicDescription, [UInt8]) throws(CodecError) -> any PacketDecoder

    @Sendable static func makeDecoder(
        of format: AudioStreamBasicDescription, magicCookie: [UInt8]
    ) throws(CodecError) -> any PacketDecoder {
        try makePacketDecoder(for: format, magicCookie: magicCookie)
    }

    /// A format whose decoder gives the most bits that a later magic cookie may ask for: the device is told
    /// before that comes.
    private static func roomy(
        _ format: AudioStreamBasicDescription, _ magicCookie: [UInt8]
    ) -> AudioStreamBasicDescription {
        guard magicCookie.isEmpty, format.mFormatID == kAudioFormatAppleLossless, format.mFormatFlags == 0
        else { return format }
        var roomy = format
        roomy.mFormatFlags = kAppleLosslessFormatFlag_32BitSourceData
        return roomy
    }

    // MARK: The lock

    /// Changes the state, then wakes those whom the change concerns.
    func locked<Result, Failure: Error>(
        _ body: (inout OutputState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var mustSchedule = false
        defer {
            monitor.notifyAll()
            if mustSchedule { scheduleCallbacks() }
        }
        return try monitor.withLock { (state: inout OutputState) throws(Failure) -> Result in
            defer {
                mustSchedule = state.mustSchedule
                state.mustSchedule = false
            }
            return try body(&state)
        }
    }

    private func scheduleCallbacks() {
        if let context { context.schedule() } else { feed.wake() }
    }

    /// The same, for a call that has to be legal in the present state.
    func perform<Result>(
        _ call: OutputStateMachine.Call, _ body: (inout OutputState) throws(QueueError) -> Result
    ) throws(QueueError) -> Result {
        try locked { (state: inout OutputState) throws(QueueError) -> Result in
            if case .fail(let code) = state.machine.apply(call) { throw QueueError(code) }
            return try body(&state)
        }
    }

    // MARK: Threads

    /// Has the calling thread run early, if what it is late by is heard.
    ///
    /// - Returns: What it was granted beyond that, if anything, which must be taken back from code that lasts.
    private func askForPriority() -> PriorityRequest? {
        guard configuration.latency.isUrgent else { return nil }
        ThreadPriority.makeHigh()
        // A decoder works for long, and its thread makes no callbacks.
        guard configuration.latency == .buffers, context == nil else { return nil }
        let request = ThreadPriority.makeRealTimeForCallbacks()
        return request.answer == .granted ? request : nil
    }

    /// Starts the queue's threads the first time that they are needed.
    func startThreads(_ state: inout OutputState) throws(QueueError) {
        guard !state.hasThreads else { return }
        if let context { try context.begin { [self] in deliverNext() } }
        do throws(QueueError) {
            try startEngineThread(&state)
        } catch {
            context?.end()
            throw error
        }
        state.hasThreads = true
    }

    private func startEngineThread(_ state: inout OutputState) throws(QueueError) {
        try QueueThread.start(named: context == nil ? "aq callbacks" : "aq engine") { [self] in
            // Before this one asks for priority, which its twin would inherit.
            if context == nil { startTwin() }
            runEngine(priority: askForPriority())
        }
        state.engineThreads += 1
    }

    /// Starts the second of two threads that are alike. The first does so, that the device need not wait for both.
    private func startTwin() {
        let isWanted = locked { state in
            guard !state.machine.isDisposed else { return false }
            state.engineThreads += 1
            return true
        }
        guard isWanted else { return }
        // Without the lock: who enqueues the first buffers meanwhile would wait for a thread's making.
        do throws(QueueError) {
            try QueueThread.start(named: "aq callbacks") { [self] in runEngine(priority: askForPriority()) }
        } catch {
            locked { state in
                state.engineThreads -= 1
                fail(error, &state)
            }
        }
    }
}
