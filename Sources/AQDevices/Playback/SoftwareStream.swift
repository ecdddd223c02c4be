// SPDX-License-Identifier: MIT

import CAQRealTime
import Synchronization

/// A playback stream without hardware: its device advances the stream's time.
///
/// Control calls take effect at once, on the caller's thread, under the stream's lock. The lock is never held during a
/// wait, so that no thread waits for it longer than one rendering takes.
final class SoftwareStream: OutputStream {
    private enum Mode { case idle, running, paused, interrupted, closed }

    private struct State {
        var mode = Mode.idle
        /// The ticket of a drain in progress.
        var drainTicket: UInt64?
        var clock = PlaybackClock.State()
        /// The time at which the next frame should be audible, if the clock runs between two calls of
        /// ``advance(frames:into:)``; 0 for as soon as possible.
        var startHostTime: UInt64 = 0
        /// The silence before the next frame, in frames, if the device has no other clock.
        var leadFrames = 0
        /// The device's time in frames, if it has no other clock.
        var deviceFrames = 0.0
        /// Whether audio was rendered since the last start or flush. If not, an empty feed is no underrun.
        var hasPlayed = false
        var isStarved = false

        /// Whether enqueued audio plays, not silence.
        var isAudible: Bool {
            mode == .running && hasPlayed && !isStarved && startHostTime == 0 && leadFrames == 0
        }
    }

    let feed: StreamFeed
    let format: SampleFormat
    private let renderer: Renderer
    private let clock: PlaybackClock
    private let deviceName: String
    private let requestFrames: Int
    /// Whether the clock runs between two calls of ``advance(frames:into:)``.
    private let hasClock: Bool
    private let state = Monitor(State())

    init(_ configuration: OutputStreamConfiguration, deviceName: String, requestFrames: Int, hasClock: Bool) {
        format = configuration.format
        feed = StreamFeed()
        renderer = Renderer(format: format, feed: feed, historyFrames: max(1, requestFrames))
        clock = PlaybackClock(sampleRate: format.sampleRate)
        self.deviceName = deviceName
        self.requestFrames = requestFrames
        self.hasClock = hasClock
    }

    // MARK: Control

    /// Does nothing: there is no connection.
    func prepare() {}

    func start() { start(atHostTime: 0) }

    func start(atHostTime hostTime: UInt64) {
        state.withLock { state in
            switch state.mode {
            case .idle, .paused:
                if state.mode == .idle { beginTimeline(&state) }
                waitForStart(&state, at: hostTime)
                state.mode = .running
                runClock(&state, true)
                feed.post(.started)
                finishDrainIfEmpty(&state)
            case .running, .interrupted, .closed: break
            }
        }
    }

    func pause(ticket: UInt64) {
        state.withLock { state in
            if state.mode == .running || state.mode == .interrupted { state.mode = .paused }
            runClock(&state, false)
            feed.post(.paused, token: ticket)
        }
    }

    func stop(ticket: UInt64) {
        state.withLock { state in
            drop(&state)
            if state.mode != .closed { state.mode = .idle }
            runClock(&state, false)
            feed.post(.stopped, token: ticket)
        }
    }

    func flush(ticket: UInt64) {
        state.withLock { state in
            drop(&state)
            clock.publish(state.clock)
            feed.post(.flushed, token: ticket)
        }
    }

    func drain(ticket: UInt64) {
        state.withLock { state in
            switch state.mode {
            case .running, .paused, .interrupted:
                if let earlier = state.drainTicket { feed.post(.drained, token: earlier) }
                state.drainTicket = ticket
                finishDrainIfEmpty(&state)
            case .idle, .closed:
                feed.post(.drained, token: ticket)
            }
        }
    }

    func close(ticket: UInt64) {
        state.withLock { state in
            drop(&state)
            state.mode = .closed
            runClock(&state, false)
            feed.post(.closed, token: ticket)
        }
    }

    func dataAvailable() {}

