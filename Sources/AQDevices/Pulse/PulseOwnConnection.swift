// SPDX-License-Identifier: MIT

import Synchronization

/// A connection that only one client uses, for a stream or for one of each direction. Its thread also runs the client's
/// code.
///
/// A server accepts 64 clients in total, so the number of these connections is limited. When a client's streams have
/// ended, another client reuses the connection.
final class PulseOwnConnection: Sendable {
    /// The largest number for queues, which share a connection otherwise.
    static let mostForQueues = 8
    /// The largest number in total. Streams that render slices need connections of their own.
    static let mostAtOnce = 40
    /// The largest number of second connections, which are not counted among the others.
    static let mostSeconds = 8

    private struct Pool {
        /// Connections that no stream uses, by the server's address as in ``PulseConnection``.
        var idle: [String: [PulseConnection]] = [:]
        /// The second connections, by the first one.
        var seconds: [ObjectIdentifier: PulseConnection] = [:]
        /// The number of connections in use, without second ones, and the number of these.
        var used = 0
        var usedSeconds = 0
        /// The server and the sink of each connection in use whose stream plays.
        var sinks: [ObjectIdentifier: (server: String, name: String)] = [:]
    }

    private static let pool = Monitor(Pool())

    let connection: PulseConnection
    private let server: String
    private let isReturned = Atomic<Bool>(false)
    /// Whether the second connection is in use. Changed with the pool's lock held.
    private let hasSecond = Atomic<Bool>(false)

    private init(_ connection: PulseConnection, _ server: String) {
        self.connection = connection
        self.server = server
    }

    /// Takes a connection to a server, and begins to connect. Nil if `most` are in use, if no other can be made, and in
    /// a forked child.
    static func take(to server: String?, most: Int = mostForQueues) -> PulseOwnConnection? {
        let address = server ?? ""
        guard !ForkedChild.isCurrent else { return nil }
        return pool.withLock { pool in
            guard pool.used < most else { return nil }
            if let idle = pool.idle[address]?.popLast() {
                pool.used += 1
                idle.perform { idle.connectIfNeeded() }
                return PulseOwnConnection(idle, address)
            }
            // If this fails, the stream uses the shared connection, which reports its own failure.
            guard let made = try? PulseConnection.make(to: server, servesClient: true) else { return nil }
            pool.used += 1
            return PulseOwnConnection(made, address)
        }
    }

    /// Takes a connection for a stream whose client's code cannot run on a shared thread.
    ///
    /// - Throws: ``DeviceError/Code/refused`` if ``mostAtOnce`` are in use, or no other can be made.
    static func takeForUnit(to server: String?) throws(DeviceError) -> PulseOwnConnection {
        if let taken = take(to: server, most: mostAtOnce) { return taken }
        throw DeviceError(
            .refused,
            "cannot connect to a sound server: the process has \(mostAtOnce) connections, or no resources")
    }

    /// Returns a second connection on the same thread, for the client's input besides its output. The first one if
    /// ``mostSeconds`` are in use.
    ///
    /// QUIRK: PipeWire's server up to 1.4.2 keeps captured audio while another message to the same client is unsent, so
    /// that the input of a client that plays would arrive 20 to 180 ms late.
    func connectionForInput() -> PulseConnection {
        PulseOwnConnection.pool.withLock { pool in
            if !hasSecond.load(ordering: .relaxed) {
                guard pool.usedSeconds < PulseOwnConnection.mostSeconds else { return connection }
                pool.usedSeconds += 1
                hasSecond.store(true, ordering: .relaxed)
            }
            let key = ObjectIdentifier(connection)
            let second = pool.seconds[key] ?? PulseConnection(beside: connection)
            pool.seconds[key] = second
            second.perform { second.connectIfNeeded() }
            return second
        }
    }

    deinit { giveBack() }

    /// Makes the connection available to other streams, after the client's code has ended. From any thread; further
    /// calls do nothing.
    func giveBack() {
        guard !isReturned.exchange(true, ordering: .relaxed) else { return }
        // A process that does not play should not be one of the server's 64 clients.
        connection.perform { [connection] in connection.disconnect() }
        PulseOwnConnection.pool.withLock { pool in
            pool.used -= 1
            let key = ObjectIdentifier(connection)
            if hasSecond.load(ordering: .relaxed), let second = pool.seconds[key] {
                second.perform { second.disconnect() }
                pool.usedSeconds -= 1
            }
            pool.sinks[key] = nil
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

    /// The names of the sinks on which streams with connections of their own play.
    static func sinksInUse(of server: String?) -> [String] {
        pool.withLock { pool in pool.sinks.values.filter { $0.server == server ?? "" }.map(\.name) }
    }
}
