// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox
import Glibc

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

    /// Makes a property with the levels of as many channels as the client has room for.
    private static func meter(_ scale: @escaping @Sendable (Float) -> Float) -> QueueProperty {
        QueueProperty(
            bytes: { object in
                Int(object.format.mChannelsPerFrame) * MemoryLayout<AudioQueueLevelMeterState>.stride
            },
            read: { (object: AudioQueueObject) throws(QueueError) -> PropertyAnswer in
                var levels = object.engine.levels()
                // Without metering the levels are those of silence.
                if levels.isEmpty {
                    let channels = Int(object.format.mChannelsPerFrame)
                    levels = Array(repeating: ChannelLevel(rms: 0, peak: 0), count: channels)
                }
                let states = levels.map {
                    AudioQueueLevelMeterState(mAveragePower: scale($0.rms), mPeakPower: scale($0.peak))
                }
                return .many(states)
            })
    }

    /// The level of silence in decibels: finite, and below the resolution of 24 bits.
    static let silentDecibels: Float = -160

    /// A level in decibels of full scale.
    @Sendable static func decibels(_ level: Float) -> Float {
        level > 0 ? max(20 * log10(level), silentDecibels) : silentDecibels
    }
}
