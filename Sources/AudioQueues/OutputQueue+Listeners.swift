import AudioDevices

extension OutputQueue {
    /// What changes of its own accord, and can be listened to.
    public enum Property: Sendable, Hashable, CaseIterable {
        /// ``OutputQueue/isRunning``: the device began, or the last frame was heard.
        case isRunning
        /// The device was lost, came back, or is another one now: see ``OutputQueue/granted``.
        case device
        /// ``OutputQueue/failure``: the queue stopped by itself, or could not start.
        case failure
        /// ``OutputQueue/converterError``.
        case converterError
    }

    /// Names a listener, to remove it.
    public struct ListenerToken: Sendable, Hashable {
        let number: UInt64
    }

    /// Calls `listener` after each change of a property, in turn with the buffers' callbacks.
    ///
    /// - Parameter listener: Runs where buffer callbacks run; it reads the value itself, which may have
    ///   changed again.
    /// - Throws: ``QueueError/Code/disposalPending``.
    ///
    /// The corresponding C function is `AudioQueueAddPropertyListener`.
    @discardableResult
    public func addListener(
        for property: Property, _ listener: @escaping @Sendable (OutputQueue) -> Void
    ) throws(QueueError) -> ListenerToken {
        try core.perform(.use) { (state: inout QueueState) throws(QueueError) -> ListenerToken in
            let token = state.nextListener
            state.nextListener += 1
            state.listeners.append(QueueState.Listener(token: token, property: property, body: listener))
            return ListenerToken(number: token)
        }
    }

    /// Removes a listener. One that runs just now runs to its end.
    ///
    /// The corresponding C function is `AudioQueueRemovePropertyListener`.
    public func removeListener(_ token: ListenerToken) {
        // Released outside the lock: its end may run a client's deinitialiser.
        let removed = core.monitor.withLock { state -> QueueState.Listener? in
            guard let index = state.listeners.firstIndex(where: { $0.token == token.number }) else {
                return nil
            }
            return state.listeners.remove(at: index)
        }
        withExtendedLifetime(removed) {}
    }
}
