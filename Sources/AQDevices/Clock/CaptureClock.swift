// SPDX-License-Identifier: MIT

import CAQRealTime

/// The capture clock of one stream: written by the device's thread, readable from any thread.
///
/// Between two fragments the clock advances at the sample rate, but by at most one fragment, because a device that
/// stops answering captures nothing.
final class CaptureClock: @unchecked Sendable {
    // SAFETY: only the writer uses `latest`, and the lock supports many threads.

    /// The state of the clock, written by the device's thread.
    struct State {
        /// The frames captured up to `anchorHostTime`.
        fileprivate(set) var anchorFrame = 0.0
        fileprivate(set) var anchorHostTime: UInt64 = 0
        /// Frames per nanosecond; 0 while the clock is stopped.
        var frameRate = 0.0
        /// The frame that the clock may reach before its next correction: one fragment ahead.
        var limitFrame = 0.0
        /// The frame that readers got at the last correction. A clock that was corrected backwards waits at this frame.
        fileprivate(set) var floorFrame = 0.0
        var isRunning = false
        var discontinuities = 0
        var overruns = 0
        var lostFrames: Int64 = 0
        var interruptions = 0
        var interruptedFrames: Int64 = 0
        var holeFrames: Int64 = 0
        /// The device's clock, which also runs while the stream's clock is stopped.
        var device = DeviceClockAnchor()

        /// The frames captured up to `hostTime`.
        @_noLocks func frame(at hostTime: UInt64) -> Double {
            let elapsed = hostTime > anchorHostTime ? Double(hostTime &- anchorHostTime) * frameRate : 0
            return max(floorFrame, min(limitFrame, anchorFrame + elapsed))
        }

        /// Corrects the clock: `frame` frames were captured up to `hostTime`. The position that readers get never
        /// decreases.
        ///
        /// The caller must then set ``limitFrame``.
        @_noLocks mutating func setAnchor(frame: Double, at hostTime: UInt64) {
            floorFrame = self.frame(at: hostTime)
            anchorFrame = frame
            anchorHostTime = hostTime
        }

        /// Begins a new timeline: frame 0, all counts 0. The device's clock continues.
        mutating func restart(at hostTime: UInt64) {
            let device = device
            self = State()
            anchorHostTime = hostTime
            self.device = device
        }
    }

    private let published = SequenceLock(State())
    /// The writer's copy of the last published state.
    private var latest = State()

    /// Publishes a new state. Called by one thread at a time. REAL-TIME.
    @_noLocks func publish(_ state: borrowing State) {
        latest = copy state
        publishLatest()
    }

    /// Publishes only the losses, ahead of the next state, because the client reads them when it gets the overrun
    /// event. Called by the thread that calls ``publish(_:)``. REAL-TIME.
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

    /// A consistent copy of the last published state.
    func snapshot() -> State {
        var state = State()
        published.read(into: &state)
        return state
    }

    /// The current position. From any thread; never waits.
    func position() -> CapturePosition {
        let state = snapshot()
        let now = aq_host_time()
        return CapturePosition(
            timelineFrames: state.frame(at: now), hostTime: now, isRunning: state.isRunning,
            discontinuities: state.discontinuities, overruns: state.overruns, lostFrames: state.lostFrames,
            interruptions: state.interruptions, interruptedFrames: state.interruptedFrames,
            holeFrames: state.holeFrames)
    }

    /// The device's clock now; nil while the stream does not run.
    ///
    /// - Parameters:
    ///   - streamRate: The stream's sample rate, in hertz.
    ///   - deviceRate: The device's own sample rate, in hertz.
    func deviceReading(streamRate: Double, deviceRate: Double) -> DeviceClockReading? {
        let state = snapshot()
        guard state.isRunning else { return nil }
        return state.device.reading(at: aq_host_time(), streamRate: streamRate, deviceRate: deviceRate)
    }
}
