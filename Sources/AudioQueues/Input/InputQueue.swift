public import AudioCodecs
public import AudioDevices
public import CoreAudioTypes

/// Records sound into buffers that the client provides: the recording half of Audio Queue Services.
///
/// Allocate a few buffers, enqueue them, ``start()``. The queue fills them in order; the callback returns
/// each when it is full, to be used and enqueued again. Until then what is captured goes into the others, so
/// enough of them make up for slow disks: ``StreamFeed/segmentCapacity`` buffers at most are filled while one
/// callback blocks.
///
/// **Formats.** Linear PCM that the device captures as it is goes from the device to the client's buffer in
/// one copy. Other linear PCM is captured in the smallest encoding that holds it, and converted before the
/// callback. All other formats are encoded, as far as there is an encoder: ``QueueError/Code/codecNotFound``
/// tells that there is none. The device captures at the format's rate and channels then.
///
/// **Packets.** A buffer of an encoded format holds whole packets, as many as fit whatever their size, and where
/// sizes vary a description of each (``QueueBuffer/packetDescriptions``). A decoder needs ``magicCookie``, and
/// gives ``primingFrames`` too many before the first captured frame and ``remainderFrames`` behind the last. The
/// encoder goes on over pauses, flushes and resets, so that the packets between a start and a stop are one
/// sequence; a stop ends it: the frames that the encoder has kept back come out, as far as there are buffers
/// for them, so keep two more than are being filled. Lost frames leave out whole packets, so that sound stays
/// where it was captured; the rest of such a gap, less than two packets, is silent.
///
/// **Time.** Frames are numbered from the first that is captured after a start. When none of the buffers is
/// enqueued in time, captured sound is lost, never closed up: it is counted (``overrunCount``,
/// ``lostFrameCount``), and the next buffer's sample time lies behind it. While a device is away that comes
/// back, silence of that length is recorded. A packet's time is that of the first frame that is decoded from
/// it, so that of the first one is ``primingFrames`` before 0.
///
/// **Threads.** Every call may be made from any thread, and from callbacks. Callbacks and listeners run one
/// at a time, in order, on a thread of the queue's own, which holds no lock of the queue. No call waits for a
/// server. Calls that promise that callbacks were made, or that none comes any more, wait for the device and
/// for callbacks two seconds at most, and for callbacks not at all when made in a callback, of whatever
/// queue.
///
/// **Errors.** Every call that throws throws ``QueueError/Code/disposalPending`` after the queue was
/// disposed of. What stops the queue later, on its own, is in ``failure``.
///
/// The queue is disposed of when the last reference to it goes; it holds on to the closures that it was given
/// until it is disposed of, so a closure that captures the queue keeps it alive until then.
///
/// The corresponding C type is `AudioQueueRef`.
public final class InputQueue: Sendable {
    /// What a queue is asked for beside its format.
    public struct Configuration: Sendable {
        /// How long a sound server that died, or a device that vanished, is waited for, in seconds.
        public var recoverySeconds: Double
        /// How much captured sound may wait for a buffer before frames are lost, in seconds.
        public var heldSeconds: Double
        /// The name that a mixer shows beside the queue's volume; nil for the program's name. See ``InputQueue/name``.
        public var name: String?
        /// The purpose of the audio, by which the sound server chooses devices and decides which streams give way; nil
        /// for none. ``StreamRole/production`` suits a recorder, ``StreamRole/phone`` a conversation.
        public var role: StreamRole?
        /// The icon that a mixer shows, by its name in the freedesktop icon naming specification, such as
        /// `audio-input-microphone`; nil for the program's own, if it has one.
        public var iconName: String?
        /// How much the device hands over at a time, in seconds, 0.001 to 10. Nil chooses at each start: the
        /// length of the shortest enqueued buffer, half a second at most.
        public var fragmentSeconds: Double?
        /// What to ask of the encoder: its bit rate and quality. Of no consequence to linear PCM.
        public var codecSettings: CodecSettings

        /// Makes a configuration; everything has a usual value.
        public init(
            recoverySeconds: Double = 5, heldSeconds: Double = 0.5, name: String? = nil,
            role: StreamRole? = nil, iconName: String? = nil, fragmentSeconds: Double? = nil,
            codecSettings: CodecSettings = CodecSettings()
        ) {
            self.recoverySeconds = recoverySeconds
            self.heldSeconds = heldSeconds
            self.name = name
            self.role = role
            self.iconName = iconName
            self.fragmentSeconds = fragmentSeconds
            self.codecSettings = codecSettings
        }
    }

    let core: InputCore

