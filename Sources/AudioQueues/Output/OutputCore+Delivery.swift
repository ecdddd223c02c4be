import AudioDevices
import CRealTime

/// Calling the client's code, which happens only here.
extension OutputCore {
    /// Makes the next callback, on the callback context's thread.
    ///
    /// - Returns: False if none is due.
    func deliverNext() -> Bool {
        guard let next = monitor.withLock({ $0.takeEvent() }) else { return false }
        makeCallback(for: next)
        locked { $0.callbackEnded() }
        return true
    }

    /// Makes the callback for an event that was taken; ``OutputState/callbackEnded()`` follows.
    func makeCallback(for event: OutputEvent) { CallbackScope.run { deliver(event) } }

    private func deliver(_ event: OutputEvent) {
        // The client has released the queue.
        guard let queue = handle else { return }
        switch event {
        case .bufferDone(let buffer):
            monitor.withLock { $0.client.onBuffer }?.call(queue, buffer)
        case .changed(let property):
            for listener in monitor.withLock({ $0.client.listeners(for: property) }) {
                // Another listener, or another thread, may have removed it meanwhile.
                let isWanted = monitor.withLock {
                    !$0.machine.isDisposed && $0.client.contains(listener)
                }
                if isWanted { listener.body(queue) }
            }
        case .returnEnded(let ticket):
            monitor.withLock { $0.delivery.endRefusal(of: ticket) }
        }
    }

    func dispose(immediate: Bool) throws(QueueError) {
        let isInCallback = CallbackScope.isCurrent
        try locked { (state: inout OutputState) throws(QueueError) in
            startThreadsForDevice(&state)
            // No call renders the rest of a queue without a device.
            let endsAtOnce = immediate || state.path.isOffline
            try carryOut(state.machine.apply(endsAtOnce ? .disposeAtOnce : .disposeAfterEnqueued), &state)
            // From here on no callback begins.
            state.delivery.close()
            state.status.isRunning = false
            state.chain.dropsTap = true
            // The engine's thread removes the tap.
            if state.path.chain != nil { state.path.wake() }
        }
        if !isInCallback {
            wait(until: immediate ? CallDeadline.fromNow : CallDeadline.brief) { state in
                let mayAwaitCallback = !state.delivery.isGivenUp
                return (mayAwaitCallback && (state.delivery.isDelivering || (immediate && !state.isReleased)))
                    || state.chain.isProcessing
            }
        }
        dropClosures()
    }

    /// Starts threads for the return of buffers that the device received before a start had any. If they cannot be
    /// started, the buffers' memory is never freed.
    private func startThreadsForDevice(_ state: inout OutputState) {
        guard !state.machine.isDisposed, !state.items.isDeviceEmpty else { return }
        do throws(QueueError) { try startThreads(&state) } catch { state.status.failure = error }
    }

    /// The client has released the queue.
    func abandon() {
        // The only possible error is that it was disposed of before.
        do { try dispose(immediate: true) } catch { dropClosures() }
    }

    /// Releases the client's closures, which often hold the client's handle.
    private func dropClosures() {
        // Released outside the lock: this may run a client's deinitialiser, which may make any call.
        let dropped = monitor.withLock { $0.client.removeAll() }
        withExtendedLifetime(dropped) {}
    }
}
