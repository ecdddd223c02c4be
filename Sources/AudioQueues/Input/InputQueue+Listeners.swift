// SPDX-License-Identifier: MIT

import AQDevices

extension InputQueue {
    /// A property that can change without a call of the client, and can have listeners.
    public enum Property: Sendable, Hashable, CaseIterable {
        /// A change of ``InputQueue/isRunning``: the device started to capture, or the queue has stopped.
        case isRunning
        /// The loss, return or replacement of the device: see ``InputQueue/granted``.
        case device
        /// A new ``InputQueue/failure``: the queue stopped because of an error, or could not start.
        case failure
        /// A change of ``InputQueue/overrunCount``: no buffer was enqueued in time.
        case overrun
        /// A new ``InputQueue/converterError``: the encoder failed.
        case converterError
    }

    /// Calls `listener` after each change of a property, in order with the buffers' callbacks.
    ///
    /// - Parameter listener: Runs on the thread of the buffer callbacks. The listener reads the property's value, which
    ///   may have changed again.
    /// - Throws: ``QueueError/Code/disposalPending`` if the queue was disposed of.
    ///
    /// The corresponding C function is `AudioQueueAddPropertyListener`.
    @discardableResult
    public func addListener(
        for property: Property, _ listener: @escaping @Sendable (InputQueue) -> Void
    ) throws(QueueError) -> QueueListenerToken {
        try usableCore.perform(.use) { $0.client.addListener(for: property, listener) }
    }

    /// Removes a listener. Does not wait: a running call of the listener completes.
    ///
    /// The corresponding C function is `AudioQueueRemovePropertyListener`.
    public func removeListener(_ token: QueueListenerToken) {
        let removed = core.monitor.withLock { $0.client.removeListener(token) }
        withExtendedLifetime(removed) {}
    }
}
