/// Identifies a property listener, to remove it from its queue.
public struct QueueListenerToken: Sendable, Hashable {
    let number: UInt64
}

/// The property listeners of one queue, in the order in which they were added.
struct ListenerTable<Queue: AnyObject, Property: Sendable> {
    // The constraints on a property are in the methods that use them: generic conformances are checked at run
    // time, which would cost a tool's start more than everything that the table does.
    struct Listener: Sendable {
        let token: QueueListenerToken
        let property: Property
        let body: @Sendable (Queue) -> Void
    }

    private var listeners: [Listener] = []
    private var nextNumber: UInt64 = 1

    mutating func add(
        for property: Property, _ body: @escaping @Sendable (Queue) -> Void
    )
        -> QueueListenerToken
    {
        let token = QueueListenerToken(number: nextNumber)
        nextNumber += 1
        listeners.append(Listener(token: token, property: property, body: body))
        return token
    }

    /// - Returns: The listener, to be released outside the lock: it may run a client's deinitialiser.
    mutating func remove(_ token: QueueListenerToken) -> Listener? {
        guard let index = listeners.firstIndex(where: { $0.token == token }) else { return nil }
        return listeners.remove(at: index)
    }

    /// - Returns: All listeners, to be released outside the lock.
    mutating func removeAll() -> [Listener] {
        defer { listeners = [] }
        return listeners
    }

    func contains(_ listener: Listener) -> Bool { listeners.contains { $0.token == listener.token } }
}

extension ListenerTable where Property: Equatable {
    func listeners(for property: Property) -> [Listener] { listeners.filter { $0.property == property } }
}
