// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A capture stream without hardware: its device provides the frames and their times.
///
/// Control calls are carried out under the stream's lock, which is never held during a wait. They run on the caller's
/// thread, or on the device's own thread if there is one. In the second case, frames captured before the call are
/// delivered first.
final class SoftwareInputStream: InputStream {
    enum Command {
        case start(fragmentFrames: Int, hostTime: UInt64)
        case pause(ticket: UInt64), stop(ticket: UInt64), flush(ticket: UInt64), reset(ticket: UInt64)
        case close(ticket: UInt64)
    }

    enum Mode { case idle, running, paused, interrupted, closed }

    struct State {
        var mode = Mode.idle
        var fragmentFrames: Int
        /// Whether `.started` is posted with the next frames.
        var isStarting = false
        /// Frames captured before this time are dropped; 0 after the first frame that was not.
        var startHostTime: UInt64 = 0
        /// The device's time in frames, if it has no other clock.
        var deviceFrames = 0.0
        var clock = CaptureClock.State()
        /// The number of interruptions, which count as discontinuities like overruns.
        var breaks = 0
        /// Calls that the device's thread has not carried out.
        var commands: [Command] = []
    }

    let feed: StreamFeed
    let format: SampleFormat
    let filler: SegmentFiller
    private let clock = CaptureClock()
    let held: HeldFrames
    let state: Monitor<State>
    /// Whether frames, or the device's thread, wait for a segment. If not, ``roomAvailable()`` does nothing.
    private let waitsForRoom = Atomic<Bool>(false)
    private let deviceName: String
    private let native: (sampleRate: Double, channels: Int)
    /// The shortest fragment of a device whose clock runs between two fragments; 0 for other devices.
    private let periodFrames: Int
    /// Whether the device has a thread that carries out calls with ``carryOutCommand()``.
    private let hasThread: Bool

    /// The longest fragment, and the longest audio held, in seconds. Requests are limited to this.
    private static let longestSeconds = 10.0

    init(
        _ configuration: InputStreamConfiguration, deviceName: String,
        native: (sampleRate: Double, channels: Int), periodFrames: Int, hasThread: Bool
    ) {
        format = configuration.format
        feed = StreamFeed()
        filler = SegmentFiller(format: format, feed: feed, clock: clock)
        let seconds = max(0, min(configuration.heldSeconds, SoftwareInputStream.longestSeconds))
        held = HeldFrames(format: format, capacityFrames: Int(seconds * format.sampleRate), filler: filler)
        state = Monitor(State(fragmentFrames: max(1, periodFrames)))
        self.deviceName = deviceName
        self.native = native
        self.periodFrames = periodFrames
        self.hasThread = hasThread
    }

    private var hasClock: Bool { periodFrames > 0 }

    // MARK: Control

    func start(fragmentFrames: Int) { start(fragmentFrames: fragmentFrames, atHostTime: 0) }
    func start(fragmentFrames: Int, atHostTime hostTime: UInt64) {
        // Limited, so that sums of times cannot overflow.
        perform(.start(fragmentFrames: fragmentFrames, hostTime: min(hostTime, .max / 2)))
    }
    func pause(ticket: UInt64) { perform(.pause(ticket: ticket)) }
    func stop(ticket: UInt64) { perform(.stop(ticket: ticket)) }
    func flush(ticket: UInt64) { perform(.flush(ticket: ticket)) }
    func reset(ticket: UInt64) { perform(.reset(ticket: ticket)) }
    func close(ticket: UInt64) { perform(.close(ticket: ticket)) }

    func roomAvailable() {
        guard waitsForRoom.load(ordering: .sequentiallyConsistent) else { return }
        state.withLock { state in
            waitsForRoom.store(false, ordering: .sequentiallyConsistent)
            handOutHeld()
            publish(&state)
        }
        state.notifyAll()
    }

    func setGain(_ gain: Float) { state.withLock { _ in filler.gain = gain } }

