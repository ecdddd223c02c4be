import AudioDevices
import CRealTime

/// The device's notices: who waits for them, and what they change.
///
/// The feed lets one thread at a time wait for notices: the taker. That is the queue's thread whenever the
/// client's code does not keep it. A call that waits for the device (a stop, say) is content to see the state
/// change, but when there is no taker, since a callback blocks, it becomes the taker itself until it has what
/// it waits for; other changes of the state wake it, too. On leaving the role it lets all waiting threads
/// look again, so the next one takes over. A taker takes all notices that are there, since only the first of several
/// posts the semaphore.
extension InputCore {
    /// The queue's thread.
    func serve() {
        while true {
            while doNext() {}
            guard waitForTurn() else { return }
        }
    }

    /// Does one thing that is not to take notices.
    private func doNext() -> Bool {
        monitor.withLock { $0.context == nil } ? deliverNext() : runNextTask()
    }

    /// Waits until there is something to do, taking notices unless a call does.
    ///
    /// - Returns: False when the queue has ended.
    private func waitForTurn() -> Bool {
        var path: InputPath?
        var isOver = false
        _ = monitor.wait(until: .max) { state in
            isOver = state.machine.state == .disposed
            let isTaker = !isOver && !state.hasThreadWork && state.taker == nil
            if isTaker {
                state.taker = .queueThread
                path = state.path
            }
            return !isOver && !isTaker && !state.hasThreadWork
        }
        if let path { takeNotices(of: path, until: .max) }
        return !isOver
    }

    /// Waits while `condition` holds, at most until `deadline`, taking notices if nobody else does.
    func wait(until deadline: UInt64, while condition: (inout InputState) -> Bool) {
        var path: InputPath?
        repeat {
            path = nil
            _ = monitor.wait(until: deadline) { state in
                guard condition(&state) else { return false }
                guard state.taker == nil else { return true }
                state.taker = .call
                path = state.path
                return false
            }
            if let path { takeNotices(of: path, until: deadline) }
        } while path != nil && aq_host_time() < deadline
    }

    /// Waits for notices and takes them all. Only for the taker, who is none after that.
    private func takeNotices(of path: InputPath, until deadline: UInt64) {
        path.feed.waitForNotice(until: deadline)
        let wakes = monitor.withLock { state in
            state.taker = nil
            // Of a device that was replaced meanwhile, nothing is of interest.
            if state.path === path {
                while let notice = path.feed.nextNotice() { handle(notice, &state) }
                endIfFilled(&state)
                handOver(&state)
            }
            // The queue's thread is this one, or waits for its turn, or will look for what to do by itself.
            return state.takeWakes(isTaker: true)
        }
        monitor.notifyAll()
        wakes.send()
    }

    private func handle(_ notice: DeviceNotice, _ state: inout InputState) {
        switch notice.kind {
        case .segmentDone: segmentDone(notice, &state)
        case .started:
            guard !state.isStopPending else { return }
            if state.machine.apply(.started) == .announceRunning { state.setCapturing(true) }
        case .stopped, .reset: endReset(notice.token, &state)
        case .failed:
            guard let failure = state.path.feed.failure else {
                // A resumption that the device took for a start has made the failure history, and began a
                // new timeline.
                state.gaps.endRun(at: 0)
                state.nextFrame = 0
                state.latestTime = -.infinity
                if state.path.maker != nil { addWork(.newTimeline, &state) }
                return
            }
            if state.isStopPending {
                explainEnd(QueueError(failure), &state)
            } else if state.machine.apply(.failed) == .announceFailure {
                beginEnd(failure: QueueError(failure), &state)
            }
        case .overran:
            if state.countsAtEnd == nil { state.add(.changed(.overrun)) }
        case .interrupted, .resumed, .moved: state.add(.changed(.device))
        case .closed:
            if state.machine.apply(.closed) == .release { releaseIfEnded(&state) }
        case .flushed:
            guard state.path.maker != nil else { return }
            addWork(
                .boundary(.init(kind: .flush, itemLimit: state.nextItemNumber)), &state)
        case .paused, .drained, .underran: break
        }
    }

    private func segmentDone(_ notice: DeviceNotice, _ state: inout InputState) {
        if state.path.maker != nil { return blockDone(notice, &state) }
        // Segments come back in order.
        while let item = state.inDevice.first, item.number <= notice.token {
            _ = state.inDevice.popFirst()
            let bytes = item.number == notice.token ? notice.byteCount : 0
            state.isLatestFull = bytes >= item.byteCount
            giveBack(item, capturedBytes: bytes, notice, &state)
        }
    }

    /// Gives a buffer back with what the device wrote into it, once its callback's turn comes.
    private func giveBack(
        _ item: InputItem, capturedBytes: Int, _ notice: DeviceNotice, _ state: inout InputState
    ) {
        let frames = min(max(0, capturedBytes), item.byteCount) / item.bytesPerFrame
        guard frames > 0 else {
            // Frames that were lost before the buffer's turn came are before it all the same.
            return giveBackEmpty(item, frame: max(notice.frame, state.nextFrame), &state)
        }
        let info = InputBufferInfo(
            sampleTime: Double(notice.frame), hostTime: notice.hostTime, packetCount: frames,
            lostFramesBefore: max(0, notice.frame - state.nextFrame))
        state.nextFrame = notice.frame + Int64(frames)
        state.add(
            .bufferFilled(
                unsafe FilledBuffer(
                    buffer: item.buffer, room: item.room, capturedBytes: frames * item.bytesPerFrame,
                    info: info)))
    }

