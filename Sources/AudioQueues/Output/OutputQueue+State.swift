// SPDX-License-Identifier: MIT

public import AQDevices
import CoreAudioTypes

extension OutputQueue {
    /// Whether the device runs for this queue: from the first frame to the last, including pauses.
    ///
    /// The corresponding C property is `kAudioQueueProperty_IsRunning`.
    public var isRunning: Bool { core.monitor.withLock { $0.status.isRunning } }

    /// The error that stopped the queue or its start; nil if there is none, and after the next ``start()``.
    ///
    /// The code is ``QueueError/Code/queueInvalidated`` if the sound server or its devices disappeared and did not
    /// return, ``QueueError/Code/cannotStart`` if the server did not answer, or refused,
    /// ``QueueError/Code/invalidDevice`` if it has no such device, ``QueueError/Code/unsupportedFormat`` if it cannot
    /// make such a stream, ``QueueError/Code/codecNotFound`` if the decoder failed, and ``QueueError/Code/outOfMemory``
    /// if there was no memory to decode.
    public var failure: QueueError? { core.monitor.withLock { $0.status.failure } }

    /// The error of the decoder that failed last; nil if none has failed. A later start does not clear it.
    ///
    /// The corresponding C property is `kAudioQueueProperty_ConverterError`.
    public var converterError: QueueError? { core.monitor.withLock { $0.status.converterError } }

    /// The number of packets that could not be decoded and were replaced by silence, in all runs.
    public var damagedPacketCount: Int { core.monitor.withLock { $0.status.damagedPackets } }

    /// The number of underruns in all runs, each counted once, whatever its duration.
    public var underrunCount: Int { core.monitor.withLock { $0.status.underruns } }

    /// The granted latency and the device; nil until the device is connected.
    public var granted: GrantedLatency? { core.stream.granted }

    /// The name that a mixer shows beside the queue's volume; nil for the program's name.
    ///
    /// The name can be changed at any time, from any thread, without waiting, for example to the title of the current
    /// track. The server receives the first 1024 bytes, again after each reconnection. The environment variable
    /// `PULSE_PROP="media.name=…"` has priority. Devices without a server ignore the name.
    public var name: String? {
        get { core.monitor.withLock { $0.settings.name } }
        set { core.set { $0.settings.setName(newValue, on: $0.path) } }
    }

    /// The volume as a linear gain from 0 to 1. A value enqueued with a buffer replaces the volume from the buffer's
    /// first frame on.
    ///
    /// The corresponding C parameter is `kAudioQueueParam_Volume`.
    public var volume: Float { core.monitor.withLock { $0.settings.volumeInForce(on: $0.path) } }

    /// Sets the volume for audio that has not been played.
    ///
    /// - Parameters:
    ///   - gain: The linear gain, 0 to 1. Values out of range count as the nearer bound, and NaN as 0.
    ///   - rampSeconds: The duration of the change, in seconds: 0 to 3600. Values out of range count as the nearer
    ///     bound, and NaN as 0.
    ///
    /// The corresponding C parameters are `kAudioQueueParam_Volume` and `kAudioQueueParam_VolumeRampTime`.
    public func setVolume(_ gain: Float, rampSeconds: Double = 0) {
        // COMPAT: values out of range are accepted without an error.
        core.set { $0.settings.setVolume(gain, rampSeconds: rampSeconds, on: $0.path) }
    }

    /// Whether levels are measured; initially false.
    ///
    /// The corresponding C property is `kAudioQueueProperty_EnableLevelMetering`.
    public var isMeteringEnabled: Bool {
        get { core.monitor.withLock { $0.settings.isMetering } }
        set { core.set { $0.settings.setMetering(newValue, on: $0.path) } }
    }

    /// The current levels, one for each channel: 0 in silence; empty unless ``isMeteringEnabled`` is true.
    ///
    /// The corresponding C property is `kAudioQueueProperty_CurrentLevelMeter`.
    public func levels() -> [ChannelLevel] {
        let levels = core.stream.levels()
        guard levels.count == 2, format.mChannelsPerFrame == 1 else { return levels }
        // A panned channel is played on two channels of the device, whose powers add up to its power.
        func sum(_ left: Float, _ right: Float) -> Float { (left * left + right * right).squareRoot() }
        return [
            ChannelLevel(rms: sum(levels[0].rms, levels[1].rms), peak: sum(levels[0].peak, levels[1].peak))
        ]
    }
}
