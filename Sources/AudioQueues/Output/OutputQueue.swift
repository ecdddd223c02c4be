// SPDX-License-Identifier: MIT

public import AQDevices
public import CoreAudioTypes

/// A queue that plays audio from buffers that the client fills: the playback half of Audio Queue Services.
///
/// Allocate a few buffers, fill and enqueue them, ``start()``. The callback returns each used buffer, to be filled
/// and enqueued again. At the end ``stop(immediate:)`` with `false` plays the enqueued audio, and the
/// ``Property/isRunning`` listener is called after the last frame was played.
///
/// **Formats.** Linear PCM in a format that the device supports is copied once, from the client's buffer to the device,
/// and a buffer is returned when the device has taken its data. All other audio is decoded ahead, and a buffer is
/// returned when it is decoded.
///
/// **Threads.** Every call may be made from any thread, and from callbacks. Callbacks and listeners run one at a time,
/// in order, on the queue's own thread, which holds no lock of the queue. A slow callback delays only the callbacks of
/// its own queue; meanwhile the device plays the audio that it has, of up to 256 buffers. With ``LatencyGoal/buffers``
/// the device's thread makes the callbacks of up to eight queues that do not decode. No call waits for a server. A call
/// after which callbacks are complete, or no longer made, waits for callbacks, at most two seconds: a callback that
/// waits for a lock of the caller would never return. In a callback of any queue, such a call does not wait for
/// callbacks.
///
/// **Errors.** Every call that can throw throws ``QueueError/Code/disposalPending`` after the queue was disposed of,
/// and ``QueueError/Code/queueInvalidated`` in a process that was forked after its parent had used queues or devices.
/// Later errors that stop the queue are in ``failure``.
///
/// Releasing the last reference disposes of the queue at once. The queue keeps its closures until it is disposed of, so
/// a closure that captures the queue keeps it alive until then.
///
/// The corresponding C type is `AudioQueueRef`.
public final class OutputQueue: Sendable {
    /// The settings of a queue in addition to its format.
    public struct Configuration: Sendable {
        /// The latency between the queue and the loudspeaker; nil derives it from the buffers enqueued before the
        /// start.
        ///
        /// If nil, two or more buffers that last less than 200 ms together are the whole latency, as with
        /// ``LatencyGoal/lowest``, unless the queue decodes. Otherwise the latency is ``LatencyGoal/balanced``.
        ///
        /// The environment variable `AQ_LATENCY`, one of `lowest`, `interactive`, `balanced` and `least-power`,
        /// replaces the setting of every queue of the process.
        public var latency: LatencyGoal?
        /// The time to wait for a sound server that exited, or for a device if none is left, in seconds.
        public var recoverySeconds: Double
        /// The name that a mixer shows beside the queue's volume; nil for the program's name. See ``OutputQueue/name``.
        public var name: String?
        /// The purpose of the audio; nil for none. The sound server uses it to select devices, and to decide which
        /// streams to pause or mute.
        ///
        /// ``StreamRole/music`` by default: with PulseAudio's usual setup a phone call pauses the queue, as on the
        /// platform of Audio Queue Services.
        public var role: StreamRole?
        /// The name of the icon that a mixer shows, from the freedesktop icon naming specification, such as
        /// `audio-x-generic`; nil for the program's own icon, if it has one.
        public var iconName: String?
        /// The duration of audio that is decoded ahead of the device, in seconds: 0.02 to 10, and at least two packets.
        /// Without effect if the queue does not decode. A longer duration prevents gaps on a busy processor; with a
        /// shorter one, changes take effect sooner.
        public var decodeAheadSeconds: Double
        /// The method by which ``OutputQueue/setSpeed(_:)`` changes the speed; nil if the speed is never changed. With a
        /// method, all audio passes through it, decoded to 32-bit floating point.
        public var speedControl: SpeedControl?

        public init(
            latency: LatencyGoal? = .balanced, recoverySeconds: Double = 5, name: String? = nil,
            role: StreamRole? = .music, iconName: String? = nil, decodeAheadSeconds: Double = 0.25,
            speedControl: SpeedControl? = nil
        ) {
            self.latency = latency
            self.recoverySeconds = recoverySeconds
            self.name = name
            self.role = role
            self.iconName = iconName
            self.decodeAheadSeconds = decodeAheadSeconds
            self.speedControl = speedControl
        }
    }

