import AudioDevices
import AudioQueues
import CoreAudioTypes

// What the published interface asks of the engine beyond what the engine's own clients see: members of its queues for
// this package alone. Each requirement says what the engine's member of this very name and type has to do.

/// What both kinds of queue have to do for the published interface.
protocol QueueWishes: AnyObject, Sendable {
    // MARK: Starting

    /// Waits until the device of a queue that was started runs, or has failed.
    ///
    /// `AudioQueueStart` returns errors of the device, and a C program has no other way to learn of them. Two seconds
    /// at most, and without an error then: a server that is slow may still come. Makes no callbacks, and needs none
    /// to be made: the caller may hold a lock that a callback waits for. Returns at once in a callback, of whatever
    /// queue, and of a queue that was stopped, paused or disposed of meanwhile.
    ///
    /// - Throws: What ``OutputQueue/failure`` says; the queue has stopped then.
    func awaitStart() throws(QueueError)

    /// Starts a stopped queue so that its first frame is heard, or captured, at a host time.
    ///
    /// A time that has passed, or comes sooner than the device can start, is as soon as possible. The frame at that
    /// host time is number 0 of the timeline. A queue that waits for its time counts as started: a stop or a pause
    /// takes the start back, and a queue that runs already stays as it is.
    ///
    /// - Parameter hostTime: CLOCK_MONOTONIC in nanoseconds, a minute ahead at most.
    /// - Throws: As `start()`; ``QueueError/Code/invalidArgument`` for a time that is too far ahead.
    func start(atHostTime hostTime: UInt64) throws(QueueError)

    // MARK: The device

    /// The device's clock: where it is now, and how fast it goes.
    ///
    /// Frames of the device, not of the queue: of the sample rate that ``GrantedLatency/deviceSampleRate`` tells,
    /// counted on through pauses and resets. The rate is the measured one.
    ///
    /// - Returns: Nil while the device does not run for the queue.
    var deviceClock: DeviceClockReading? { get }

    /// When the first frame can be heard, or captured, if it is wanted at `hostTime`.
    ///
    /// - Returns: `hostTime`, or what comes nearest behind it: not before what the device holds is heard, and on a
    ///   boundary of what it asks for where it starts on none else.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64

    /// Sends each channel of the format to a channel of a device.
    ///
    /// - Parameter assignments: One a channel, all of one device. None takes an earlier assignment back.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` for another number than there are channels, and for channels of
    ///   different devices; ``QueueError/Code/invalidDevice`` for a device or channel that there is not.
    func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError)

    // MARK: Channels

    /// What each channel of the format is for.
    var channelLabels: [AudioChannelLabel] { get }

    /// Says what each channel is for, from the next start on.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` for another number of labels than of channels;
    ///   ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError)

    // MARK: Processing taps

    /// Puts a tap into the queue: playback that was decoded, or capture that is not encoded yet, passes through it.
    ///
    /// The tap is called on a thread of the queue's that is neither the device's nor that of callbacks, and never by
    /// two threads at a time. The first call after a start, a reset or a gap has ``QueueTapFlags/startOfStream``.
    /// Disposing of the queue takes it out, and waits for it as for callbacks: what is played after that is untapped.
    ///
    /// - Returns: What the tap works on: interleaved or not as suits the engine, linear PCM of 32-bit floating point
    ///   at the format's rate with the format's channels; and the most frames of a call, of 50 ms or so.
    /// - Throws: ``QueueError/Code/tooManyTaps``; ``QueueError/Code/invalidRunState`` unless the queue is stopped,
    ///   for which a pause is not enough.
    func installTap(_ tap: any QueueTap) throws(QueueError) -> QueueTapFormat

    /// Takes the tap out. It is not called any more on return.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    func removeTap() throws(QueueError)
}

/// What a queue that plays has to do besides.
protocol OutputQueueWishes: QueueWishes {
    // MARK: The device

    /// Plays on another device when the queue is started next.
    ///
    /// Buffers, listeners, parameters, levels and what is enqueued stay. The listeners of the device are called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and what the device says against the
    ///   format.
    func setDevice(_ device: any OutputDevice) throws(QueueError)

    /// The goal for what the server holds, from the next start on; nil, as published queues have it, follows what is
    /// enqueued before the start. Of no effect beside the environment's `AQ_LATENCY`.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    var latency: LatencyGoal? { get }
    func setLatency(_ goal: LatencyGoal?) throws(QueueError)

    // MARK: Enqueueing

