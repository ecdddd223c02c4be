public import AudioDevices
public import CoreAudioTypes

/// Plays sound from buffers that the client fills: the playback half of Audio Queue Services.
///
/// Allocate a few buffers, fill and enqueue them, ``start()``. As each is used up, the callback returns it,
/// to be filled and enqueued again. At the end ``stop(immediate:)`` with `false` plays what is enqueued, and
/// the ``Property/isRunning`` listener tells when the last frame was heard.
///
/// **Formats.** Linear PCM that the device plays as it is goes from the client's buffer to the device in one
/// copy, and a buffer is returned when the device has taken its data. Everything else is decoded ahead, and
/// a buffer is returned when it is decoded.
///
/// **Threads.** Every call may be made from any thread, and from callbacks. Callbacks and listeners run one
/// at a time, in order, on a thread of the library, not always the same, which holds no lock of the queue; a slow
/// callback delays the queue's other callbacks and nothing else. No call waits for a server. Calls that promise that
/// callbacks were made, or that none comes any more, wait for callbacks two seconds at most (a callback that
/// waits for a lock that the caller holds would never end), and not at all when made in a callback, of
/// whatever queue.
///
/// **Errors.** Every call that throws throws ``QueueError/Code/disposalPending`` after the queue was
/// disposed of. What stops the queue later, on its own, is in ``failure``.
///
/// The queue is disposed of, at once, when the last reference to it goes; it holds on to the closures that
/// it was given until it is disposed of, so a closure that captures the queue keeps it alive until then.
///
/// The corresponding C type is `AudioQueueRef`.
public final class OutputQueue: Sendable {
    /// What a queue is asked for beside its format.
    public struct Configuration: Sendable {
        /// How much sound lies between the queue and the loudspeaker; nil follows the buffers that are enqueued before
        /// the start.
        ///
        /// With nil, two buffers or more of linear PCM that last less than 200 ms together are all the latency there
        /// is, as with ``LatencyGoal/lowest``. Everything else has ``LatencyGoal/balanced``.
        ///
        /// If the environment has `AQ_LATENCY`, one of `lowest`, `interactive`, `balanced` and `least-power`, that goal
        /// holds for every queue of the process, whatever is asked for here.
        public var latency: LatencyGoal?
        /// How long a sound server that died is waited for, in seconds.
        public var recoverySeconds: Double
        /// The name that a mixer shows beside the queue's volume; nil for the program's name. See ``OutputQueue/name``.
        public var name: String?
        /// The purpose of the audio, by which the sound server chooses devices and decides which streams give way.
        ///
        /// ``StreamRole/music``, unless something else is chosen: where PulseAudio is set up as usual, a phone call
        /// pauses the queue, as it does where Audio Queue Services come from. Nil for none.
        public var role: StreamRole?
        /// The icon that a mixer shows, by its name in the freedesktop icon naming specification, such as
        /// `audio-x-generic`; nil for the program's own, if it has one.
        public var iconName: String?
        /// How far compressed audio is decoded ahead of the device, in seconds: 0.02 to 10, and two packets
        /// at least. More is safer against a busy processor, and slower to follow a reset.
        public var decodeAheadSeconds: Double

        public init(
            latency: LatencyGoal? = .balanced, recoverySeconds: Double = 5, name: String? = nil,
            role: StreamRole? = .music, iconName: String? = nil, decodeAheadSeconds: Double = 0.25
        ) {
            self.latency = latency
            self.recoverySeconds = recoverySeconds
            self.name = name
            self.role = role
            self.iconName = iconName
            self.decodeAheadSeconds = decodeAheadSeconds
        }
    }

    let core: OutputCore

    /// Makes a queue that is stopped.
    ///
    /// The device's stream is made at once and connects in the background; threads are started when the
    /// queue is first primed or started.
    ///
    /// - Parameters:
    ///   - format: What the buffers will hold: interleaved linear PCM, or a format with a decoder. Copied.
    ///   - magicCookie: What the decoder needs to know beside the format, as the packets' file has it; empty if
    ///     nothing, or if it is set later: see ``setMagicCookie(_:)``.
    ///   - channelLabels: What each channel is for; nil for the usual order of that many channels. Where the
    ///     codec says it itself, as AAC and Apple Lossless do, that holds.
    ///   - device: What plays.
    ///   - onBufferDone: Returns a buffer to the client, who may free it, keep it, or fill and enqueue it
    ///     again. Called in the order of enqueueing. It says that the data was taken, not that it was heard.
    /// - Throws: ``QueueError/Code/unsupportedFormat``, ``QueueError/Code/codecNotFound``,
    ///   ``QueueError/Code/invalidPropertyValue`` for a magic cookie of another stream,
    ///   ``QueueError/Code/invalidArgument`` for labels of another number of channels, and what the device
    ///   says against the format.
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

