// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AudioToolbox
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// Devices that a program chooses through `audioUnit`. The hardware is that of the process's default server, so each
/// test is a process.
@Suite("The device of an engine's unit", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct EngineSourceChoiceTests {
    /// When the microphone is chosen.
    enum Moment: String, CaseIterable, Codable {
        case first, afterTap, prepared, running, stopped, voice
    }

    @Test("a microphone is recorded that was chosen at any time", arguments: Moment.allCases)
    func microphone(moment: Moment) async {
        await #expect(processExitsWith: .success) { [moment] in
            let room = try Room()
            let engine = AVAudioEngine()
            let input = engine.inputNode
            let levels = Levels()
            func tap() {
                input.installTap(onBus: 0, bufferSize: 480, format: nil) { buffer, _ in levels.add(buffer) }
            }
            if moment == .first { room.choose("quiet.monitor", input) }
            if moment == .voice { try input.setVoiceProcessingEnabled(true) }
            if moment != .stopped { tap() }
            if moment == .afterTap || moment == .voice { room.choose("quiet.monitor", input) }
            if moment == .prepared {
                engine.prepare()
                room.choose("quiet.monitor", input)
            }
            if moment == .stopped {
                engine.connect(input, to: engine.mainMixerNode, format: nil)
                engine.mainMixerNode.outputVolume = 0
                try engine.start()
                engine.stop()
                room.choose("quiet.monitor", input)
                tap()
            }
            try engine.start()
            if moment == .running { room.choose("quiet.monitor", input) }
            expectEqual(room.current(input), "quiet.monitor")
            #expect(OfflineRig.wait(10) { room.sources() == ["quiet.monitor"] }, "\(room.sources())")
            if moment != .voice {
                #expect(OfflineRig.wait(10) { input.outputFormat(forBus: 0).sampleRate == 44_100 })
                expectEqual(input.outputFormat(forBus: 0).channelCount, 1)
                #expect(OfflineRig.wait(10) { abs(levels.latest - 0.25) < 0.05 }, "\(levels.latest)")
            }
            engine.stop()
        }
    }

    @Test("a format that is read after the choice is that of the chosen microphone, and the tap has it")
    func format() async {
        await #expect(processExitsWith: .success) {
            let room = try Room()
            let engine = AVAudioEngine()
            let input = engine.inputNode
            expectEqual(input.outputFormat(forBus: 0).sampleRate, 48_000)
            room.choose("quiet.monitor", input)
            expectEqual(input.outputFormat(forBus: 0).sampleRate, 44_100)
            expectEqual(input.inputFormat(forBus: 0).channelCount, 1)
        }
    }

    @Test(
        "the loudspeaker and the microphone are chosen one after the other, and voice processing keeps them")
    func both() async {
        await #expect(processExitsWith: .success) {
            let room = try Room()
            let engine = AVAudioEngine()
            let (input, output) = (engine.inputNode, engine.outputNode)
            room.choose("quiet.monitor", input)
            room.choose("quiet", output)
            expectEqual(room.current(output), "quiet")
            engine.connect(input, to: engine.mainMixerNode, format: nil)
            engine.mainMixerNode.outputVolume = 0
            try engine.start()
            #expect(OfflineRig.wait(10) { room.sources() == ["quiet.monitor"] && room.sinks() == ["quiet"] })
            engine.stop()
            room.choose("third", output)
            try input.setVoiceProcessingEnabled(true)
            try engine.start()
            #expect(
                OfflineRig.wait(10) {
                    (try? room.masters()) == ["sink_master=third", "source_master=quiet.monitor"]
                },
                "\((try? room.masters()) ?? [])")
            engine.stop()
        }
    }

    @Test("a device that is not there, or no device, is refused")
    func refused() async {
        await #expect(processExitsWith: .success) {
            _ = try Room()
            let engine = AVAudioEngine()
            var number: AudioDeviceID = 4_000_000
            let unit = unsafe try #require(unsafe engine.inputNode.audioUnit)
            let status = unsafe AudioUnitSetProperty(
                unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &number, 4)
            expectEqual(status, kAudioUnitErr_InvalidPropertyValue)
        }
    }
}