    let core: OutputCore

    /// Makes a stopped queue.
    ///
    /// The sound server has a stream for the queue only after the first prime or start. The queue's threads also start
    /// then, or with a reset of enqueued buffers.
    ///
    /// - Parameters:
    ///   - format: The format of the buffers: interleaved linear PCM, or a format with a decoder.
    ///   - magicCookie: The decoder's parameters in addition to the format, from the packets' file; empty if there are
    ///     none, or if they are set later: see ``setMagicCookie(_:)``.
    ///   - channelLabels: The label of each channel; nil for the usual order of that many channels. Codecs that
    ///     specify the order, like AAC and Apple Lossless, have priority.
    ///   - device: The device to play on.
    ///   - onBufferDone: Returns a buffer to the client, who may free it, keep it, or fill and enqueue it again.
    ///     Called in the order of enqueueing, when the data was taken, not when it was played.
    /// - Throws: ``QueueError/Code/unsupportedFormat``, ``QueueError/Code/codecNotFound``,
    ///   ``QueueError/Code/invalidPropertyValue`` for a magic cookie of another stream, and if the speed cannot be
    ///   changed as requested,
    ///   ``QueueError/Code/invalidArgument`` unless there is one label for each channel, and the device's errors for
    ///   the format.
    ///
    /// The corresponding C function is `AudioQueueNewOutput`.
    public convenience init(
        format: AudioStreamBasicDescription, magicCookie: [UInt8] = [],
        channelLabels: [AudioChannelLabel]? = nil,
        device: any OutputDevice, configuration: Configuration = Configuration(),
        onBufferDone: @escaping @Sendable (OutputQueue, QueueBuffer) -> Void
    ) throws(QueueError) {
        try self.init(
            format: format, magicCookie: magicCookie, channelLabels: channelLabels, device: device,
            configuration: configuration, context: nil, onBufferDone: onBufferDone)
    }

    /// Makes a queue with the client's callback context, whose rate and pitch can be changed.
    ///
    /// - Parameters:
    ///   - context: The context for callbacks and listeners; nil for threads of the queue's own.
    ///   - makeStretcher: Makes the stretcher for rate and pitch; if nil, only varispeed is available.
    /// - Throws: The errors of the public initialiser.
    package init(
        format: AudioStreamBasicDescription, magicCookie: [UInt8] = [],
        channelLabels: [AudioChannelLabel]? = nil,
        device: any OutputDevice, configuration: Configuration = Configuration(),
        context: (any CallbackContext)?, makeStretcher: TimeStretcherMaker? = nil,
        onBufferDone: @escaping @Sendable (OutputQueue, QueueBuffer) -> Void
    ) throws(QueueError) {
        try QueueError.refuseForkedChild()
        core = try OutputCore(
            format: format, magicCookie: magicCookie, channelLabels: channelLabels, device: device,
            configuration: configuration, context: context, makeStretcher: makeStretcher,
            onBufferDone: onBufferDone)
        core.handle = self
    }

    /// Makes a queue with a core, for tests.
    init(core: OutputCore) {
        self.core = core
        core.handle = self
    }

    deinit { core.abandon() }

    /// The format of the buffers.
    public var format: AudioStreamBasicDescription { core.format }

    // MARK: Control

    /// Starts the queue, or resumes after ``pause()``.
    ///
    /// Returns before any audio is played: ``Property/isRunning`` changes when the device runs.
    ///
    /// Without a buffer the queue runs and is silent. A running queue is not changed.
    ///
    /// - Throws: ``QueueError/Code/cannotStartYet`` while ``stop(immediate:)`` with `false` plays out enqueued audio;
    ///   ``QueueError/Code/outOfMemory`` if no thread can be started. If the device cannot start, the error is in
    ///   ``failure``, which this call clears.
    ///
    /// The corresponding C function is `AudioQueueStart`.
    public func start() throws(QueueError) { try usableCore.start() }

