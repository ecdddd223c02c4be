// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Testing

@Suite("Formats, qualities and errors of AVAudioConverter") struct AVAudioConverterRateTests {
    private func format(_ rate: Double) throws -> AVAudioFormat {
        try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: 1))
    }

    private func makeConverter(from: Double, to: Double) throws -> AVAudioConverter {
        try #require(AVAudioConverter(from: format(from), to: format(to)))
    }

    /// A tone with an amplitude of 0.5.
    private func tone(_ frequency: Double, _ rate: Double, frames: Int) throws -> AVAudioPCMBuffer {
        let buffer = try #require(
            AVAudioPCMBuffer(pcmFormat: format(rate), frameCapacity: AVAudioFrameCount(frames)))
        buffer.frameLength = buffer.frameCapacity
        for frame in 0..<frames {
            let sample = 0.5 * sin(2 * Double.pi * frequency * Double(frame) / rate)
            unsafe buffer.floatChannelData?[0][frame] = Float(sample)
        }
        return buffer
    }

    /// Converts one buffer, and then no more.
    private func convert(
        _ input: AVAudioPCMBuffer, with converter: AVAudioConverter, to output: AVAudioPCMBuffer,
        _ error: inout NSError?
    ) -> AVAudioConverterOutputStatus {
        nonisolated(unsafe) var waiting: AVAudioPCMBuffer? = input
        return unsafe converter.convert(to: output, error: &error) { _, status in
            defer { unsafe waiting = nil }
            unsafe status.pointee = waiting == nil ? .endOfStream : .haveData
            return unsafe waiting
        }
    }

    /// The alias of a tone of 12.5 kHz at 16 kHz, where only a filter keeps it away.
    private func alias(_ converter: AVAudioConverter) throws -> Float { try level(of: 12_500, converter) }

    /// The level of a tone with an amplitude of 0.5 after the conversion from 48 to 16 kHz.
    private func level(of frequency: Double, _ converter: AVAudioConverter) throws -> Float {
        let output = try #require(
            AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 3_300))
        var error: NSError?
        let input = try tone(frequency, 48_000, frames: 9_600)
        let status = convert(input, with: converter, to: output, &error)
        #expect(status == .haveData && error == nil)
        #expect(abs(Int(output.frameLength) - 3_200) <= 1)
        return (300..<2_900).map { unsafe abs(output.floatChannelData?[0][$0] ?? 1) }.max() ?? 1
    }

    @Test("a converter has the formats that it was made with")
    func formats() throws {
        let (from, to) = try (format(44_100), format(16_000))
        let converter = try #require(AVAudioConverter(from: from, to: to))
        #expect(converter.inputFormat == from && converter.outputFormat == to)
        expectEqual(converter.inputFormat.sampleRate, 44_100)
    }

    @Test(
        "every quality keeps aliases away",
        arguments: [AVAudioQuality.min, .low, .medium, .high, .max])
    func quality(quality: AVAudioQuality) throws {
        let converter = try makeConverter(from: 48_000, to: 16_000)
        converter.sampleRateConverterQuality = quality.rawValue
        expectEqual(converter.sampleRateConverterQuality, quality.rawValue)
        let alias = try alias(converter)
        #expect(alias < 0.0001, "\(alias)")
    }

    @Test("the algorithm for mastering is the best whatever the quality, and the normal one has the quality")
    func algorithm() throws {
        let converter = try makeConverter(from: 48_000, to: 16_000)
        expectEqual(converter.sampleRateConverterAlgorithm, nil)
        converter.sampleRateConverterQuality = AVAudioQuality.min.rawValue
        converter.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Mastering
        expectEqual(converter.sampleRateConverterAlgorithm, AVSampleRateConverterAlgorithm_Mastering)
        let best = try level(of: 6000, converter)
        #expect(best > 0.49, "\(best)")
        let normal = try makeConverter(from: 48_000, to: 16_000)
        normal.sampleRateConverterQuality = AVAudioQuality.min.rawValue
        normal.sampleRateConverterAlgorithm = AVSampleRateConverterAlgorithm_Normal
        expectEqual(normal.sampleRateConverterAlgorithm, AVSampleRateConverterAlgorithm_Normal)
        let worst = try level(of: 6000, normal)
        #expect(worst < 0.4, "\(worst)")
    }

    @Test("buffers of other formats are errors, with the reason")
    func errors() throws {
        let converter = try makeConverter(from: 48_000, to: 16_000)
        let output = try #require(
            AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: 400))
        var error: NSError?
        let wrongInput = convert(try tone(440, 44_100, frames: 441), with: converter, to: output, &error)
        #expect(wrongInput == .error && error?.code == -50)
        expectEqual(error?.domain, "com.apple.coreaudio.avfaudio")
        expectEqual(output.frameLength, 0)
        error = nil
        let input = try tone(440, 48_000, frames: 480)
        let wrongOutput = convert(input, with: converter, to: input, &error)
        #expect(wrongOutput == .error && error?.code == -50)
        // A converter can be used after an error.
        error = nil
        converter.reset()
        let status = convert(input, with: converter, to: output, &error)
        #expect(status == .haveData && error == nil && output.frameLength == 160)
    }
}
