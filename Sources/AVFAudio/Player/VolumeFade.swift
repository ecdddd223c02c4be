// SPDX-License-Identifier: MIT

import AudioQueues
import AudioToolbox

/// A volume, or the change from one to another. It outlasts the queues that apply it.
struct VolumeFade {
    /// The volume at the end of the change.
    private(set) var target: Float = 1
    private var start: Float = 1
    private var startTime: UInt64 = 0
    /// The duration in seconds.
    private var duration = 0.0

    /// Begins a change from the present volume.
    ///
    /// - Parameters:
    ///   - volume: 0 to 1. Values out of range count as the nearer bound, and NaN as 0.
    ///   - seconds: The duration. Negative values and NaN count as 0.
    mutating func go(to volume: Float, seconds: Double, now: UInt64 = AudioGetCurrentHostTime()) {
        start = value(now: now)
        target = volume > 0 ? min(volume, 1) : 0
        duration = seconds > 0 ? min(seconds, 3600) : 0
        startTime = now
    }

    /// Applies the change, or what is left of it, to a new queue.
    func apply(to queue: OutputQueue, now: UInt64 = AudioGetCurrentHostTime()) {
        let left = secondsLeft(now: now)
        queue.setVolume(value(now: now))
        if left > 0 { queue.setVolume(target, rampSeconds: left) }
    }

    /// Applies a change that has just begun to a queue that has the volume before it.
    func begin(on queue: OutputQueue) { queue.setVolume(target, rampSeconds: duration) }

    private func value(now: UInt64) -> Float {
        let left = secondsLeft(now: now)
        return left > 0 ? target + (start - target) * Float(left / duration) : target
    }

    private func secondsLeft(now: UInt64) -> Double {
        now > startTime ? max(0, duration - Double(now - startTime) / 1e9) : duration
    }
}
