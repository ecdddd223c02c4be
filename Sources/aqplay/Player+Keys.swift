// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQNetworkInput
import AQToolSupport

/// The actions of keys, and the screen.
extension Player {
    private static let seekSeconds = 5.0
    private static let gainStepDecibels: Float = 2
    /// The time for which the line shows a changed volume, even without room for it.
    private static let gainNewsSeconds = 2.0

    func press(_ key: Key) {
        guard queue != nil else { return pressWhileOpening(key) }
        switch key {
        case .character(" "): setPaused(!isPaused)
        case .left: request(.seek(seconds: -Player.seekSeconds))
        case .right: request(.seek(seconds: Player.seekSeconds))
        case .up: changeGain(by: Player.gainStepDecibels)
        case .down: changeGain(by: -Player.gainStepDecibels)
        case .character("["): request(.speed(factor: 1 / Player.speedStep))
        case .character("]"): request(.speed(factor: Player.speedStep))
        case .character("\u{7F}"), .character("\u{8}"): request(.speed(factor: nil))
        case .character("n"): request(.next)
        case .character("p"): request(.previous)
        case .character("?"): console.show(PlayOptions.keys)
        case .character("q"):
            stop()
            end(feeder.hasFailures ? .failure : .success)
        default: break
        }
    }

    func setPaused(_ paused: Bool) {
        guard let queue, paused != isPaused else { return }
        // A speed that was first chosen during the pause needs another queue.
        if !paused, speed != 1, !hasSpeedControl {
            isPaused = false
            if !restart() { isPaused = true }
            return
        }
        do throws(QueueError) {
            if paused {
                // Before the queue is paused, because an asynchronous stop resumes a paused queue.
                feeder.setPaused(true)
                try queue.pause()
            } else {
                try queue.start()
                hasStarted = true
                feeder.setPaused(false)
            }
            isPaused = paused
        } catch {
            console.error("cannot \(paused ? "pause" : "resume"): \(error.message)")
        }
    }

    private func changeGain(by decibels: Float) {
        // From silence, the volume has to be able to rise again. Below -60 dB is silence.
        let current = max(GainParser.decibels(gain), -62)
        let next = min(0, current + decibels)
        setGain(next < -60 ? 0 : GainParser.gain(decibels: next))
    }

    func setGain(_ newGain: Float) {
        gain = newGain
        queue?.setVolume(gain, rampSeconds: 0.02)
        gainNewsEnd = MonotonicClock.seconds + Player.gainNewsSeconds
    }

    /// The keys that have an effect while a track on a server is opened.
    private func pressWhileOpening(_ key: Key) {
        switch key {
        case .character("n"): feeder.skipAwaitedTrack()
        case .character("?"): console.show(PlayOptions.keys)
        case .character("q"): end(feeder.hasFailures ? .failure : .success)
        default: break
        }
    }

    /// Continues from another position, and stays paused if it was: in the same queue, or in a new one if this one is
    /// about to end.
    ///
    /// - Parameter needsQueue: Whether to continue in a new queue in any case.
    /// - Returns: False if nothing was done, because a file is being read.
    @discardableResult
    func jump(to target: Feeder.Target, needsQueue: Bool = false) -> Bool {
        update()
        guard let queue, lastStatus.current != nil, let canGoOn = feeder.hold(playedFrames: playedFrames)
        else { return false }
        do throws(QueueError) {
            // A queue that was not started would not report its end.
            if canGoOn, !needsQueue, hasStarted {
                try queue.reset()
                lastPlayedFrames = 0
                feeder.resume(at: target)
            } else {
                try queue.stop(immediate: true)
                feeder.restart(at: target)
                update()
                close(queue)
                openQueue()
            }
        } catch {
            console.error("cannot seek: \(error.message)")
            end(.failure)
        }
        remote?.didJump()
        update()
        return true
    }
}
