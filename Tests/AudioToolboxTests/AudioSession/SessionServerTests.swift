// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSessions
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// An audio session on a real server.
@Suite("Audio session on a sound server", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct SessionServerTests {
    private let server: PulseServer
    private let session: AudioSession

    init() throws {
        server = try PulseServer()
        session = AudioSession(hardware: ServerHardware(server: "unix:\(server.socketPath)"))
    }

    /// The events of an observer.
    private final class Observed: Sendable {
        private let events = Monitor<[SessionEvent]>([])
        var all: [SessionEvent] { events.withLock { $0 } }
        @Sendable func add(_ event: SessionEvent) { events.withLock { $0.append(event) } }

        var reasons: [SessionRoute.ChangeReason] {
            all.compactMap { event in
                if case .routeChanged(let reason, _, _) = event { reason } else { nil }
            }
        }
    }

    @Test("the devices are the server's defaults, without monitors") func devices() throws {
        let devices = try session.devices()
        expectEqual(devices.output?.name, server.options.sinkName)
        expectEqual(devices.output?.channels, server.options.channels)
        expectEqual(devices.sampleRate(for: .playback), 48_000)
        expectEqual(devices.input, nil, "the only source is a monitor")
        expectEqual(devices.outputVolume, 1)
    }

    @Test("the volume is that of the user's control, and 0 while the sink is muted") func volume() throws {
        try server.control("set-sink-volume", server.options.sinkName, "30%")
        let volume = try #require(try session.devices().outputVolume)
        #expect(abs(volume - 0.3) < 0.001)
        try server.setSinkMuted(server.options.sinkName, true)
        try expectEqual(session.devices().outputVolume, 0)
    }

    @Test("another default, a removed sink and a volume are reported") func changes() throws {
        var options = PulseServer.Options()
        options.sinkName = "second"
        options.channels = 1
        let module = try server.addSink(options)
        try server.setDefaultSink(server.options.sinkName)
        session.change { $0.setCategory(.playback) }
        let observed = Observed()
        let number = try #require(session.addObserver(observed.add))
        defer { session.removeObserver(number) }
        session.awaitObservation()
        try server.setDefaultSink("second")
        #expect(eventually(within: 10) { observed.reasons == [.override] })
        #expect(eventually { observed.all.contains(.outputChannelsChanged(1)) })
        try server.control("set-sink-volume", "second", "50%")
        #expect(
            eventually(within: 10) {
                observed.all.contains { event in
                    if case .outputVolumeChanged(let volume) = event {
                        abs(volume - 0.5) < 0.001
                    } else {
                        false
                    }
                }
            })
        try server.unloadModule(module)
        #expect(eventually(within: 10) { observed.reasons == [.override, .oldDeviceUnavailable] })
    }

    @Test("the end and the return of the server are an interruption") func deadServer() throws {
        session.change { $0.isActive = true }
        let observed = Observed()
        let number = try #require(session.addObserver(observed.add))
        defer { session.removeObserver(number) }
        session.awaitObservation()
        server.kill()
        #expect(eventually(within: 10) { observed.all == [.serverLost, .interruptionBegan] })
        #expect(throws: DeviceError.self) { try session.devices() }
        try server.start()
        #expect(eventually(within: 20) { observed.all.last == .interruptionEnded })
        #expect(observed.all.contains(.serverReturned))
    }
}
