// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQSessions
import Foundation
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

@testable import AVFAudio

@Suite("Devices of AVAudioSession") struct AVAudioSessionHardwareTests {
    private static let sinks: [DeviceInfo] = [
        .test(
            "headphones", sampleRate: 44_100,
            DeviceFacts(
                connection: .pci, latencyFrames: 441, isRunning: true, port: .headphones, volume: 0.25)),
        .test("tv", channels: 6, isDefault: false, DeviceFacts(connection: .hdmi)),
    ]
    private static let sources: [DeviceInfo] = [
        .test("headphones.monitor", isDefault: false, isMonitor: true, nil),
        .test(
            "webcam", channels: 2, sampleRate: 16_000,
            DeviceFacts(connection: .usb, latencyFrames: 160, volume: 1.5)),
        .test("array", channels: 4, isDefault: false, DeviceFacts(connection: .pci, port: .microphone)),
    ]

    private let table = SessionTable(SessionDevices(sinks: sinks, sources: sources))
    private let session: AVAudioSession

    init() { session = .overTable(table) }

    @Test("the category selects the directions of the route") func route() throws {
        let routes: [(AVAudioSession.Category, [String], [String])] = [
            (.ambient, [], ["headphones"]), (.soloAmbient, [], ["headphones"]),
            (.playback, [], ["headphones"]), (.record, ["webcam"], []),
            (.playAndRecord, ["webcam"], ["headphones"]), (.multiRoute, ["webcam"], ["headphones"]),
            (.audioProcessing, [], []),
        ]
        for (category, inputs, outputs) in routes {
            try session.setCategory(category)
            expectEqual(session.currentRoute.inputs.map(\.uid), inputs, "\(category)")
            expectEqual(session.currentRoute.outputs.map(\.uid), outputs, "\(category)")
            let names = inputs.isEmpty ? [] : ["webcam", "array"]
            expectEqual(session.availableInputs?.map(\.uid), names, "\(category)")
        }
        #expect(session.isInputAvailable)
    }

    @Test("ports have type, name and channels, and are equal if they are the same") func ports() throws {
        try session.setCategory(.playAndRecord)
        let route = session.currentRoute
        #expect(route == session.currentRoute && route.hash == session.currentRoute.hash)
        let output = try #require(route.outputs.first)
        #expect(output.portType == .headphones && output.portName == "The headphones")
        expectEqual(output.channels?.map(\.channelName), ["Left", "Right"])
        expectEqual(output.channels?.map(\.channelNumber), [1, 2])
        expectEqual(output.channels?.allSatisfy { $0.owningPortUID == "headphones" }, true)
        let inputs = try #require(session.availableInputs)
        expectEqual(inputs.map(\.portType), [.usbAudio, .builtInMic])
        expectEqual(inputs.last?.channels?.map(\.channelName).last, "Channel 4")
        #expect(inputs.first == route.inputs.first && inputs.last != route.inputs.first)
        #expect(output.dataSources == nil && output.selectedDataSource == nil)
        expectEqual(thrownCode { try output.setPreferredDataSource(nil) }, nil)
    }

    @Test("properties of the hardware are those of the devices in the category's directions")
    func properties() throws {
        #expect(session.sampleRate == 44_100 && session.outputVolume == 0.25)
        #expect(session.outputNumberOfChannels == 2 && session.maximumOutputNumberOfChannels == 2)
        #expect(session.inputNumberOfChannels == 2 && session.maximumInputNumberOfChannels == 2)
        #expect(abs(session.outputLatency - 0.01) < 1e-9 && abs(session.inputLatency - 0.01) < 1e-9)
        #expect(session.inputGain == 1 && !session.isInputGainSettable)
        #expect(session.isOtherAudioPlaying && session.secondaryAudioShouldBeSilencedHint)
        #expect(abs(session.ioBufferDuration - 1024 / 44_100.0) < 1e-9)
        try session.setCategory(.record)
        expectEqual(session.sampleRate, 16_000)
        expectEqual(thrownCode { try session.setInputGain(0.5) }, 560_161_140)
    }

    @Test("requests are kept, and the hardware is reported as it is") func preferences() throws {
        #expect(session.preferredSampleRate == 0 && session.preferredIOBufferDuration == 0)
        try session.setPreferredSampleRate(16_000)
        try session.setPreferredIOBufferDuration(0.005)
        try session.setPreferredInputNumberOfChannels(1)
        try session.setPreferredOutputNumberOfChannels(6)
        #expect(session.preferredSampleRate == 16_000 && session.sampleRate == 44_100)
        expectEqual(session.preferredIOBufferDuration, 0.005)
        #expect(abs(session.ioBufferDuration - 0.005) < 1e-9)
        expectEqual(session.preferredInputNumberOfChannels, 1)
        #expect(session.preferredOutputNumberOfChannels == 6 && session.outputNumberOfChannels == 2)
        try session.setPreferredIOBufferDuration(10)
        #expect(abs(session.ioBufferDuration - 4096 / 44_100.0) < 1e-9)
        try session.setPreferredIOBufferDuration(0)
        #expect(abs(session.ioBufferDuration - 1024 / 44_100.0) < 1e-9)
        for bad in [-1, Double.nan, .infinity] {
            expectEqual(thrownCode { try session.setPreferredSampleRate(bad) }, -50)
            expectEqual(thrownCode { try session.setPreferredIOBufferDuration(bad) }, -50)
        }
        expectEqual(thrownCode { try session.setPreferredInputNumberOfChannels(-1) }, -50)
        expectEqual(thrownCode { try session.setPreferredOutputNumberOfChannels(-1) }, -50)
        #expect(session.preferredSampleRate == 16_000 && session.preferredIOBufferDuration == 0)
    }

