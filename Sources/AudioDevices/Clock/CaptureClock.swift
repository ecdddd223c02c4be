import CRealTime

/// The capture clock of one stream: written by the device's thread, read by any.
///
/// Between two fragments the clock runs on at the sample rate, but by no more than one fragment: a device that stopped
/// answering captures nothing.
final class CaptureClock: @unchecked Sendable {
    // SAFETY: `latest` belongs to the writer, and the lock is made for many threads.

    /// The time as the device's thread knows it.
    struct State {
        /// The frames captured until `anchorHostTime`.
        fileprivate(set) var anchorFrame = 0.0
        fileprivate(set) var anchorHostTime: UInt64 = 0
        /// Frames a nanosecond; 0 while the clock stands.
        var frameRate = 0.0
        /// How far the clock runs on before it is corrected: one fragment.
        var limitFrame = 0.0
        /// The frame that readers got at the last correction: a clock that was too fast waits there until it is right.
        fileprivate(set) var floorFrame = 0.0
        var isRunning = false
        var discontinuities = 0
        var overruns = 0
        var lostFrames: Int64 = 0
        var interruptions = 0
        var interruptedFrames: Int64 = 0
        var holeFrames: Int64 = 0
        /// The device's clock, which goes on when the stream's stands.
        var device = DeviceClockAnchor()

        /// The frames captured until `hostTime`.
        @_noLocks func frame(at hostTime: UInt64) -> Double {
            let elapsed = hostTime > anchorHostTime ? Double(hostTime &- anchorHostTime) * frameRate : 0
            return max(floorFrame, min(limitFrame, anchorFrame + elapsed))
        }

        /// Corrects the clock: `frame` frames were captured until `hostTime`. Readers see no step backwards.
        ///
        /// Set ``limitFrame`` after it.
        @_noLocks mutating func setAnchor(frame: Double, at hostTime: UInt64) {
            floorFrame = self.frame(at: hostTime)
            anchorFrame = frame
            anchorHostTime = hostTime
        }

        /// Begins a new timeline: frame 0, with nothing counted. The device's clock goes on.
        mutating func restart(at hostTime: UInt64) {
            let device = device
            self = State()
            anchorHostTime = hostTime
            self.device = device
        }
    }

    private let published = SequenceLock(State())
    /// The writer's own copy of the state published last.
    private var latest = State()

    /// Publishes a new state. One writer at a time. REAL-TIME.
    @_noLocks func publish(_ state: borrowing State) {
        latest = copy state
        publishLatest()
    }

    /// Publishes the frames lost so far ahead of the state that will contain them: a client that is called for an
    /// overrun reads them at once. By the writer of ``publish(_:)``. REAL-TIME.
    @_noLocks func publishLosses(overruns: Int, lostFrames: Int64) {
        latest.discontinuities &+= overruns &- latest.overruns
        latest.overruns = overruns
        latest.lostFrames = lostFrames
        publishLatest()
    }

    @_noLocks private func publishLatest() {
        var state = latest
        unsafe published.publish(&state)
    }

    /// A consistent copy of the state last published.
    func snapshot() -> State {
        var state = State()
        published.read(into: &state)
        return state
    }

    /// The position at this moment. From any thread; never waits.
    func position() -> CapturePosition {
        let state = snapshot()
        let now = aq_host_time()
        return CapturePosition(
            timelineFrames: state.frame(at: now), hostTime: now, isRunning: state.isRunning,
            discontinuities: state.discontinuities, overruns: state.overruns, lostFrames: state.lostFrames,
            interruptions: state.interruptions, interruptedFrames: state.interruptedFrames,
            holeFrames: state.holeFrames)
    }

    /// The device's clock at this moment, while the stream runs.
    ///
    /// - Parameters:
    ///   - streamRate: The stream's sample rate, in hertz.
    ///   - deviceRate: The device's own.
    func deviceReading(streamRate: Double, deviceRate: Double) -> DeviceClockReading? {
        let state = snapshot()
        guard state.isRunning else { return nil }
        return state.device.reading(at: aq_host_time(), streamRate: streamRate, deviceRate: deviceRate)
    }
}