    func setMetering(_ isOn: Bool) { filler.meter.setOn(isOn) }

    func levels() -> [ChannelLevel] { filler.meter.newestLevels() }

    func position() -> CapturePosition { clock.position() }

    /// The device's clock: the host time, or the number of captured frames if frames are the only clock.
    var deviceClock: DeviceClockReading? {
        let now = aq_host_time()
        let (isRunning, captured) = state.withLock { ($0.mode == .running, $0.deviceFrames) }
        guard isRunning else { return nil }
        let seconds = hasClock ? Double(now) / 1e9 : captured / format.sampleRate
        return DeviceClockReading(
            frames: seconds * native.sampleRate, hostTime: now, framesPerSecond: native.sampleRate,
            nominalFramesPerSecond: native.sampleRate)
    }

    var granted: GrantedLatency? {
        let frames = state.withLock { $0.fragmentFrames }
        return GrantedLatency(
            targetFrames: frames, requestFrames: frames,
            measuredSeconds: hasClock ? Double(frames) / format.sampleRate : 0, deviceName: deviceName,
            deviceSampleRate: native.sampleRate, deviceChannels: native.channels)
    }

    private func perform(_ command: Command) {
        guard hasThread else {
            state.withLock { carryOut(command, &$0) }
            return
        }
        state.withLock { state in
            if state.mode != .closed { state.commands.append(command) }
        }
        state.notifyAll()
    }

    // MARK: The device's thread

    var isClosed: Bool { state.withLock { $0.mode == .closed } }

    /// Carries out the oldest waiting call.
    func carryOutCommand() {
        state.withLock { state in
            guard !state.commands.isEmpty else { return }
            carryOut(state.commands.removeFirst(), &state)
            if state.mode == .closed { state.commands.removeAll() }
        }
    }

    /// The state that determines the next action of the device's thread.
    struct Moment {
        var isRunning: Bool
        var hasCommand: Bool
        var isClosed: Bool
        /// The next frame of the timeline.
        var frame: Int64
        var fragmentFrames: Int
        /// The time to capture the next frame; 0 for as soon as possible.
        var startHostTime: UInt64
    }

    /// Waits until there is a call to carry out, or `deadline` passes. With `forRoom`, room for a frame also ends the
    /// wait of a running stream.
    func wait(until deadline: UInt64, forRoom: Bool) -> Moment {
        _ = state.wait(until: deadline) { state in
            guard state.commands.isEmpty, state.mode != .closed else { return false }
            guard forRoom, state.mode == .running else { return true }
            waitsForRoom.store(true, ordering: .sequentiallyConsistent)
            return !filler.hasRoom
        }
        return moment
    }

    /// The current state for the device's thread.
    var moment: Moment {
        state.withLock { state in
            Moment(
                isRunning: state.mode == .running, hasCommand: !state.commands.isEmpty,
                isClosed: state.mode == .closed, frame: timelineFrame, fragmentFrames: state.fragmentFrames,
                startHostTime: state.startHostTime)
        }
    }

    /// The duration of `frames` frames.
    func nanoseconds(_ frames: Int) -> UInt64 { UInt64(Double(frames) * 1e9 / format.sampleRate) }

    // MARK: With the lock held

    var timelineFrame: Int64 { filler.frame + Int64(held.frames) }

