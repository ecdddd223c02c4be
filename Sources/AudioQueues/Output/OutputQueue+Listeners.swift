import AudioDevices

extension OutputQueue {
    /// A property that changes on its own, and can have listeners.
    public enum Property: Sendable, Hashable, CaseIterable {
        /// ``OutputQueue/isRunning``: the device started, or the last frame was played.
        case isRunning
        /// The device was lost, restored or replaced: see ``OutputQueue/granted``.
        case device
        /// ``OutputQueue/failure``: the queue stopped because of an error, or could not start.
        case failure
        /// ``OutputQueue/converterError``.
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
        for property: Property, _ listener: @escaping @Sendable (OutputQueue) -> Void
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
