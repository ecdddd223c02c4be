// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

/// Counts the threads of this process.
@Suite("The thread that lists the devices of a server", .serialized, .alone, .timeLimit(.minutes(2)))
struct ListingThreadTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("shares one thread with the streams of its server")
    func thread() throws {
        let before = OwnThreads.loops
        let source = try PulseSource(monitorOf: "test", server: server.address)
        #expect(try source.nativeFormat(timeoutSeconds: 5) == (48_000, 2))
        try expectEqual(PulseDevice.list(server: server.address).map(\.name), ["test"])
        let player = try SignalPlayer(on: server)
        let capture = try MonitorCapture(server)
        try player.start(0..<24_000, playedBy: capture)
        #expect(player.waitForEnd())
        expectEqual(OwnThreads.loops.subtracting(before).count, 1)
    }
}
