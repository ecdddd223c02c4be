import AudioDevices
import CRealTime

/// The engine's threads: notices in, segments out, decoding or callbacks between.
extension OutputCore {
    /// - Parameter priority: What lets this thread's callbacks run in real time; nil if nothing does.
    func runEngine(priority: PriorityRequest?) {
        var hasMadeCallback = false
        while true {
            // A notice may change what is to be decoded, so all notices come before each packet.
            let step = locked { state in
                if hasMadeCallback { callbackEnded(&state) }
                return nextStep(&state, priority)
            }
            hasMadeCallback = false
            switch step {
            case .end:
                // The other thread has to end, too.
                feed.wake()
                return
            case .wait: feed.waitForNotice()
            case .watch: feed.waitForNotice(until: aq_host_time() + CallbackWatch.nanosecondsBetweenLooks)
            case .decode(let job): finish(job)
            case .deliver(let event):
                makeCallback(for: event)
                hasMadeCallback = true
            }
        }
    }

    private enum Step {
        case wait, end
        /// Waits, but for a while only: the other thread may be in a callback that lasts.
        case watch
        case decode(DecodeJob)
        case deliver(OutputState.Event)
    }

    private func nextStep(_ state: inout OutputState, _ priority: PriorityRequest?) -> Step {
        while let notice = feed.nextNotice() { handle(notice, &state) }
        if state.isDeviceClosed {
            releaseIfEnded(&state)
            return .end
        }
        if let job = nextDecodeJob(&state) { return .decode(job) }
        // Not `handOn`, which would wake this very thread as long as anything waits for the decoder.
        handOnBuffers(&state)
        drainWhenHandedOn(&state)
        guard context == nil else { return .wait }
        // Whoever makes a callback now looks for the next one afterwards.
        state.mustSchedule = false
        guard let priority else { return state.takeEvent().map { .deliver($0) } ?? .wait }
        let now = aq_host_time()
        state.watch.look(at: now)
        guard let event = state.takeEvent() else { return state.machine.isMoving ? .watch : .wait }
        state.watch.callbackBegins(on: priority, at: now)
        return .deliver(event)
    }

    private func handle(_ notice: DeviceNotice, _ state: inout OutputState) {
        switch notice.kind {
        case .segmentDone: segmentDone(notice.token, &state)
        case .started:
            guard !state.isStopPending else { return }
            if case .announceRunning = state.machine.apply(.started) { state.setRunning(true) }
        case .stopped, .flushed: endReset(notice.token, &state)
        case .drained:
            guard notice.token == state.drainTicket else { return }
            state.drainTicket = nil
            react(to: state.machine.apply(.drained), &state)
        case .failed:
            // A start that the device has carried out since then makes a failure history, too.
            guard !state.isStopPending, let failure = feed.failure else { return }
            fail(QueueError(failure), &state)
        case .underran: state.underruns += 1
        case .interrupted, .resumed, .moved: state.add(.changed(.device))
        case .paused, .reset, .overran: break
        case .closed: state.isDeviceClosed = true
        }
    }

    private func react(to action: OutputStateMachine.Action, _ state: inout OutputState) {
        switch action {
        case .announceStopped: state.setRunning(false)
        case .announceFailure:
            // What the device still has comes back with the answer to a stop, in order.
            _ = beginReset(&state, isStop: true, isFailure: true)
        case .closeDevice: closeDevice(&state)
        default: break
        }
    }

    /// Stops the queue for a reason that the client can read.
    func fail(_ error: QueueError, _ state: inout OutputState) {
        let action = state.machine.apply(.failed)
        if action == .announceFailure { state.failure = error }
        react(to: action, &state)
    }

    private func segmentDone(_ token: UInt64, _ state: inout OutputState) {
        if token & DecodedAudio.tokenBit != 0 {
            state.decoded?.release(token: token)
            return
        }
        // Segments come back in order.
        while let item = state.inDevice.first, item.number <= token {
            _ = state.inDevice.popFirst()
            state.giveBack(item)
        }
    }

    /// The device has let go of everything that it had at a stop or flush.
    private func endReset(_ ticket: UInt64, _ state: inout OutputState) {
        while let reset = state.resets.first, reset.ticket <= ticket {
            state.resets.removeFirst()
            while let item = state.inDevice.first, item.number < reset.itemLimit {
                _ = state.inDevice.popFirst()
                state.giveBack(item)
            }
            while let item = state.waiting.first, item.number < reset.itemLimit {
                _ = state.waiting.popFirst()
                state.giveBack(item)
            }
            state.decoded?.dropOpenChunk()
            cursor?.restart()
            if reset.isStop { state.setRunning(false) }
            if reset.isFailure { state.add(.changed(.failure)) }
        }
    }

    /// Hands on what waits, from a call: to the device, or to the engine for its decoder.
    func handOn(_ state: inout OutputState) {
        if cursor == nil {
            handOnBuffers(&state)
        } else if state.machine.isActive {
            feed.wake()
        }
    }

    /// Gives the device as many of the waiting buffers as it takes.
    private func handOnBuffers(_ state: inout OutputState) {
        guard cursor == nil, state.machine.isActive, state.resets.isEmpty else { return }
        var isAdded = false
        let bytesPerFrame = deviceFormat.bytesPerFrame
        while let item = state.waiting.first {
            let segment = unsafe StreamSegment(
                base: item.data.map { unsafe $0 + item.audibleFrames.lowerBound * bytesPerFrame },
                byteCount: item.audibleFrames.count * bytesPerFrame, token: item.number)
            guard feed.enqueue(segment) else { break }
            _ = state.waiting.popFirst()
            state.inDevice.append(item)
            isAdded = true
        }
        if isAdded { stream.dataAvailable() }
    }

    // MARK: The end

    func closeDevice(_ state: inout OutputState) {
        state.events.removeAll()
        state.isRunning = false
        stream.close(ticket: state.takeTicket())
        if state.engineThreads > 0 {
            context?.end()
        } else {
            state.isDeviceClosed = true
            releaseIfEnded(&state)
        }
    }

    /// Frees the memory, once neither the device nor a callback can use it.
    func releaseIfEnded(_ state: inout OutputState) {
        guard state.isDeviceClosed, !state.events.isDelivering, !state.isReleased else { return }
        state.isReleased = true
        state.pool.freeAll()
        state.decoded?.freeMemory()
        state.waiting.removeAll()
        state.inDevice.removeAll()
    }
}
