// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime

/// The engine, which takes the device's events, passes on segments, and decodes or makes callbacks in between.
extension OutputCore {
    /// Serves a path until its stream is closed, on the queue's thread.
    func runEngine(_ path: OutputPath) {
        while serve(path) == .wait {
            // One thread at a time waits for events.
            _ = monitor.wait(until: .max) { $0.isCallTaking && $0.path === path }
            path.feed.waitForEvent()
        }
    }

    /// Does all pending work of a path, including callbacks.
    ///
    /// - Returns: The next action of the calling thread.
    func serve(_ path: OutputPath) -> Rest { run(path) { state in nextStep(path, &state) } }

    /// Takes steps until none is left.
    func run(
        _ path: OutputPath, _ nextStep: (inout OutputState) -> Step
    ) -> Rest {
        var hasMadeCallback = false
        while true {
            // An event may change the packet to decode, so all events are taken before each packet.
            let step = locked { state in
                if hasMadeCallback { state.callbackEnded() }
                return nextStep(&state)
            }
            hasMadeCallback = false
            switch step {
            case .rest(let rest): return rest
            case .work(let job): finish(job, path)
            case .deliver(let event):
                makeCallback(for: event)
                hasMadeCallback = true
            }
        }
    }

    /// The action of a thread that has no work for a path.
    enum Rest {
        case wait
        /// Leaves the path, whose stream is closed.
        case end
    }

    enum Step {
        case rest(Rest)
        case work(EngineJob)
        case deliver(OutputEvent)
    }

    private func nextStep(_ path: OutputPath, _ state: inout OutputState) -> Step {
        takeEvents(of: path, &state)
        guard path === state.path else {
            // The only work for a replaced path is to close it.
            state.delivery.scheduleAgain()
            return .rest(path.threads.isClosed ? .end : .wait)
        }
        if path.threads.isClosed {
            state.releaseIfEnded()
            return .rest(.end)
        }
        if let job = nextJob(path, &state) { return .work(job) }
        // Not `handOn`, which would wake this same thread if an item waits for the decoder.
        handOnBuffers(path, &state)
        drainWhenHandedOn(&state)
        guard path.context == nil else { return .rest(.wait) }
        // A thread that makes a callback checks for the next one afterwards.
        _ = state.delivery.takeSchedule()
        return state.takeEvent().map { .deliver($0) } ?? .rest(.wait)
    }

    /// Takes all events of a path's device.
    ///
    /// - Returns: Whether there was an event.
    @discardableResult func takeEvents(of path: OutputPath, _ state: inout OutputState) -> Bool {
        var hasTaken = false
        while let event = path.feed.nextEvent() {
            handle(event, path, &state)
            hasTaken = true
        }
        return hasTaken
    }

    func handle(_ event: DeviceEvent, _ path: OutputPath, _ state: inout OutputState) {
        if case .closed = event.kind { path.threads.isClosed = true }
        guard path === state.path else { return }
        switch event.kind {
        case .segmentDone: segmentDone(event.token, &state)
        case .started:
            guard !state.isStopPending else { return }
            if case .announceRunning = state.machine.apply(.started) { state.setRunning(true) }
        case .stopped, .flushed: endReset(event.token, &state)
        case .drained:
            guard state.requests.endDrain(event.token) else { return }
            react(to: state.machine.apply(.drained), &state)
        case .failed:
            // A start that the device has carried out since then also makes the failure obsolete.
            guard !state.isStopPending, let failure = path.feed.failure else { return }
            fail(QueueError(failure), &state)
        case .underran:
            state.status.underruns += 1
            path.chain?.markGap()
        case .interrupted, .resumed, .moved: state.delivery.add(.changed(.device))
        case .paused, .reset, .overran, .closed: break
        }
    }

    private func react(to action: OutputStateMachine.Action, _ state: inout OutputState) {
        switch action {
        case .announceStopped:
            // The next start counts frames from 0 again.
            state.path.chain?.restart()
            state.path.chain?.begin(atQueueFrame: 0)
            state.forgetProgress()
            state.refuseUntilReturned()
            state.setRunning(false)
        case .announceFailure:
            // In its answer to a stop, the device returns its buffers in order.
            let ticket = beginReset(.stop(isFailure: true), &state)
            if state.isStopPending { state.delivery.refuse(until: ticket) }
        case .closeDevice: closeDevice(&state)
        default: break
        }
    }

    /// Stops the queue with an error that the client reads in `failure`.
    func fail(_ error: QueueError, _ state: inout OutputState) {
        let action = state.machine.apply(.failed)
        if action == .announceFailure { state.status.failure = error }
        react(to: action, &state)
    }

    private func segmentDone(_ token: UInt64, _ state: inout OutputState) {
        let path = state.path
        // Audio that a stop or a reset returns was not played, so its parameters do not apply.
        let wasPlayed = state.resets.isEmpty
        if token & DecodedAudio.tokenBit != 0 {
            path.decoded?.release(token: token)
            return
        }
        // Segments are returned in order.
        while let item = state.items.takeReturned(through: token) {
            // The stream reports volume and pan.
            if wasPlayed, !item.events.isEmpty { state.settings.note(item.events, hasChain: false) }
            state.giveBack(item)
        }
    }

    /// Completes a stop or flush. The device has released all audio that it had at the request.
    private func endReset(_ ticket: UInt64, _ state: inout OutputState) {
        let path = state.path
        while let reset = state.resets.takeFirst(answeredBy: ticket) {
            while let item = state.rendering.takeHeld(below: reset.itemLimit)
                ?? state.items.takeFirst(below: reset.itemLimit)
            {
                state.giveBack(item)
            }
            path.decoded?.dropOpenChunk()
            path.cursor?.restart()
            path.chain?.restart()
            state.forgetProgress()
            if let chain = path.chain { takeNote(of: chain, startsAnew: reset.kind.isStop, &state) }
            if reset.kind.isStop {
                state.endRefusalBehindCallbacks(of: reset.ticket)
                state.setRunning(false)
            }
            if reset.kind == .stop(isFailure: true) { state.delivery.add(.changed(.failure)) }
        }
    }

    /// Reads the parameters of a restarted chain. Those of dropped buffers never applied.
    ///
    /// - Parameter startsAnew: Whether the next start counts frames from 0.
    private func takeNote(of chain: EffectChain, startsAnew: Bool, _ state: inout OutputState) {
        chain.takeSettings()
        state.settings.setInForce(
            rate: chain.stretching.rate, pitchCents: chain.stretching.pitchCents, pan: chain.pan.pan)
        chain.begin(atQueueFrame: startsAnew ? 0 : state.nextFrame)
    }

    /// Passes on waiting buffers in a call: to the device, or to the engine for its decoder.
    func handOn(_ state: inout OutputState) {
        let path = state.path
        if path.cursor == nil {
            handOnBuffers(path, &state)
        } else if state.machine.isActive {
            path.wake()
        }
    }

    // MARK: The end

    func closeDevice(_ state: inout OutputState) {
        let path = state.path
        state.delivery.close()
        state.status.isRunning = false
        state.chain.dropsTap = true
        path.stream.close(ticket: state.resets.takeTicket())
        if state.isContextBegun {
            fixture.context?.end()
            state.isContextBegun = false
        }
        if path.threads.takeEvents {
            if path.ownsContext { path.context?.end() }
        } else if state.items.isDeviceEmpty {
            path.threads.isClosed = true
            state.releaseIfEnded()
        }
    }
}