    private func carryOut(_ command: Command, _ state: inout State) {
        // `.closed` was the last event.
        if state.mode == .closed { return }
        switch command {
        case .start(let fragmentFrames, let hostTime):
            switch state.mode {
            case .idle, .paused:
                if state.mode == .idle { beginTimeline(&state) }
                let longest = Int(format.sampleRate * SoftwareInputStream.longestSeconds)
                state.fragmentFrames = max(1, periodFrames, min(fragmentFrames, longest))
                state.mode = .running
                state.isStarting = true
                state.startHostTime = hostTime > aq_host_time() ? hostTime : 0
                runClock(&state, true)
            case .running, .interrupted, .closed: break
            }
        case .pause(let ticket):
            if state.mode == .running || state.mode == .interrupted { state.mode = .paused }
            runClock(&state, false)
            feed.post(.paused, token: ticket)
        case .stop(let ticket):
            giveBackAll()
            state.mode = .idle
            runClock(&state, false)
            feed.post(.stopped, token: ticket)
        case .flush(let ticket):
            handOutHeld()
            filler.handOver()
            publish(&state)
            feed.post(.flushed, token: ticket)
        case .reset(let ticket):
            handOutHeld()
            filler.returnAll()
            publish(&state)
            feed.post(.reset, token: ticket)
        case .close(let ticket):
            giveBackAll()
            state.mode = .closed
            runClock(&state, false)
            feed.post(.closed, token: ticket)
        }
    }

    /// Returns how many of the next `frames` frames are before the start time and must be dropped. The first frame was
    /// captured at `hostTime`.
    func takeEarly(_ state: inout State, frames: Int, hostTime: UInt64) -> Int {
        guard state.startHostTime != 0 else { return 0 }
        if state.startHostTime > hostTime {
            let early = Double(state.startHostTime - hostTime) * format.sampleRate / 1e9
            // A frame that is early by less than half its length is in time.
            guard early.rounded() < Double(frames) else { return frames }
            state.startHostTime = 0
            runClock(&state, true)
            return Int(early.rounded())
        }
        state.startHostTime = 0
        runClock(&state, true)
        return 0
    }

    func noteStart(_ state: inout State) {
        guard state.isStarting else { return }
        state.isStarting = false
        feed.post(.started)
    }

    /// Moves held frames into newly enqueued segments.
    func handOutHeld() {
        held.drain()
        if held.isEmpty { return }
        waitsForRoom.store(true, ordering: .sequentiallyConsistent)
        // A segment may have been enqueued before the flag was set.
        held.drain()
    }

    func addSilence(frames: Int, hostTime: UInt64) {
        unsafe filler.measure(nil, frames: frames, endFrame: timelineFrame + Int64(frames))
        held.appendSilence(frames: frames, hostTime: hostTime)
        handOutHeld()
    }

    /// Moves captured frames into the enqueued segments, and returns all segments.
    ///
    /// Held frames without a segment are dropped and not counted as lost: a client that has all the frames it needs
    /// enqueues no more segments before it stops.
    func giveBackAll() {
        held.drain()
        filler.returnAll()
        held.discard()
    }

    private func beginTimeline(_ state: inout State) {
        feed.clearFailure()
        filler.restart()
        state.breaks = 0
        state.clock.restart(at: aq_host_time())
    }

    func runClock(_ state: inout State, _ isRunning: Bool, adding frames: Int = 0) {
        state.clock.isRunning = isRunning
        let isMoving = isRunning && hasClock && state.startHostTime == 0
        state.clock.frameRate = isMoving ? format.sampleRate / 1e9 : 0
        anchor(&state, adding: frames, at: aq_host_time())
    }

    /// Corrects the clock: everything captured until `hostTime` has arrived, and the last `frames` frames are about to
    /// be added. Called before they are added, because the client may read the clock as soon as it gets them.
    func anchor(_ state: inout State, adding frames: Int = 0, at hostTime: UInt64) {
        let frame = Double(timelineFrame + Int64(frames))
        state.clock.setAnchor(frame: frame, at: hostTime)
        let ahead = hasClock && state.clock.isRunning ? Double(state.fragmentFrames) : 0
        state.clock.limitFrame = frame + ahead
        publish(&state)
    }

    private func publish(_ state: inout State) {
        state.clock.overruns = filler.overruns
        state.clock.lostFrames = filler.lostFrames
        state.clock.discontinuities = state.breaks + filler.overruns
        clock.publish(state.clock)
    }
}
