// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import AudioToolbox
import Foundation
import AQTestSupport
import Testing

@Suite("AVAudioFile") struct AVAudioFileTests {
    private let folder = ScratchFolder()

    private func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

    /// A buffer of numbered samples: frame n of channel c is (n + 1 + 1000 c) / 32768.
    private func numbers(_ format: AVAudioFormat, frames: Int, from first: Int = 0) throws -> AVAudioPCMBuffer
    {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<Int(format.channelCount) {
            for frame in 0..<frames {
                let number = (first + frame) % 500 + 1 + 1000 * channel
                if let floats = unsafe buffer.floatChannelData {
                    unsafe floats[channel][frame * buffer.stride] = Float(number) / 32_768
                } else {
                    unsafe buffer.int16ChannelData?[channel][frame * buffer.stride] = Int16(number)
                }
            }
        }
        return buffer
    }

    private func integers(_ buffer: AVAudioPCMBuffer, channel: Int = 0) -> [Int] {
        (0..<Int(buffer.frameLength)).map { frame in
            if let floats = unsafe buffer.floatChannelData {
                return unsafe Int((floats[channel][frame * buffer.stride] * 32_768).rounded())
            }
            return unsafe Int(buffer.int16ChannelData?[channel][frame * buffer.stride] ?? 0)
        }
    }

