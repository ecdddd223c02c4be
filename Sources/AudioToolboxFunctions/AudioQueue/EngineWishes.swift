import AudioDevices
import AudioQueues
import CoreAudioTypes

// The members of the engine's queues that only the published interface needs: they are visible in this
// package only. Each requirement describes the engine's member of the same name and type.

/// The requirements for both types of queue.
protocol QueueWishes: AnyObject, Sendable {
    // MARK: Starting

    /// Waits until the device of a started queue runs, or has failed.
    ///
    /// `AudioQueueStart` returns errors of the device, and a C program has no other way to receive them. It
    /// waits two seconds at most, and reports no error then: a slow server may still answer. It makes no
    /// callbacks, and does not depend on any, because the caller may hold a lock that a callback waits for.
    /// It returns at once in a callback of any queue, and if the queue was stopped, paused or disposed of
    /// meanwhile.
    ///
    /// - Throws: The error of ``OutputQueue/failure``; the queue has stopped then.
    func awaitStart() throws(QueueError)

    /// Starts a stopped queue so that its first frame is audible, or captured, at a host time.
    ///
    /// A time that has passed, or is too soon for the device, means as soon as possible. The frame at that
    /// host time is number 0 of the timeline. A queue that waits for its time counts as started: a stop or a
    /// pause cancels the start, and a queue that runs already is not changed.
    ///
    /// - Parameter hostTime: CLOCK_MONOTONIC in nanoseconds, at most a minute ahead.
    /// - Throws: As `start()`; ``QueueError/Code/invalidArgument`` for a time that is too far ahead.
    func start(atHostTime hostTime: UInt64) throws(QueueError)

    // MARK: The device

    /// The device's clock: its position, and its rate.
    ///
    /// It counts frames of the device, not of the queue, at the sample rate
    /// ``GrantedLatency/deviceSampleRate``, and continues through pauses and resets. The rate is the measured
    /// one.
    ///
    /// - Returns: Nil while the device does not run for the queue.
    var deviceClock: DeviceClockReading? { get }

    /// The time at which the first frame can be audible, or captured, if it is requested at `hostTime`.
    ///
    /// - Returns: `hostTime`, or the nearest later time: not before the device has played the audio that it
    ///   holds, and on a boundary of its requests if it starts only there.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64

    /// Assigns each channel of the format to a channel of a device.
    ///
    /// - Parameter assignments: One for each channel, all of one device. An empty list cancels an earlier
    ///   assignment.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/invalidPropertyValue`` for another number than that of the channels, and for
    ///   channels of different devices; ``QueueError/Code/invalidDevice`` for a device or channel that does
    ///   not exist.
    func setChannelAssignments(_ assignments: [ChannelAssignment]) throws(QueueError)

    // MARK: Channels

    /// The use of each channel of the format.
    var channelLabels: [AudioChannelLabel] { get }

    /// Sets the use of each channel, from the next start on.
    ///
    /// - Throws: ``QueueError/Code/invalidPropertyValue`` for another number of labels than of channels;
    ///   ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    func setChannelLabels(_ labels: [AudioChannelLabel]) throws(QueueError)

    // MARK: Processing taps

    /// Adds a tap to the queue: decoded playback, or capture before it is encoded, passes through it.
    ///
    /// The tap is called on a thread of the queue other than the device's and that of callbacks, and by one
    /// thread at a time. The first call after a start, a reset or a gap has ``QueueTapFlags/startOfStream``.
    /// Disposing of the queue removes it, and waits for it as for callbacks: later audio does not pass
    /// through it.
    ///
    /// - Returns: The format of the tap's audio: linear PCM of 32-bit floating point at the format's rate
    ///   with the format's channels, interleaved or not as suits the engine; and the largest number of frames
    ///   of a call, about 50 ms.
    /// - Throws: ``QueueError/Code/tooManyTaps``; ``QueueError/Code/invalidRunState`` unless the queue is
    ///   stopped, for which a pause is not enough.
    func installTap(_ tap: any QueueTap) throws(QueueError) -> QueueTapFormat

    /// Removes the tap. It is not called after this returns.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    func removeTap() throws(QueueError)
}

/// The further requirements for a playback queue.
protocol OutputQueueWishes: QueueWishes {
    // MARK: The device

    /// Plays on another device from the next start on.
    ///
    /// Buffers, listeners, parameters, levels and the enqueued audio remain. The listeners of the device are
    /// called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and the device's error for
    ///   the format.
    func setDevice(_ device: any OutputDevice) throws(QueueError)

    /// The goal for the audio that the server holds, from the next start on; nil, the default of published
    /// queues, follows the buffers that are enqueued before the start. The environment's `AQ_LATENCY`
    /// overrides it.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    var latency: LatencyGoal? { get }
    func setLatency(_ goal: LatencyGoal?) throws(QueueError)

    // MARK: Enqueueing

