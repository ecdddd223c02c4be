// SPDX-License-Identifier: MIT

import CAQRealTime

/// The playback clock of one stream: written by the device's thread, readable from any thread.
final class PlaybackClock: Sendable {
    /// The state of the clock, written by the device's thread.
    struct State {
        /// The frame that was audible at `anchorHostTime`.
        var anchorFrame = 0.0
        var anchorHostTime: UInt64 = 0
        /// Frames per nanosecond; 0 while the clock is stopped.
        var frameRate = 0.0
        /// The frames passed to the device; no later frame can be audible.
        var limitFrame = 0.0
        /// The frame that readers got at the last correction. A clock that was corrected backwards waits at this frame.
        fileprivate(set) var floorFrame = 0.0
        /// The silence of underruns that have ended, in frames.
        var silentFrames = 0.0
        /// The host time at which the current underrun began; 0 if there is none.
        var starvedSince: UInt64 = 0
        /// The number subtracted from frames and silence to get the position on the timeline.
        var timelineZero = 0.0
        /// The first frame that counts as played since the last start, stop or flush.
        var playedZero = 0.0
        var isRunning = false
        var discontinuities = 0
        /// The device's clock, which also runs while the stream's clock is stopped.
        var device = DeviceClockAnchor()

        /// The frame audible at `hostTime`.
        @_noLocks func frame(at hostTime: UInt64) -> Double {
            let elapsed = hostTime > anchorHostTime ? Double(hostTime &- anchorHostTime) * frameRate : 0
            return max(floorFrame, min(limitFrame, anchorFrame + elapsed))
        }

        /// Corrects the clock: `frame` is audible at `hostTime`. The position that readers get never decreases.
        @_noLocks mutating func setAnchor(_ frame: Double, at hostTime: UInt64) {
            floorFrame = self.frame(at: hostTime)
            anchorFrame = frame
            anchorHostTime = hostTime
        }

        /// Sets the clock to another frame, which may be an earlier one.
        mutating func jump(to frame: Double, at hostTime: UInt64) {
            floorFrame = frame
            anchorFrame = frame
            anchorHostTime = hostTime
        }

        /// Ends the current underrun, if there is one, and counts its silence.
        @_noLocks mutating func endSilence(at hostTime: UInt64, nominalRate: Double) {
            silentFrames = silence(at: hostTime, nominalRate: nominalRate)
            starvedSince = 0
        }

        /// Frames of silence up to `hostTime`, at `nominalRate` frames per nanosecond.
        @_noLocks func silence(at hostTime: UInt64, nominalRate: Double) -> Double {
            guard starvedSince != 0, hostTime > starvedSince else { return silentFrames }
            return silentFrames + Double(hostTime &- starvedSince) * nominalRate
        }
    }

    /// Frames per nanosecond.
    let nominalRate: Double
    private let published = SequenceLock(State())

    init(sampleRate: Double) { nominalRate = sampleRate / 1e9 }

    /// Publishes a new state. Called by one thread at a time. REAL-TIME.
    @_noLocks func publish(_ state: borrowing State) {
        var state = copy state
        unsafe published.publish(&state)
    }

    /// A consistent copy of the last published state.
    func snapshot() -> State {
        var state = State()
        published.read(into: &state)
        return state
    }

    /// The current position.
    func position() -> PlaybackPosition {
        let state = snapshot()
        let now = aq_host_time()
        let frame = state.frame(at: now)
        let silence = state.silence(at: now, nominalRate: nominalRate)
        return PlaybackPosition(
            timelineFrames: frame + silence - state.timelineZero,
            playedFrames: max(0, frame - state.playedZero),
            otherFrames: silence - state.timelineZero + state.playedZero,
            hostTime: now, isRunning: state.isRunning, discontinuities: state.discontinuities)
    }

    /// The device's clock now; nil while the stream does not run.
    ///
    /// - Parameter deviceRate: The device's own sample rate, in hertz.
    func deviceReading(deviceRate: Double) -> DeviceClockReading? {
        let state = snapshot()
        guard state.isRunning else { return nil }
        return state.device.reading(
            at: aq_host_time(), streamRate: nominalRate * 1e9, deviceRate: deviceRate)
    }
}
