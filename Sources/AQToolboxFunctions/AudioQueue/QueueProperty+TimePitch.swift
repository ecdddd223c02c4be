// SPDX-License-Identifier: MIT

import AudioQueues
import CAQAudioToolbox

extension QueueProperty {
    static let timePitch: [AudioQueuePropertyID: QueueProperty] = [
        kAudioQueueProperty_EnableTimePitch: .value(
            .outputs,
            read: { (object: AudioQueueObject) throws(QueueError) -> UInt32 in
                try object.output().isTimePitchEnabled ? 1 : 0
            },
            write: { (object: AudioQueueObject, isEnabled: UInt32) throws(QueueError) in
                try object.output().setTimePitchEnabled(isEnabled != 0)
            }),
        kAudioQueueProperty_TimePitchAlgorithm: .value(
            .outputs,
            read: { (object: AudioQueueObject) throws(QueueError) -> UInt32 in
                try object.output().timePitchAlgorithm.rawValue
            },
            write: { (object: AudioQueueObject, code: UInt32) throws(QueueError) in
                guard let algorithm = algorithm(of: code) else { throw QueueError(.invalidPropertyValue) }
                try object.output().setTimePitchAlgorithm(algorithm)
            }),
        kAudioQueueProperty_TimePitchBypass: .value(
            .outputs,
            read: { (object: AudioQueueObject) throws(QueueError) -> UInt32 in
                try object.output().isTimePitchBypassed ? 1 : 0
            },
            write: { (object: AudioQueueObject, isBypassed: UInt32) throws(QueueError) in
                try object.output().setTimePitchBypassed(isBypassed != 0)
            }),
    ]

    /// The algorithm of a code; nil for an unknown code.
    ///
    /// COMPAT: the removed algorithm of low quality is replaced by that of the time domain.
    private static func algorithm(of code: UInt32) -> TimePitchAlgorithm? {
        code == kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency
            ? .timeDomain : TimePitchAlgorithm(rawValue: code)
    }
}