    /// Pauses the queue, which keeps buffers, decoder and position. ``start()`` resumes.
    ///
    /// The queue still counts as running, and its time does not advance. Has no effect on a queue that is stopped or
    /// was only primed.
    ///
    /// The corresponding C function is `AudioQueuePause`.
    public func pause() throws(QueueError) { try usableCore.pause() }

    /// Stops, either at once or after the enqueued audio.
    ///
    /// An immediate stop drops audio that was not played. On return every buffer was returned by its callback, and none
    /// follows; the listeners of ``Property/isRunning`` may be called later. If called in a callback, the remaining
    /// callbacks follow after the return. Buffers that callbacks enqueue meanwhile are refused with
    /// ``QueueError/Code/enqueueDuringReset``, until the last of these callbacks or the next ``start()``. Audio is
    /// faded out within 5 ms, after the part that the device has already taken. This part continues after the return: a
    /// process that exits at once cuts it off. A following start waits for the fade.
    ///
    /// Any other stop returns at once. Enqueued audio is played to its last frame, which resumes a paused queue; then
    /// ``Property/isRunning`` becomes false. No buffer can be enqueued until then, nor until the last pending
    /// callback has returned. A queue that was only primed stops without playing, and its buffers are returned by
    /// callbacks.
    ///
    /// A stopped queue is not changed, and keeps the enqueued buffers for its next start, which also begins the
    /// timeline again.
    ///
    /// The corresponding C function is `AudioQueueStop`.
    public func stop(immediate: Bool) throws(QueueError) { try usableCore.stop(immediate: immediate) }

    /// Marks the end of a sequence of packets after the enqueued ones. The decoder starts again with the next packet.
    ///
    /// Between two tracks of one format, this call is enough for gapless playback. It is not required for linear PCM.
    ///
    /// The corresponding C function is `AudioQueueFlush`.
    public func flush() throws(QueueError) { try usableCore.flush() }

    /// Drops all enqueued audio that was not played, returns every buffer, and continues to run.
    ///
    /// To seek, reset the queue, then enqueue from the new position. On return the callbacks have returned, and buffers
    /// that they enqueued were refused with ``QueueError/Code/enqueueDuringReset``. If called in a callback, the
    /// callbacks follow after the return, and may enqueue. A stopping or primed queue has nothing left to play, and
    /// stops.
    ///
    /// - Throws: ``QueueError/Code/outOfMemory`` if buffers are enqueued, but no thread can be started.
    ///
    /// The corresponding C function is `AudioQueueReset`.
    public func reset() throws(QueueError) { try usableCore.reset() }

    /// Decodes ahead and connects to the device, so that a later ``start()`` is audible at once.
    ///
    /// The connection is made in the background; if it fails, the start reports the error. A queue that was started is
    /// not changed, and the call does not wait.
    ///
    /// - Parameter frames: The number of frames to prepare; 0 for as many as are decoded ahead. If fewer frames are
    ///   enqueued, the call does not wait for more.
    /// - Returns: The number of prepared frames, which may be more than `frames`. Callbacks return the buffers that
    ///   were used up.
    /// - Throws: ``QueueError/Code/invalidArgument`` for a negative number; ``QueueError/Code/outOfMemory`` for lack of
    ///   a thread or memory; ``QueueError/Code/primeTimedOut`` after two seconds; ``QueueError/Code/codecNotFound`` if
    ///   the decoder failed.
    ///
    /// The corresponding C function is `AudioQueuePrime`.
    @discardableResult
    public func prime(frames: Int = 0) throws(QueueError) -> Int { try usableCore.prime(frames: frames) }

    /// Ends the queue and frees its buffers, at once or after the enqueued audio was played.
    ///
    /// In either case the queue cannot be used any more, and no callback begins after the return. The call waits for a
    /// running callback, but only for 50 ms unless the queue ends at once. A callback that still runs, or that disposes
    /// of its own queue, may use its buffer until it returns. Callbacks do not return the buffers. As after
    /// ``stop(immediate:)``, a short fade is audible after the return of an immediate call. A queue that was only
    /// primed ends at once.
    ///
    /// The corresponding C function is `AudioQueueDispose`.
    public func dispose(immediate: Bool) throws(QueueError) { try usableCore.dispose(immediate: immediate) }
}
