// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSessions
import Foundation
import Synchronization
import AQTestSupport
import Testing

@testable import AVFAudio

/// The notifications of a session over devices in a table.
@Suite("Notifications of AVAudioSession") struct AVAudioSessionNotificationTests {
    /// The notifications of a session. Numbers are read as clients read them.
    private final class Observed: Sendable {
        private struct State {
            var lines: [String] = []
            var routes: [AVAudioSessionRouteDescription] = []
        }
        private let state = Mutex(State())

        init(_ session: AVAudioSession) {
            let add: @Sendable (Notification) -> Void = { [weak self] in self?.add($0) }
            let names = [
                AVAudioSession.interruptionNotification, AVAudioSession.routeChangeNotification,
                AVAudioSession.mediaServicesWereLostNotification,
                AVAudioSession.mediaServicesWereResetNotification,
                AVAudioSession.availableInputsChangeNotification,
            ]
            for name in names {
                _ = NotificationCenter.default.addObserver(
                    forName: name, object: session, queue: nil, using: add)
            }
        }

        var lines: [String] { state.withLock { $0.lines } }
        var routes: [AVAudioSessionRouteDescription] { state.withLock { $0.routes } }

        private func add(_ notification: Notification) {
            let name = notification.name.rawValue.dropFirst("AVAudioSession".count)
                .dropLast("Notification".count)
            func number(_ key: String, _ label: String) -> String {
                guard let value = notification.userInfo?[key] else { return "" }
                return " \(label) \((value as? UInt).map(String.init) ?? "is no UInt")"
            }
            let line =
                "\(name)" + number(AVAudioSessionInterruptionTypeKey, "type")
                + number(AVAudioSessionInterruptionReasonKey, "reason")
                + number(AVAudioSessionInterruptionOptionKey, "option")
                + number(AVAudioSessionRouteChangeReasonKey, "reason")
            let route =
                notification.userInfo?[AVAudioSessionRouteChangePreviousRouteKey]
                as? AVAudioSessionRouteDescription
            state.withLock { state in
                state.lines.append(line)
                if let route { state.routes.append(route) }
            }
        }
    }

    private static let speaker = DeviceInfo.test("speaker", DeviceFacts(connection: .pci, port: .speaker))
    private static let headset = DeviceInfo.test(
        "headset", DeviceFacts(connection: .bluetooth, port: .headset))
    private static let microphone = DeviceInfo.test("microphone", channels: 1)
    private static let desk = DeviceInfo.test("desk", isDefault: false)
    private static let usual = SessionDevices(sinks: [speaker], sources: [microphone, desk])

    private let table = SessionTable(usual)
    private let session: AVAudioSession
    private let observed: Observed

    init() {
        session = .overTable(table)
        observed = Observed(session)
        session.state.observe(for: session)
        session.state.core.awaitObservation()
    }

    private func expect(_ lines: [String], _ location: SourceLocation = #_sourceLocation) {
        let isComplete = eventually { observed.lines.count >= lines.count }
        #expect(isComplete && observed.lines == lines, "\(observed.lines)", sourceLocation: location)
        session.state.endObservation()
    }

    @Test("another category is a change of the route") func category() throws {
        try session.setCategory(.record)
        try session.setCategory(.record, options: .duckOthers)
        expect(["RouteChange reason 3"])
        expectEqual(observed.routes.first?.outputs.map(\.uid), ["speaker"])
        expectEqual(observed.routes.first?.inputs, [])
    }

    @Test("another preferred input is a change of the route") func preferredInput() throws {
        try session.setCategory(.playAndRecord)
        try session.setPreferredInput(#require(session.availableInputs?.last))
        try session.setPreferredInput(nil)
        expect(["RouteChange reason 3", "RouteChange reason 4", "RouteChange reason 4"])
        expectEqual(observed.routes.map { $0.inputs.map(\.uid) }, [[], ["microphone"], ["desk"]])
    }

    @Test("devices that come and go change the route") func devices() throws {
        var plugged = Self.speaker
        plugged.isDefault = false
        table.set(SessionDevices(sinks: [plugged, Self.headset], sources: [Self.microphone]))
        #expect(eventually { observed.lines.count == 1 })
        table.set(Self.usual)
        expect(["RouteChange reason 1", "RouteChange reason 2"])
        expectEqual(
            observed.routes.map { $0.outputs.map(\.portType) }, [[.builtInSpeaker], [.bluetoothA2DP]])
    }

    @Test("a microphone that goes is reported, also if the category does not record") func inputs() throws {
        table.set(SessionDevices(sinks: [Self.speaker]))
        expect(["AvailableInputsChange"])
    }

    @Test("the end of the server interrupts an active session, and its return ends this")
    func interruption() throws {
        try session.setActive(true)
        table.set(nil)
        #expect(eventually { observed.lines.count == 2 })
        table.set(Self.usual)
        expect([
            "MediaServicesWereLost", "Interruption type 1 reason 0", "MediaServicesWereReset",
            "Interruption type 0 option 1",
        ])
    }

    @Test("an inactive session is not interrupted") func inactive() async throws {
        #expect(try await session.activate())
        try session.setActive(false, options: .notifyOthersOnDeactivation)
        table.set(nil)
        #expect(eventually { observed.lines.count == 1 })
        table.set(Self.usual)
        expect(["MediaServicesWereLost", "MediaServicesWereReset"])
    }

    @Test("an activation calls its handler") func activation() async {
        let isActive = await withCheckedContinuation { continuation in
            session.activate { success, error in continuation.resume(returning: success && error == nil) }
        }
        #expect(isActive && session.state.core.settings.isActive)
        session.state.endObservation()
    }

    @Test("keys and raw values are the published ones") func values() {
        expectEqual(AVAudioSessionInterruptionTypeKey, "AVAudioSessionInterruptionTypeKey")
        expectEqual(AVAudioSessionRouteChangeReasonKey, "AVAudioSessionRouteChangeReasonKey")
        expectEqual(
            AVAudioSession.interruptionNotification.rawValue, "AVAudioSessionInterruptionNotification")
        expectEqual(AVAudioSession.InterruptionType.began.rawValue, 1)
        expectEqual(AVAudioSession.InterruptionOptions.shouldResume.rawValue, 1)
        expectEqual(AVAudioSession.RouteChangeReason.routeConfigurationChange.rawValue, 8)
        session.state.endObservation()
    }

    @Test("the session of the process is one object, and new objects share its state")
    func shared() throws {
        #expect(AVAudioSession.sharedInstance() === AVAudioSession.sharedInstance())
        #expect(AVAudioSession().state === AVAudioSession.sharedInstance().state)
        session.state.endObservation()
    }
}
