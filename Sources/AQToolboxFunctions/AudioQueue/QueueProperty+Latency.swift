// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import CAQAudioToolbox

/// The latency goal of a queue: a property of this library only, which no header names.
extension QueueProperty {
    /// The identifier 'AQlg'.
    static let latencyIdentifier: AudioQueuePropertyID = 0x4151_6C67

    static let latency: [AudioQueuePropertyID: QueueProperty] = [
        latencyIdentifier: .value(
            .outputs,
            read: { (object: AudioQueueObject) throws(QueueError) -> UInt32 in
                let goal = try object.output().latency
                return UInt32(clamping: latencyGoals.firstIndex(of: goal) ?? 0)
            },
            write: { (object: AudioQueueObject, value: UInt32) throws(QueueError) in
                guard value < UInt32(latencyGoals.count) else { throw QueueError(.invalidPropertyValue) }
                try object.output().setLatency(latencyGoals[Int(value)])
            })
    ]

    /// The goals by the property's value; nil follows the buffers that are enqueued before the start.
    private static let latencyGoals: [LatencyGoal?] = [nil, .lowest, .interactive, .balanced, .leastPower]
}
