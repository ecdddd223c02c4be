public import AudioDevices
import CoreAudioTypes

extension InputQueue {
    /// Whether the device captures for this queue, pauses included. When the queue stops by itself, or after
    /// its enqueued buffers, this holds until their callbacks were made.
    ///
    /// The corresponding C property is `kAudioQueueProperty_IsRunning`.
    public var isRunning: Bool { core.monitor.withLock { $0.status.isRunning } }

    /// Why the queue stopped by itself, or could not start; nil otherwise, and again after ``start()``.
    ///
    /// Set when the callbacks of everything captured before were made.
    /// ``QueueError/Code/queueInvalidated`` for a sound server that died or a device that vanished, and did
    /// not come back, ``QueueError/Code/cannotStart`` and ``QueueError/Code/invalidDevice`` for one that
    /// never answered or has no such device, ``QueueError/Code/codecNotFound`` for an encoder that gave up.
    public var failure: QueueError? { core.monitor.withLock { $0.status.failure } }

    /// What the device granted, and which device it is; nil until it is connected.
    public var granted: GrantedLatency? { core.path.stream.granted }

    /// The name that a mixer shows beside the queue's volume; nil for the program's name.
    ///
    /// Can be changed at any time, from any thread, to name what is recorded now, and returns without waiting. The
    /// server gets the first 1024 bytes of it, and each new one after a fault gets it too. The user's choice in the
    /// environment comes first: `PULSE_PROP="media.name=…"`. Devices without a server have no use for it.
    public var name: String? {
        get { core.monitor.withLock { $0.settings.name } }
        set { core.set { $0.settings.setName(newValue, on: $0.path) } }
    }

    // MARK: Since the last start

    /// How often captured sound was lost since no buffer was enqueued: once for each time, however long.
    public var overrunCount: Int { counts.overruns }

    /// The frames lost in these overruns.
    public var lostFrameCount: Int64 { counts.lostFrames }

    /// How often the server or the device went away and came back.
    public var interruptionCount: Int { counts.interruptions }

    /// The frames of silence recorded for these interruptions.
    public var interruptedFrameCount: Int64 { counts.interruptedFrames }

    /// Frames of silence for which the server had no data.
    public var holeFrameCount: Int64 { counts.holeFrames }

    private var counts: CapturePosition { core.monitor.withLock { $0.counts } }

    // MARK: Levels

    /// The gain that is applied to what is captured: 1 leaves it as it is.
    public var inputGain: Float { core.monitor.withLock { $0.settings.gain } }

    /// Sets the gain for what is captured from now on. Integers are clipped.
    ///
    /// - Parameter gain: 0 to 1000, which is 60 dB. What lies outside counts as the nearer of the two, and
    ///   what is no number as 0.
    public func setInputGain(_ gain: Float) {
        core.set { $0.settings.setGain(gain, on: $0.path) }
    }

    /// Whether levels are measured; off at first.
    ///
    /// The corresponding C property is `kAudioQueueProperty_EnableLevelMetering`.
    public var isMeteringEnabled: Bool {
        get { core.monitor.withLock { $0.settings.isMetering } }
        set { core.set { $0.settings.setMetering(newValue, on: $0.path) } }
    }

    /// The levels of what was captured last, gain included, one for each channel; empty unless
    /// ``isMeteringEnabled``.
    ///
    /// The corresponding C property is `kAudioQueueProperty_CurrentLevelMeter`.
    public func levels() -> [ChannelLevel] { core.path.stream.levels() }

    // MARK: The encoded form

    /// What a file needs beside the packets to be decoded; empty for linear PCM and other formats that need
    /// nothing. It is known from the beginning, and stays as it is.
    ///
    /// The corresponding C property is `kAudioQueueProperty_MagicCookie`.
    public var magicCookie: [UInt8] { core.product.magicCookie }

    /// The size of the largest packet that a buffer may hold, in bytes.
    ///
    /// The corresponding C property is `kAudioQueueProperty_MaximumOutputPacketSize`.
    public var maximumOutputPacketSize: Int { core.product.maximumPacketSize }

    /// Frames that a decoder makes of the first packets before the first captured frame. It is known from the
    /// beginning, and 0 for linear PCM.
    ///
    /// The corresponding C property is a converter's `kAudioConverterPrimeInfo`, its leading frames.
    public var primingFrames: Int { core.product.primingFrames }

    /// Frames of the last packets behind the last captured frame, if every packet counts as a whole one: known when a
    /// stop has returned every buffer, and 0 before the first one. A decoder makes them of most formats' packets; one
    /// of Apple Lossless, whose packets tell their own length, does not.
    ///
    /// The frames of all packets, less this and ``primingFrames``, are the captured frames in them: what a
    /// file's packet table says.
    ///
    /// The corresponding C property is a converter's `kAudioConverterPrimeInfo`, its trailing frames.
    public var remainderFrames: Int { core.monitor.withLock { $0.encoding.remainderFrames } }

    /// The error with which the encoder gave up, since the last start; nil for none. ``failure`` tells it, too.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ConverterError`.
    public var converterError: QueueError? { core.monitor.withLock { $0.status.converterError } }
}
