// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite("A second connection on the thread of another") struct SecondConnectionTests {
    @Test("gives up after its own time, whatever becomes of the first")
    func attempt() {
        let server = RecordedServer()
        defer { server.recorder.end() }
        let second = PulseConnection(beside: server.connection)
        server.turn()
        server.connection.whenConnected { _ in }
        server.pass(seconds: 1)
        var failure: DeviceError?
        second.whenConnected { failure = $0 }
        server.pass(seconds: 1)
        // The first needs no wake-up anymore.
        server.answers()
        expectEqual(server.takeCalls(), "connect")
        server.pass(seconds: 1.9)
        expectEqual(failure?.code, nil)
        server.pass(seconds: 0.2)
        expectEqual(failure?.code, .noServer)
        #expect(server.connection.isReady && !second.isReady)
    }
}
