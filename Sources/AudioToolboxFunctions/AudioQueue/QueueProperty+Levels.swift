import AudioDevices
import AudioQueues
import CAudioToolbox
import Glibc

/// Level meters.
extension QueueProperty {
    static let levels: [AudioQueuePropertyID: QueueProperty] = [
        kAudioQueueProperty_EnableLevelMetering: .value(
            read: { object in UInt32(object.engine.isMeteringEnabled ? 1 : 0) },
            write: { (object: AudioQueueObject, isEnabled: UInt32) throws(QueueError) in
                let engine = object.engine
                engine.isMeteringEnabled = isEnabled != 0
            }),
        kAudioQueueProperty_CurrentLevelMeter: meter { $0 },
        kAudioQueueProperty_CurrentLevelMeterDB: meter(decibels),
    ]

    /// Levels of as many channels as the client has room for, on a scale.
    private static func meter(_ scale: @escaping @Sendable (Float) -> Float) -> QueueProperty {
        QueueProperty(
            bytes: { object in
                Int(object.format.mChannelsPerFrame) * MemoryLayout<AudioQueueLevelMeterState>.stride
            },
            read: { (object: AudioQueueObject, reply: PropertyReply) throws(QueueError) -> OSStatus in
                var levels = object.engine.levels()
                // While nothing is measured, nothing is heard of it.
                if levels.isEmpty {
                    let channels = Int(object.format.mChannelsPerFrame)
                    levels = Array(repeating: ChannelLevel(rms: 0, peak: 0), count: channels)
                }
                let states = levels.map {
                    AudioQueueLevelMeterState(mAveragePower: scale($0.rms), mPeakPower: scale($0.peak))
                }
                return reply.values(states, tooSmall: kAudioQueueErr_InvalidPropertySize)
            })
    }

    /// What silence is in decibels, since there is no end to the scale: below what 24 bits can tell.
    static let silentDecibels: Float = -160

    /// A level in decibels of full scale.
    @Sendable static func decibels(_ level: Float) -> Float {
        level > 0 ? max(20 * log10(level), silentDecibels) : silentDecibels
    }
}