    /// Enqueues a buffer as ``OutputQueue/enqueue(_:packetDescriptions:trimFramesAtStart:trimFramesAtEnd:)`` does,
    /// with values of parameters that hold from its first frame on, at a time.
    ///
    /// - Parameters:
    ///   - events: Applied in their order when the first audible frame of the buffer is rendered. A buffer that is
    ///     trimmed away applies them in its turn. Dropped with the buffer by a stop or reset.
    ///   - startFrames: Where on the queue's timeline the first audible frame lies; silence fills what is missing.
    ///     A time that has passed is as soon as possible. Nil follows the buffer before.
    /// - Returns: Where on the timeline that frame will lie, as far as is known now; nil if it is not.
    /// - Throws: As the other; ``QueueError/Code/invalidArgument`` for a time before that of a buffer enqueued earlier.
    func enqueue(
        _ buffer: QueueBuffer, packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int, trimFramesAtEnd: Int, events: [QueueParameterEvent], startFrames: Double?
    ) throws(QueueError) -> Double?

    // MARK: Effects

    /// The position between left and right: -1 to 1, 0 at first.
    ///
    /// Mono is panned, of equal power; stereo is balanced, so that one side stays as it is; more channels are left
    /// alone. Values out of range count as the nearer bound, and what is no number as 0. For what is not yet heard.
    var pan: Float { get }
    func setPan(_ pan: Float) throws(QueueError)

    /// The rate of playback, 0.5 to 2, 1 at first; kept without effect while time and pitch are not enabled.
    ///
    /// The queue's time counts frames of the format: at rate 2 it runs twice as fast. Clamped as ``pan``.
    var playRate: Float { get }
    func setPlayRate(_ rate: Float) throws(QueueError)

    /// The shift of pitch in cents, -2400 to 2400, 0 at first; of effect with the spectral algorithm alone.
    var pitchCents: Float { get }
    func setPitch(cents: Float) throws(QueueError)

    /// Whether rate and pitch can be changed; false at first.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    var isTimePitchEnabled: Bool { get }
    func setTimePitchEnabled(_ isEnabled: Bool) throws(QueueError)

    /// How; ``TimePitchAlgorithm/spectral`` at first. Varispeed changes the pitch with the rate.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped and time and pitch are enabled.
    var timePitchAlgorithm: TimePitchAlgorithm { get }
    func setTimePitchAlgorithm(_ algorithm: TimePitchAlgorithm) throws(QueueError)

    /// Whether what is enabled is passed by, at any time and without a gap; false at first.
    var isTimePitchBypassed: Bool { get }
    func setTimePitchBypassed(_ isBypassed: Bool) throws(QueueError)

    // MARK: Decoding

    /// How far is decoded ahead, in frames, of the queue's rate: see
    /// ``OutputQueue/Configuration/decodeAheadSeconds``, with the same bounds.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    var decodeAheadFrames: Int { get }
    func setDecodeAhead(frames: Int) throws(QueueError)

    // MARK: Offline rendering

    /// Takes the queue from its device, to be asked for its frames by ``renderOffline(at:into:frames:)``; nil gives it
    /// back to the device.
    ///
    /// A started offline queue counts as running at once. Its time is that of the frames rendered.
    ///
    /// - Parameters:
    ///   - format: Linear PCM, interleaved unless mono, whose rate and channels may differ from the queue's.
    ///   - channelLabels: What its channels are for; nil for the usual order.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/unsupportedFormat``; ``QueueError/Code/invalidArgument`` for labels of another number.
    func setOfflineRendering(
        format: AudioStreamBasicDescription?, channelLabels: [AudioChannelLabel]?
    ) throws(QueueError)

    /// Renders the next frames of what is enqueued, trims and effects included, as fast as they can be made.
    ///
    /// Callbacks are made on the calling thread, inside this call, wherever else they run otherwise: a client may
    /// enqueue there what this call then goes on with. 0 frames make the callbacks that are due, and no more.
    /// When a stop was asked for behind what is enqueued, the call that renders the last frame ends it, and the
    /// listeners are called.
    ///
    /// - Parameters:
    ///   - sampleTime: Where the client puts the first frame, in frames of the rendering's format: they follow the
    ///     ones before whatever it says, but it is the time that taps are told.
    ///   - buffer: One of this queue's that is not enqueued. Its byte count says what was rendered: less than was
    ///     asked for, or nothing, when not enough is enqueued.
    ///   - frames: 0 and more; as many as fit are rendered.
    /// - Throws: ``QueueError/Code/invalidOfflineMode`` unless the queue renders offline;
    ///   ``QueueError/Code/invalidRunState`` unless it was started; ``QueueError/Code/invalidBuffer``;
    ///   ``QueueError/Code/bufferInQueue``.
    func renderOffline(at sampleTime: Double, into buffer: QueueBuffer, frames: Int) throws(QueueError)
}

/// What a queue that records has to do besides.
protocol InputQueueWishes: QueueWishes {
    // MARK: The device

    /// Captures from another device when the queue is started next.
    ///
    /// Buffers, listeners, parameters, levels and what is enqueued stay. A rate and channels that the
    /// client left to the device stay as they were found at creation. The listeners of the device are called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and what the device says against the
    ///   format.
    func setDevice(_ device: any InputDevice) throws(QueueError)
}

extension OutputQueue: OutputQueueWishes {}
extension InputQueue: InputQueueWishes {}
