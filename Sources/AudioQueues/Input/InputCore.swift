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
    // SAFETY: what is not constant is in `monitor`, or is `handle`, which is set once before the queue is
    // known to anybody.

    let format: AudioStreamBasicDescription
    let channelLabels: [AudioChannelLabel]
    let configuration: InputQueue.Configuration
    /// What the device captures.
    let deviceFormat: SampleFormat
    /// Nil when that is the queue's format.
    let converter: LinearPCMConverter?
    let stream: any InputStream
    let feed: StreamFeed
    let monitor: Monitor<InputState>
    weak var handle: InputQueue?

    init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]?, device: any InputDevice,
        configuration: InputQueue.Configuration,
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        let format = try InputFormat.resolve(format, on: device)
        let channels = Int(format.mChannelsPerFrame)
        let labels = channelLabels ?? ChannelLabels.defaults(channels: channels)
        guard labels.count == channels else {
            throw QueueError(
                .invalidArgument, "cannot make a queue of \(channels) channels with \(labels.count) labels")
        }
        let conversion = try InputConversion(format: format, channelLabels: labels)
        self.format = format
        self.channelLabels = labels
        self.configuration = configuration
        deviceFormat = conversion.captured
        converter = conversion.converter
        do throws(DeviceError) {
            stream = try device.makeStream(
                InputStreamConfiguration(
                    format: deviceFormat, heldSeconds: configuration.heldSeconds,
                    recoverySeconds: configuration.recoverySeconds, streamName: configuration.name))
        } catch {
            throw QueueError(error)
        }
        feed = stream.feed
        var state = InputState()
        state.onBufferFilled = onBufferFilled
        monitor = Monitor(state)
        LiveObjects.queues.add(1, ordering: .relaxed)
    }

    deinit { LiveObjects.queues.subtract(1, ordering: .relaxed) }

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
        try QueueThread.start(named: "aq callbacks") { [self] in serve() }
        state.hasThread = true
    }
}
