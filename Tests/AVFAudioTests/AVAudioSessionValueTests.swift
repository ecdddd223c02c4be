// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSessions
import Foundation
import Testing

@testable import AVFAudio

@Suite("Overrides, activation and permission of AVAudioSession") struct AVAudioSessionValueTests {
    private let session = AVAudioSession.overTable(
        SessionTable(
            SessionDevices(
                sinks: [.test("headphones", DeviceFacts(connection: .pci, port: .headphones))],
                sources: [.test("desk", channels: 1)])))

    private var settings: SessionSettings { session.state.core.settings }

    @Test("an override of the port is kept, and the user's output stays in the route")
    func portOverride() throws {
        try session.setCategory(.playAndRecord)
        let route = session.currentRoute
        #expect(route.outputs.map(\.portType) == [.headphones] && route.inputs.map(\.uid) == ["desk"])
        try session.overrideOutputAudioPort(.speaker)
        #expect(settings.overridesToSpeaker && session.currentRoute == route)
        try session.overrideOutputAudioPort(.none)
        #expect(!settings.overridesToSpeaker && session.currentRoute == route)
        expectEqual(AVAudioSession.PortOverride.none.rawValue, 0)
        expectEqual(AVAudioSession.PortOverride(rawValue: 0x7370_6B72), .speaker)
    }

    @Test("a session is active from its activation to its deactivation, whatever the options")
    func activation() throws {
        #expect(!settings.isActive)
        try session.setActive(true)
        #expect(settings.isActive)
        try session.setActive(false, options: .notifyOthersOnDeactivation)
        #expect(!settings.isActive)
        try session.setActive(true, options: .notifyOthersOnDeactivation)
        #expect(settings.isActive)
        let options: AVAudioSession.SetActiveOptions = [.notifyOthersOnDeactivation]
        expectEqual(options.rawValue, 1)
    }

    @Test("a program may always record, and permissions have the published numbers")
    func permission() {
        typealias Permission = AVAudioSession.RecordPermission
        expectEqual(session.recordPermission, .granted)
        let numbers = [Permission.undetermined, .denied, .granted].map(\.rawValue)
        expectEqual(numbers, [0x756E_6474, 0x6465_6E79, 0x6772_6E74])
        #expect(AVAudioApplication.shared === AVAudioApplication.shared)
        expectEqual(AVAudioApplication.shared.recordPermission, .granted)
    }
}
