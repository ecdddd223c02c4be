import Synchronization

/// Tells when a server's devices change, or which of them are its defaults.
///
/// As long as it is held. A server that dies is waited for, and its end and return are changes too.
public final class PulseDeviceWatch: Sendable {
    private let connection: PulseConnection
    private let observer: PulseConnectionObserver

    /// - Parameters:
    ///   - server: The server's address; nil is the user's own.
    ///   - changed: Called on the thread of the connection, which must not be kept waiting: after each change,
    ///     or once for several. Not called after the watch's end, but for a call that has begun.
    /// - Throws: ``DeviceError`` when the process is out of threads or descriptors. A server that does not
    ///   answer is waited for.
    public init(server: String? = nil, _ changed: @escaping @Sendable () -> Void) throws(DeviceError) {
        let connection = try PulseConnection.connection(to: server)
        let observer = PulseConnectionObserver(changed)
        self.connection = connection
        self.observer = observer
        connection.perform { connection.add(observer) }
    }

    deinit {
        observer.end()
        // The list of observers is the loop's own.
        connection.perform { [connection, observer] in connection.remove(observer) }
    }
}

/// Who hears from a connection that something of the server's devices has changed.
final class PulseConnectionObserver: Sendable {
    private let changed: @Sendable () -> Void
    private let isEnded = Atomic<Bool>(false)

    init(_ changed: @escaping @Sendable () -> Void) { self.changed = changed }

    /// From any thread.
    func end() { isEnded.store(true, ordering: .releasing) }

    /// Loop thread.
    func tell() {
        if !isEnded.load(ordering: .acquiring) { changed() }
    }
}
