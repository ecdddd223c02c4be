import AudioDevices

extension InputQueue {
    /// A property that changes on its own, and can have listeners.
    public enum Property: Sendable, Hashable, CaseIterable {
        /// ``InputQueue/isRunning``: the device started to capture, or the queue has stopped.
        case isRunning
        /// The device was lost, restored or replaced: see ``InputQueue/granted``.
        case device
        /// ``InputQueue/failure``: the queue stopped because of an error, or could not start.
        case failure
        /// ``InputQueue/overrunCount``: no buffer was enqueued in time.
        case overrun
        /// ``InputQueue/converterError``: the encoder failed.
        case converterError
    }

    /// Calls `listener` after each change of a property, in turn with the buffers' callbacks.
    ///
    /// - Parameter listener: Runs where buffer callbacks run; it reads the value itself, which may have changed again.
    /// - Throws: ``QueueError/Code/disposalPending``.
    ///
    /// The corresponding C function is `AudioQueueAddPropertyListener`.
    @discardableResult
    public func addListener(
        for property: Property, _ listener: @escaping @Sendable (InputQueue) -> Void
    ) throws(QueueError) -> QueueListenerToken {
        try usableCore.perform(.use) { $0.client.addListener(for: property, listener) }
    }

    /// Removes a listener. A running call completes.
    ///
    /// The corresponding C function is `AudioQueueRemovePropertyListener`.
    public func removeListener(_ token: QueueListenerToken) {
        let removed = core.monitor.withLock { $0.client.removeListener(token) }
        withExtendedLifetime(removed) {}
    }
}
