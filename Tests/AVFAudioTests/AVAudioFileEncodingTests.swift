// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import AQTestSupport
import Testing

@Suite("AVAudioFile with encoders of files") struct AVAudioFileEncodingTests {
    private let folder = ScratchFolder()

    private func settings(_ formatID: AudioFormatID, _ more: [String: Any] = [:]) -> [String: Any] {
        [
            AVFormatIDKey: Int(formatID), AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2,
            AVLinearPCMBitDepthKey: 16, AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
        ].merging(more) { $1 }
    }

    /// Floats that are multiples of the smallest step of a bit depth.
    private func noise(_ format: AVAudioFormat, bits: Int, frames: Int) throws -> AVAudioPCMBuffer {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = buffer.frameCapacity
        let full = Int32(1) << (bits - 1)
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames {
                unsafe buffer.floatChannelData?[channel][frame] =
                    Float(Int32.random(in: -full..<full)) / Float(full)
            }
        }
        return buffer
    }

    private func samples(_ buffer: AVAudioPCMBuffer) -> [[Float]] {
        (0..<Int(buffer.format.channelCount)).map { channel in
            (0..<Int(buffer.frameLength)).map { unsafe buffer.floatChannelData?[channel][$0] ?? 0 }
        }
    }

    @Test("FLAC is read as it was written", arguments: [16, 24], [1, 2, 6])
    func lossless(bits: Int, channels: Int) throws {
        let url = URL(fileURLWithPath: folder.file("a.flac"))
        let written: [[Float]]
        do {
            let file = try AVAudioFile(
                forWriting: url,
                settings: settings(
                    kAudioFormatFLAC,
                    [AVEncoderBitDepthHintKey: bits, AVNumberOfChannelsKey: channels]))
            let buffer = try noise(file.processingFormat, bits: bits, frames: 10_000)
            try file.write(from: buffer)
            expectEqual(file.length, 10_000)
            unsafe expectEqual(file.fileFormat.streamDescription.pointee.mFormatID, kAudioFormatFLAC)
            written = samples(buffer)
        }
        let file = try AVAudioFile(forReading: url)
        #expect(file.length == 10_000 && Int(file.processingFormat.channelCount) == channels)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 20_000))
        try file.read(into: buffer)
        expectEqual(samples(buffer), written)
    }

    @Test(
        "µ-law and A-law are in WAVE, AIFF-C and CAF", arguments: ["wav", "aifc", "caf", "w64"],
        [kAudioFormatULaw, kAudioFormatALaw])
    func law(type: String, formatID: AudioFormatID) throws {
        let url = URL(fileURLWithPath: folder.file("a.\(type)"))
        let settings: [String: Any] = [
            AVFormatIDKey: formatID, AVSampleRateKey: 8000, AVNumberOfChannelsKey: 1,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let written = try noise(file.processingFormat, bits: 16, frames: 4000)
        try file.write(from: written)
        file.close()
        let again = try AVAudioFile(forReading: url)
        expectEqual(again.length, 4000)
        unsafe expectEqual(again.fileFormat.streamDescription.pointee.mFormatID, formatID)
        let read = try #require(AVAudioPCMBuffer(pcmFormat: again.processingFormat, frameCapacity: 4000))
        try again.read(into: read)
        // The steps of both laws are at most 1/32 of the level.
        #expect(
            zip(samples(written)[0], samples(read)[0]).allSatisfy { abs($0 - $1) <= abs($0) / 30 + 0.001 })
    }

    @Test("without a depth FLAC keeps 24 bits of floats, and integers have theirs") func depth() throws {
        let url = URL(fileURLWithPath: folder.file("a.flac"))
        let file = try AVAudioFile(forWriting: url, settings: settings(kAudioFormatFLAC))
        let buffer = try noise(file.processingFormat, bits: 24, frames: 5000)
        try file.write(from: buffer)
        file.close()
        let again = try AVAudioFile(forReading: url)
        let read = try #require(AVAudioPCMBuffer(pcmFormat: again.processingFormat, frameCapacity: 5000))
        try again.read(into: read)
        expectEqual(samples(read), samples(buffer))
        let short = try AVAudioFile(
            forWriting: url, settings: settings(kAudioFormatFLAC), commonFormat: .pcmFormatInt16,
            interleaved: true)
        unsafe expectEqual(
            short.fileFormat.streamDescription.pointee.mFormatFlags, kAppleLosslessFormatFlag_16BitSourceData)
    }

    @Test("Opus has all frames", arguments: ["opus", "ogg"])
    func opus(type: String) throws {
        let url = URL(fileURLWithPath: folder.file("a.\(type)"))
        let file = try AVAudioFile(
            forWriting: url, settings: settings(kAudioFormatOpus, [AVEncoderBitRateKey: 64_000]))
        try file.write(from: noise(file.processingFormat, bits: 16, frames: 30_001))
        unsafe expectEqual(file.fileFormat.streamDescription.pointee.mFormatID, kAudioFormatOpus)
        file.close()
        try expectEqual(AVAudioFile(forReading: url).length, 30_001)
        #expect(folder.bytes(of: "a.\(type)").prefix(40).suffix(12).starts(with: Array("OpusHead".utf8)))
    }

    @Test(
        "a bit rate of 0 is that of the codec",
        arguments: [
            (kAudioFormatMPEG4AAC, "m4a"), (kAudioFormatOpus, "opus"), (kAudioFormatMPEGLayer3, "mp3"),
            (kAudioFormatAppleLossless, "m4a"),
        ])
    func ownBitRate(format: AudioFormatID, type: String) throws {
        var sound: AVAudioPCMBuffer?
        func bytes(_ extra: [String: Any]) throws -> Int {
            let url = URL(fileURLWithPath: folder.file("a.\(type)"))
            let file = try AVAudioFile(forWriting: url, settings: settings(format, extra))
            let buffer = try sound ?? noise(file.processingFormat, bits: 16, frames: 48_000)
            sound = buffer
            try file.write(from: buffer)
            file.close()
            return try Data(contentsOf: url).count
        }
        let own = try bytes([:])
        try expectEqual(bytes([AVEncoderBitRateKey: 0]), own)
        try expectEqual(bytes([AVEncoderBitRatePerChannelKey: 0, AVEncoderBitDepthHintKey: 0]), own)
    }

    @Test("the bit rate of the settings is that of Opus") func bitRate() throws {
        func bytes(_ rate: Int) throws -> Int {
            let url = URL(fileURLWithPath: folder.file("a.opus"))
            let file = try AVAudioFile(
                forWriting: url, settings: settings(kAudioFormatOpus, [AVEncoderBitRateKey: rate]))
            try file.write(from: noise(file.processingFormat, bits: 16, frames: 96_000))
            file.close()
            return folder.bytes(of: "a.opus").count
        }
        #expect(try bytes(128_000) > 2 * bytes(32_000))
    }

    @Test("a format that the type of file does not have is refused") func refusals() {
        let cases: [(String, AudioFormatID, [String: Any])] = [
            ("flac", kAudioFormatLinearPCM, [:]), ("opus", kAudioFormatLinearPCM, [:]),
            ("wav", kAudioFormatFLAC, [:]), ("caf", kAudioFormatFLAC, [:]), ("caf", kAudioFormatOpus, [:]),
            ("m4a", kAudioFormatOpus, [:]),
            ("flac", kAudioFormatOpus, [:]), ("opus", kAudioFormatOpus, [AVSampleRateKey: 44_100]),
            ("flac", kAudioFormatFLAC, [AVEncoderBitDepthHintKey: 32]),
            ("flac", kAudioFormatFLAC, [AVNumberOfChannelsKey: 9]),
        ]
        for (type, formatID, more) in cases {
            let url = URL(fileURLWithPath: folder.file("a.\(type)"))
            let error = #expect(throws: NSError.self, "\(type), \(formatID), \(more)") {
                _ = try AVAudioFile(forWriting: url, settings: settings(formatID, more))
            }
            expectEqual(error?.code, Int(kAudioFormatUnsupportedDataFormatError))
        }
    }
}
