// SPDX-License-Identifier: MIT

import AQDevices
import CAQRealTime

/// All calls of the client's code.
extension OutputCore {
    /// Runs the next callback, on the callback context's thread.
    ///
    /// - Returns: False if none is due.
    func deliverNext() -> Bool {
        guard let next = monitor.withLock({ $0.takeEvent() }) else { return false }
        makeCallback(for: next)
        locked { $0.callbackEnded() }
        return true
    }

    /// Runs the callback for an event. ``OutputState/callbackEnded()`` must follow.
    func makeCallback(for event: OutputEvent) { CallbackScope.run { deliver(event) } }

    private func deliver(_ event: OutputEvent) {
        // The client has released the queue.
        guard let queue = handle else { return }
        switch event {
        case .bufferDone(let buffer):
            monitor.withLock { $0.client.onBuffer }?.call(queue, buffer)
        case .changed(let property):
            for listener in monitor.withLock({ $0.client.listeners(for: property) }) {
                // Another listener or thread may have removed this one meanwhile.
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
            // Without a device, no call renders the rest of the queue.
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

    /// Starts threads that return buffers which the device received before a start had any threads. If the threads
    /// cannot be started, the buffers' memory is never freed.
    private func startThreadsForDevice(_ state: inout OutputState) {
        guard !state.machine.isDisposed, !state.items.isDeviceEmpty else { return }
        do throws(QueueError) { try startThreads(&state) } catch { state.status.failure = error }
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
