// SPDX-License-Identifier: MIT

public import AQCodecs
public import AQDevices
public import CoreAudioTypes

/// A queue that records audio into buffers of the client: the recording half of Audio Queue Services.
///
/// Allocate a few buffers, enqueue them, ``start()``. The queue fills them in order. The callback returns each full
/// buffer, to be used and enqueued again. Meanwhile the queue fills the other buffers, so more buffers compensate for
/// slow disks. While one callback blocks, at most ``StreamFeed/segmentCapacity`` buffers are filled.
///
/// **Formats.** Linear PCM in a format that the device supports is copied once, from the device to the client's buffer.
/// Other linear PCM is captured in the smallest encoding that holds it, 64-bit floating point in 32 bits, and converted
/// before the callback. All other formats are encoded, from audio captured with the format's rate and channels; if
/// there is no encoder, the error is ``QueueError/Code/codecNotFound``.
///
/// **Packets.** A buffer of an encoded format holds as many whole packets as fit whatever their size. If sizes vary, it
/// also holds a description of each packet (``QueueBuffer/packetDescriptions``). A decoder needs ``magicCookie``, and
/// returns ``primingFrames`` extra frames before the first captured one and ``remainderFrames`` after the last. The
/// packets between a start and a stop are one sequence: the encoder continues over pauses, flushes and resets. A stop
/// delivers the frames that the encoder has held back, if there are buffers for them: enqueue two more than the queue
/// is filling. If frames are lost, whole packets are omitted, so that audio keeps its capture time. The rest of such a
/// gap, less than two packets, is silent.
///
/// **Time.** Frames are numbered from the first one captured after the start of a stopped queue. If no buffer is
/// enqueued in time, captured audio is lost, and counted by ``overrunCount`` and ``lostFrameCount``. The gap is never
/// closed: the next buffer's sample time includes it. While a device is temporarily absent, silence of that length is
/// recorded. A packet's time is that of the first frame decoded from it, so the time of the first packet is
/// ``primingFrames`` before 0.
///
/// **Threads.** Every call may be made from any thread, and from callbacks. Callbacks and listeners run one at a time,
/// in order, on the queue's own thread, which holds no lock of the queue. No call waits for a server, except an
/// initialiser that requests the device's rate or channels. A call after which callbacks are complete, or no longer
/// made, waits for the device and for callbacks, at most two seconds. In a callback of any queue, such a call does not
/// wait for callbacks.
///
/// **Errors.** Every call that can throw throws ``QueueError/Code/disposalPending`` after the queue was disposed of,
/// and ``QueueError/Code/queueInvalidated`` in a process that was forked after its parent had used queues or devices.
/// Later errors that stop the queue are in ``failure``.
///
/// Releasing the last reference disposes of the queue. The queue keeps its closures until it is disposed of, so a
/// closure that captures the queue keeps it alive until then.
///
/// The corresponding C type is `AudioQueueRef`.
public final class InputQueue: Sendable {
    /// The settings of a queue in addition to its format.
    public struct Configuration: Sendable {
        /// The time to wait for a sound server that exited, or a device that was removed, in seconds.
        public var recoverySeconds: Double
        /// The duration of captured audio that may wait for an enqueued buffer before frames are lost, in seconds: at
        /// most 60, or 10 if the device has no server.
        public var heldSeconds: Double
        /// The name that a mixer shows beside the queue's volume; nil for the program's name. See ``InputQueue/name``.
        public var name: String?
        /// The purpose of the audio; nil for none. The sound server uses it to select devices, and to decide which
        /// streams to pause or mute. ``StreamRole/production`` suits a recorder, ``StreamRole/phone`` a conversation.
        public var role: StreamRole?
        /// The name of the icon that a mixer shows, from the freedesktop icon naming specification, such as
        /// `audio-input-microphone`; nil for the program's own icon, if it has one.
        public var iconName: String?
        /// The duration of the fragments that the device delivers, in seconds: 0.001 to 10. If nil, each start of a
        /// stopped queue uses the length of the shortest enqueued buffer, 0.001 to 0.5, or 0.1 if there is none.
        public var fragmentSeconds: Double?
        /// The encoder's settings, such as its bit rate and quality. Ignored for linear PCM.
        public var codecSettings: CodecSettings

        /// Makes a configuration, by default with the usual settings.
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

