// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import CoreAudioTypes

/// Calls of the client's code, except those of taps.
extension InputCore {
    /// Runs the next callback, on the thread that runs them.
    ///
    /// - Returns: False if none is due, or another thread runs one.
    func deliverNext() -> Bool {
        guard let next = monitor.withLock({ $0.delivery.takeNext() }) else { return false }
        CallbackScope.run { deliver(next) }
        locked { state in
            state.delivery.finish()
            // A thread that could not take an event meanwhile has to try again.
            state.delivery.scheduleAgain()
            state.releaseIfEnded()
        }
        return true
    }

    /// Does the next work before a callback, on the queue's thread, if a context runs callbacks.
    ///
    /// - Returns: False if there is no such work.
    func runNextTask() -> Bool {
        guard let task = monitor.withLock({ $0.tasks.takeNext() }) else { return false }
        var isForClient = true
        if case .encode(let number) = task {
            isForClient = false
            encode(through: number) { leaveToContext($0) }
        }
        locked { state in
            if isForClient { state.delivery.add(task) }
            state.tasks.finish()
            state.releaseIfEnded()
        }
        return true
    }

    private func leaveToContext(_ packed: PackedBuffer) { locked { $0.delivery.add(.bufferPacked(packed)) } }

    /// Waits for the client's code while `condition` holds, at most until `deadline`.
    ///
    /// On the context's own thread, runs the callbacks here, because no other thread can. Must not be called in a
    /// callback.
    func waitForCallbacks(until deadline: UInt64, while condition: (inout InputState) -> Bool) {
        let makesCallbacks = monitor.withLock { $0.threads.context }?.isCurrent ?? false
        while true {
            var hasCallback = false
            _ = monitor.wait(until: deadline) { state in
                guard condition(&state) else {
                    hasCallback = false
                    return false
                }
                hasCallback = makesCallbacks && !state.delivery.isEmpty && !state.delivery.isDelivering
                return !hasCallback
            }
            guard hasCallback else { return }
            _ = deliverNext()
        }
    }

    private func deliver(_ event: InputEvent) {
        // The client has released the queue.
        guard let queue = handle else { return }
        switch event {
        case .bufferFilled(let filled):
            deliver(filled.buffer, byteCount: bringHome(filled), filled.info, to: queue)
        case .bufferPacked(let packed): deliver(packed, to: queue)
        case .encode(let number): encode(through: number) { deliver($0, to: queue) }
        case .changed(let property): callListeners(of: property, on: queue)
        case .ended(let ticket, let failure):
            locked { state in
                state.delivery.endRefusal(of: ticket)
                // The client may have started again.
                state.status.end(ticket, failure: state.machine.state == .stopped ? failure : nil)
            }
        case .returnEnded(let ticket): monitor.withLock { $0.delivery.endRefusal(of: ticket) }
        }
    }

    private func deliver(_ packed: PackedBuffer, to queue: InputQueue) {
        packed.buffer.packetDescriptionCount = packed.descriptions
        deliver(packed.buffer, byteCount: packed.byteCount, packed.info, to: queue)
    }

    private func deliver(
        _ buffer: QueueBuffer, byteCount: Int, _ info: InputBufferInfo, to queue: InputQueue
    ) {
        let callback = monitor.withLock { state in
            buffer.byteCount = byteCount
            state.pool.move(buffer, to: .client)
            return state.client.onBuffer
        }
        callback?.call(queue, buffer, info)
    }

    /// Converts a buffer's captured audio to the queue's format, in the client's memory.
    ///
    /// - Returns: The size of the data in bytes.
    private func bringHome(_ filled: FilledBuffer) -> Int {
        guard let converter else { return filled.capturedBytes }
        let captured = unsafe UnsafeRawBufferPointer(start: filled.room, count: filled.capturedBytes)
        do throws(CodecError) {
            // SAFETY: the buffer belongs to the queue, and cannot be freed, until it is moved to the client.
            let frames = try unsafe converter.convert(captured, into: filled.buffer.bytes)
            return frames * Int(format.mBytesPerFrame)
        } catch {
            // Never thrown for whole frames that fit.
            return 0
        }
    }

    private func callListeners(of property: InputQueue.Property, on queue: InputQueue) {
        for listener in monitor.withLock({ $0.client.listeners(for: property) }) {
            // Another listener or thread may have removed this one meanwhile.
            let isWanted = monitor.withLock { !$0.machine.isDisposed && $0.client.contains(listener) }
            if isWanted { listener.body(queue) }
        }
    }

    // MARK: The end

    func dispose(immediate: Bool) throws(QueueError) {
        let isInCallback = CallbackScope.isCurrent
        var context: (any CallbackContext)?
        try locked { (state: inout InputState) throws(QueueError) in
            _ = try carryOut(state.machine.apply(.dispose), &state)
            context = state.threads.context
        }
        // Outside the lock, because a context has its own locks, and may hold them while it runs a callback.
        context?.end()
        if !isInCallback {
            wait(until: immediate ? CallDeadline.fromNow : CallDeadline.brief) { state in
                // A callback that exceeded an earlier wait is not awaited again. A tap is, because it may use memory
                // of its client.
                let mayAwaitCallback = !state.delivery.isGivenUp
                return state.tasks.isDelivering
                    || (mayAwaitCallback && (state.delivery.isDelivering || (immediate && !state.isReleased)))
            }
        }
        dropClosures()
    }

    /// Disposes of the queue after the client has released it.
    func abandon() {
        // The only possible error is that the queue was disposed of before.
        do { try dispose(immediate: true) } catch { dropClosures() }
    }

    /// Releases the client's closures, which often hold the client's handle.
    private func dropClosures() {
        // Released outside the lock: this may run a client's deinitialiser, which may make any call.
        let dropped = monitor.withLock { $0.client.removeAll() }
        withExtendedLifetime(dropped) {}
    }
}
