import AudioDevices
import CRealTime
import CoreAudioTypes

/// The calls that change what a queue does.
extension InputCore {
    /// - Parameter hostTime: When the first frame is to be captured; nil for as soon as possible. Of a queue that is
    ///   not stopped, no matter.
    func start(atHostTime hostTime: UInt64? = nil) throws(QueueError) {
        if let hostTime, hostTime > aq_host_time() &+ InputCore.furthestStartNanoseconds {
            throw QueueError(.invalidArgument, "cannot start at a host time more than a minute ahead")
        }
        try locked { (state: inout InputState) throws(QueueError) in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            try startThread(&state)
            let action = state.machine.apply(.start)
            if action == .startDevice { state.startHostTime = hostTime }
            _ = try carryOut(action, &state)
        }
    }

    private static let furthestStartNanoseconds: UInt64 = 60_000_000_000

    func awaitStart() throws(QueueError) {
        guard !CallbackScope.isCurrent else { return }
        wait(until: CallDeadline.fromNow) { state in
            guard !state.machine.isDisposed else { return false }
            // A failure is over when everything is returned: the queue can be changed and started again then.
            guard state.comingFailure == nil else { return !state.resets.isEmpty }
            guard state.machine.state == .running else { return false }
            // What a stop before has still to end is not this start's.
            guard !state.isCapturing || state.isStopPending else { return false }
            // Until it is time, there is nothing to wait for.
            return state.startHostTime.map { $0 <= aq_host_time() } ?? true
        }
        try monitor.withLock { (state: inout InputState) throws(QueueError) -> Void in
            guard !state.machine.isDisposed, let failure = state.comingFailure else { return }
            throw failure
        }
    }

    func pause() throws(QueueError) {
        try locked { (state: inout InputState) throws(QueueError) in
            try carryOutUnawaited(state.machine.apply(.pause), &state)
        }
    }

    func flush() throws(QueueError) {
        try locked { (state: inout InputState) throws(QueueError) in
            _ = try carryOut(state.machine.apply(.flush), &state)
        }
    }

    func stop(immediate: Bool) throws(QueueError) {
        if immediate {
            try returnBuffers(.stopAtOnce)
        } else {
            try locked { (state: inout InputState) throws(QueueError) in
                try carryOutUnawaited(state.machine.apply(.stopAfterEnqueued), &state)
            }
        }
    }

    func reset() throws(QueueError) { try returnBuffers(.reset) }

    /// Makes a call that returns buffers, and waits until they are returned.
    ///
    /// In a callback, of whatever queue, there is no waiting for callbacks; the device is waited for all the
    /// same. Then a reset is over when this returns, so that a callback can enqueue again; a stop is over
    /// with its last callback, so that callbacks that enqueue again do no harm.
    private func returnBuffers(_ call: InputStateMachine.Call) throws(QueueError) {
        let isStop = call == .stopAtOnce
        let isInCallback = CallbackScope.isCurrent
        let ticket = try locked { (state: inout InputState) throws(QueueError) -> UInt64 in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            if !isStop && !state.waiting.isEmpty { try startThread(&state) }
            guard let ticket = try carryOut(state.machine.apply(call), &state) else {
                // The queue has stopped before, but maybe not yet returned everything.
                return state.resets.last?.ticket ?? 0
            }
            state.returning.insert(ticket)
            return ticket
        }
        let limit = CallDeadline.fromNow
        wait(until: limit) { state in
            !state.machine.isDisposed && state.resets.contains { $0.ticket <= ticket }
        }
        if isInCallback {
            locked { state in
                if isStop { state.ending = nil }
                if isStop {
                    state.endRefusal(of: ticket)
                } else {
                    state.returning.remove(ticket)
                }
            }
            return
        }
        waitForReturns(until: limit)
        monitor.withLock { state in
            if isStop { state.ending = nil }
            state.returning.remove(ticket)
        }
    }

