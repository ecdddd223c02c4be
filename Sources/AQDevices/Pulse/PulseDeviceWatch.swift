// SPDX-License-Identifier: MIT

import Synchronization

/// Reports changes of a server's devices or defaults.
///
/// The watch is active as long as it is referenced. If the server dies, the watch waits for it. The end and the return
/// of the server are reported as changes.
public final class PulseDeviceWatch: Sendable {
    private let connection: PulseConnection
    private let observer: PulseConnectionObserver

    /// - Parameters:
    ///   - server: The server's address; nil for the server that libpulse selects.
    ///   - changed: Called after each change, or once after several, on the connection's thread, which it must not
    ///     block. It is not called after the end of the watch, but a call in progress may continue.
    /// - Throws: ``DeviceError/Code/refused`` if the process has no more descriptors, memory or threads, or was forked
    ///   after its parent had used devices. If the server does not answer, the watch waits for it.
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

    /// Prevents further calls of the closure. May be called from any thread.
    func end() { isEnded.store(true, ordering: .releasing) }

    /// Calls the closure, unless the observer has ended. Loop thread only.
    func notify() {
        if !isEnded.load(ordering: .acquiring) { changed() }
    }
}
