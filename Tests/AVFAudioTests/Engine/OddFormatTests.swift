// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AudioToolbox
import Foundation
import Testing

/// Formats, times and lengths that no audio has.
@Suite("Odd formats and times")
struct OddFormatTests {
    private func format(sampleRate: Double) -> AVAudioFormat? {
        var asbd = AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked
                | kAudioFormatFlagIsNonInterleaved,
            mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 1,
            mBitsPerChannel: 32, mReserved: 0)
        return unsafe AVAudioFormat(streamDescription: &asbd)
    }

    @Test(
        "are refused by connections, taps and manual rendering",
        arguments: [Double.infinity, -.infinity, .nan, 1e9, -48_000, 0, .leastNonzeroMagnitude])
    func refused(sampleRate: Double) throws {
        guard let odd = format(sampleRate: sampleRate) else { return }
        let rig = try OfflineRig()
        let (player, delay) = (AVAudioPlayerNode(), AVAudioUnitDelay())
        rig.engine.attach(player)
        rig.engine.attach(delay)
        rig.engine.connect(player, to: delay, format: odd)
        rig.engine.connect(delay, to: rig.engine.mainMixerNode, format: odd)
        #expect(rig.engine.outputConnectionPoints(for: player, outputBus: 0).isEmpty)
        player.installTap(onBus: 0, bufferSize: 1_024, format: odd) { _, _ in Issue.record("a tap") }
        #expect(throws: (any Error).self) {
            try AVAudioEngine().enableManualRenderingMode(.offline, format: odd, maximumFrameCount: 512)
        }
        try rig.engine.start()
        #expect(try rig.render(2_048)[0].allSatisfy { $0 == 0 })
    }

    @Test(
        "of buffers and starts count as the nearest that is possible",
        arguments: [48_000, 44_100, Double.leastNonzeroMagnitude])
    func times(sampleRate: Double) throws {
        let rig = try OfflineRig()
        let player = try rig.player()
        try rig.engine.start()
        for time in [Int64.max, .min] {
            let odd = AVAudioTime(sampleTime: time, atRate: sampleRate)
            player.scheduleBuffer(
                try OfflineRig.buffer(1) { _, _ in 1 }, at: odd, options: [], completionHandler: nil)
            player.play(at: odd)
            _ = try rig.render(1_024)
            player.stop()
        }
    }

    @Test("no buffer of frames larger than 2 GiB is made")
    func buffers() throws {
        var asbd = AudioStreamBasicDescription(
            mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked,
            mBytesPerPacket: .max, mFramesPerPacket: 1, mBytesPerFrame: .max, mChannelsPerFrame: 1,
            mBitsPerChannel: 32, mReserved: 0)
        guard let odd = unsafe AVAudioFormat(streamDescription: &asbd) else { return }
        expectEqual(AVAudioPCMBuffer(pcmFormat: odd, frameCapacity: .max), nil)
    }

    @Test("a compressed buffer has no more packets than it has room for")
    func packets() throws {
        var asbd = AudioStreamBasicDescription()
        (asbd.mFormatID, asbd.mSampleRate, asbd.mChannelsPerFrame) = (kAudioFormatMPEG4AAC, 44_100, 1)
        let aac = try #require(unsafe AVAudioFormat(streamDescription: &asbd))
        let buffer = AVAudioCompressedBuffer(format: aac, packetCapacity: 2, maximumPacketSize: 1_500)
        buffer.packetCount = 100
        expectEqual(buffer.packetCount, 2)
        buffer.packetCount = 1
        expectEqual(buffer.packetCount, 1)
    }
}