    /// Makes a stopped queue.
    ///
    /// The device begins to record only after ``start()``. The queue's thread starts with the first start, or with a
    /// reset of enqueued buffers.
    ///
    /// - Parameters:
    ///   - format: The format of the buffers: interleaved linear PCM, or a format with an encoder, which requires only
    ///     the format ID, rate and channels. A sample rate or channel count of 0 selects the device's own; bytes of a
    ///     frame or packet that are 0 are then computed. For this the call waits for the device, up to five seconds,
    ///     and must not be made on a queue's thread.
    ///   - channelLabels: The label of each channel; nil for the usual order of that many channels.
    ///   - device: The device to record from.
    ///   - onBufferFilled: Returns a buffer to the client, who may use, keep, free or enqueue it again. Called in the
    ///     order of enqueueing. ``QueueBuffer/byteCount`` is the size of the data: less than fits, or 0, if a stop,
    ///     reset, flush or failure returns the buffer; also less if the next packets follow lost frames.
    /// - Throws: ``QueueError/Code/unsupportedFormat``, also for a rate or channels that the device does not support;
    ///   ``QueueError/Code/codecNotFound``; ``QueueError/Code/invalidArgument`` unless there is one label for each
    ///   channel; ``QueueError/Code/cannotStart`` if a thread cannot be started, or no server reports the device's rate
    ///   or channels; ``QueueError/Code/invalidDevice`` if the server has no such device.
    ///
    /// The corresponding C function is `AudioQueueNewInput`.
    public convenience init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]? = nil,
        device: any InputDevice, configuration: Configuration = Configuration(),
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        try self.init(
            format: format, channelLabels: channelLabels, device: device, configuration: configuration,
            context: nil, onBufferFilled: onBufferFilled)
    }

    /// Makes a stopped queue whose callbacks and listeners run in a context instead of the queue's thread.
    ///
    /// - Parameter context: Makes the callbacks of this queue only; nil for the queue's thread. With a context, the
    ///   queue's thread takes the device's events and makes packets, and never waits for the context.
    package convenience init(
        format: AudioStreamBasicDescription, channelLabels: [AudioChannelLabel]? = nil,
        device: any InputDevice, configuration: Configuration = Configuration(),
        context: (any CallbackContext)?,
        onBufferFilled: @escaping @Sendable (InputQueue, QueueBuffer, InputBufferInfo) -> Void
    ) throws(QueueError) {
        try QueueError.refuseForkedChild()
        self.init(
            core: try InputCore(
                format: format, channelLabels: channelLabels, device: device, configuration: configuration,
                context: context, onBufferFilled: onBufferFilled))
    }

    init(core: InputCore) {
        self.core = core
        core.handle = self
    }

    deinit { core.abandon() }

    /// The format of the buffers, with the fields that the device and the encoder determined.
    ///
    /// The corresponding C property is `kAudioQueueProperty_StreamDescription`.
    public var format: AudioStreamBasicDescription { core.format }

    // MARK: Control

    /// Starts the queue, or resumes after ``pause()``.
    ///
    /// Returns before any audio is captured: ``Property/isRunning`` changes when the device runs.
    ///
    /// On a stopped queue the timeline begins at 0. Without a buffer the queue runs and loses captured audio. A running
    /// queue is not changed.
    ///
    /// - Throws: ``QueueError/Code/cannotStartYet`` while ``stop(immediate:)`` with `false` fills enqueued buffers;
    ///   ``QueueError/Code/outOfMemory`` if no thread can be started. If the device cannot start, the error is in
    ///   ``failure``, which this call clears.
    ///
    /// The corresponding C function is `AudioQueueStart`.
    public func start() throws(QueueError) { try usableCore.start() }

    /// Pauses the queue, which keeps the buffers and their data. ``start()`` resumes.
    ///
    /// Audio captured before is kept, and the next buffer's time follows this audio: the pause is not on the timeline.
    /// The queue still counts as running. Has no effect on a queue that does not run. A stopping queue stops at once.
    ///
    /// The corresponding C function is `AudioQueuePause`.
    public func pause() throws(QueueError) { try usableCore.pause() }

    /// Stops, either at once or when the enqueued buffers are full.
    ///
    /// An immediate stop encodes and delivers audio captured before the call, if there are buffers for it: the last one
    /// partly filled, the others with 0 bytes. On return every buffer was returned by its callback, and no buffer
    /// follows; the listeners of ``Property/isRunning`` may be called later. If called in a callback, the remaining
    /// callbacks follow after the return. Buffers that callbacks enqueue meanwhile are refused with
    /// ``QueueError/Code/enqueueDuringReset``, until the last of these callbacks or the next ``start()``.
    ///
    /// Any other stop returns at once. The enqueued buffers are filled, and no other can be enqueued;
    /// ``Property/isRunning`` becomes false after the last one's callback. Frames that an encoder then holds back are
    /// lost. If no buffer is enqueued, or the queue is paused, the queue stops at once and delivers the audio that it
    /// has.
    ///
    /// A stopped queue is not changed, and keeps the enqueued buffers for its next start.
    ///
    /// The corresponding C function is `AudioQueueStop`.
    public func stop(immediate: Bool) throws(QueueError) { try usableCore.stop(immediate: immediate) }

    /// Returns the buffer that is being filled, if it has data. The recording continues.
    ///
    /// Returns at once; the callback follows. No frame is lost: frames that an encoder holds back, because they are
    /// less than a packet, follow in the next buffer.
    ///
    /// The corresponding C function is `AudioQueueFlush`.
    public func flush() throws(QueueError) { try usableCore.flush() }

    /// Returns every buffer, with the audio captured into it, and continues to run.
    ///
    /// Audio captured afterwards waits for a buffer up to ``Configuration/heldSeconds`` before it is lost. Packets
    /// continue the previous ones.
    ///
    /// On return the callbacks have returned, and buffers that they enqueued were refused with
    /// ``QueueError/Code/enqueueDuringReset``. If called in a callback, the callbacks follow after the return, and
    /// may enqueue. A stopping queue has nothing left to fill, and stops.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` if buffers are enqueued, but no thread can be started.
    ///
    /// The corresponding C function is `AudioQueueReset`.
    public func reset() throws(QueueError) { try usableCore.reset() }

    /// Ends the queue and frees its buffers.
    ///
    /// The queue cannot be used any more, and no callback begins after the return. A callback that still runs, or
    /// that disposes of its own queue, may use its buffer until it returns. Callbacks do not return the buffers: call
    /// ``stop(immediate:)`` first to receive their data.
    ///
    /// - Parameter immediate: Whether to wait for a running callback like a stop; otherwise for at most 50 ms.
    ///   Enqueued buffers are not filled in either case, because no callback would follow.
    ///
    /// The corresponding C function is `AudioQueueDispose`.
    public func dispose(immediate: Bool) throws(QueueError) { try usableCore.dispose(immediate: immediate) }
}
