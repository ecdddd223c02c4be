// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime
import CoreAudioTypes

/// The implementation of calls that control a queue.
extension InputCore {
    /// Starts or resumes the queue.
    ///
    /// - Parameter hostTime: The time of the first frame; nil for as soon as possible. Ignored unless the queue is
    ///   stopped.
    func start(atHostTime hostTime: UInt64? = nil) throws(QueueError) {
        if let hostTime, hostTime > aq_host_time() &+ InputCore.furthestStartNanoseconds {
            throw QueueError(.invalidArgument, "cannot start at a host time more than a minute ahead")
        }
        try locked { (state: inout InputState) throws(QueueError) in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            try startThread(&state)
            let action = state.machine.apply(.start)
            if action == .startDevice {
                state.lastStart = .init(fragmentFrames: fragmentFrames(state), hostTime: hostTime)
            }
            _ = try carryOut(action, &state)
        }
    }

    private static let furthestStartNanoseconds: UInt64 = 60_000_000_000

    func awaitStart() throws(QueueError) {
        guard !CallbackScope.isCurrent else { return }
        wait(until: CallDeadline.fromNow) { state in
            guard !state.machine.isDisposed else { return false }
            // A failure is complete once all buffers are returned: then the queue can be changed and started again.
            guard state.status.comingFailure == nil else { return !state.resets.isEmpty }
            guard state.machine.state == .running else { return false }
            // The device may still run because of a pending stop.
            guard !state.status.isCapturing || state.isStopPending else { return false }
            // Before the start time, the device does not answer.
            return state.lastStart.hostTime.map { $0 <= aq_host_time() } ?? true
        }
        try monitor.withLock { (state: inout InputState) throws(QueueError) -> Void in
            guard !state.machine.isDisposed, let failure = state.status.comingFailure else { return }
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
    /// A call in a callback of any queue waits only for the device, not for callbacks. Such a reset is complete on
    /// return, so that the callback can enqueue buffers. Such a stop is complete with its last callback, so that
    /// buffers enqueued by callbacks until then are refused.
    private func returnBuffers(_ call: InputStateMachine.Call) throws(QueueError) {
        let isStop = call == .stopAtOnce
        let isInCallback = CallbackScope.isCurrent
        let ticket = try locked { (state: inout InputState) throws(QueueError) -> UInt64 in
            guard !state.machine.isDisposed else { throw QueueError(.disposalPending) }
            if !isStop && !state.items.isEmpty { try startThread(&state) }
            guard let ticket = try carryOut(state.machine.apply(call), &state) else {
                // The queue has stopped before, but may not have returned all buffers.
                return state.resets.last?.ticket ?? 0
            }
            state.delivery.refuse(until: ticket)
            return ticket
        }
        let limit = CallDeadline.fromNow
        wait(until: limit) { state in
            !state.machine.isDisposed && state.resets.isPending(through: ticket)
        }
        if isInCallback {
            locked { state in
                if isStop {
                    state.status.endNow()
                    state.endRefusalBehindCallbacks(of: ticket)
                } else {
                    state.delivery.endRefusal(of: ticket)
                }
            }
            return
        }
        waitForReturns(until: limit)
        monitor.withLock { state in
            if isStop { state.status.endNow() }
            state.delivery.endRefusal(of: ticket)
        }
    }

    /// Waits until all due buffers were returned to the client.
    private func waitForReturns(until limit: UInt64) {
        // Making packets adds callbacks, so it is awaited first.
        let lastTask = monitor.withLock { $0.tasks.lastReturn }
        waitForCallbacks(until: limit) { $0.tasks.isAwaited(lastTask) }
        let lastEvent = monitor.withLock { $0.delivery.lastReturn }
        waitForCallbacks(until: limit) { $0.delivery.isAwaited(lastEvent) }
        monitor.withLock { $0.delivery.giveUp(on: lastEvent) }
    }

    func enqueue(_ buffer: QueueBuffer) throws(QueueError) {
        try perform(.enqueue) { (state: inout InputState) throws(QueueError) in
            let record = try state.pool.clientRecord(of: buffer, to: "enqueue", else: .bufferEnqueuedTwice)
            guard !state.delivery.isRefusing else { throw QueueError(.enqueueDuringReset) }
            let item = try makeItem(state.items.nextNumber, record)
            state.pool.move(buffer, to: .queue)
            state.items.append(item)
            if state.encoding.hasWork || (state.encoding.wantsBuffer && state.machine.isActive) {
                // Captured audio may have waited for this buffer.
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
        // A buffer that holds no packet would be returned at once, again and again.
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

    /// Carries out an action of the state machine.
    ///
    /// - Returns: The ticket of a stop or reset, if it returns buffers.
    func carryOut(
        _ action: InputStateMachine.Action, _ state: inout InputState
    ) throws(QueueError) -> UInt64? {
        switch action {
        case .nothing, .proceed: break
        case .fail(let code): throw QueueError(code)
        case .startDevice:
            state.status.start()
            state.timeline.start()
            state.delivery.endRefusals()
            handOver(&state)
            let fragmentFrames = state.lastStart.fragmentFrames
            if let hostTime = state.lastStart.hostTime {
                state.path.stream.start(fragmentFrames: fragmentFrames, atHostTime: hostTime)
            } else {
                state.path.stream.start(fragmentFrames: fragmentFrames)
            }
        case .resumeDevice: state.path.stream.start(fragmentFrames: state.lastStart.fragmentFrames)
        case .pauseDevice: state.path.stream.pause(ticket: state.resets.takeTicket())
        case .stopDevice: return beginReset(.stop, &state)
        case .awaitFilled: endIfFilled(&state)
        case .flushDevice: state.path.stream.flush(ticket: state.resets.takeTicket())
        case .resetDevice: return beginReset(.reset, &state)
        case .returnBuffers: return returnWaiting(&state)
        case .closeDevice: closeDevice(&state)
        case .announceRunning, .announceFailure, .release: break
        }
        return nil
    }

    /// Carries out an action for a call that waits for no callbacks. A stop is complete with its last callback.
    private func carryOutUnawaited(
        _ action: InputStateMachine.Action, _ state: inout InputState
    ) throws(QueueError) {
        if action == .stopDevice { return beginEnd(.stopUnawaited, &state) }
        _ = try carryOut(action, &state)
    }

    /// Stops or resets the device. Its answer returns the buffers enqueued until now.
    func beginReset(_ kind: InputState.ResetKind, _ state: inout InputState) -> UInt64 {
        let ticket = state.resets.add(kind, itemLimit: state.items.nextNumber)
        let stream = state.path.stream
        if kind == .reset { stream.reset(ticket: ticket) } else { stream.stop(ticket: ticket) }
        return ticket
    }

    /// Returns the enqueued buffers of a stopped queue, with the pending answer of the device if there is one.
    private func returnWaiting(_ state: inout InputState) -> UInt64 {
        let limit = state.items.nextNumber
        if let ticket = state.resets.extendLast(to: limit) { return ticket }
        if !state.items.isEmpty { state.returnItems(below: limit, at: .reset) }
        return state.resets.takeTicket()
    }

    /// Returns the fragment size for the device: the size of the smallest buffer, within limits, so that each buffer
    /// is returned soon after it is full.
    func fragmentFrames(_ state: InputState) -> Int {
        let enqueuedSeconds = state.items.all.map(\.frames).min().map { frames in
            (Double(frames) / format.mSampleRate).clamped(to: 0.001...0.5)
        }
        let seconds =
            configuration.fragmentSeconds.map { $0.clamped(to: 0.001...10) } ?? enqueuedSeconds ?? 0.1
        return max(1, Int((seconds * format.mSampleRate).rounded()))
    }

    private func closeDevice(_ state: inout InputState) {
        state.tasks.close()
        state.delivery.close()
        state.status.close()
        state.path.stream.close(ticket: state.resets.takeTicket())
        // Without a thread, the device never received a buffer, and no thread takes its answer.
        if !state.threads.isStarted, state.machine.apply(.closed) == .release { state.releaseIfEnded() }
    }
}
