import Synchronization

/// Reports changes of a server's devices or defaults.
///
/// Active as long as it is referenced. If the server dies, the watch waits for it; its end and return are changes too.
public final class PulseDeviceWatch: Sendable {
    private let connection: PulseConnection
    private let observer: PulseConnectionObserver

    /// - Parameters:
    ///   - server: The server's address; nil for the user's own.
    ///   - changed: Called on the connection's thread, which it must not block: after each change, or once for several.
    ///     Not called after the watch has ended, except for a call in progress.
    /// - Throws: ``DeviceError`` if the process has no more threads or descriptors. If the server does not answer, the
    ///   watch waits for it.
    public init(server: String? = nil, _ changed: @escaping @Sendable () -> Void) throws(DeviceError) {
        let connection = try PulseConnection.connection(to: server)
        let observer = PulseConnectionObserver(changed)
        self.connection = connection
        self.observer = observer
        connection.perform { connection.add(observer) }
    }

    deinit {
        observer.end()
        // The list of observers belongs to the loop's thread.
        connection.perform { [connection, observer] in connection.remove(observer) }
    }
}

/// A connection's observer of changes of the server's devices.
final class PulseConnectionObserver: Sendable {
    private let changed: @Sendable () -> Void
    private let isEnded = Atomic<Bool>(false)

    init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    /// May be called from any thread.
    func end() { isEnded.store(true, ordering: .releasing) }

    /// Loop thread.
    func notify() {
        if !isEnded.load(ordering: .acquiring) { changed() }
    }
}
