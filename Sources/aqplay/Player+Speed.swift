// SPDX-License-Identifier: MIT

import AudioQueues
import AQTimeStretching
import AQToolSupport

/// The speed of playback.
extension Player {
    static let speeds = 0.25...4.0
    /// The ratio of two speeds that a key selects one after another.
    static let speedStep = 1.1

    static func speed(_ text: String, option: String) throws(UsageError) -> Double {
        guard let speed = DecimalParser.number(text), speeds.contains(speed) else {
            throw UsageError(
                "invalid speed '\(text)' for '\(option)'; write a number from \(speeds.lowerBound) to "
                    + "\(Int(speeds.upperBound)), such as 1.5")
        }
        return speed
    }

    /// Whether the next queue must be able to change the speed. A queue that cannot plays samples unchanged.
    var needsSpeedControl: Bool { speed != 1 || options.speed != nil }

    /// Whether the speed of a track can be changed: data of a pipe cannot be played again in a new queue.
    func canChangeSpeed(of current: Feeder.CurrentTrack) -> Bool {
        if hasSpeedControl { return true }
        guard current.isSeekable, let queue else { return false }
        return (try? SpeedControl.soundTouch.check(for: queue.format)) != nil
    }

    /// Changes the speed, in a new queue if the current one cannot.
    ///
    /// - Returns: False if nothing was done, because a file is being read.
    @discardableResult func setSpeed(_ wanted: Double) -> Bool {
        var wanted = min(max(wanted, Player.speeds.lowerBound), Player.speeds.upperBound)
        // As many steps back and forth lead to the normal speed again.
        if abs(wanted - 1) < 0.01 { wanted = 1 }
        guard let queue, wanted != speed else { return true }
        do throws(QueueError) {
            if hasSpeedControl {
                try queue.setSpeed(wanted)
                speed = wanted
                return true
            }
            update()
            guard let current = lastStatus.current else { return true }
            guard current.isSeekable else {
                console.error(
                    "cannot change the speed of '\(current.title)', which cannot be read again; start with "
                        + "'--speed'")
                return true
            }
            try SpeedControl.soundTouch.check(for: queue.format)
            let previous = speed
            speed = wanted
            if isPaused { return true }
            restart()
            // A file that is being read cannot be left.
            if !hasSpeedControl { speed = previous }
            return hasSpeedControl
        } catch {
            console.error(error.message)
            return true
        }
    }

    /// Continues from the audible frame in a new queue; returns false if a file is being read, and nothing was done.
    @discardableResult func restart() -> Bool { jump(to: .heldFrame, needsQueue: true) }
}
