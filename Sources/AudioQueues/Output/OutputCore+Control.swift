// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime
import CoreAudioTypes

/// The implementation of calls that control a queue.
extension OutputCore {
    /// Starts or resumes the queue.
    ///
    /// - Parameter hostTime: The time of the first frame, if the queue is stopped; nil for as soon as possible.
    func start(atHostTime hostTime: UInt64? = nil) throws(QueueError) {
        let replaced = try locked { (state: inout OutputState) throws(QueueError) -> OutputPath? in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            let replaced = try replacePathForStart(&state)
            let isFirst = state.machine.state == .stopped || state.machine.state == .primed
            // Offline rendering has no host time.
            if isFirst { state.requests.startHostTime = state.path.isOffline ? nil : hostTime }
            try startThreads(&state)
            _ = try carryOut(state.machine.apply(.start), &state)
            return replaced
        }
        withExtendedLifetime(replaced) {}
    }

    func pause() throws(QueueError) {
        try locked { (state: inout OutputState) throws(QueueError) in
            _ = try carryOut(state.machine.apply(.pause), &state)
        }
    }

    func flush() throws(QueueError) {
        try locked { (state: inout OutputState) throws(QueueError) in
            _ = try carryOut(state.machine.apply(.flush), &state)
        }
    }

    func stop(immediate: Bool) throws(QueueError) {
        try returnBuffers(immediate ? .stopAtOnce : .stopAfterEnqueued, endsWithCallbacks: true)
    }

    func reset() throws(QueueError) { try returnBuffers(.reset, endsWithCallbacks: false) }

    /// Makes a call that returns buffers, and waits until they are returned.
    ///
    /// An asynchronous stop, and a call in a callback of any queue, wait only for the device, not for callbacks. Such a
    /// reset is complete on return, so that the callback can enqueue from a new position. Such a stop is complete with
    /// its last callback, so that buffers enqueued by callbacks until then are refused.
    private func returnBuffers(
        _ call: OutputStateMachine.Call, endsWithCallbacks: Bool
    ) throws(QueueError) {
        let isInCallback = CallbackScope.isCurrent
        let ticket = try locked { (state: inout OutputState) throws(QueueError) -> UInt64? in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            if call == .reset && !state.items.isEmpty { try startThreads(&state) }
            let action = state.machine.apply(call)
            if let ticket = try carryOut(action, &state) {
                state.delivery.refuse(until: ticket)
                return ticket
            }
            guard call != .stopAfterEnqueued else { return nil }
            // The queue has stopped before, but may not have returned all buffers.
            return state.resets.last?.ticket ?? 0
        }
        guard let ticket else { return }
        let limit = CallDeadline.fromNow
        wait(until: limit) { state in
            !state.machine.isDisposed && state.resets.isPending(through: ticket)
        }
        if isInCallback || call == .stopAfterEnqueued {
            locked { state in
                if endsWithCallbacks {
                    state.endRefusalBehindCallbacks(of: ticket)
                } else {
                    state.delivery.endRefusal(of: ticket)
                }
            }
            return
        }
        awaitCallbacks(until: limit)
        monitor.withLock { $0.delivery.endRefusal(of: ticket) }
    }

    /// Waits until all buffers returned so far had their callbacks. Does not wait in a callback.
    private func awaitCallbacks(until limit: UInt64) {
        let (lastEvent, path) = monitor.withLock { ($0.delivery.lastReturn, $0.path) }
        if path.isOffline {
            // No other thread makes the callbacks or calls the listeners.
            while deliverNext() {}
        } else if path.context?.isCurrent == true {
            while monitor.withLock({ $0.delivery.isAwaited(lastEvent) }), deliverNext() {}
            locked { $0.delivery.scheduleAgain() }
        }
        _ = monitor.wait(until: limit) { $0.delivery.isAwaited(lastEvent) }
        monitor.withLock { $0.delivery.giveUp(on: lastEvent) }
    }

    func prime(frames: Int) throws(QueueError) -> Int {
        guard frames >= 0 else {
            throw QueueError(.invalidArgument, "cannot decode \(frames) frames ahead")
        }
        let replaced = try locked { (state: inout OutputState) throws(QueueError) -> OutputPath? in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            let replaced = try replacePathForStart(&state)
            try startThreads(&state)
            try carryOut(state.machine.apply(.prime), &state)
            return replaced
        }
        withExtendedLifetime(replaced) {}
        decodeOffline()
        let wanted = frames == 0 ? Int.max : frames
        let isReady = monitor.wait(until: CallDeadline.fromNow) { state in
            guard state.machine.state == .primed, let decoded = state.path.decoded else { return false }
            return decoded.framesAhead < wanted && !decoded.isFull
                && !(state.items.isEmpty && decoded.openFrames == 0 && !state.chain.hasWork)
        }
        guard isReady else { throw QueueError(.primeTimedOut) }
        return try locked { (state: inout OutputState) throws(QueueError) -> Int in
            if state.machine.state == .stopped, let failure = state.status.failure { throw failure }
            return state.framesReady
        }
    }