    /// Enqueues a buffer as ``OutputQueue/enqueue(_:packetDescriptions:trimFramesAtStart:trimFramesAtEnd:)``
    /// does, with parameters that take effect at its first frame, and with a start time.
    ///
    /// - Parameters:
    ///   - events: Applied in order when the first audible frame of the buffer is rendered. A buffer that is
    ///     trimmed completely applies them in its turn. A stop or reset drops them with the buffer.
    ///   - startFrames: The position of the first audible frame on the queue's timeline; silence fills the
    ///     gap. A time that has passed means as soon as possible. Nil follows the buffer before.
    /// - Returns: The expected position of that frame on the timeline; nil if it is unknown.
    /// - Throws: As the other function; ``QueueError/Code/invalidArgument`` for a time before that of a
    ///   buffer enqueued earlier.
    func enqueue(
        _ buffer: QueueBuffer, packetDescriptions: UnsafeBufferPointer<AudioStreamPacketDescription>?,
        trimFramesAtStart: Int, trimFramesAtEnd: Int, events: [QueueParameterEvent], startFrames: Double?
    ) throws(QueueError) -> Double?

    // MARK: Effects

    /// The position between left and right: -1 to 1, initially 0.
    ///
    /// Mono is panned with equal power; stereo is balanced, so that one side is unchanged; more channels are
    /// not affected. Values out of range become the nearest bound, and a value that is not a number becomes
    /// 0. It applies to audio that is not yet audible.
    var pan: Float { get }
    func setPan(_ pan: Float) throws(QueueError)

    /// The rate of playback, 0.5 to 2, initially 1; kept without effect while time and pitch are not enabled.
    ///
    /// The queue's time counts frames of the format: at rate 2 it advances twice as fast. Limited as ``pan``.
    var playRate: Float { get }
    func setPlayRate(_ rate: Float) throws(QueueError)

    /// The shift of pitch in cents, -2400 to 2400, initially 0; it has an effect only with the spectral
    /// algorithm.
    var pitchCents: Float { get }
    func setPitch(cents: Float) throws(QueueError)

    /// Whether rate and pitch can be changed; initially false.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    var isTimePitchEnabled: Bool { get }
    func setTimePitchEnabled(_ isEnabled: Bool) throws(QueueError)

    /// The algorithm, initially ``TimePitchAlgorithm/spectral``. Varispeed changes the pitch with the rate.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped and time and pitch are
    ///   enabled.
    var timePitchAlgorithm: TimePitchAlgorithm { get }
    func setTimePitchAlgorithm(_ algorithm: TimePitchAlgorithm) throws(QueueError)

    /// Whether enabled time and pitch are bypassed, at any time and without a gap; initially false.
    var isTimePitchBypassed: Bool { get }
    func setTimePitchBypassed(_ isBypassed: Bool) throws(QueueError)

    // MARK: Decoding

    /// The amount that is decoded ahead, in frames at the queue's rate: see
    /// ``OutputQueue/Configuration/decodeAheadSeconds``, with the same limits.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped.
    var decodeAheadFrames: Int { get }
    func setDecodeAhead(frames: Int) throws(QueueError)

    // MARK: Offline rendering

    /// Disconnects the queue from its device, so that ``renderOffline(at:into:frames:)`` returns its frames;
    /// nil reconnects it.
    ///
    /// A started offline queue counts as running at once. Its time is the number of frames rendered.
    ///
    /// - Parameters:
    ///   - format: Linear PCM, interleaved unless mono, whose rate and channels may differ from the queue's.
    ///   - channelLabels: The use of its channels; nil for the usual order.
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped;
    ///   ``QueueError/Code/unsupportedFormat``; ``QueueError/Code/invalidArgument`` for another number of
    ///   labels.
    func setOfflineRendering(
        format: AudioStreamBasicDescription?, channelLabels: [AudioChannelLabel]?
    ) throws(QueueError)

    /// Renders the next frames of the enqueued buffers, with trims and effects, as fast as possible.
    ///
    /// Callbacks run on the calling thread, inside this call, whatever their usual context: buffers that a
    /// client enqueues there are rendered by the same call. 0 frames only make the callbacks that are due. If
    /// the queue was stopped asynchronously, the call that renders the last frame ends it, and the listeners
    /// are called.
    ///
    /// - Parameters:
    ///   - sampleTime: The time of the first frame, in frames of the rendering's format. The frames follow
    ///     the earlier ones in any case, but taps receive this time.
    ///   - buffer: One of this queue's that is not enqueued. Its byte count is set to the amount rendered:
    ///     less than requested, or nothing, if not enough is enqueued.
    ///   - frames: 0 and more; as many as fit are rendered.
    /// - Throws: ``QueueError/Code/invalidOfflineMode`` unless the queue renders offline;
    ///   ``QueueError/Code/invalidRunState`` unless it was started; ``QueueError/Code/invalidBuffer``;
    ///   ``QueueError/Code/bufferInQueue``.
    func renderOffline(at sampleTime: Double, into buffer: QueueBuffer, frames: Int) throws(QueueError)
}

/// The further requirements for a recording queue.
protocol InputQueueWishes: QueueWishes {
    // MARK: The device

    /// Captures from another device from the next start on.
    ///
    /// Buffers, listeners, parameters, levels and the enqueued buffers remain. A rate and channels that the
    /// client left to the device remain those of the device at creation. The listeners of the device are
    /// called.
    ///
    /// - Throws: ``QueueError/Code/invalidRunState`` unless the queue is stopped, and the device's error for
    ///   the format.
    func setDevice(_ device: any InputDevice) throws(QueueError)
}

extension OutputQueue: OutputQueueWishes {}
extension InputQueue: InputQueueWishes {}
