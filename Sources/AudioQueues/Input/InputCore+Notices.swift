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
        monitor.withLock { $0.threads.context == nil } ? deliverNext() : runNextTask()
    }

    /// Waits until there is something to do, taking notices unless a call does.
    ///
    /// - Returns: False when the queue has ended.
    private func waitForTurn() -> Bool {
        var path: InputPath?
        var isOver = false
        _ = monitor.wait(until: .max) { state in
            isOver = state.machine.state == .disposed
            guard !isOver, !state.hasThreadWork else { return false }
            guard state.threads.beginTaking(.queueThread) else { return true }
            path = state.path
            return false
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
                guard state.threads.beginTaking(.call) else { return true }
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
            state.threads.endTaking()
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
        case .stopped, .reset: state.endResets(answeredBy: notice.token)
        case .failed:
            guard let failure = state.path.feed.failure else {
                // A resumption that the device took for a start has made the failure history, and began a
                // new timeline.
                state.timeline.restart()
                if state.path.maker != nil { state.addWork(.newTimeline) }
                return
            }
            if state.isStopPending {
                state.explainEnd(QueueError(failure))
            } else if state.machine.apply(.failed) == .announceFailure {
                beginEnd(failure: QueueError(failure), &state)
            }
        case .overran:
            if !state.timeline.areCountsKept { state.add(.changed(.overrun)) }
        case .interrupted, .resumed, .moved: state.add(.changed(.device))
        case .closed:
            if state.machine.apply(.closed) == .release { state.releaseIfEnded() }
        case .flushed:
            // Without a maker, the device has returned the buffer that it was filling.
            if state.path.maker != nil { state.returnItems(below: state.items.nextNumber, at: .flush) }
        case .paused, .drained, .underran: break
        }
    }

    private func segmentDone(_ notice: DeviceNotice, _ state: inout InputState) {
        if state.path.maker != nil { return blockDone(notice, &state) }
        while let item = state.items.takeReturned(through: notice.token) {
            let bytes = item.number == notice.token ? notice.byteCount : 0
            let buffer = state.timeline.fill(
                item, capturedBytes: bytes, frame: notice.frame, hostTime: notice.hostTime)
            state.add(.bufferFilled(buffer))
        }
    }

    /// Ends a stop that waited for the enqueued buffers.
    func endIfFilled(_ state: inout InputState) {
        // With an encoder, the buffer that is being filled waits as well.
        guard state.machine.state == .stopping, state.items.isDeviceEmpty, state.items.isEmpty,
            state.resets.isEmpty, state.machine.apply(.filled) == .stopDevice
        else { return }
        state.timeline.keepCounts(state.path.stream.position())
        beginEnd(failure: nil, &state)
    }

    /// Stops the device since the queue stops by itself.
    func beginEnd(failure: QueueError?, _ state: inout InputState) {
        state.status.setComingFailure(failure)
        beginEnd(.end(failure: failure), &state)
    }

    /// Stops the device for no call that waits.
    func beginEnd(_ kind: InputState.ResetKind, _ state: inout InputState) {
        let ticket = beginReset(kind, &state)
        // As in every stop, what callbacks enqueue is refused until the last of them.
        state.delivery.refuse(until: ticket)
    }

    /// Gives the device as many of the waiting buffers as it takes.
    func handOver(_ state: inout InputState) {
        guard state.machine.isActive, state.resets.isEmpty else { return }
        if state.path.maker != nil { return handOverBlocks(&state) }
        let path = state.path
        var isAdded = false
        while let item = state.items.first {
            let segment = unsafe StreamSegment(
                room: item.room, byteCount: item.byteCount, token: item.number)
            guard path.feed.enqueue(segment) else { break }
            state.items.moveFirstToDevice()
            isAdded = true
        }
        if isAdded { path.stream.roomAvailable() }
    }
}