    /// Carries out an action of the state machine.
    ///
    /// - Returns: The ticket of a stop or flush of the device, if it returns buffers.
    @discardableResult
    func carryOut(
        _ action: OutputStateMachine.Action, _ state: inout OutputState
    ) throws(QueueError) -> UInt64? {
        let path = state.path
        switch action {
        case .nothing, .proceed: break
        case .fail(let code): throw QueueError(code)
        case .prepare:
            state.status.failure = nil
            handOn(&state)
            path.stream.prepare()
        case .startDevice:
            state.status.failure = nil
            state.timeline.start()
            state.delivery.endRefusals()
            handOn(&state)
            startDevice(&state)
        case .resumeDevice:
            state.requests.startHostTime = nil
            handOn(&state)
            startDevice(&state)
        case .pauseDevice:
            state.requests.startsWhenDecoded = false
            path.chain?.setPaused(true)
            path.stream.pause(ticket: state.resets.takeTicket())
        case .markEnd: markEnd(&state)
        case .drainDevice:
            markEnd(&state)
            drainWhenHandedOn(&state)
        case .resumeAndDrain:
            // A drain that was pending at the pause is requested again.
            state.requests.endDrain()
            state.requests.startHostTime = nil
            markEnd(&state)
            startDevice(&state)
            drainWhenHandedOn(&state)
        case .stopDevice, .returnBuffers: return beginReset(.stop(isFailure: false), &state)
        case .flushDevice: return beginReset(.flush, &state)
        case .closeDevice: closeDevice(&state)
        case .announceRunning, .announceStopped, .announceFailure: break
        }
        return nil
    }

    private func markEnd(_ state: inout OutputState) {
        guard state.path.cursor != nil else { return }
        state.items.appendEndMark()
        state.path.wake()
    }

    /// Starts the device, or leaves that to the engine if audio has to be decoded first. Otherwise the device would
    /// begin with silence.
    private func startDevice(_ state: inout OutputState) {
        let path = state.path
        path.chain?.setPaused(false)
        if let decoded = path.decoded, !path.isOffline, !state.items.isEmpty, decoded.framesAhead == 0 {
            state.requests.startsWhenDecoded = true
            path.wake()
        } else {
            startStream(&state)
        }
    }

    /// Starts the device at once, or at the requested time.
    func startStream(_ state: inout OutputState) {
        if let hostTime = state.requests.startHostTime {
            state.path.stream.start(atHostTime: hostTime)
        } else {
            state.path.stream.start()
        }
    }

    /// Stops or flushes the device. Its answer returns the buffers enqueued until now.
    func beginReset(_ kind: OutputState.ResetKind, _ state: inout OutputState) -> UInt64 {
        let path = state.path
        // This cancels a drain. A stop also cancels a pending start.
        state.requests.endDrain()
        if kind.isStop { state.requests.startsWhenDecoded = false }
        // Without threads the device has no audio, and no buffer is enqueued.
        guard path.threads.areStarted else { return state.resets.takeTicket() }
        let ticket = state.resets.add(kind, itemLimit: state.items.nextNumber)
        if kind.isStop {
            path.stream.stop(ticket: ticket)
        } else {
            keepStretchedTime(&state)
            path.stream.flush(ticket: ticket)
        }
        return ticket
    }

    /// Requests a drain once all audio was passed to the device. May be called at any time.
    func drainWhenHandedOn(_ state: inout OutputState) {
        let path = state.path
        guard state.machine.isDraining, !state.requests.isDraining, state.resets.isEmpty,
            state.items.isEmpty, (path.decoded?.openFrames ?? 0) == 0, state.chain.isEmpty,
            !state.requests.startsWhenDecoded, !path.isOffline || state.rendering.hasGivenAll
        else { return }
        let ticket = state.resets.takeTicket()
        state.requests.beginDrain(ticket)
        path.stream.drain(ticket: ticket)
    }
}

extension OutputState {
    /// The number of enqueued frames in the queue and the device; with a decoder, only of decoded frames.
    fileprivate var framesReady: Int {
        if let decoded = path.decoded { return decoded.framesAhead }
        return items.audibleFrames
    }
}
