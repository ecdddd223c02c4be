// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import Foundation
import AQSoundHarness
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AVFAudio

@Suite("AVAudioPlayer", .serialized, .besideOthers, .timeLimit(.minutes(3)))
struct AVAudioPlayerSoundTests {
    private let server: PulseServer
    private let folder = ScratchFolder()

    init() throws { server = try PulseServer() }

    private final class Listener: NSObject, AVAudioPlayerDelegate, Sendable {
        let ends = Mutex<[Bool]>([])
        let isOnMain = Mutex(true)
        private static let main = DispatchSpecificKey<Bool>()
        override init() { DispatchQueue.main.setSpecific(key: Self.main, value: true) }
        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            ends.withLock { $0.append(flag) }
            if DispatchQueue.getSpecific(key: Self.main) != true { isOnMain.withLock { $0 = false } }
        }
    }

    /// Writes the test signal, whose samples encode their positions.
    private func writeSignal(frames: Int) throws -> URL {
        let url = URL(fileURLWithPath: folder.file("signal.wav"))
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: true,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = buffer.frameCapacity
        let signal = TestSignal.make(sampleRate: 48_000, frames: frames).samples
        for (index, sample) in signal.enumerated() {
            unsafe buffer.floatChannelData?[index % 2][index / 2] = sample
        }
        try file.write(from: buffer)
        return url
    }

    private func makePlayer(_ url: URL) throws -> AVAudioPlayer {
        let devices = SoundDevices(
            output: { [server] _ throws(DeviceError) in try PulseDevice(server: "unix:\(server.socketPath)")
            },
            input: { _ throws(DeviceError) in throw DeviceError(.connectionLost, "no input") })
        return try SoundDevices.$current.withValue(devices) { try AVAudioPlayer(contentsOf: url) }
    }

    @Test("plays every frame once, and tells its delegate on the main thread", arguments: [0, 2])
    func whole(loops: Int) throws {
        let player = try makePlayer(writeSignal(frames: 20_000))
        let listener = Listener()
        player.delegate = listener
        player.numberOfLoops = loops
        #expect(abs(player.duration - 20_000 / 48_000.0) < 1e-9 && player.numberOfChannels == 2)
        let capture = try MonitorCapture(server)
        #expect(player.play() && player.isPlaying)
        #expect(HostClock.poll(upToSeconds: 10) { !listener.ends.withLock { $0.isEmpty } })
        let runs = TestSignal.runs(in: capture.stop())
        expectEqual(runs.map(\.position), Array(repeating: 0, count: loops + 1))
        expectEqual(runs.map(\.frames), Array(repeating: 20_000, count: loops + 1))
        #expect(listener.ends.withLock { $0 } == [true] && listener.isOnMain.withLock { $0 })
        #expect(!player.isPlaying && player.currentTime == 0)
    }

    @Test("a pause and a stop keep the position, and a time may be set") func positions() throws {
        let player = try makePlayer(writeSignal(frames: 480_000))
        let listener = Listener()
        player.delegate = listener
        #expect(player.play())
        #expect(HostClock.poll(upToSeconds: 5) { player.currentTime > 0.3 })
        player.pause()
        #expect(!player.isPlaying)
        let paused = player.currentTime
        usleep(200_000)
        #expect(paused > 0.3)
        #expect(abs(player.currentTime - paused) < 0.05, "\(player.currentTime), \(paused)")
        #expect(player.play())
        #expect(HostClock.poll(upToSeconds: 5) { player.currentTime > paused + 0.1 })
        player.stop()
        #expect(!player.isPlaying && player.currentTime > paused)
        player.currentTime = 5
        expectEqual(player.currentTime, 5)
        let capture = try MonitorCapture(server)
        // The fade of the stop is not recorded as a beginning.
        #expect(capture.waitForSilence(ofSeconds: 0.1))
        #expect(player.play())
        #expect(capture.waitForSignal(245_000))
        player.stop()
        expectEqual(TestSignal.runs(in: capture.stop()).last { $0.frames >= 100 }?.position, 240_000)
        #expect(listener.ends.withLock { $0.isEmpty })
    }

    @Test(
        "the time stays the same from the return of pause() on, and playback resumes there", arguments: 0..<4)
    func pausedTime(round: Int) throws {
        let player = try makePlayer(writeSignal(frames: 480_000))
        #expect(player.play())
        #expect(HostClock.poll(upToSeconds: 5) { player.currentTime > 0.2 + Double(round) * 0.013 })
        let before = player.currentTime
        player.pause()
        let paused = player.currentTime
        #expect(paused >= before && paused < before + 0.2, "\(before), \(paused)")
        var times: [Double] = []
        for _ in 0..<50 {
            usleep(10_000)
            times.append(player.currentTime)
        }
        expectEqual(Set(times), [paused], "\(paused), then \(times.min() ?? 0) to \(times.max() ?? 0)")
        #expect(player.play())
        let resumed = player.currentTime
        #expect(resumed >= paused && resumed < paused + 0.25, "\(paused), \(resumed)")
        #expect(HostClock.poll(upToSeconds: 5) { player.currentTime > paused + 0.1 })
        player.stop()
        #expect(player.currentTime >= paused + 0.1)
    }

    @Test("without a server play returns false soon") func noServer() throws {
        let url = try writeSignal(frames: 100)
        let devices = SoundDevices(
            output: { _ throws(DeviceError) in try PulseDevice(server: "unix:/nonexistent") },
            input: { _ throws(DeviceError) in throw DeviceError(.connectionLost, "no input") })
        let player = try SoundDevices.$current.withValue(devices) { try AVAudioPlayer(contentsOf: url) }
        #expect(!player.play() && !player.isPlaying)
    }
}