    @Test("settings without an effect are kept") func keptSettings() throws {
        #expect(session.prefersInterruptionOnRouteDisconnect)
        try session.setPrefersInterruptionOnRouteDisconnect(false)
        try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
        try session.setPrefersNoInterruptionsFromSystemAlerts(true)
        try session.setPrefersEchoCancelledInput(true)
        try session.setSupportsMultichannelContent(true)
        try session.setPreferredInputOrientation(.portrait)
        try session.setAggregatedIOPreference(.aggregated)
        try session.overrideOutputAudioPort(.speaker)
        try session.overrideOutputAudioPort(.none)
        try session.setInputDataSource(nil)
        try session.setOutputDataSource(nil)
        #expect(!session.prefersInterruptionOnRouteDisconnect)
        #expect(session.allowHapticsAndSystemSoundsDuringRecording)
        #expect(session.prefersNoInterruptionsFromSystemAlerts && session.prefersEchoCancelledInput)
        #expect(session.supportsMultichannelContent && session.preferredInputOrientation == .portrait)
        #expect(session.inputDataSources == nil && session.outputDataSources == nil)
    }

    @Test("a requested microphone replaces the default one, as long as it exists") func preferredInput()
        throws
    {
        try session.setCategory(.playAndRecord)
        let array = try #require(session.availableInputs?.last)
        try session.setPreferredInput(array)
        #expect(session.preferredInput == array && session.currentRoute.inputs == [array])
        expectEqual(session.inputNumberOfChannels, 4)
        table.set(SessionDevices(sinks: Self.sinks, sources: Array(Self.sources.prefix(2))))
        #expect(session.preferredInput == nil && session.currentRoute.inputs.map(\.uid) == ["webcam"])
        let gone = thrownCode { try session.setPreferredInput(array) }
        expectEqual(gone, AVAudioSession.ErrorCode.resourceNotAvailable.rawValue)
        let output = session.currentRoute.outputs.first
        expectEqual(thrownCode { try session.setPreferredInput(output) }, 561_145_203)
        try session.setPreferredInput(nil)
        table.set(SessionDevices(sinks: Self.sinks, sources: Self.sources))
        #expect(session.preferredInput == nil && session.currentRoute.inputs.map(\.uid) == ["webcam"])
    }

    @Test("without a server there are usual values, and no trap") func noServer() throws {
        try session.setCategory(.playAndRecord)
        let input = session.availableInputs?.first
        table.set(nil)
        #expect(session.currentRoute.inputs.isEmpty && session.currentRoute.outputs.isEmpty)
        #expect(session.availableInputs == nil && !session.isInputAvailable)
        #expect(session.sampleRate == 44_100 && session.outputVolume == 1 && session.outputLatency == 0)
        #expect(session.inputNumberOfChannels == 0 && session.outputNumberOfChannels == 0)
        #expect(!session.isOtherAudioPlaying && session.inputGain == 1)
        let code = thrownCode { try session.setPreferredInput(input) }
        expectEqual(code, AVAudioSession.ErrorCode.mediaServicesFailed.rawValue)
        expectEqual(thrownCode { try session.setActive(true) }, nil)
    }
}

@Suite("AVAudioSession on a server", .serialized, .besideOthers, .timeLimit(.minutes(1)))
struct AVAudioSessionServerTests {
    @Test("the route and the inputs are those of the server") func route() throws {
        let server = try PulseServer()
        let session = AVAudioSession(
            SessionState(AudioSession(hardware: ServerHardware(server: server.address))))
        try session.setCategory(.playAndRecord)
        expectEqual(session.currentRoute.outputs.map(\.uid), ["test"])
        #expect(session.availableInputs == [] && session.currentRoute.inputs == [])
        try server.addMicrophone("desk", channels: 1)
        try server.control("set-default-source", "desk")
        #expect(eventually { session.currentRoute.inputs.map(\.uid) == ["desk"] })
        let inputs = try #require(session.availableInputs)
        #expect(inputs.map(\.uid) == ["desk"] && inputs.first?.channels?.count == 1)
        try session.setPreferredInput(inputs.first)
        expectEqual(session.preferredInput, inputs.first)
        #expect(session.sampleRate == 48_000 && session.outputNumberOfChannels == 2)
        try server.control("set-sink-volume", "test", "50%")
        #expect(eventually { abs(session.outputVolume - 0.5) < 0.01 })
    }
}