    func setGain(_ gain: Float, rampSeconds: Double) {
        state.withLock { _ in
            let frames = Int64(max(0, min(rampSeconds, 3600)) * format.sampleRate)
            renderer.volume.ramp(to: GainRamp.valid(gain), from: renderer.cursor, frames: frames)
        }
    }

    func setPan(_ pan: Float) { state.withLock { _ in renderer.movePan(to: pan, frames: 0) } }

    func setMetering(_ isOn: Bool) { renderer.meter.setOn(isOn) }

    func levels() -> [ChannelLevel] {
        let playedFrame = clock.snapshot().frame(at: aq_host_time())
        let (isAudible, gain, position) = state.withLock { state in
            (
                state.isAudible, renderer.volume.value(at: Int64(playedFrame)),
                renderer.pan.value(at: Int64(playedFrame))
            )
        }
        guard isAudible else { return renderer.meter.silence() }
        return renderer.meter.levels(at: playedFrame).scaled(gain: gain, position: position)
    }

    var segmentGain: Float? {
        let playedFrame = clock.snapshot().frame(at: aq_host_time())
        return state.withLock { _ in renderer.volume.inForce(at: Int64(playedFrame)).segmentValue }
    }

    var segmentPan: Float? {
        let playedFrame = clock.snapshot().frame(at: aq_host_time())
        return state.withLock { _ in renderer.pan.inForce(at: Int64(playedFrame)).segmentValue }
    }

    func position() -> PlaybackPosition { clock.position() }

    /// The device's clock: the host time, or the number of advanced frames if frames are the only clock.
    var deviceClock: DeviceClockReading? {
        let now = aq_host_time()
        let (isRunning, rendered) = state.withLock { ($0.mode == .running, $0.deviceFrames) }
        guard isRunning else { return nil }
        return DeviceClockReading(
            frames: hasClock ? Double(now) / 1e9 * format.sampleRate : rendered, hostTime: now,
            framesPerSecond: format.sampleRate, nominalFramesPerSecond: format.sampleRate)
    }

    /// The time after the frames that the device has already requested.
    func nearestStart(toHostTime hostTime: UInt64) -> UInt64 {
        let heldNanoseconds = hasClock ? Double(requestFrames) / format.sampleRate * 1e9 : 0
        return max(hostTime, aq_host_time() + UInt64(heldNanoseconds))
    }

    var granted: GrantedLatency? {
        GrantedLatency(
            targetFrames: requestFrames, requestFrames: requestFrames,
            measuredSeconds: hasClock ? Double(requestFrames) / format.sampleRate : 0, deviceName: deviceName,
            deviceSampleRate: format.sampleRate, deviceChannels: format.channels)
    }

    // MARK: Device

    var isClosed: Bool { state.withLock { $0.mode == .closed } }

    var isRunning: Bool { state.withLock { $0.mode == .running } }

    /// Advances time by `frames` frames, and writes the audio played in that time, or silence.
    ///
    /// - Returns: The number of frames of enqueued audio.
    @discardableResult
    func advance(frames: Int, into target: UnsafeMutableRawPointer) -> Int {
        state.withLock { state in
            state.deviceFrames += Double(frames)
            guard state.mode == .running else {
                unsafe renderer.writeSilence(to: target, frames: frames)
                return 0
            }
            let lead = takeLead(&state, frames: frames)
            unsafe renderer.writeSilence(to: target, frames: lead)
            if lead > 0, lead == frames { return 0 }
            let audible = unsafe target + lead * renderer.bytesPerFrame
            let rendered = unsafe renderer.render(into: audible, frames: frames - lead)
            let missing = frames - lead - rendered
            if missing > 0 {
                unsafe renderer.writeSilence(
                    to: audible + rendered * renderer.bytesPerFrame, frames: missing)
            }
            if rendered > 0 {
                state.hasPlayed = true
                state.isStarved = false
            }
            state.clock.silentFrames += Double(missing)
            finishDrainIfEmpty(&state)
            if missing > 0, state.mode == .running, state.hasPlayed, !state.isStarved {
                state.isStarved = true
                state.clock.discontinuities += 1
                feed.post(.underran)
            }
            anchorClock(&state)
            return rendered
        }
    }

