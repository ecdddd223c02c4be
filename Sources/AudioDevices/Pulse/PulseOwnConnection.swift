import Synchronization

/// A connection that one stream has for itself, whose thread also runs the code of the stream's client.
///
/// A server takes 64 clients in all, so a process has few of these. The next stream uses the connection of one that
/// has ended.
final class PulseOwnConnection: Sendable {
    static let mostAtOnce = 8

    private struct Pool {
        /// Connections that no stream uses, by the server's address as in ``PulseConnection``.
        var idle: [String: [PulseConnection]] = [:]
        /// The number of the others.
        var used = 0
        /// Their sinks, by the connection, and their servers.
        var sinks: [ObjectIdentifier: (server: String, name: String)] = [:]
    }

    private static let pool = Monitor(Pool())

    let connection: PulseConnection
    private let server: String
    private let isReturned = Atomic<Bool>(false)

    private init(_ connection: PulseConnection, _ server: String) {
        self.connection = connection
        self.server = server
    }

    /// Takes a connection to a server, which begins to connect; nil if the process has as many as it may, or cannot
    /// have another.
    static func take(to server: String?) -> PulseOwnConnection? {
        let address = server ?? ""
        guard !ForkedChild.isCurrent else { return nil }
        return pool.withLock { pool in
            guard pool.used < mostAtOnce else { return nil }
            if let idle = pool.idle[address]?.popLast() {
                pool.used += 1
                idle.perform { idle.connectIfNeeded() }
                return PulseOwnConnection(idle, address)
            }
            // Without one, the stream shares the connection that exists, or reports why there is none.
            guard let made = try? PulseConnection.make(to: server, servesClient: true) else { return nil }
            pool.used += 1
            return PulseOwnConnection(made, address)
        }
    }

    deinit { giveBack() }

    /// Leaves the connection to other streams, once the client's code has ended. From any thread.
    func giveBack() {
        guard !isReturned.exchange(true, ordering: .relaxed) else { return }
        // A process that does not play should not be one of the server's 64 clients.
        connection.perform { [connection] in connection.disconnect() }
        PulseOwnConnection.pool.withLock { pool in
            pool.used -= 1
            pool.sinks[ObjectIdentifier(connection)] = nil
            pool.idle[server, default: []].append(connection)
        }
    }

    /// Records the name of the sink that the stream plays on; nil if it does not play.
    func setSinkInUse(_ name: String?) {
        PulseOwnConnection.pool.withLock { pool in
            guard !isReturned.load(ordering: .relaxed) else { return }
            pool.sinks[ObjectIdentifier(connection)] = name.map { (server, $0) }
        }
    }

    /// The sinks that streams with connections of their own play on.
    static func sinksInUse(of server: String?) -> [String] {
        pool.withLock { pool in pool.sinks.values.filter { $0.server == server ?? "" }.map(\.name) }
    }
}
