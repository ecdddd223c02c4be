import CRealTime
import Synchronization

/// The capture clock of one stream: set by the device's thread, read by any, without a lock.
///
/// A sequence lock, as ``PlaybackClock`` is. Between two fragments the clock runs on at the sample rate, but
/// by no more than one fragment: a device that stopped answering captures nothing.
final class CaptureClock: Sendable {
    /// What the device's thread knows about the time.
    struct State {
        /// The frames captured until `anchorHostTime`.
        fileprivate(set) var anchorFrame = 0.0
        fileprivate(set) var anchorHostTime: UInt64 = 0
        /// Frames a nanosecond; 0 while the clock stands.
        var frameRate = 0.0
        /// How far the clock runs on before it is corrected: one fragment.
        var limitFrame = 0.0
        /// What readers were told at the last correction: a clock that was too fast stands until it is true.
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

    private let sequence = Atomic<UInt64>(0)
    private let anchorFrame = Atomic<UInt64>(0)
    private let anchorHostTime = Atomic<UInt64>(0)
    private let frameRate = Atomic<UInt64>(0)
    private let limitFrame = Atomic<UInt64>(0)
    private let floorFrame = Atomic<UInt64>(0)
    private let isRunning = Atomic<Bool>(false)
    private let discontinuities = Atomic<Int>(0)
    private let overruns = Atomic<Int>(0)
    private let lostFrames = Atomic<Int64>(0)
    private let interruptions = Atomic<Int>(0)
    private let interruptedFrames = Atomic<Int64>(0)
    private let holeFrames = Atomic<Int64>(0)
    private let deviceFrame = Atomic<UInt64>(0)
    private let deviceHostTime = Atomic<UInt64>(0)
    private let deviceRate = Atomic<UInt64>(0)

    /// Publishes a new state. One writer at a time. REAL-TIME.
    @_noLocks func publish(_ state: borrowing State) {
        let number = beginWriting()
        anchorFrame.store(state.anchorFrame.bitPattern, ordering: .relaxed)
        anchorHostTime.store(state.anchorHostTime, ordering: .relaxed)
        frameRate.store(state.frameRate.bitPattern, ordering: .relaxed)
        limitFrame.store(state.limitFrame.bitPattern, ordering: .relaxed)
        floorFrame.store(state.floorFrame.bitPattern, ordering: .relaxed)
        isRunning.store(state.isRunning, ordering: .relaxed)
        discontinuities.store(state.discontinuities, ordering: .relaxed)
        overruns.store(state.overruns, ordering: .relaxed)
        lostFrames.store(state.lostFrames, ordering: .relaxed)
        interruptions.store(state.interruptions, ordering: .relaxed)
        interruptedFrames.store(state.interruptedFrames, ordering: .relaxed)
        holeFrames.store(state.holeFrames, ordering: .relaxed)
        deviceFrame.store(state.device.frame.bitPattern, ordering: .relaxed)
        deviceHostTime.store(state.device.hostTime, ordering: .relaxed)
        deviceRate.store(state.device.rate.bitPattern, ordering: .relaxed)
        endWriting(number)
    }

    /// Publishes what was lost until now, ahead of the state that will tell it too: a client that is told of an
    /// overrun looks here at once. By the writer of ``publish(_:)``. REAL-TIME.
    @_noLocks func publishLosses(overruns newOverruns: Int, lostFrames newLostFrames: Int64) {
        let number = beginWriting()
        discontinuities.add(newOverruns &- overruns.load(ordering: .relaxed), ordering: .relaxed)
        overruns.store(newOverruns, ordering: .relaxed)
        lostFrames.store(newLostFrames, ordering: .relaxed)
        endWriting(number)
    }

    @_noLocks private func beginWriting() -> UInt64 {
        let number = sequence.load(ordering: .relaxed)
        sequence.store(number &+ 1, ordering: .relaxed)
        atomicMemoryFence(ordering: .releasing)
        return number
    }

    @_noLocks private func endWriting(_ number: UInt64) {
        sequence.store(number &+ 2, ordering: .releasing)
    }

    /// A consistent copy of the state last published.
    func snapshot() -> State {
        while true {
            let before = sequence.load(ordering: .acquiring)
            guard before & 1 == 0 else { continue }
            var state = State()
            state.anchorFrame = Double(bitPattern: anchorFrame.load(ordering: .relaxed))
            state.anchorHostTime = anchorHostTime.load(ordering: .relaxed)
            state.frameRate = Double(bitPattern: frameRate.load(ordering: .relaxed))
            state.limitFrame = Double(bitPattern: limitFrame.load(ordering: .relaxed))
            state.floorFrame = Double(bitPattern: floorFrame.load(ordering: .relaxed))
            state.isRunning = isRunning.load(ordering: .relaxed)
            state.discontinuities = discontinuities.load(ordering: .relaxed)
            state.overruns = overruns.load(ordering: .relaxed)
            state.lostFrames = lostFrames.load(ordering: .relaxed)
            state.interruptions = interruptions.load(ordering: .relaxed)
            state.interruptedFrames = interruptedFrames.load(ordering: .relaxed)
            state.holeFrames = holeFrames.load(ordering: .relaxed)
            state.device = DeviceClockAnchor(
                frame: Double(bitPattern: deviceFrame.load(ordering: .relaxed)),
                hostTime: deviceHostTime.load(ordering: .relaxed),
                rate: Double(bitPattern: deviceRate.load(ordering: .relaxed)))
            atomicMemoryFence(ordering: .acquiring)
            if sequence.load(ordering: .relaxed) == before { return state }
        }
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
