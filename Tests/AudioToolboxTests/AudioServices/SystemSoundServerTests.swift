// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQAudioToolbox
import CAQRealTime
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQToolboxFunctions

/// System sounds on a private server, recorded from its sink's monitor.
@Suite("System sounds on a sound server", .serialized, .besideOthers, .timeLimit(.minutes(3)))
struct SystemSoundServerTests {
    private let server: PulseServer
    private let device: PulseDevice

    init() throws {
        server = try PulseServer()
        device = try PulseDevice(server: "unix:\(server.socketPath)")
    }

    /// A sound of a WAVE file in the server's folder.
    private func sound(
        _ audio: Recording, _ encoding: WaveFile.Encoding = .signed16
    ) throws -> SystemSoundCalls {
        let path = "\(server.folder)/sound-\(audio.frames)-\(audio.samples.first ?? 0).wav"
        try WaveFile.write(audio, as: encoding, toPath: path)
        let sound = SystemSoundCalls(path)
        try #require(sound.status == kAudioServicesNoError)
        return sound
    }

    /// A sound of the same value in each sample.
    private func constant(_ value: Float, seconds: Double) throws -> SystemSoundCalls {
        let samples = [Float](repeating: value, count: Int(48_000 * seconds) * 2)
        return try sound(Recording(sampleRate: 48_000, channels: 2, samples: samples), .float32)
    }

    /// The number of this process's threads of a name.
    private func threads(named name: String) throws -> Int {
        let folder = "/proc/self/task"
        return try FileManager.default.contentsOfDirectory(atPath: folder).count { thread in
            // A thread may end meanwhile.
            (try? String(contentsOfFile: "\(folder)/\(thread)/comm", encoding: .utf8))?.hasPrefix(name)
                == true
        }
    }

    /// The host times of completions.
    private final class Ends: Sendable {
        private let times = Monitor<[UInt64]>([])
        var all: [UInt64] { times.withLock { $0 } }
        @Sendable func add() { times.withLock { $0.append(aq_host_time()) } }
    }

    @Test(
        "every frame is played once and in order, and the completion follows the last",
        arguments: [4800, 72_000])
    func exact(frames: Int) throws {
        let sound = try sound(TestSignal.make(sampleRate: 48_000, frames: frames))
        let capture = try MonitorCapture(server)
        let ends = Ends()
        let began = aq_host_time()
        SystemSoundCalls.play(sound.number, on: device, completion: ends.add)
        #expect(Double(aq_host_time() - began) < 1e9, "it does not wait for the sound")
        #expect(eventually(within: 20) { ends.all.count == 1 })
        let played = Double((ends.all.first ?? 0) - began) / 1e9
        #expect(played > Double(frames) / 48_000 - SoundServerTraits.chosen.drainLeadSeconds - 0.05)
        let recording = capture.stop()
        #expect(recording.isWhole(frames: frames), "\(recording.parts)")
        expectEqual(ends.all.count, 1)
    }

    @Test("of 40 sounds at once, 32 are audible together, and all are complete") func overlap() throws {
        let sound = try constant(1 / 64, seconds: 2)
        let capture = try MonitorCapture(server)
        let ends = Ends()
        for _ in 0..<40 { SystemSoundCalls.play(sound.number, on: device, completion: ends.add) }
        #expect(eventually { ends.all.count == 8 }, "those beyond the limit are complete at once")
        #expect(eventually(within: 20) { ends.all.count == 40 })
        let recording = capture.stop()
        #expect(abs(recording.peak - 0.5) < 0.001)
        #expect(recording.soundFrames() >= 96_000)
    }

    @Test("the stream has the role of events, unless the sound is no effect") func role() throws {
        let sound = try constant(0.25, seconds: 1)
        let ends = Ends()
        SystemSoundCalls.play(sound.number, on: device, completion: ends.add)
        #expect(try eventually { try server.properties(of: .playing).map { $0["media.role"] } == ["event"] })
        #expect(eventually { ends.all.count == 1 })
        var number = sound.number
        var isEffect: UInt32 = 0
        let property = kAudioServicesPropertyIsUISound
        unsafe expectEqual(audioServicesSetProperty(property, 4, &number, 4, &isEffect), noErr)
        SystemSoundCalls.play(sound.number, on: device, completion: ends.add)
        #expect(try eventually { try !server.properties(of: .playing).isEmpty })
        #expect(try server.properties(of: .playing).allSatisfy { $0["media.role"] != "event" })
        #expect(eventually { ends.all.count == 2 })
    }

    @Test("a disposed sound is silent soon, without a click") func dispose() throws {
        let sound = try constant(0.5, seconds: 20)
        let capture = try MonitorCapture(server)
        let ends = Ends()
        SystemSoundCalls.play(sound.number, on: device, completion: ends.add)
        #expect(capture.waitForSound(ofFrames: 4800))
        expectEqual(audioServicesDisposeSystemSoundID(sound.number), noErr)
        #expect(eventually { ends.all.count == 1 })
        let recording = capture.stop()
        #expect(recording.soundFrames() < 96_000)
        let played = recording.trimmedToSound().channel(0)
        let steps = zip(played.samples, played.samples.dropFirst()).map { abs($1 - $0) }
        #expect((steps.max() ?? 1) < 0.05)
    }

    @Test("a server that dies costs only the sound") func deadServer() throws {
        let sound = try constant(0.25, seconds: 10)
        let ends = Ends()
        do {
            let capture = try MonitorCapture(server)
            SystemSoundCalls.play(sound.number, on: device, completion: ends.add)
            #expect(capture.waitForSound())
        }
        server.kill()
        #expect(eventually(within: 15) { ends.all.count == 1 })
        try server.start()
        let short = try constant(0.25, seconds: 0.5)
        let capture = try MonitorCapture(server)
        SystemSoundCalls.play(short.number, on: device, completion: ends.add)
        #expect(eventually(within: 15) { ends.all.count == 2 })
        expectEqual(capture.stop().soundFrames(), 24_000)
    }

    @Test("without a server, and with one that hangs, sounds are complete") func noServer() throws {
        let sound = try constant(0.25, seconds: 0.1)
        let ends = Ends()
        let nowhere = try PulseDevice(server: "unix:\(server.folder)/nowhere")
        for _ in 0..<3 { SystemSoundCalls.play(sound.number, on: nowhere, completion: ends.add) }
        #expect(eventually(within: 15) { ends.all.count == 3 })
        server.setHanging(.everything, true)
        SystemSoundCalls.play(sound.number, on: device, completion: ends.add)
        let isComplete = eventually(within: 25) { ends.all.count == 4 }
        server.setHanging(.everything, false)
        #expect(isComplete)
    }

    @Test("a thousand sounds at once need few threads, and one connection") func thousand() throws {
        let sound = try constant(1 / 64, seconds: 1)
        let ends = Ends()
        let clients = try server.control("list", "short", "clients").split(separator: "\n").count
        for _ in 0..<1000 { SystemSoundCalls.play(sound.number, on: device, completion: ends.add) }
        #expect(try eventually { try server.playbackStreams().count == 32 })
        // pactl is a client too.
        let more = try server.control("list", "short", "clients").split(separator: "\n").count
        #expect(more <= clients + 1)
        #expect(try threads(named: "aq callbacks") <= 40)
        #expect(eventually(within: 20) { ends.all.count == 1000 })
    }
}