    /// Makes a queue that is stopped.
    ///
    /// The device's stream is made at once and connects in the background; the thread is started when the
    /// queue is first started.
    ///
    /// - Parameters:
    ///   - format: What the buffers are to hold: interleaved linear PCM, or what there is an encoder for, of
    ///     which format, rate and channels are enough. Copied. A sample rate or channel count of 0 is the
    ///     device's own, and what then is 0 of the bytes in a frame or packet is computed; for that the call
    ///     waits up to five seconds, and must not be made on a queue's thread.
    ///   - channelLabels: What each channel is for; nil for the usual order of that many channels.
    ///   - device: What captures.
    ///   - onBufferFilled: Returns a buffer to the client, who may use, keep, free or enqueue it again.
    ///     Called in the order of enqueueing. ``QueueBuffer/byteCount`` says how much it holds: less than
    ///     whole frames or packets that fit, or nothing, when a stop, reset or flush, or a failure returns it;
    ///     fewer packets, too, when what follows lies behind lost frames.
    /// - Throws: ``QueueError/Code/unsupportedFormat``, ``QueueError/Code/codecNotFound``,
    ///   ``QueueError/Code/invalidArgument`` for labels of another number of channels, and what the device
    ///   says.
    ///
    /// The corresponding C function is `AudioQueueNewInput`.
    public convenience init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]? = nil,
        device: any InputDevice, configuration: Configuration = Configuration(),
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        try self.init(
            format: format, channelLabels: channelLabels, device: device, configuration: configuration,
            makeEncoder: InputCore.makeEncoder, onBufferFilled: onBufferFilled)
    }

    /// The same, with callbacks and listeners made elsewhere than on a thread of the queue's own.
    ///
    /// - Parameter context: What makes them; nil if the queue's thread does. It serves this queue alone. The queue's
    ///   thread takes the device's notices and makes packets, and never waits for it.
    package convenience init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]? = nil,
        device: any InputDevice, configuration: Configuration = Configuration(),
        context: (any CallbackContext)?,
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        try self.init(
            format: format, channelLabels: channelLabels, device: device, configuration: configuration,
            context: context, makeEncoder: InputCore.makeEncoder, onBufferFilled: onBufferFilled)
    }

    init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]?, device: any InputDevice,
        configuration: Configuration, context: (any CallbackContext)? = nil,
        makeEncoder: InputCore.EncoderMaker,
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        try QueueError.refuseForkedChild()
        core = try InputCore(
            format: format, channelLabels: channelLabels, device: device, configuration: configuration,
            context: context, makeEncoder: makeEncoder, onBufferFilled: onBufferFilled)
        core.handle = self
    }

    deinit { core.abandon() }

    /// The format of the buffers, with what the device filled in.
    ///
    /// The corresponding C property is `kAudioQueueProperty_StreamDescription`.
    public var format: AudioStreamBasicDescription { core.format }

    // MARK: Control

    /// Starts the queue, or goes on after ``pause()``. Returns before anything is captured:
    /// ``Property/isRunning`` follows when the device runs.
    ///
    /// On a stopped queue the timeline begins at 0. Without a buffer the queue runs and loses what it
    /// captures. A running queue stays as it is.
    ///
    /// - Throws: ``QueueError/Code/cannotStartYet`` while ``stop(immediate:)`` with `false` fills what is
    ///   enqueued; ``QueueError/Code/outOfMemory`` without a thread. A device that cannot start shows in
    ///   ``failure``, which is cleared here.
    ///
    /// The corresponding C function is `AudioQueueStart`.
    public func start() throws(QueueError) { try usableCore.start() }

    /// Stands still, keeping the buffers and what is in them; ``start()`` goes on.
    ///
    /// What was captured before is kept, and the next buffer's time follows it: the pause is not on the
    /// timeline. The queue counts as running meanwhile. Of a queue that does not run there is nothing to
    /// pause; one that is stopping stops at once.
    ///
    /// The corresponding C function is `AudioQueuePause`.
    public func pause() throws(QueueError) { try usableCore.pause() }

    /// Stops, either at once or when the enqueued buffers are full.
    ///
    /// At once: everything that was captured before the call is encoded and delivered, as far as there are
    /// buffers: the last one partly filled, the others with 0 bytes. On return every buffer is back with the client, its
    /// callback was made, and none follows; in a callback, the callbacks follow after the return. Buffers
    /// that callbacks enqueue meanwhile are refused with ``QueueError/Code/enqueueDuringReset``, until the
    /// last of these callbacks or the next ``start()``.
    ///
    /// Otherwise: returns at once. The enqueued buffers are filled, and none can be enqueued;
    /// ``Property/isRunning`` falls after the last one's callback. What an encoder keeps back then is lost. Without any, and when paused, the queue
    /// stops at once, as it is.
    ///
    /// A stopped queue stays as it is, and keeps the buffers that are enqueued for its next start.
    ///
    /// The corresponding C function is `AudioQueueStop`.
    public func stop(immediate: Bool) throws(QueueError) { try usableCore.stop(immediate: immediate) }

    /// Has the buffer that is being filled returned with what it holds, if it holds anything. Goes on.
    ///
    /// Returns at once; the callback follows. Not a frame is lost: what an encoder keeps back, since it is no
    /// whole packet yet, comes with the next buffer.
    ///
    /// The corresponding C function is `AudioQueueFlush`.
    public func flush() throws(QueueError) { try usableCore.flush() }

    /// Returns every buffer, with what was captured into it, but goes on running: what is captured then
    /// waits for a buffer a while, and is lost after that. Packets follow those before.
    ///
    /// On return the callbacks were made, and what they enqueued meanwhile was refused with
    /// ``QueueError/Code/enqueueDuringReset``. In a callback they follow after the return, and may enqueue.
    /// Of a stopping queue nothing is left to fill: it stops.
    ///
    /// The corresponding C function is `AudioQueueReset`.
    public func reset() throws(QueueError) { try usableCore.reset() }

    /// Ends the queue and frees its buffers.
    ///
    /// The queue cannot be used any more, and no callback begins after the return. A callback that goes on, or that
    /// disposes of its own queue, may use its buffer until it returns. Buffers are not returned by callbacks: ``stop(immediate:)`` first for
    /// what they hold.
    ///
    /// - Parameter immediate: Whether a callback that runs is waited for, however long it lasts; else for 50 ms. What is enqueued is not filled either way: no
    ///   callback would follow.
    ///
    /// The corresponding C function is `AudioQueueDispose`.
    public func dispose(immediate: Bool) throws(QueueError) { try usableCore.dispose(immediate: immediate) }
}
