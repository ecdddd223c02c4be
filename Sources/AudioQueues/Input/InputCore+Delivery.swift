import AudioCodecs
import AudioDevices
import CoreAudioTypes

/// The client's code: called here, and only here, but for its taps.
extension InputCore {
    /// Makes the next callback, on whatever thread makes them.
    ///
    /// - Returns: False when there is none to make, or another thread is making one.
    func deliverNext() -> Bool {
        guard let next = monitor.withLock({ $0.delivery.takeNext() }) else { return false }
        CallbackScope.run { deliver(next) }
        locked { state in
            state.delivery.finish()
            // Who was refused one meanwhile has to ask again.
            state.delivery.scheduleAgain()
            state.releaseIfEnded()
        }
        return true
    }

    /// Does what is to be done before the client is told, on the queue's thread, where a context makes callbacks.
    ///
    /// - Returns: False when there is nothing to do.
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

    /// Waits while `condition` holds for what the client's code brings, at most until `deadline`.
    ///
    /// On the context's own thread, the callbacks are made here: nobody else could. Not to be called in a callback.
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
        // Without the client's handle nobody is left to be told.
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
                // The client may have started anew.
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

    /// Sees to it that the client's buffer holds what was captured, in its format.
    ///
    /// - Returns: The bytes that it holds.
    private func bringHome(_ filled: FilledBuffer) -> Int {
        guard let converter else { return filled.capturedBytes }
        let captured = unsafe UnsafeRawBufferPointer(start: filled.room, count: filled.capturedBytes)
        do throws(CodecError) {
            // SAFETY: the buffer is the queue's until it is moved to the client, and cannot be freed.
            let frames = try unsafe converter.convert(captured, into: filled.buffer.bytes)
            return frames * Int(format.mBytesPerFrame)
        } catch {
            // Not for whole frames that fit, which these are.
            return 0
        }
    }

    private func callListeners(of property: InputQueue.Property, on queue: InputQueue) {
        for listener in monitor.withLock({ $0.client.listeners(for: property) }) {
            // Another listener, or another thread, may have removed it meanwhile.
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
        // A context has locks of its own, under which it may be making a callback just now.
        context?.end()
        if !isInCallback {
            wait(until: immediate ? CallDeadline.fromNow : CallDeadline.brief) { state in
                // Of a callback that was waited for in vain it is known; a tap may use its client's memory.
                let mayAwaitCallback = !state.delivery.isGivenUp
                return state.tasks.isDelivering
                    || (mayAwaitCallback && (state.delivery.isDelivering || (immediate && !state.isReleased)))
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
        let dropped = monitor.withLock { $0.client.removeAll() }
        withExtendedLifetime(dropped) {}
    }
}