    /// Waits until every buffer is back with the client that is to be returned now.
    private func waitForReturns(until limit: UInt64) {
        // What makes packets adds callbacks as long as it has something to do.
        let lastTask = monitor.withLock { $0.tasks.lastReturn }
        waitForCallbacks(until: limit) { !$0.machine.isDisposed && $0.tasks.done < lastTask }
        let lastEvent = monitor.withLock { $0.events.lastReturn }
        waitForCallbacks(until: limit) { state in
            !state.machine.isDisposed && !state.events.isGivenUp && state.events.done < lastEvent
        }
        monitor.withLock { if $0.events.done < lastEvent { $0.events.giveUp() } }
    }

    func enqueue(_ buffer: QueueBuffer) throws(QueueError) {
        try perform(.enqueue) { (state: inout InputState) throws(QueueError) in
            guard let record = state.pool[buffer] else {
                throw QueueError(.invalidBuffer, "cannot enqueue a buffer that this queue did not allocate")
            }
            guard record.place == .client else {
                throw QueueError(.bufferEnqueuedTwice, "cannot enqueue a buffer that is enqueued")
            }
            guard state.returning.isEmpty else { throw QueueError(.enqueueDuringReset) }
            let item = try makeItem(state.takeItemNumber(), record)
            state.pool.move(buffer, to: .queue)
            state.waiting.append(item)
            if state.encoding.hasWork || (state.encoding.wantsBuffer && state.machine.isActive) {
                // What was captured already may have waited for a buffer.
                state.add(.encode(through: state.encoding.latestWork))
            }
            handOver(&state)
        }
    }

    private func makeItem(
        _ number: UInt64, _ record: BufferPool.Record
    ) throws(QueueError) -> InputItem {
        let hasDescriptions = !format.hasConstantPacketSize
        let packets = min(
            product.packetCapacity(ofBytes: record.byteCapacity),
            hasDescriptions ? record.descriptionCapacity : .max)
        // A buffer without room would come back at once, time and again.
        guard packets > 0 else {
            throw QueueError(
                .invalidArgument,
                "cannot enqueue a buffer of \(record.byteCapacity) bytes: a "
                    + "\(format.isLinearPCM ? "frame has" : "packet may have") \(product.maximumPacketSize)")
        }
        return unsafe InputItem(
            number: number, buffer: record.buffer, data: record.data, room: record.staging ?? record.data,
            frames: packets * product.framesPerPacket, bytesPerFrame: product.capturedBytesPerFrame,
            packets: packets,
            descriptions: hasDescriptions ? record.descriptions : nil)
    }

    /// Does what the state machine answered to a call.
    ///
    /// - Returns: The ticket of a stop or reset, when buffers are being returned.
    private func carryOut(
        _ action: InputStateMachine.Action, _ state: inout InputState
    ) throws(QueueError) -> UInt64? {
        switch action {
        case .nothing, .proceed: break
        case .fail(let code): throw QueueError(code)
        case .startDevice:
            state.failure = nil
            state.comingFailure = nil
            state.converterError = nil
            state.ending = nil
            state.countsAtEnd = nil
            state.latestTime = -.infinity
            state.returning.removeAll()
            state.fragmentFrames = fragmentFrames(state)
            handOver(&state)
            if let hostTime = state.startHostTime {
                state.path.stream.start(fragmentFrames: state.fragmentFrames, atHostTime: hostTime)
            } else {
                state.path.stream.start(fragmentFrames: state.fragmentFrames)
            }
        case .resumeDevice: state.path.stream.start(fragmentFrames: state.fragmentFrames)
        case .pauseDevice: state.path.stream.pause(ticket: state.takeTicket())
        case .stopDevice: return beginReset(.stop, &state)
        case .awaitFilled: endIfFilled(&state)
        case .flushDevice: state.path.stream.flush(ticket: state.takeTicket())
        case .resetDevice: return beginReset(.reset, &state)
        case .returnBuffers: return returnWaiting(&state)
        case .closeDevice: closeDevice(&state)
        case .announceRunning, .announceFailure, .release: break
        }
        return nil
    }

