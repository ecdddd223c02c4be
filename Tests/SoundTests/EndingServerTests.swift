// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Dispatch
import Synchronization
import Testing

@testable import AQDevices

@Suite("A server that ends", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct EndingServerTests {
    /// Kept as long as their threads.
    private static let connections = Mutex<[PulseConnection]>([])
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    /// Calls `body` on the connection's thread after its `turns`-th turn of the handshake, or when the connection is ready.
    private func afterTurn(
        _ turns: Int, of connection: PulseConnection, _ body: @escaping @Sendable () -> Void
    ) {
        connection.perform { [self] in
            if turns == 0 || connection.isReady { return body() }
            let isCounted = connection.context?.state == .handshake
            afterTurn(isCounted ? turns - 1 : turns, of: connection, body)
        }
    }

    @Test("while a client connects is lost, and the client's thread goes on", arguments: 1...16)
    func whileConnecting(turn: Int) throws {
        let connection = try PulseConnection.make(to: "unix:\(server.socketPath)")
        EndingServerTests.connections.withLock { $0.append(connection) }
        let isKilled = DispatchSemaphore(value: 0)
        afterTurn(turn, of: connection) { [server] in
            // The server sends all that it has to send, as its offer of a ring buffer.
            leaveAsIs(seconds: 0.2)
            server.kill()
            isKilled.signal()
        }
        try #require(isKilled.wait(timeout: .now() + 15) == .success)
        let answers = DispatchSemaphore(value: 0)
        connection.perform { answers.signal() }
        expectEqual(answers.wait(timeout: .now() + 5), .success)
        try server.start()
        connection.perform { connection.whenConnected { if $0 == nil { answers.signal() } } }
        expectEqual(answers.wait(timeout: .now() + 15), .success)
    }
}
