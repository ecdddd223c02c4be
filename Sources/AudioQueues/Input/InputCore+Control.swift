import AudioDevices
import CoreAudioTypes

/// The calls that change what a queue does.
extension InputCore {
    func start() throws(QueueError) {
        try locked { (state: inout InputState) throws(QueueError) in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            try startThread(&state)
            _ = try carryOut(state.machine.apply(.start), &state)
        }
    }

    func pause() throws(QueueError) {
        try locked { (state: inout InputState) throws(QueueError) in
            _ = try carryOut(state.machine.apply(.pause), &state)
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
                _ = try carryOut(state.machine.apply(.stopAfterEnqueued), &state)
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
                if isStop && state.events.done < state.events.lastReturn {
                    state.add(.returnEnded(ticket: ticket))
                } else {
                    state.returning.remove(ticket)
                }
            }
            return
        }
        let lastReturn = monitor.withLock { $0.events.lastReturn }
        _ = monitor.wait(until: limit) { !$0.machine.isDisposed && $0.events.done < lastReturn }
        monitor.withLock { state in
            if isStop { state.ending = nil }
            state.returning.remove(ticket)
        }
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
            if state.encoding.hasWork {
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
            packetCapacity(ofBytes: record.byteCapacity), hasDescriptions ? record.descriptionCapacity : .max)
        // A buffer without room would come back at once, time and again.
        guard packets > 0 else {
            throw QueueError(
                .invalidArgument,
                "cannot enqueue a buffer of \(record.byteCapacity) bytes: a "
                    + "\(isEncoding ? "packet may have" : "frame has") \(maximumPacketSize)")
        }
        return unsafe InputItem(
            number: number, buffer: record.buffer, room: record.staging ?? record.data,
            frames: packets * framesPerPacket, bytesPerFrame: deviceFormat.bytesPerFrame, packets: packets,
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
            state.converterError = nil
            state.ending = nil
            state.countsAtEnd = nil
            state.latestTime = -.infinity
            state.returning.removeAll()
            state.fragmentFrames = fragmentFrames(state)
            handOver(&state)
            stream.start(fragmentFrames: state.fragmentFrames)
        case .resumeDevice: stream.start(fragmentFrames: state.fragmentFrames)
        case .pauseDevice: stream.pause(ticket: state.takeTicket())
        case .stopDevice: return beginReset(.stop, &state)
        case .awaitFilled: endIfFilled(&state)
        case .flushDevice: stream.flush(ticket: state.takeTicket())
        case .resetDevice: return beginReset(.reset, &state)
        case .returnBuffers: return returnWaiting(&state)
        case .closeDevice: closeDevice(&state)
        case .announceRunning, .announceFailure, .release: break
        }
        return nil
    }

    /// Stops or resets the device. What was enqueued until now is returned with its answer.
    func beginReset(_ kind: InputState.Reset.Kind, _ state: inout InputState) -> UInt64 {
        let ticket = state.takeTicket()
        state.resets.append(
            InputState.Reset(ticket: ticket, itemLimit: state.nextItemNumber, kind: kind))
        if kind == .reset { stream.reset(ticket: ticket) } else { stream.stop(ticket: ticket) }
        return ticket
    }

    /// Returns what is enqueued on a stopped queue: with the device's answer when one is awaited, else now.
    private func returnWaiting(_ state: inout InputState) -> UInt64 {
        if state.resets.isEmpty {
            if !isEncoding {
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
        state.events.removeAll()
        state.isCapturing = false
        state.ending = nil
        stream.close(ticket: state.takeTicket())
        // Without a thread the device was never handed a buffer, and nobody takes its answer.
        if !state.hasThread, state.machine.apply(.closed) == .release { releaseIfEnded(&state) }
    }

    func dispose() throws(QueueError) {
        let isInCallback = CallbackScope.isCurrent
        try locked { (state: inout InputState) throws(QueueError) in
            _ = try carryOut(state.machine.apply(.dispose), &state)
        }
        if !isInCallback {
            wait(until: CallDeadline.fromNow) { !$0.isReleased }
        }
        dropClosures()
    }

    /// The client has let go of the queue.
    func abandon() {
        // The one error there can be: the client had disposed of it before.
        do { try dispose() } catch { dropClosures() }
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
