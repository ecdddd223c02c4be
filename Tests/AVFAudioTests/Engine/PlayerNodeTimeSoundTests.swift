// SPDX-License-Identifier: MIT

import AVFAudio
import AudioToolbox
import Foundation
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

/// The times of a player on a device.
@Suite(
    "The times of a player node on a server", .serialized, .alone, .engineServer, .timeLimit(.minutes(2)))
struct PlayerNodeTimeSoundTests {
    private let server: PulseServer
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()

    init() throws {
        server = try EngineServer.current()
        engine.attach(player)
    }

    private func connect(sampleRate: Double) {
        engine.connect(
            player, to: engine.mainMixerNode,
            format: AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 2))
    }

    private func playerTime(_ frames: Int64, _ sampleRate: Double) -> AVAudioTime {
        AVAudioTime(sampleTime: frames, atRate: sampleRate)
    }

    @Test(
        "exist once play() has returned, and have the host time at which the frame is heard",
        arguments: [48_000.0, 44_100])
    func heard(sampleRate: Double) throws {
        connect(sampleRate: sampleRate)
        let capture = try MonitorCapture(server)
        try engine.start()
        #expect(OfflineRig.wait(5) { player.lastRenderTime != nil })
        player.scheduleBuffer(
            try OfflineRig.buffer(Int(sampleRate), sampleRate: sampleRate) { _, _ in 0.5 },
            completionHandler: nil)
        player.play()
        let time = try #require(player.nodeTime(forPlayerTime: playerTime(0, sampleRate)))
        let later = try #require(
            player.nodeTime(forPlayerTime: playerTime(Int64(sampleRate), sampleRate)))
        #expect(time.isSampleTimeValid && time.isHostTimeValid && time.sampleRate == sampleRate)
        #expect(later.sampleTime - time.sampleTime == Int64(sampleRate))
        let second = HostClock.seconds(from: time.hostTime, to: later.hostTime)
        #expect(abs(second - 1) < 0.001, "\(second) s")
        let now = HostClock.now
        let delay = HostClock.seconds(from: now, to: time.hostTime)
        #expect(delay > -0.2 && delay < 0.3, "\(delay) s")
        // While it plays, the same frame keeps its time, and the sound begins then.
        #expect(capture.waitForSound(ofFrames: 9_600))
        let again = try #require(player.nodeTime(forPlayerTime: playerTime(0, sampleRate)))
        #expect(again.sampleTime == time.sampleTime)
        let difference = HostClock.seconds(from: time.hostTime, to: again.hostTime)
        let error = 0.004 + SoundServerTraits.chosen.positionErrorSeconds
        #expect(abs(difference) < error, "\(difference) s")
        let last = try #require(player.lastRenderTime)
        let ahead = HostClock.seconds(from: last.hostTime, to: time.hostTime)
        let frames = Double(time.sampleTime - last.sampleTime) / sampleRate
        #expect(abs(ahead - frames) < error, "\(ahead) s, \(frames) s")
        engine.stop()
    }

    @Test("convert a player time of another rate, and host times")
    func otherRate() throws {
        connect(sampleRate: 48_000)
        try engine.start()
        #expect(OfflineRig.wait(5) { player.lastRenderTime != nil })
        player.play()
        let start = try #require(player.nodeTime(forPlayerTime: playerTime(0, 48_000)))
        let other = try #require(player.nodeTime(forPlayerTime: playerTime(22_050, 44_100)))
        #expect(other.sampleTime - start.sampleTime == 24_000 && other.sampleRate == 48_000)
        let back = try #require(player.playerTime(forNodeTime: other))
        #expect(back.sampleTime == 24_000)
        let host = try #require(
            player.playerTime(forNodeTime: AVAudioTime(hostTime: start.hostTime + 500_000_000)))
        #expect(abs(host.sampleTime - 24_000) < 240, "\(host.sampleTime)")
        engine.stop()
    }

    @Test("of a start in the future exist before it")
    func future() throws {
        connect(sampleRate: 48_000)
        try engine.start()
        #expect(OfflineRig.wait(5) { player.lastRenderTime != nil })
        let start = HostClock.time(inSeconds: 1)
        player.play(at: AVAudioTime(hostTime: start))
        let time = try #require(player.nodeTime(forPlayerTime: playerTime(0, 48_000)))
        #expect(abs(HostClock.seconds(from: start, to: time.hostTime)) < 0.005)
        let last = try #require(player.lastRenderTime)
        #expect(try #require(player.playerTime(forNodeTime: last)).sampleTime < 0)
        player.stop()
        #expect(player.nodeTime(forPlayerTime: playerTime(0, 48_000)) == nil)
        let sample = try #require(player.lastRenderTime).sampleTime + 48_000
        player.play(at: AVAudioTime(sampleTime: sample, atRate: 48_000))
        #expect(player.nodeTime(forPlayerTime: playerTime(0, 48_000))?.sampleTime == sample)
        engine.stop()
        #expect(player.nodeTime(forPlayerTime: playerTime(0, 48_000)) == nil)
    }
}
