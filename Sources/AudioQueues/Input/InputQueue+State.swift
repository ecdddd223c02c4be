// SPDX-License-Identifier: MIT

public import AQDevices
import CoreAudioTypes

extension InputQueue {
    /// Whether the device captures for this queue, including pauses.
    ///
    /// If the queue stops because of an error, or by a call that does not wait, this remains true until the callbacks
    /// have returned.
    ///
    /// The corresponding C property is `kAudioQueueProperty_IsRunning`.
    public var isRunning: Bool { core.monitor.withLock { $0.status.isRunning } }

    /// The error that stopped the queue or its start; nil if there is none, and after the next ``start()``.
    ///
    /// The error is set after the callbacks for all audio captured before. The code is
    /// ``QueueError/Code/queueInvalidated`` if the sound server or the device disappeared and did not return, and
    /// ``QueueError/Code/cannotStart`` if the server did not answer, or refused. It is
    /// ``QueueError/Code/invalidDevice`` if the server has no such device, ``QueueError/Code/unsupportedFormat`` if the
    /// server cannot make such a stream, and ``QueueError/Code/codecNotFound`` if the encoder failed.
    public var failure: QueueError? { core.monitor.withLock { $0.status.failure } }

    /// The granted latency and the device; nil until the device is connected.
    public var granted: GrantedLatency? { core.path.stream.granted }

    /// The name that a mixer shows beside the queue's volume; nil for the program's name.
    ///
    /// The name can be changed at any time, from any thread, without waiting, for example to the title of the current
    /// recording. The server receives the first 1024 bytes, again after each reconnection. The environment variable
    /// `PULSE_PROP="media.name=…"` has priority. Devices without a server ignore the name.
    public var name: String? {
        get { core.monitor.withLock { $0.settings.name } }
        set { core.set { $0.settings.setName(newValue, on: $0.path) } }
    }

    // MARK: Since the last start

    /// The number of times that captured audio was lost because no buffer was enqueued, whatever the duration.
    public var overrunCount: Int { counts.overruns }

    /// The number of frames lost in overruns.
    public var lostFrameCount: Int64 { counts.lostFrames }

    /// The number of losses of the server or the device, including suspensions and changes of the device that leave a
    /// gap.
    public var interruptionCount: Int { counts.interruptions }

    /// The number of frames of silence recorded during interruptions.
    public var interruptedFrameCount: Int64 { counts.interruptedFrames }

    /// The number of frames of silence recorded because the server had no data.
    public var holeFrameCount: Int64 { counts.holeFrames }

    private var counts: CapturePosition { core.monitor.withLock { $0.counts } }

    // MARK: Levels

    /// The gain for captured audio: 1 leaves it unchanged.
    public var inputGain: Float { core.monitor.withLock { $0.settings.gain } }

    /// Sets the gain for audio captured from now on, and for captured audio that waits for a buffer. Integer samples
    /// are clipped.
    ///
    /// - Parameter gain: 0 to 1000, which is 60 dB. Values out of range count as the nearer bound, and NaN as 0.
    public func setInputGain(_ gain: Float) {
        core.set { $0.settings.setGain(gain, on: $0.path) }
    }

    /// Whether levels are measured; initially false.
    ///
    /// The corresponding C property is `kAudioQueueProperty_EnableLevelMetering`.
    public var isMeteringEnabled: Bool {
        get { core.monitor.withLock { $0.settings.isMetering } }
        set { core.set { $0.settings.setMetering(newValue, on: $0.path) } }
    }

    /// The levels of the audio captured last, or a fragment earlier, including gain, one for each channel; empty unless
    /// ``isMeteringEnabled`` is true.
    ///
    /// The corresponding C property is `kAudioQueueProperty_CurrentLevelMeter`.
    public func levels() -> [ChannelLevel] { core.path.stream.levels() }

    // MARK: The encoded form

    /// The parameters that a decoder needs in addition to the packets; empty for formats that need none, such as linear
    /// PCM.
    ///
    /// Constant for the life of the queue.
    ///
    /// The corresponding C property is `kAudioQueueProperty_MagicCookie`.
    public var magicCookie: [UInt8] { core.product.magicCookie }

    /// The size of the largest packet that a buffer may hold, in bytes.
    ///
    /// The corresponding C property is `kAudioQueueProperty_MaximumOutputPacketSize`.
    public var maximumOutputPacketSize: Int { core.product.maximumPacketSize }

    /// The number of frames that a decoder returns from the first packets before the first captured frame; 0 for
    /// linear PCM.
    ///
    /// Constant for the life of the queue.
    ///
    /// The corresponding C property is a converter's `kAudioConverterPrimeInfo`, its leading frames.
    public var primingFrames: Int { core.product.primingFrames }

    /// The number of frames in the last packets after the last captured frame, if every packet counts as full.
    ///
    /// Known once a stop has returned every buffer; 0 before the first stop. Most decoders return these frames. A
    /// decoder of Apple Lossless does not, because packets state their own length.
    ///
    /// The number of captured frames is that of the frames in all packets, minus ``primingFrames`` and this number, as
    /// in a file's packet table.
    ///
    /// The corresponding C property is a converter's `kAudioConverterPrimeInfo`, its trailing frames.
    public var remainderFrames: Int { core.monitor.withLock { $0.encoding.remainderFrames } }

    /// The error of the encoder that failed last; nil if none has failed. A later start does not clear it, although it
    /// clears ``failure``.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ConverterError`.
    public var converterError: QueueError? { core.monitor.withLock { $0.status.converterError } }
}
