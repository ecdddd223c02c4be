// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import AQTestSupport
import Testing

/// The effect of each key on files and formats.
@Suite("Settings of linear PCM and of encoders") struct AVAudioFileSettingsTests {
    private let folder = ScratchFolder()

    private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

    private func pcm(_ more: [String: Any]) -> [String: Any] {
        let usual: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
        ]
        return usual.merging(more) { $1 }
    }

    /// Writes samples, and returns the description of the file's format.
    private func write(
        _ samples: [Float], to name: String, _ settings: [String: Any]
    ) throws -> AudioStreamBasicDescription {
        let file = try AVAudioFile(forWriting: url(name), settings: settings)
        let buffer = try #require(
            AVAudioPCMBuffer(
                pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(samples.count)))
        buffer.frameLength = buffer.frameCapacity
        for (frame, sample) in samples.enumerated() {
            unsafe buffer.floatChannelData?[0][frame] = sample
        }
        try file.write(from: buffer)
        file.close()
        return unsafe file.fileFormat.streamDescription.pointee
    }

    private func read(_ name: String) throws -> [Float] {
        let file = try AVAudioFile(forReading: url(name))
        let buffer = try #require(
            AVAudioPCMBuffer(
                pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: buffer)
        return (0..<Int(buffer.frameLength)).map { unsafe buffer.floatChannelData?[0][$0] ?? 0 }
    }

    @Test("samples have the bits of the settings", arguments: [16, 24, 32])
    func bitDepth(bits: Int) throws {
        // Multiples of the smallest step.
        let samples = (1...1_000).map { Float($0) / Float(1 << (bits - 1)) } as [Float]
        let format = try write(samples, to: "a.wav", pcm([AVLinearPCMBitDepthKey: bits]))
        #expect(Int(format.mBitsPerChannel) == bits && Int(format.mBytesPerFrame) == bits / 8)
        let headerBytes = folder.bytes(of: "a.wav").count - 1_000 * bits / 8
        #expect((1..<500).contains(headerBytes), "\(headerBytes)")
        try expectEqual(read("a.wav"), samples)
    }

    @Test("floats are stored as they are, and integers are limited", arguments: [true, false])
    func floats(isFloat: Bool) throws {
        let settings = pcm([AVLinearPCMBitDepthKey: 32, AVLinearPCMIsFloatKey: isFloat])
        let format = try write([1.5, -2, 0.25], to: "a.wav", settings)
        expectEqual((format.mFormatFlags & kAudioFormatFlagIsFloat != 0), isFloat)
        let samples = try read("a.wav")
        let expected: [Float] = isFloat ? [1.5, -2, 0.25] : [1, -1, 0.25]
        expectEqual(samples.count, 3)
        let isExpected = zip(samples, expected).allSatisfy { abs($0 - $1) < 1e-6 }
        #expect(isExpected, "\(samples)")
    }

    @Test("samples have the byte order of the settings", arguments: [true, false])
    func byteOrder(isBigEndian: Bool) throws {
        let samples: [Float] = [0x1122, 0x3344, 0x5566].map { Float($0) / 32_768 }
        let settings = pcm([AVLinearPCMBitDepthKey: 16, AVLinearPCMIsBigEndianKey: isBigEndian])
        let format = try write(samples, to: "a.caf", settings)
        expectEqual((format.mFormatFlags & kAudioFormatFlagIsBigEndian != 0), isBigEndian)
        let bytes = Data(folder.bytes(of: "a.caf"))
        let (big, little) = (
            Data([0x11, 0x22, 0x33, 0x44, 0x55, 0x66]), Data([0x22, 0x11, 0x44, 0x33, 0x66, 0x55])
        )
        expectEqual((bytes.range(of: big) != nil), isBigEndian)
        expectEqual((bytes.range(of: little) != nil), !isBigEndian)
        try expectEqual(read("a.caf"), samples)
    }

    @Test("a format has a buffer for each channel if the settings say so", arguments: [true, false])
    func interleaving(isNonInterleaved: Bool) throws {
        let settings = pcm([
            AVNumberOfChannelsKey: 2, AVLinearPCMBitDepthKey: 16,
            AVLinearPCMIsNonInterleaved: isNonInterleaved,
        ])
        let format = try #require(AVAudioFormat(settings: settings))
        #expect(format.isInterleaved == !isNonInterleaved && format.channelCount == 2)
        let frameBytes = unsafe format.streamDescription.pointee.mBytesPerFrame
        expectEqual(frameBytes, (isNonInterleaved ? 2 : 4))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 8))
        let buffers = unsafe buffer.audioBufferList.pointee.mNumberBuffers
        expectEqual(buffers, (isNonInterleaved ? 2 : 1))
        #expect(format.settings[AVLinearPCMIsNonInterleaved] as? Bool == isNonInterleaved)
    }

    @Test("the quality of the settings is that of the encoder, as a number or as a case")
    func quality() throws {
        var noise: UInt32 = 1
        let samples = (0..<22_050).map { (frame: Int) -> Float in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let random = Float(noise >> 8) / Float(1 << 24) - 0.5
            return Float(0.3 * sin(Double(frame) * 0.05)) + 0.2 * random
        }
        func bytes(_ quality: Any) throws -> [UInt8] {
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
                AVEncoderAudioQualityKey: quality,
            ]
            _ = try write(samples, to: "a.caf", settings)
            return folder.bytes(of: "a.caf")
        }
        let (fast, best) = try (
            bytes(AVAudioQuality.min.rawValue), bytes(AVAudioQuality.max.rawValue)
        )
        let isDifferent = fast != best
        #expect(isDifferent)
        let isLow = try fast == bytes(AVAudioQuality.low)
        let isHigh = try best == bytes(AVAudioQuality.high)
        #expect(isLow && isHigh)
    }

    @Test("qualities have the published numbers") func qualities() {
        let qualities: [AVAudioQuality] = [.min, .low, .medium, .high, .max]
        expectEqual(qualities.map(\.rawValue), [0, 0x20, 0x40, 0x60, 0x7F])
    }
}
