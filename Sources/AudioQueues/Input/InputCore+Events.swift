// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime

/// The device's events: the threads that wait for them, and their effects.
///
/// Only one thread at a time may wait for events: the taker. This is the queue's thread, unless it runs the client's
/// code. If there is a taker, a call that waits for the device (for example a stop) only waits for a change of state.
/// Otherwise, because a callback blocks, the call becomes the taker until its condition is met; other changes of the
/// state wake it, too. At the end it wakes all waiting threads, and one becomes the taker.
///
/// A taker takes all available events, because only the first of several posts the semaphore.
extension InputCore {
    /// Runs the queue's thread.
    func serve() {
        while true {
            while doNext() {}
            guard waitForTurn() else { return }
        }
    }

    /// Does one piece of work other than taking events, and returns whether there was any.
    private func doNext() -> Bool {
        monitor.withLock { $0.threads.context == nil } ? deliverNext() : runNextTask()
    }

    /// Waits until there is work, and takes events unless a call does.
    ///
    /// - Returns: False if the queue has ended.
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
        if let path { takeEvents(of: path, until: .max) }
        return !isOver
    }

    /// Waits while `condition` holds, at most until `deadline`, and takes events if no other thread does.
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
            if let path { takeEvents(of: path, until: deadline) }
        } while path != nil && aq_host_time() < deadline
    }

    /// Waits for events and takes them all. Called by the taker, which then ceases to be the taker.
    private func takeEvents(of path: InputPath, until deadline: UInt64) {
        path.feed.waitForEvent(until: deadline)
        let wakes = monitor.withLock { state in
            state.threads.taker = nil
            // The events of a device that was replaced meanwhile are ignored.
            if state.path === path {
                while let event = path.feed.nextEvent() { handle(event, &state) }
                endIfFilled(&state)
                handOver(&state)
            }
            // The queue's thread is the calling one, or waits for its turn, or will check for work.
            return state.takeWakes(isTaker: true)
        }
        monitor.notifyAll()
        wakes.send()
    }

    private func handle(_ event: DeviceEvent, _ state: inout InputState) {
        switch event.kind {
        case .segmentDone: segmentDone(event, &state)
        case .started:
            guard !state.isStopPending else { return }
            if state.machine.apply(.started) == .announceRunning { state.setCapturing(true) }
        case .stopped, .reset: state.endResets(answeredBy: event.token)
        case .failed:
            guard let failure = state.path.feed.failure else {
                // The device has carried out a resumption as a start, so the failure is obsolete, and a new timeline
                // has begun.
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
            // Without a packet maker, the device has returned the buffer that it was filling.
            if state.path.maker != nil { state.returnItems(below: state.items.nextNumber, at: .flush) }
        case .paused, .drained, .underran: break
        }
    }

    private func segmentDone(_ event: DeviceEvent, _ state: inout InputState) {
        if state.path.maker != nil { return blockDone(event, &state) }
        while let item = state.items.takeReturned(through: event.token) {
            let bytes = item.number == event.token ? event.byteCount : 0
            let buffer = state.timeline.fill(
                item, capturedBytes: bytes, frame: event.frame, hostTime: event.hostTime)
            state.add(.bufferFilled(buffer))
        }
    }

    /// Completes a stop that waited for the enqueued buffers.
    func endIfFilled(_ state: inout InputState) {
        // With an encoder, the buffer that is being filled also waits.
        guard state.machine.state == .stopping, state.items.isDeviceEmpty, state.items.isEmpty,
            state.resets.isEmpty, state.machine.apply(.filled) == .stopDevice
        else { return }
        state.timeline.keepCounts(state.path.stream.position())
        beginEnd(failure: nil, &state)
    }

    /// Stops the device because of a failure, or because all buffers are full.
    func beginEnd(failure: QueueError?, _ state: inout InputState) {
        state.status.comingFailure = failure
        beginEnd(.end(failure: failure), &state)
    }

    /// Stops the device without a waiting call.
    func beginEnd(_ kind: InputState.ResetKind, _ state: inout InputState) {
        let ticket = beginReset(kind, &state)
        // As in every stop, buffers are refused until the last callback.
        state.delivery.refuse(until: ticket)
    }

    /// Passes the waiting buffers to the device, as many as it accepts.
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