    private func giveBackEmpty(_ item: InputItem, frame: Int64, _ state: inout InputState) {
        let info = InputBufferInfo(
            sampleTime: Double(frame), hostTime: aq_host_time(), packetCount: 0,
            lostFramesBefore: 0)
        state.add(
            .bufferFilled(
                unsafe FilledBuffer(buffer: item.buffer, room: item.room, capturedBytes: 0, info: info)))
    }

    /// The device has handed over everything that it had at a stop or reset.
    private func endReset(_ ticket: UInt64, _ state: inout InputState) {
        while let reset = state.resets.first, reset.ticket <= ticket {
            state.resets.removeFirst()
            if state.path.maker != nil {
                addWork(
                    .boundary(
                        .init(kind: reset.kind == .reset ? .reset : .end, itemLimit: reset.itemLimit)),
                    &state)
            } else {
                returnItems(below: reset.itemLimit, &state)
            }
            if reset.kind != .reset { state.endGaps() }
            switch reset.kind {
            case .reset: continue
            case .stop:
                state.endRefusal(of: reset.ticket)
                state.setCapturing(false)
            case .stopUnawaited: endWithCallbacks(reset.ticket, failure: nil, &state)
            case .end(let failure): endWithCallbacks(reset.ticket, failure: failure, &state)
            }
            state.nextFrame = 0
        }
    }

    /// Has the queue run until the callbacks of a stop were made for which no call waits.
    private func endWithCallbacks(_ ticket: UInt64, failure: QueueError?, _ state: inout InputState) {
        let wasCapturing = state.isCapturing
        state.isCapturing = false
        if wasCapturing { state.ending = ticket }
        state.add(.ended(ticket: ticket, failure: failure))
        if wasCapturing { state.add(.changed(.isRunning)) }
        if failure != nil { state.add(.changed(.failure)) }
    }

    /// Gives back, empty, what the device did not fill.
    func returnItems(below itemLimit: UInt64, _ state: inout InputState) {
        while let item = state.inDevice.first, item.number < itemLimit {
            _ = state.inDevice.popFirst()
            giveBackEmpty(item, frame: state.nextFrame, &state)
        }
        while let item = state.waiting.first, item.number < itemLimit {
            _ = state.waiting.popFirst()
            giveBackEmpty(item, frame: state.nextFrame, &state)
        }
    }

    /// Ends a stop that waited for the enqueued buffers.
    func endIfFilled(_ state: inout InputState) {
        // With an encoder, `waiting` has the buffer that is being filled, too.
        guard state.machine.state == .stopping, state.inDevice.isEmpty, state.waiting.isEmpty,
            state.resets.isEmpty, state.machine.apply(.filled) == .stopDevice
        else { return }
        state.countsAtEnd = state.path.stream.position()
        beginEnd(failure: nil, &state)
    }

    /// Stops the device since the queue stops by itself.
    func beginEnd(failure: QueueError?, _ state: inout InputState) {
        state.comingFailure = failure
        beginEnd(.end(failure: failure), &state)
    }

    /// Stops the device for no call that waits.
    func beginEnd(_ kind: InputState.Reset.Kind, _ state: inout InputState) {
        let ticket = beginReset(kind, &state)
        // As in every stop, what callbacks enqueue is refused until the last of them.
        state.returning.insert(ticket)
    }

    /// The device has failed while it is being stopped, since every buffer was returned: if by its failure,
    /// then this is why.
    private func explainEnd(_ failure: QueueError, _ state: inout InputState) {
        guard let last = state.resets.last, last.kind == .end(failure: nil), !state.isLatestFull else {
            return
        }
        state.resets[state.resets.count - 1].kind = .end(failure: failure)
        state.comingFailure = failure
    }

    /// Gives the device as many of the waiting buffers as it takes.
    func handOver(_ state: inout InputState) {
        guard state.machine.isActive, state.resets.isEmpty else { return }
        if state.path.maker != nil { return handOverBlocks(&state) }
        let path = state.path
        var isAdded = false
        while let item = state.waiting.first {
            let segment = unsafe StreamSegment(
                room: item.room, byteCount: item.byteCount, token: item.number)
            guard path.feed.enqueue(segment) else { break }
            _ = state.waiting.popFirst()
            state.inDevice.append(item)
            isAdded = true
        }
        if isAdded { path.stream.roomAvailable() }
    }

    /// Frees the memory, once neither the device nor a callback can use it.
    func releaseIfEnded(_ state: inout InputState) {
        guard state.machine.state == .disposed, !state.events.isDelivering, !state.tasks.isDelivering,
            !state.isReleased
        else { return }
        state.isReleased = true
        state.pool.freeAll()
        state.encoding.release()
        state.waiting.removeAll()
        state.inDevice.removeAll()
    }
}
