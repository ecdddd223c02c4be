// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AudioQueues
import Foundation
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@Suite("Listing the devices of a server", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct ListingTests {
    private let server: PulseServer

    init() throws { server = try PulseServer() }

    @Test("names the server, its version, and the driver of a sink")
    func description() throws {
        let info = try PulseDevice.serverInfo(server: server.address)
        expectEqual(info.isPipeWire, (server.kind == .pipeWire))
        #expect(info.name.lowercased().contains("pulseaudio") && !info.version.isEmpty)
        let sink = try #require(PulseDevice.list(server: server.address).first)
        expectEqual(sink.facts?.driver.isEmpty, false)
    }

    @Test("blocks no stream that is started meanwhile")
    func meanwhile() async throws {
        for delay in 0..<40 {
            let server = try PulseServer()
            let player = try SignalPlayer(on: server)
            player.play(0..<48_000)
            async let devices = PulseDevice.list(server: server.address)
            leaveAsIs(seconds: Double(delay) * 0.00005)
            try player.queue.start()
            #expect(
                HostClock.poll(upToSeconds: 5) { player.callbackCount > 3 },
                "started \(delay) times 0.05 ms after the question")
            try player.queue.dispose(immediate: true)
            try await expectEqual(devices.map(\.name), ["test"])
        }
    }

    @Test("blocks no stream, however many lists are requested")
    func crowd() throws {
        for round in 0..<5 {
            let server = try PulseServer()
            let player = try SignalPlayer(on: server)
            player.play(0..<48_000)
            let crowd = Crowd(of: 4) { try PulseDevice.list(server: server.address).map(\.name) == ["test"] }
            leaveAsIs(seconds: Double(round) * 0.0005)
            try player.queue.start()
            #expect(HostClock.poll(upToSeconds: 5) { player.callbackCount > 3 })
            expectEqual(crowd.end(), 0)
            try player.queue.dispose(immediate: true)
        }
    }

    /// Threads that repeat one action.
    private final class Crowd: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let failures = Atomic<Int>(0)
        private let begun = Atomic<Int>(0)
        private let running: Atomic<Int>

        /// Returns once each thread has begun.
        ///
        /// - Parameter body: Returns whether it succeeded.
        init(of number: Int, _ body: @escaping @Sendable () throws -> Bool) {
            running = Atomic(number)
            for _ in 0..<number {
                Thread.detachNewThread { [self] in
                    begun.add(1, ordering: .relaxed)
                    while !isOver.load(ordering: .relaxed) {
                        if (try? body()) != true { failures.add(1, ordering: .relaxed) }
                    }
                    running.subtract(1, ordering: .releasing)
                }
            }
            _ = eventually { begun.load(ordering: .relaxed) == number }
        }

        /// Waits until the threads have ended, and returns the number of failures, and of threads that do not end.
        func end() -> Int {
            isOver.store(true, ordering: .relaxed)
            _ = eventually(within: 30) { running.load(ordering: .acquiring) == 0 }
            return failures.load(ordering: .relaxed) + running.load(ordering: .relaxed)
        }
    }

    @Test("does not block a watch that begins meanwhile")
    func watch() throws {
        for round in 0..<5 {
            let server = try PulseServer()
            let crowd = Crowd(of: 4) { try PulseDevice.list(server: server.address).map(\.name) == ["test"] }
            leaveAsIs(seconds: Double(round) * 0.0005)
            let watch = Result { try PulseDeviceWatch(server: server.address) {} }
            expectEqual(crowd.end(), 0)
            _ = try watch.get()
        }
    }

    @Test("a watch reports the loss and the return of a server, and no attempt to connect between them")
    func watchDuringLoss() throws {
        let changes = Atomic<Int>(0)
        let watch = try PulseDeviceWatch(server: server.address) { changes.add(1, ordering: .relaxed) }
        #expect(HostClock.poll(upToSeconds: 5) { changes.load(ordering: .relaxed) > 0 })
        // The connection itself, and the devices of the new server.
        leaveAsIs(seconds: 0.3)
        changes.store(0, ordering: .relaxed)
        server.kill()
        #expect(HostClock.poll(upToSeconds: 5) { changes.load(ordering: .relaxed) > 0 })
        // Attempts follow 10, 20, 40 ms later, and so on.
        #expect(remains(forSeconds: 0.5) { changes.load(ordering: .relaxed) == 1 })
        try server.start()
        #expect(HostClock.poll(upToSeconds: 10) { changes.load(ordering: .relaxed) > 1 })
        withExtendedLifetime(watch) {}
    }

    @Test("finds a server that restarted since the last list")
    func restart() throws {
        try expectEqual(PulseDevice.list(server: server.address).map(\.name), ["test"])
        server.kill()
        #expect(throws: DeviceError.self) { try PulseDevice.list(server: server.address) }
        try server.start()
        try expectEqual(PulseDevice.list(server: server.address).map(\.name), ["test"])
    }

    @Test("fails at once when the server dies before it has answered")
    func death() async throws {
        try expectEqual(PulseDevice.list(server: server.address).map(\.name), ["test"])
        server.setHanging(.everything, true)
        let began = HostClock.now
        let thread = Atomic<Int32>(0)
        func list() throws -> [DeviceInfo] {
            thread.store(OwnThreads.current, ordering: .relaxed)
            return try PulseDevice.list(server: server.address, timeoutSeconds: 20)
        }
        async let devices = list()
        // The request is sent once its thread waits.
        #expect(eventually { OwnThreads.isAsleep(thread.load(ordering: .relaxed)) })
        server.kill()
        do {
            _ = try await devices
            Issue.record("a server that hangs answered")
        } catch {
            expectEqual((error as? DeviceError)?.code, .noServer)
        }
        #expect(HostClock.seconds(from: began, to: HostClock.now) < 5)
    }

    @Test(
        "ends after its time limit if the server hangs", arguments: SoundServerTraits.chosen.parts)
    func hang(part: PulseServer.Part) throws {
        server.setHanging(part, true)
        defer { server.setHanging(part, false) }
        let began = HostClock.now
        #expect {
            try PulseDevice.list(server: server.address, timeoutSeconds: 0.5)
        } throws: { ($0 as? DeviceError)?.code == .noServer }
        let seconds = HostClock.seconds(from: began, to: HostClock.now)
        #expect(seconds > 0.4 && seconds < 2, "it took \(seconds) s")
    }
}
