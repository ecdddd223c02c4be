// SPDX-License-Identifier: MIT

import AQDevices

/// The time of a node's last slice. The rendering thread publishes it, and any thread reads it.
package final class NodeClock: Sendable {
    private struct Reading: BitwiseCopyable {
        var time = SliceTime(sampleTime: 0)
        var frames = 0
    }

    private let lock = SequenceLock(Reading())

    package init() {}

    func publish(_ time: SliceTime, frames: Int) {
        var reading = Reading(time: time, frames: frames)
        unsafe lock.publish(&reading)
    }

    /// Forgets the last slice: the graph does not run any more.
    package func clear() {
        var reading = Reading()
        unsafe lock.publish(&reading)
    }

    /// The time of the last slice; nil if none was rendered since the start.
    package var lastTime: SliceTime? {
        var reading = Reading()
        lock.read(into: &reading)
        return reading.frames == 0 ? nil : reading.time
    }
}