    /// Makes a queue whose callbacks are made in a place of the client's, and whose time can be stretched.
    ///
    /// - Parameters:
    ///   - context: Where callbacks and listeners run; nil for threads of the queue's own.
    ///   - makeStretcher: What changes rate and pitch; without it there is varispeed at most.
    /// - Throws: As the public one.
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

    /// Makes a queue of parts that the tests choose.
    init(core: OutputCore) {
        self.core = core
        core.handle = self
    }

    deinit { core.abandon() }

    /// The format of the buffers.
    public var format: AudioStreamBasicDescription { core.format }

    // MARK: Control

    /// Starts the queue, or goes on after ``pause()``. Returns before anything is heard:
    /// ``Property/isRunning`` follows when the device runs.
    ///
    /// Without a buffer the queue runs and is silent. A running queue stays as it is.
    ///
    /// - Throws: ``QueueError/Code/cannotStartYet`` while ``stop(immediate:)`` with `false` plays out what is
    ///   enqueued; ``QueueError/Code/outOfMemory`` without threads. A device that cannot start shows in
    ///   ``failure``, which is cleared here.
    ///
    /// The corresponding C function is `AudioQueueStart`.
    public func start() throws(QueueError) { try usableCore.start() }

    /// Stands still, keeping buffers, decoder and position; ``start()`` goes on.
    ///
    /// The queue counts as running meanwhile, and its time stands still. Of a queue that does not run, or
    /// that was only primed, there is nothing to pause.
    ///
    /// The corresponding C function is `AudioQueuePause`.
    public func pause() throws(QueueError) { try usableCore.pause() }

    /// Stops, either at once or after what is enqueued.
    ///
    /// At once: drops what was not heard. On return every buffer is back with the client, its callback was
    /// made, and none follows; in a callback, the callbacks follow after the return. Buffers that callbacks
    /// enqueue meanwhile are refused with ``QueueError/Code/enqueueDuringReset``, until the last of
    /// these callbacks or the next ``start()``. What plays is faded out within 5 ms, behind what the device has taken
    /// already, and is heard beyond the return: a process that exits at once cuts it off. A start that follows waits
    /// for that.
    ///
    /// Otherwise: returns at once. What is enqueued is played to its last frame, a paused queue going on for
    /// it; ``Property/isRunning`` falls when that was heard. Nothing can be enqueued until then, nor until the last
    /// callback that is due then was made. What was only primed is never heard, but returned.
    ///
    /// A stopped queue stays as it is, and keeps the buffers that are enqueued for its next start. The
    /// timeline begins again with that.
    ///
    /// The corresponding C function is `AudioQueueStop`.
    public func stop(immediate: Bool) throws(QueueError) { try usableCore.stop(immediate: immediate) }

    /// Marks the end of a sequence of packets behind what is enqueued: what follows is decoded afresh.
    ///
    /// Between two tracks of one format, this and no more makes the second follow without a gap. Linear PCM
    /// needs it not.
    ///
    /// The corresponding C function is `AudioQueueFlush`.
    public func flush() throws(QueueError) { try usableCore.flush() }

    /// Drops everything that is enqueued and not yet heard, and returns every buffer, but goes on running.
    ///
    /// For seeking: reset, then enqueue from the new position. On return the callbacks were made, and what
    /// they enqueued meanwhile was refused with ``QueueError/Code/enqueueDuringReset``. In a callback they
    /// follow after the return, and may enqueue. Of a stopping queue nothing is left to play: it stops.
    ///
    /// The corresponding C function is `AudioQueueReset`.
    public func reset() throws(QueueError) { try usableCore.reset() }

    /// Decodes ahead and connects to the device, so that a later ``start()`` is heard at once.
    ///
    /// The connecting goes on in the background; where it fails, the start tells.
    ///
    /// - Parameter frames: How many frames to have ready; 0 for as many as are decoded ahead. Waits for no more
    ///   than that, nor for more than is enqueued.
    /// - Returns: The frames that are ready. Buffers used up by then are returned by callbacks.
    /// - Throws: ``QueueError/Code/primeTimedOut`` after two seconds; ``QueueError/Code/codecNotFound`` when
    ///   the decoder gave up.
    ///
    /// The corresponding C function is `AudioQueuePrime`.
    @discardableResult
    public func prime(frames: Int = 0) throws(QueueError) -> Int { try usableCore.prime(frames: frames) }

    /// Ends the queue and frees its buffers, at once or after what is enqueued was played.
    ///
    /// Either way the queue cannot be used any more, and no callback begins after the return. One that runs is
    /// waited for, but for 50 ms only unless the queue ends at once. A callback that goes on, or that disposes of its own
    /// queue, may use its buffer until it returns. Buffers are not returned by callbacks. As after ``stop(immediate:)``, a short fade is heard beyond the return.
    ///
    /// The corresponding C function is `AudioQueueDispose`.
    public func dispose(immediate: Bool) throws(QueueError) { try usableCore.dispose(immediate: immediate) }
}
