import AudioCodecs
import AudioDevices
import CoreAudioTypes
import Synchronization

/// What is behind an ``InputQueue``: the state, the device's stream, and the thread that serves them.
///
/// That thread ("aq callbacks") waits for the device's notices, takes them, and runs the client's code: one
/// wake-up for a buffer. Slow code does not stop the capture into the other enqueued buffers, which the
/// device's thread fills without it, and does not stop calls either, since a call that waits for a notice
/// takes notices itself meanwhile; see `InputCore+Notices`.
///
/// Locks: the queue's lock is held around the stream's control calls, which return at once, and never
/// around the client's code.
@safe final class InputCore: @unchecked Sendable {
    // SAFETY: what is not constant is in `monitor`, or in `maker`, which whoever makes callbacks uses, one thread
    // at a time; or is `handle`, which is set once before the queue is known to anybody.

    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    let configuration: InputQueue.Configuration
    /// What the device captures.
    let deviceFormat: SampleFormat
    /// Nil when that is the queue's format, or is encoded.
    let converter: LinearPCMConverter?
    /// What an encoder makes of it; nil for linear PCM. Belongs to whoever makes callbacks.
    let maker: PacketMaker?
    /// What the encoder's packets come with; all 0 and empty for linear PCM.
    let magicCookie: [UInt8]
    let primingFrames: Int
    let framesPerPacket: Int
    let maximumPacketSize: Int
    let stream: any InputStream
    let feed: StreamFeed
    let monitor: Monitor<InputState>
    weak var handle: InputQueue?

    init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]?, device: any InputDevice,
        configuration: InputQueue.Configuration, makeEncoder: EncoderMaker,
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        var format = try InputFormat.resolve(format, on: device)
        let channels = Int(format.mChannelsPerFrame)
        let labels = channelLabels ?? ChannelLabels.defaults(channels: channels)
        guard labels.count == channels else {
            throw QueueError(
                .invalidArgument, "cannot make a queue of \(channels) channels with \(labels.count) labels")
        }
        if format.isLinearPCM {
            let conversion = try InputConversion(format: format, channelLabels: labels)
            deviceFormat = conversion.captured
            converter = conversion.converter
            maker = nil
            (magicCookie, primingFrames) = ([], 0)
            (framesPerPacket, maximumPacketSize) = (1, Int(format.mBytesPerFrame))
        } else {
            let encoder = try makeEncoder(format, configuration.codecSettings)
            // What an encoder takes may be in another order than the packets.
            let taken = DecodedChannelOrder.labels(of: encoder.outputFormat)
            guard
                let captured = SampleFormat(
                    direct: encoder.inputFormat,
                    channelLabels: taken?.count == channels ? taken ?? labels : labels)
            else {
                throw QueueError(
                    .codecNotFound,
                    "cannot record \(format.summary): its encoder takes \(encoder.inputFormat.summary)")
            }
            format = encoder.outputFormat
            deviceFormat = captured
            converter = nil
            maker = PacketMaker(encoder)
            (magicCookie, primingFrames) = (encoder.magicCookie, encoder.primingFrames)
            framesPerPacket = max(1, Int(format.mFramesPerPacket))
            maximumPacketSize = max(1, encoder.maximumPacketSize)
        }
        self.format = format
        self.channelLabels = labels
        self.configuration = configuration
        do throws(DeviceError) {
            stream = try device.makeStream(
                InputStreamConfiguration(
                    format: deviceFormat, heldSeconds: configuration.heldSeconds,
                    recoverySeconds: configuration.recoverySeconds, streamName: configuration.name))
        } catch {
            throw QueueError(error)
        }
        feed = stream.feed
        var state = InputState(primingFrames: primingFrames)
        state.onBufferFilled = InputState.BufferFilled(call: onBufferFilled)
        monitor = Monitor(state)
        LiveObjects.queues.add(1, ordering: .relaxed)
    }

    deinit { LiveObjects.queues.subtract(1, ordering: .relaxed) }

    /// Makes the encoder of a format.
    typealias EncoderMaker =
        (AudioStreamBasicDescription, CodecSettings) throws(QueueError) -> any PacketEncoder

    static func makeEncoder(
        of format: AudioStreamBasicDescription, settings: CodecSettings
    ) throws(QueueError) -> any PacketEncoder {
        do throws(CodecError) {
            return try makePacketEncoder(for: format, settings: settings)
        } catch {
            throw QueueError(
                error.code == .invalidFormat ? .unsupportedFormat : .codecNotFound, error.message)
        }
    }

    var isEncoding: Bool { maker != nil }

    /// How many packets are put into a buffer: as many as fit, whatever their size; frames in linear PCM.
    func packetCapacity(ofBytes bytes: Int) -> Int { max(0, bytes) / maximumPacketSize }

    // MARK: The lock

    /// Changes the state, then wakes those whom the change concerns.
    func locked<Result, Failure: Error>(
        _ body: (inout InputState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var mustWake = false
        defer {
            monitor.notifyAll()
            if mustWake { feed.wake() }
        }
        return try monitor.withLock { (state: inout InputState) throws(Failure) -> Result in
            defer {
                // The taker sleeps in the feed, where a change of the state alone is not noticed.
                mustWake = state.taker == .call || (state.taker == .queueThread && state.hasNews)
                state.hasNews = false
            }
            return try body(&state)
        }
    }

    /// The same, for a call that has to be legal in the present state.
    func perform<Result>(
        _ call: InputStateMachine.Call, _ body: (inout InputState) throws(QueueError) -> Result
    ) throws(QueueError) -> Result {
        try locked { (state: inout InputState) throws(QueueError) -> Result in
            if case .fail(let code) = state.machine.apply(call) { throw QueueError(code) }
            return try body(&state)
        }
    }

    /// Starts the queue's thread the first time that it is needed.
    func startThread(_ state: inout InputState) throws(QueueError) {
        guard !state.hasThread else { return }
        let isUrgent = Double(fragmentFrames(state)) < ThreadPriority.urgentSeconds * format.mSampleRate
        try QueueThread.start(named: "aq callbacks") { [self] in
            if isUrgent { ThreadPriority.makeHigh() }
            serve()
        }
        state.hasThread = true
    }
}