    /// Stops the stream's clock because its device is gone. For fault injection.
    func interrupt() {
        state.withLock { state in
            guard state.mode == .running else { return }
            state.mode = .interrupted
            state.clock.discontinuities += 1
            runClock(&state, false)
            feed.post(.interrupted)
        }
    }

    /// Continues after the device has returned.
    func resume() {
        state.withLock { state in
            guard state.mode == .interrupted else { return }
            state.mode = .running
            runClock(&state, true)
            feed.post(.resumed)
        }
    }

    /// Ends the stream: returns every segment and reports the error.
    func fail(_ error: DeviceError) {
        state.withLock { state in
            if state.mode == .closed { return }
            // The failure is posted before the answer to a drain, because a client would take that answer for success.
            let unanswered = state.drainTicket
            state.drainTicket = nil
            drop(&state)
            state.mode = .idle
            runClock(&state, false)
            feed.fail(error)
            if let unanswered { feed.post(.drained, token: unanswered) }
        }
    }

    // MARK: With the lock held

    /// Delays the next frame until `hostTime`, unless that time has passed.
    private func waitForStart(_ state: inout State, at hostTime: UInt64) {
        let now = aq_host_time()
        state.startHostTime = 0
        state.leadFrames = 0
        guard hostTime > now else { return }
        if hasClock {
            state.startHostTime = hostTime
        } else {
            // A manual device has no clock, so the delay is counted in rendered frames.
            let frames = (Double(hostTime - now) / 1e9 * format.sampleRate).rounded()
            state.leadFrames = Int(min(frames, 1e15))
        }
    }

    /// Returns how many of the next `frames` frames are before the start time. The last of the `frames` frames is
    /// audible now.
    private func takeLead(_ state: inout State, frames: Int) -> Int {
        if state.leadFrames > 0 {
            let lead = min(state.leadFrames, frames)
            state.leadFrames -= lead
            return lead
        }
        guard state.startHostTime != 0 else { return 0 }
        let now = aq_host_time()
        guard now > state.startHostTime else { return frames }
        let late = (Double(now - state.startHostTime) / 1e9 * format.sampleRate).rounded()
        state.startHostTime = 0
        // The clock runs from here.
        runClock(&state, true)
        return frames - min(frames, Int(min(late, 1e15)))
    }

    private func drop(_ state: inout State) {
        renderer.discardAll()
        state.hasPlayed = false
        state.isStarved = false
        anchorClock(&state)
        state.clock.playedZero = Double(renderer.cursor)
        if let ticket = state.drainTicket {
            state.drainTicket = nil
            feed.post(.drained, token: ticket)
        }
    }

    private func beginTimeline(_ state: inout State) {
        feed.clearFailure()
        state.hasPlayed = false
        state.isStarved = false
        state.clock.silentFrames = 0
        state.clock.jump(to: Double(renderer.cursor), at: aq_host_time())
        state.clock.timelineZero = Double(renderer.cursor)
        state.clock.playedZero = Double(renderer.cursor)
    }

    private func runClock(_ state: inout State, _ isRunning: Bool) {
        state.clock.isRunning = isRunning
        let isMoving = isRunning && hasClock && state.startHostTime == 0
        state.clock.frameRate = isMoving ? format.sampleRate / 1e9 : 0
        anchorClock(&state)
    }

    private func anchorClock(_ state: inout State) {
        state.clock.setAnchor(Double(renderer.cursor), at: aq_host_time())
        state.clock.limitFrame = Double(renderer.cursor) + (hasClock ? Double(requestFrames) : 0)
        clock.publish(state.clock)
    }

    private func finishDrainIfEmpty(_ state: inout State) {
        guard state.mode == .running, let ticket = state.drainTicket, !renderer.hasData else { return }
        state.mode = .idle
        state.drainTicket = nil
        runClock(&state, false)
        feed.post(.drained, token: ticket)
    }
}
