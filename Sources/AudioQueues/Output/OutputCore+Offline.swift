// SPDX-License-Identifier: MIT

import AQDevices
import CoreAudioTypes

/// A queue without a device. The thread that renders takes the events, decodes, and makes the callbacks.
extension OutputCore {
    func renderOffline(
        at sampleTime: Double, into buffer: QueueBuffer, frames: Int
    ) throws(QueueError) {
        let call = try beginRendering(at: sampleTime, buffer, frames)
        var rendered = 0
        // The conversion may hold frames from the previous call.
        var mayHoldFrames = true
        defer {
            // The buffer's memory remains until this point, even if callbacks dispose of the queue.
            buffer.byteCount = rendered * call.renderer.bytesPerFrame
            endRendering(buffer)
        }
        while true {
            runSteps(of: call.path, makesCallbacks: true)
            let snapshot = try snapshot(of: call.path)
            guard snapshot.isRunning else { return }
            if rendered < call.frames {
                guard snapshot.framesInDevice > 0 || snapshot.isEnding || mayHoldFrames else { return }
                let offset = rendered * call.renderer.bytesPerFrame
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: call.room[offset...])
                let filled = try unsafe call.renderer.fill(
                    room, frames: call.frames - rendered, stream: snapshot.stream
                ) { take($0, call, snapshot) }
                rendered += filled.frames
                mayHoldFrames = filled.frames > 0
                if filled.isEnd { didGiveAll(call.path, snapshot.stream) }
            } else {
                // The call that renders the last frame also ends the queue, so it checks whether there is another
                // frame.
                guard snapshot.isEnding, call.frames > 0 else { return }
                if try call.renderer.hasMore(stream: snapshot.stream, take: { take($0, call, snapshot) }) {
                    return
                }
                didGiveAll(call.path, snapshot.stream)
            }
        }
    }

    /// Decodes the available audio of a queue without a device, which has no engine thread.
    func decodeOffline() {
        let path = locked { state -> OutputPath? in
            guard state.path.isOffline, !state.rendering.isUnderWay, !state.machine.isDisposed else {
                return nil
            }
            state.rendering.isUnderWay = true
            return state.path
        }
        guard let path else { return }
        runSteps(of: path, makesCallbacks: false)
        endRendering(nil)
    }

    /// Takes events of a queue without a device, in the call that has caused the events.
    ///
    /// If another call uses the decoder or the effects, that call takes the events once it is done.
    func takeNoticesOffline(_ state: inout OutputState) {
        let path = state.path
        guard path.isOffline, !state.rendering.isWorking else { return }
        takeEvents(of: path, &state)
    }

    // MARK: A call

    @safe private struct RenderCall {
        // SAFETY: `room` belongs to the buffer, which is not freed during the call.
        let path: OutputPath
        let renderer: OfflineRenderer
        let room: UnsafeMutableRawBufferPointer
        let frames: Int
    }

    private func beginRendering(
        at sampleTime: Double, _ buffer: QueueBuffer, _ frames: Int
    ) throws(QueueError) -> RenderCall {
        try perform(.use) { (state: inout OutputState) throws(QueueError) -> RenderCall in
            guard let renderer = state.path.offline else { throw QueueError(.invalidOfflineMode) }
            guard frames >= 0 else {
                throw QueueError(.invalidArgument, "cannot render \(frames) frames")
            }
            switch state.machine.state {
            case .running, .paused, .stopping, .stoppingPaused: break
            // A client that renders until there are no more frames gets no error, whichever call has ended the queue.
            case .stopped where state.rendering.wasStarted: break
            case .stopped, .primed, .disposing, .disposed:
                throw QueueError(.invalidRunState, "cannot render a queue that was not started")
            }
            guard !state.rendering.isUnderWay else {
                throw QueueError(.invalidRunState, "cannot render a queue that is being rendered")
            }
            let record = try state.pool.clientRecord(of: buffer, to: "render to")
            state.pool.move(buffer, to: .queue)
            state.rendering.isUnderWay = true
            setTapTime(of: state.path, sampleTime, renderer, state)
            return unsafe RenderCall(
                path: state.path, renderer: renderer,
                room: UnsafeMutableRawBufferPointer(start: record.data, count: record.byteCapacity),
                frames: min(frames, record.byteCapacity / renderer.bytesPerFrame))
        }
    }

    /// Sets the time for taps: that of the first frame to render, plus the duration of frames processed ahead.
    private func setTapTime(
        of path: OutputPath, _ sampleTime: Double, _ renderer: OfflineRenderer, _ state: OutputState
    ) {
        guard let chain = path.chain else { return }
        let ahead = state.rendering.framesInDevice + (path.decoded?.openFrames ?? 0)
        chain.setSampleTime(
            sampleTime + Double(ahead) * renderer.format.mSampleRate / format.mSampleRate)
    }

    private func endRendering(_ buffer: QueueBuffer?) {
        locked { state in
            state.rendering.isUnderWay = false
            if let buffer { state.pool.move(buffer, to: .client) }
            // The queue may have been disposed of meanwhile.
            state.releaseIfEnded()
        }
    }

    /// The state of the audio to render, as read under the lock.
    private struct Snapshot {
        var isRunning = false
        var framesInDevice = 0
        /// Whether a stop was requested, and all frames were passed on.
        var isEnding = false
        var stream: UInt64 = 0
    }

    private func snapshot(of path: OutputPath) throws(QueueError) -> Snapshot {
        try locked { (state: inout OutputState) throws(QueueError) -> Snapshot in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            guard path === state.path else { return Snapshot() }
            if state.machine.state == .stopped, let failure = state.status.failure { throw failure }
            return Snapshot(
                isRunning: state.machine.isMoving && state.resets.isEmpty,
                framesInDevice: state.rendering.framesInDevice, isEnding: isEnding(state),
                stream: state.rendering.stream)
        }
    }

    private func isEnding(_ state: OutputState) -> Bool {
        state.machine.isDraining && state.items.isEmpty && (state.path.decoded?.openFrames ?? 0) == 0
            && state.chain.isEmpty && state.rendering.framesInDevice == 0
    }

    private func take(_ frames: Int, _ call: RenderCall, _ snapshot: Snapshot) -> OfflineRenderer.Taken {
        locked { state in
            // A stop or a reset on another thread has dropped the frames.
            guard call.path === state.path, state.rendering.stream == snapshot.stream,
                state.machine.isMoving, state.resets.isEmpty
            else { return .nothing }
            // Callbacks come first, as they may add audio after a buffer. If a callback runs on another thread or
            // around this call, waiting for the rest would never end.
            guard state.delivery.isEmpty || state.delivery.isDelivering else { return .nothing }
            let run = state.rendering.take(frames: frames)
            guard run > 0 else { return isEnding(state) ? .end : .nothing }
            state.giveBackRendered()
            return .frames(call.renderer.device.render(frames: run).first ?? [])
        }
    }

    /// Records that the last frame was rendered, and drains the device.
    private func didGiveAll(_ path: OutputPath, _ stream: UInt64) {
        locked { state in
            guard path === state.path, state.rendering.stream == stream else { return }
            state.rendering.hasGivenAll = true
            drainWhenHandedOn(&state)
        }
    }

    // MARK: Steps

    /// Does all pending work that the engine and callback threads do for a device.
    private func runSteps(of path: OutputPath, makesCallbacks: Bool) {
        _ = run(path) { nextOfflineStep(path, &$0, makesCallbacks: makesCallbacks) }
    }

    private func nextOfflineStep(
        _ path: OutputPath, _ state: inout OutputState, makesCallbacks: Bool
    ) -> Step {
        guard path === state.path, !state.machine.isDisposed else {
            state.delivery.scheduleAgain()
            return .rest(.wait)
        }
        takeNoticesOffline(&state)
        if let job = nextJob(path, &state) {
            state.rendering.isWorking = true
            return .work(job)
        }
        guard makesCallbacks, let event = state.takeEvent() else { return .rest(.wait) }
        return .deliver(event)
    }
}
