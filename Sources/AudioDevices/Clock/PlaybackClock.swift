import CRealTime

/// The playback clock of one stream: written by the device's thread, read by any.
final class PlaybackClock: Sendable {
    /// The time as the device's thread knows it.
    struct State {
        /// The frame that was heard at `anchorHostTime`.
        var anchorFrame = 0.0
        var anchorHostTime: UInt64 = 0
        /// Frames a nanosecond; 0 while the clock stands.
        var frameRate = 0.0
        /// Frames handed to the device: none beyond can have been heard.
        var limitFrame = 0.0
        /// The frame that readers got at the last correction: a clock that was too fast waits there until it is right.
        fileprivate(set) var floorFrame = 0.0
        /// Frames of silence heard in underruns that are over.
        var silentFrames = 0.0
        /// When the present underrun began; 0 when there is none.
        var starvedSince: UInt64 = 0
        /// The frame of the timeline's zero, less the silence before it.
        var timelineZero = 0.0
        /// The first frame that counts as played since the last start, stop or flush.
        var playedZero = 0.0
        var isRunning = false
        var discontinuities = 0
        /// The device's clock, which goes on when the stream's stands.
        var device = DeviceClockAnchor()

        /// The frame heard at `hostTime`.
        @_noLocks func frame(at hostTime: UInt64) -> Double {
            let elapsed = hostTime > anchorHostTime ? Double(hostTime &- anchorHostTime) * frameRate : 0
            return max(floorFrame, min(limitFrame, anchorFrame + elapsed))
        }

        /// Corrects the clock: `frame` is heard at `hostTime`. Readers see no step backwards.
        @_noLocks mutating func setAnchor(_ frame: Double, at hostTime: UInt64) {
            floorFrame = self.frame(at: hostTime)
            anchorFrame = frame
            anchorHostTime = hostTime
        }

        /// Sets the clock to another place in the numbering of frames, backwards too.
        mutating func jump(to frame: Double, at hostTime: UInt64) {
            floorFrame = frame
            anchorFrame = frame
            anchorHostTime = hostTime
        }

        /// Ends the present underrun, if there is one, and counts its silence.
        @_noLocks mutating func endSilence(at hostTime: UInt64, nominalRate: Double) {
            silentFrames = silence(at: hostTime, nominalRate: nominalRate)
            starvedSince = 0
        }

        /// Frames of silence up to `hostTime`, at `nominalRate` frames a nanosecond.
        @_noLocks func silence(at hostTime: UInt64, nominalRate: Double) -> Double {
            guard starvedSince != 0, hostTime > starvedSince else { return silentFrames }
            return silentFrames + Double(hostTime &- starvedSince) * nominalRate
        }
    }

    /// Frames a nanosecond.
    let nominalRate: Double
    private let published = SequenceLock(State())

    init(sampleRate: Double) { nominalRate = sampleRate / 1e9 }

    /// Publishes a new state. One writer at a time. REAL-TIME.
    @_noLocks func publish(_ state: borrowing State) {
        var state = copy state
        unsafe published.publish(&state)
    }

    /// A consistent copy of the state last published.
    func snapshot() -> State {
        var state = State()
        published.read(into: &state)
        return state
    }

    /// The position at this moment.
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

    /// The device's clock at this moment, while the stream runs.
    ///
    /// - Parameter deviceRate: The device's own sample rate, in hertz.
    func deviceReading(deviceRate: Double) -> DeviceClockReading? {
        let state = snapshot()
        guard state.isRunning else { return nil }
        return state.device.reading(
            at: aq_host_time(), streamRate: nominalRate * 1e9, deviceRate: deviceRate)
    }
}