/// A server with devices beside the default ones: "quiet" at 44.1 kHz in mono, whose monitor has a constant of 0.25,
/// and "third".
private struct Room {
    private let server: PulseServer
    private let player: AVAudioEngine

    init() throws {
        server = try PulseServer()
        unsafe _ = setenv("PULSE_SERVER", "unix:\(server.socketPath)", 1)
        var options = server.options
        (options.sinkName, options.sampleRate, options.channels) = ("quiet", 44_100, 1)
        _ = try server.addSink(options)
        options = server.options
        options.sinkName = "third"
        _ = try server.addSink(options)
        try server.setDefaultSink(server.options.sinkName)
        try server.control("set-default-source", "\(server.options.sinkName).monitor")
        // Plays into the microphone.
        player = AVAudioEngine()
        let source = unsafe AVAudioSourceNode { _, _, _, list in
            let buffers = unsafe UnsafeMutableAudioBufferListPointer(list)
            for index in unsafe buffers.indices {
                unsafe buffers[index].mData?.assumingMemoryBound(to: Float.self).update(
                    repeating: 0.25, count: Int(buffers[index].mDataByteSize) / 4)
            }
            return noErr
        }
        player.attach(source)
        player.connect(source, to: player.mainMixerNode, format: nil)
        choose("quiet", player.outputNode)
        try player.start()
    }

    func choose(_ name: String, _ node: AVAudioIONode) {
        guard var number = Self.device(name), let unit = unsafe node.audioUnit else {
            Issue.record("no device \(name)")
            return
        }
        let status = unsafe AudioUnitSetProperty(
            unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &number, 4)
        expectEqual(status, noErr, "\(name)")
    }

    /// The current device of the node's unit, by its name.
    func current(_ node: AVAudioIONode) -> String? {
        var (number, size): (AudioDeviceID, UInt32) = (0, 4)
        let element: UInt32 = node is AVAudioInputNode ? 1 : 0
        guard let unit = unsafe node.audioUnit,
            unsafe AudioUnitGetProperty(
                unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, element, &number, &size)
                == noErr,
            case .device(let uid)? = Hardware.shared.objects.object(numbered: number)
        else { return nil }
        return uid
    }

    private static func device(_ name: String) -> AudioDeviceID? {
        guard let found = try? Hardware.shared.snapshot().device(name) else { return nil }
        return Hardware.shared.objects.number(of: .device(uid: found.uid))
    }

    /// The sources that streams record, except that of the server's own harness.
    func sources() -> [String] { Array(names("source-outputs", "sources").dropFirst()) }

    /// The sinks that streams play on, except that of the player into the microphone.
    func sinks() -> [String] { Array(names("sink-inputs", "sinks").dropFirst()) }

    private func names(_ streams: String, _ devices: String) -> [String] {
        let lines = { (kind: String) in
            ((try? server.control("list", "short", kind)) ?? "").split(separator: "\n").map {
                $0.split(separator: "\t").map(String.init)
            }
        }
        let known = lines(devices)
        return lines(streams).compactMap { stream in known.first { $0[0] == stream[1] }?[1] }
    }

    /// The masters of the server's echo canceller.
    func masters() throws -> [String] {
        try server.control("list", "short", "modules").split(separator: "\n")
            .first { $0.contains("module-echo-cancel") }?
            .split(whereSeparator: { $0 == " " || $0 == "\t" }).map { $0.filter { $0 != "\"" } }
            .filter { $0.contains("_master=") }.sorted() ?? []
    }
}

/// The level of what a tap got last.
private final class Levels: Sendable {
    private let value = Mutex<Float>(0)
    var latest: Float { value.withLock { $0 } }

    func add(_ buffer: AVAudioPCMBuffer) {
        guard let data = unsafe buffer.floatChannelData, buffer.frameLength > 0 else { return }
        let sample = unsafe data[0][Int(buffer.frameLength) - 1]
        value.withLock { $0 = sample }
    }
}
