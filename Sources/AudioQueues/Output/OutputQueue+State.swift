public import AudioDevices
import CoreAudioTypes

extension OutputQueue {
    /// Whether the device runs for this queue: from the first frame to the last, pauses included.
    ///
    /// The corresponding C property is `kAudioQueueProperty_IsRunning`.
    public var isRunning: Bool { core.monitor.withLock { $0.status.isRunning } }

    /// Why the queue stopped by itself, or could not start; nil otherwise, and again after ``start()``.
    ///
    /// ``QueueError/Code/queueInvalidated`` for a sound server that died and did not come back,
    /// ``QueueError/Code/cannotStart`` and ``QueueError/Code/invalidDevice`` for one that never answered or
    /// has no such device, ``QueueError/Code/codecNotFound`` for a decoder that gave up.
    public var failure: QueueError? { core.monitor.withLock { $0.status.failure } }

    /// The error with which a decoder gave up; nil for none.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ConverterError`.
    public var converterError: QueueError? { core.monitor.withLock { $0.status.converterError } }

    /// Packets that could not be decoded, and were silent instead.
    public var damagedPacketCount: Int { core.monitor.withLock { $0.status.damagedPackets } }

    /// How often the queue ran dry while it ran: once for each time, however long.
    public var underrunCount: Int { core.monitor.withLock { $0.status.underruns } }

    /// What the device granted of the latency asked for, and which device it is; nil until it is connected.
    public var granted: GrantedLatency? { core.stream.granted }

    /// The name that a mixer shows beside the queue's volume; nil for the program's name.
    ///
    /// Can be changed at any time, from any thread, to name what is heard now, and returns without waiting. The
    /// server gets the first 1024 bytes of it, and each new one after a fault gets it too. The user's choice in the
    /// environment comes first: `PULSE_PROP="media.name=…"`. Devices without a server have no use for it.
    public var name: String? {
        get { core.monitor.withLock { $0.settings.name } }
        set { core.set { $0.settings.setName(newValue, on: $0.path) } }
    }

    /// The volume: linear gain from 0 to 1. From a buffer's first frame on it is what was enqueued with that buffer.
    ///
    /// The corresponding C parameter is `kAudioQueueParam_Volume`.
    public var volume: Float { core.monitor.withLock { $0.settings.volumeInForce(on: $0.path) } }

    /// Sets the volume, for what is not yet heard.
    ///
    /// - Parameters:
    ///   - gain: 0 to 1. What lies outside counts as the nearer of the two, and what is no number as 0.
    ///   - rampSeconds: How long to take to get there.
    ///
    /// The corresponding C parameters are `kAudioQueueParam_Volume` and `kAudioQueueParam_VolumeRampTime`.
    public func setVolume(_ gain: Float, rampSeconds: Double = 0) {
        // COMPAT: values out of range are accepted without an error.
        core.set { $0.settings.setVolume(gain, rampSeconds: rampSeconds, on: $0.path) }
    }

    /// Whether levels are measured; off at first.
    ///
    /// The corresponding C property is `kAudioQueueProperty_EnableLevelMetering`.
    public var isMeteringEnabled: Bool {
        get { core.monitor.withLock { $0.settings.isMetering } }
        set { core.set { $0.settings.setMetering(newValue, on: $0.path) } }
    }

    /// The levels of what is heard now, one for each channel: 0 in silence; empty unless ``isMeteringEnabled``.
    ///
    /// The corresponding C property is `kAudioQueueProperty_CurrentLevelMeter`.
    public func levels() -> [ChannelLevel] {
        let levels = core.stream.levels()
        guard levels.count == 2, format.mChannelsPerFrame == 1 else { return levels }
        // One channel that is panned is two to the device, whose powers add up to its own.
        func sum(_ left: Float, _ right: Float) -> Float { (left * left + right * right).squareRoot() }
        return [
            ChannelLevel(rms: sum(levels[0].rms, levels[1].rms), peak: sum(levels[0].peak, levels[1].peak))
        ]
    }
}