    private func pcm(channels: Int, bits: Int = 16) -> [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: channels,
            AVLinearPCMBitDepthKey: bits, AVLinearPCMIsFloatKey: false, AVLinearPCMIsBigEndianKey: false,
            AVLinearPCMIsNonInterleaved: true,
        ]
    }

    @Test("what is written is read again", arguments: ["wav", "caf", "aiff", "aif", "w64"])
    func roundTrip(type: String) throws {
        let url = self.url("a.\(type)")
        do {
            let file = try AVAudioFile(forWriting: url, settings: pcm(channels: 2))
            #expect(file.processingFormat.isStandard && file.fileFormat.isInterleaved)
            #expect(file.processingFormat.channelCount == 2 && file.processingFormat.sampleRate == 48_000)
            try file.write(from: numbers(file.processingFormat, frames: 300))
            try file.write(from: numbers(file.processingFormat, frames: 200, from: 300))
            #expect(file.length == 500 && file.framePosition == 500)
        }
        // The release has completed the file.
        let file = try AVAudioFile(forReading: url)
        #expect(file.length == 500 && file.url == url && file.isOpen)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 400))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 400 && file.framePosition == 400)
        #expect(integers(buffer) == Array(1...400) && integers(buffer, channel: 1) == Array(1001...1400))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 100 && file.framePosition == 500)
        expectEqual(integers(buffer), Array(401...500))
        #expect(throws: NSError.self) { try file.read(into: buffer) }
        expectEqual(buffer.frameLength, 0)
        file.framePosition = 250
        try file.read(into: buffer, frameCount: 10)
        expectEqual(integers(buffer), Array(251...260))
        file.framePosition = -5
        expectEqual(file.framePosition, 0)
        file.framePosition = 1_000_000
        expectEqual(file.framePosition, 500)
    }

    @Test("samples are integers, interleaved, if the client wants") func integersInterleaved() throws {
        let url = self.url("a.wav")
        let file = try AVAudioFile(
            forWriting: url, settings: pcm(channels: 2), commonFormat: .pcmFormatInt16, interleaved: true)
        try file.write(from: numbers(file.processingFormat, frames: 100))
        file.close()
        #expect(!file.isOpen)
        file.close()
        let again = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt16, interleaved: true)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: again.processingFormat, frameCapacity: 100))
        try again.read(into: buffer)
        expectEqual(integers(buffer, channel: 1), Array(1001...1100))
    }

    @Test(
        "encoders write all frames",
        arguments: [
            ("m4a", kAudioFormatMPEG4AAC), ("m4a", kAudioFormatAppleLossless),
            ("caf", kAudioFormatAppleLossless),
        ])
    func encoded(type: String, formatID: AudioFormatID) throws {
        let url = self.url("a.\(type)")
        let settings: [String: Any] = [
            AVFormatIDKey: Int(formatID), AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1,
            AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue, AVLinearPCMBitDepthKey: 16,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        try file.write(from: numbers(file.processingFormat, frames: 10_000))
        file.close()
        let again = try AVAudioFile(forReading: url)
        expectEqual(again.length, 10_000)
        unsafe expectEqual(again.fileFormat.streamDescription.pointee.mFormatID, formatID)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: again.processingFormat, frameCapacity: 20_000))
        try again.read(into: buffer)
        expectEqual(buffer.frameLength, 10_000)
        if formatID == kAudioFormatAppleLossless {
            expectEqual(integers(buffer), integers(try numbers(again.processingFormat, frames: 10_000)))
        }
    }

    @Test("the bit rate of the settings is that of the file") func bitRate() throws {
        func bytes(_ rate: Int) throws -> Int {
            let url = self.url("\(rate).m4a")
            let settings: [String: Any] = [
                AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
                AVEncoderBitRateKey: rate,
            ]
            let file = try AVAudioFile(forWriting: url, settings: settings)
            let noise = try numbers(file.processingFormat, frames: 44_100)
            var random = SystemRandomNumberGenerator()
            for channel in 0..<2 {
                for frame in 0..<44_100 {
                    unsafe noise.floatChannelData?[channel][frame] = .random(in: -0.5...0.5, using: &random)
                }
            }
            for _ in 0..<3 { try file.write(from: noise) }
            file.close()
            return try Data(contentsOf: url).count
        }
        #expect(try Double(bytes(192_000)) > 2 * Double(bytes(64_000)))
    }

    @Test("more than two channels have a layout") func surround() throws {
        let url = self.url("a.wav")
        let file = try AVAudioFile(forWriting: url, settings: pcm(channels: 6))
        expectEqual(file.processingFormat.channelLayout?.channelCount, 6)
        try file.write(from: numbers(file.processingFormat, frames: 10))
        file.close()
        let again = try AVAudioFile(forReading: url)
        #expect(again.processingFormat.channelCount == 6 && again.processingFormat.channelLayout != nil)
    }

    private func code(_ body: () throws -> Void) -> Int? {
        do { try body() } catch { return (error as NSError).code }
        return nil
    }

    @Test("errors have the codes of the published interface") func errors() throws {
        let missing = self.url("missing.wav")
        expectEqual(code { _ = try AVAudioFile(forReading: missing) }, 2_003_334_207)
        expectEqual(
            code { _ = try AVAudioFile(forReading: #require(URL(string: "http://host/a.mp3"))) },
            2_003_334_207)
        let text = self.url("a.txt")
        try Data("no audio, but long enough to be something else".utf8).write(to: text)
        expectEqual(code { _ = try AVAudioFile(forReading: text) }, 1_954_115_647)
        let mp3: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
        ]
        expectEqual(code { _ = try AVAudioFile(forWriting: self.url("a.m4a"), settings: mp3) }, 1_718_449_215)
        expectEqual(code { _ = try AVAudioFile(forWriting: self.url("a.wav"), settings: [:]) }, 1_718_449_215)
        expectEqual(code { _ = try AVAudioFile(forWriting: self.url("a.xyz"), settings: mp3) }, 1_954_115_647)
        let url = self.url("b.wav")
        let file = try AVAudioFile(forWriting: url, settings: pcm(channels: 1))
        let stereo = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
        expectEqual(code { try file.write(from: numbers(stereo, frames: 1)) }, -50)
        file.close()
        expectEqual(code { try file.write(from: numbers(file.processingFormat, frames: 1)) }, -43)
    }

    @Test("a file that is being written has all frames that were written") func unfinished() throws {
        let url = self.url("a.wav")
        let file = try AVAudioFile(forWriting: url, settings: pcm(channels: 1))
        try file.write(from: numbers(file.processingFormat, frames: 4000))
        try expectEqual(AVAudioFile(forReading: url).length, 4000)
        file.close()
    }
}