    /// The same for a call that waits for no callbacks: a stop is over with the last of them.
    private func carryOutUnawaited(
        _ action: InputStateMachine.Action, _ state: inout InputState
    ) throws(QueueError) {
        if action == .stopDevice { return beginEnd(.stopUnawaited, &state) }
        _ = try carryOut(action, &state)
    }

    /// Stops or resets the device. What was enqueued until now is returned with its answer.
    func beginReset(_ kind: InputState.Reset.Kind, _ state: inout InputState) -> UInt64 {
        let ticket = state.takeTicket()
        state.resets.append(
            InputState.Reset(ticket: ticket, itemLimit: state.nextItemNumber, kind: kind))
        let stream = state.path.stream
        if kind == .reset { stream.reset(ticket: ticket) } else { stream.stop(ticket: ticket) }
        return ticket
    }

    /// Returns what is enqueued on a stopped queue: with the device's answer when one is awaited, else now.
    private func returnWaiting(_ state: inout InputState) -> UInt64 {
        if state.resets.isEmpty {
            if state.path.maker == nil {
                returnItems(below: state.nextItemNumber, &state)
            } else if !state.waiting.isEmpty {
                addWork(.boundary(.init(kind: .reset, itemLimit: state.nextItemNumber)), &state)
            }
            return state.takeTicket()
        }
        state.resets[state.resets.count - 1].itemLimit = state.nextItemNumber
        return state.resets[state.resets.count - 1].ticket
    }

    /// How much the device is to hand over at a time: as much as the smallest buffer takes, so that each is
    /// returned soon after it is full, within limits.
    func fragmentFrames(_ state: InputState) -> Int {
        let items = state.waiting.elementsInOrder + state.inDevice.elementsInOrder
        let enqueuedSeconds = items.map(\.frames).min().map { frames in
            (Double(frames) / format.mSampleRate).clamped(to: 0.001...0.5)
        }
        let seconds =
            configuration.fragmentSeconds.map { $0.clamped(to: 0.001...10) } ?? enqueuedSeconds ?? 0.1
        return max(1, Int((seconds * format.mSampleRate).rounded()))
    }

    private func closeDevice(_ state: inout InputState) {
        state.tasks.removeAll()
        state.events.removeAll()
        state.isCapturing = false
        state.ending = nil
        state.path.stream.close(ticket: state.takeTicket())
        // Without a thread the device was never handed a buffer, and nobody takes its answer.
        if !state.hasThread, state.machine.apply(.closed) == .release { releaseIfEnded(&state) }
    }

    func dispose(immediate: Bool) throws(QueueError) {
        let isInCallback = CallbackScope.isCurrent
        var context: (any CallbackContext)?
        try locked { (state: inout InputState) throws(QueueError) in
            _ = try carryOut(state.machine.apply(.dispose), &state)
            context = state.context
        }
        // A context has locks of its own, under which it may be making a callback just now.
        context?.end()
        if !isInCallback {
            wait(until: immediate ? CallDeadline.fromNow : CallDeadline.brief) { state in
                // Of a callback that was waited for in vain it is known; a tap may use its client's memory.
                let mayAwaitCallback = !state.events.isGivenUp
                return state.tasks.isDelivering
                    || (mayAwaitCallback && (state.events.isDelivering || (immediate && !state.isReleased)))
            }
        }
        dropClosures()
    }

    /// The client has let go of the queue.
    func abandon() {
        // The one error there can be: the client had disposed of it before.
        do { try dispose(immediate: true) } catch { dropClosures() }
    }

    /// Lets go of the client's closures, which often hold the client's handle.
    private func dropClosures() {
        // Released outside the lock: a closure's end may run a client's deinitialiser, and that any call.
        let dropped = monitor.withLock { state in
            let dropped = (state.onBufferFilled, state.listeners.removeAll())
            state.onBufferFilled = nil
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}
