// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQTestSupport
import Testing

@testable import AQSessions

/// The observers of a session, over devices in a table.
@Suite("Observers of an audio session") struct AudioSessionTests {
    /// The events of an observer.
    private final class Observed: Sendable {
        private let events = Monitor<[SessionEvent]>([])
        var all: [SessionEvent] { events.withLock { $0 } }
        @Sendable func add(_ event: SessionEvent) { events.withLock { $0.append(event) } }
    }

    private static let muted = SessionDevices(
        sinks: [.test("speaker", DeviceFacts(connection: .pci, port: .speaker, volume: 0))],
        sources: [.test("microphone", channels: 1, DeviceFacts(connection: .pci, port: .microphone))])

    @Test("a change is reported, with and without events of the server", arguments: [true, false])
    func changes(tellsChanges: Bool) throws {
        let table = SessionTable(.usual, tellsChanges: tellsChanges)
        let session = AudioSession(hardware: table)
        let observed = Observed()
        let number = try #require(session.addObserver(observed.add))
        session.awaitObservation()
        table.set(Self.muted)
        #expect(eventually { observed.all == [.outputVolumeChanged(0)] })
        session.removeObserver(number)
    }

    @Test("without observers there is no thread and no watch") func lifetime() throws {
        let table = SessionTable(.usual)
        let session = AudioSession(hardware: table)
        let observed = Observed()
        for _ in 0..<3 {
            let first = try #require(session.addObserver(observed.add))
            let second = try #require(session.addObserver(observed.add))
            session.awaitObservation()
            #expect(table.isWatched)
            session.removeObserver(first)
            session.removeObserver(first)
            session.removeObserver(second)
            #expect(eventually { !table.isWatched })
        }
        table.set(Self.muted)
        expectEqual(observed.all, [])
    }

    @Test("another category changes the route, at once") func category() throws {
        let session = AudioSession(hardware: SessionTable(.usual))
        let observed = Observed()
        let number = try #require(session.addObserver(observed.add))
        defer { session.removeObserver(number) }
        session.awaitObservation()
        session.change { $0.setCategory(.record) }
        session.change { $0.setCategory(.record) }
        guard case .routeChanged(let reason, let old, let new)? = observed.all.first else {
            Issue.record("no change of the route")
            return
        }
        expectEqual(observed.all.count, 1)
        expectEqual(reason, .categoryChange)
        #expect(old.output?.uid == "speaker" && old.input == nil)
        #expect(new.output == nil && new.input?.uid == "microphone")
    }

    @Test("another preferred input changes the route, if the category records and the input exists")
    func preferredInput() throws {
        let devices = SessionDevices(
            sinks: [.test("speaker")],
            sources: [.test("microphone"), .test("desk", isDefault: false)])
        let session = AudioSession(hardware: SessionTable(devices))
        let observed = Observed()
        let number = try #require(session.addObserver(observed.add))
        defer { session.removeObserver(number) }
        session.awaitObservation()
        session.change { $0.preferredInput = "desk" }
        session.change { $0.preferredInput = nil }
        expectEqual(observed.all, [])
        session.change { $0.setCategory(.record) }
        for name in ["desk", "missing", "microphone", nil] {
            session.change { $0.preferredInput = name }
        }
        let routes = observed.all.map { event -> String in
            guard case .routeChanged(let reason, let old, let new) = event else { return "\(event)" }
            return "\(reason): \(old.input?.uid ?? "-"), \(new.input?.uid ?? "-")"
        }
        expectEqual(
            routes,
            [
                "categoryChange: -, microphone", "override: microphone, desk", "override: desk, microphone",
            ])
    }

    @Test("settings need no server") func noServer() {
        let session = AudioSession(hardware: SessionTable(nil))
        session.change { $0.preferredIOBufferSeconds = 0.01 }
        expectEqual(session.settings.preferredIOBufferSeconds, 0.01)
        #expect(throws: DeviceError.self) { try session.devices() }
    }

    @Test("an observer may remove itself, and add another") func fromObserver() throws {
        let table = SessionTable(.usual)
        let session = AudioSession(hardware: table)
        let observed = Observed()
        let own = Monitor<UInt64?>(nil)
        let added = session.addObserver { event in
            observed.add(event)
            if let number = own.withLock({ $0 }) { session.removeObserver(number) }
            own.withLock { $0 = session.addObserver(observed.add) }
        }
        own.withLock { $0 = added }
        session.awaitObservation()
        table.set(Self.muted)
        #expect(eventually { observed.all.count == 1 })
        table.set(.usual)
        #expect(eventually { observed.all == [.outputVolumeChanged(0), .outputVolumeChanged(0.5)] })
        if let number = own.withLock({ $0 }) { session.removeObserver(number) }
    }
}
