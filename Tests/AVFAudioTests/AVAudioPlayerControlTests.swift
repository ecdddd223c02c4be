// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import Testing

@testable import AVFAudio

/// Players of devices without a server.
@Suite("Control of AVAudioPlayer", .timeLimit(.minutes(20))) struct AVAudioPlayerControlTests {
    private static let frames = 24_000
    private let folder = ScratchFolder()
    /// The samples of ``frames`` frames. None is 0.
    private let signal = TestSignal.make(sampleRate: 48_000, frames: frames)

    private func writeSignal() throws -> URL {
        let path = folder.file("signal.wav")
        try WaveFile.write(signal, as: .float32, toPath: path)
        return URL(fileURLWithPath: path)
    }

    private func makePlayer(_ url: URL, _ device: (any OutputDevice)?) throws -> AVAudioPlayer {
        let devices = SoundDevices(
            output: { _ throws(DeviceError) in
                guard let device else { throw DeviceError(.noServer, "no output in the test") }
                return device
            },
            input: { _ throws(DeviceError) in throw DeviceError(.noServer, "no input in the test") })
        return try SoundDevices.$current.withValue(devices) { try AVAudioPlayer(contentsOf: url) }
    }

    /// Lets a device play until so many frames were no silence, and returns their samples.
    private func hear(_ device: ManualDevice, frames: Int) -> [Float] {
        var samples: [Float] = []
        _ = HostClock.poll(upToSeconds: 10, every: 0.001) {
            let bytes = device.render(frames: 480).first ?? []
            let floats = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
            samples += floats.filter { $0 != 0 }
            return samples.count >= 2 * frames
        }
        return samples
    }

    @Test("a missing file, a foreign one and a folder make no player")
    func errors() throws {
        func code(_ name: String) -> Int? {
            thrownCode { _ = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: folder.file(name))) }
        }
        try folder.write(Array("no audio, but long enough to be something else".utf8), to: "a.txt")
        expectEqual(code("missing.wav"), 2_003_334_207)
        expectEqual(code("a.txt"), 1_954_115_647)
        #expect(code(".") != nil)
        do {
            _ = try AVAudioPlayer(contentsOf: URL(fileURLWithPath: folder.file("missing.wav")))
        } catch { expectEqual((error as NSError).domain, "com.apple.coreaudio.avfaudio") }
    }

    @Test("a prepared player has its stream, is silent, and plays from the first frame")
    func prepare() throws {
        let device = ManualDevice()
        let player = try makePlayer(writeSignal(), device)
        expectEqual(device.openStreams, 0)
        #expect(player.prepareToPlay() && !player.isPlaying)
        #expect(device.openStreams == 1 && player.currentTime == 0)
        let silence = device.render(frames: 480).first ?? []
        #expect(!silence.isEmpty && silence.allSatisfy { $0 == 0 })
        #expect(player.prepareToPlay() && device.openStreams == 1)
        #expect(player.play() && player.isPlaying && device.openStreams == 1)
        let samples = hear(device, frames: 9_600)
        #expect(samples.count >= 2 * 9_600)
        let isExact = samples.elementsEqual(signal.samples.prefix(samples.count))
        #expect(isExact)
        player.stop()
        #expect(eventually { device.openStreams == 0 })
        #expect(player.prepareToPlay() && device.openStreams == 1)
    }

    @Test("without a device, and without audio, a player cannot be prepared")
    func notPrepared() throws {
        let player = try makePlayer(writeSignal(), nil)
        #expect(!player.prepareToPlay() && !player.play() && !player.isPlaying)
        #expect(!AVAudioPlayer().prepareToPlay())
        let refused = try makePlayer(writeSignal(), RefusingDevice())
        #expect(!refused.prepareToPlay() && !refused.play())
    }

    @Test("the volume is a factor of the samples, from 0 to 1, and may change while it plays")
    func volume() throws {
        let device = ManualDevice()
        let player = try makePlayer(writeSignal(), device)
        expectEqual(player.volume, 1)
        for (wanted, expected) in [(2, 1), (-1, 0), (0.5, 0.5)] as [(Float, Float)] {
            player.volume = wanted
            expectEqual(player.volume, expected)
        }
        #expect(player.play())
        let loud = hear(device, frames: 4_800)
        let isHalf = zip(loud, signal.samples).allSatisfy { $0 == $1 * 0.5 }
        #expect(loud.count >= 2 * 4_800 && isHalf)
        player.volume = 0.25
        let quiet = hear(device, frames: 4_800)
        #expect(quiet.count >= 2 * 4_800)
        // What the device already has may be louder.
        let expected = signal.samples.dropFirst(loud.count + 2 * 960)
        let isQuarter = zip(quiet.dropFirst(2 * 960), expected).allSatisfy { $0 == $1 * 0.25 }
        #expect(isQuarter)
        player.stop()
        expectEqual(player.volume, 0.25)
    }

    private final class Listener: NSObject, AVAudioPlayerDelegate, Sendable {
        private let list = Mutex<[String]>([])
        var events: [String] { list.withLock { $0 } }

        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            list.withLock { $0.append("finished \(flag)") }
        }

        func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
            let code = error.map { ($0 as NSError).code } ?? 0
            list.withLock { $0.append(code == 0 ? "no error" : "error") }
        }
    }

    /// Makes all later reads of an open file fail.
    private func makeUnreadable(_ url: URL) throws {
        let writeOnly = unsafe open("/dev/null", O_WRONLY)
        try #require(writeOnly >= 0)
        defer { close(writeOnly) }
        let numbers = RecordedFile.descriptors(url)
        try #require(!numbers.isEmpty)
        for number in numbers { expectEqual(dup2(writeOnly, number), number) }
    }

    @Test("audio that cannot be read is reported after what was read, before an end without success")
    func unreadable() throws {
        let url = URL(fileURLWithPath: folder.file("long.caf"))
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let silence = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 480_000))
        silence.frameLength = silence.frameCapacity
        try file.write(from: silence)
        file.close()

        let player = try makePlayer(url, VirtualDevice())
        let listener = Listener()
        player.delegate = listener
        #expect(player.prepareToPlay())
        try makeUnreadable(url)
        #expect(player.play() && player.isPlaying)
        #expect(eventually(within: 10) { listener.events.count == 2 })
        expectEqual(listener.events, ["error", "finished false"])
        #expect(!player.isPlaying && player.currentTime == 0)
    }
}

/// A device that makes no streams.
private struct RefusingDevice: OutputDevice {
    let name = "refusing"

    func makeStream(
        _ configuration: OutputStreamConfiguration
    ) throws(DeviceError) -> any AQDevices.OutputStream {
        throw DeviceError(.noServer, "no stream in the test")
    }
}
