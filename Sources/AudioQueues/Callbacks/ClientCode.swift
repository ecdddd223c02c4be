// SPDX-License-Identifier: MIT

import Synchronization

/// The identifier of a property listener, by which its queue can remove the listener.
public struct QueueListenerToken: Sendable, Hashable {
    private static let latest = Atomic<UInt64>(0)

    /// A number for each listener of the process, so that another queue does not accept the token.
    private let number: UInt64

    init() { number = Self.latest.add(1, ordering: .relaxed).newValue }
}

/// The client's closures that a queue calls: one for returned buffers, and the property listeners.
struct ClientCode<Queue: AnyObject, Property: Equatable & Sendable, BufferCallback: Sendable> {
    struct Listener: Sendable {
        let token: QueueListenerToken
        let property: Property
        let body: @Sendable (Queue) -> Void
    }

    /// The closure for a returned buffer; nil once the queue was disposed of.
    private(set) var onBuffer: BufferCallback?
    /// The property listeners, in the order in which they were added.
    private var listeners: [Listener] = []

    init(onBuffer: BufferCallback) { self.onBuffer = onBuffer }

    mutating func addListener(
        for property: Property, _ body: @escaping @Sendable (Queue) -> Void
    ) -> QueueListenerToken {
        let token = QueueListenerToken()
        listeners.append(Listener(token: token, property: property, body: body))
        return token
    }

    /// - Returns: The listener. Release it outside the lock, because this may run a client's deinitialiser.
    mutating func removeListener(_ token: QueueListenerToken) -> Listener? {
        guard let index = listeners.firstIndex(where: { $0.token == token }) else { return nil }
        return listeners.remove(at: index)
    }

    func listeners(for property: Property) -> [Listener] { listeners.filter { $0.property == property } }

    func contains(_ listener: Listener) -> Bool { listeners.contains { $0.token == listener.token } }

    /// - Returns: All closures. Release them outside the lock, because this may run a client's deinitialiser.
    mutating func removeAll() -> ClientCode {
        defer { (onBuffer, listeners) = (nil, []) }
        return self
    }
}
