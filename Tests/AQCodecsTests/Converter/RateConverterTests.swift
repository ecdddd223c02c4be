// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@Suite("Rate conversion")
struct RateConverterTests {
    static let rates: [(Double, Double)] = [
        (44100, 48000), (48000, 44100), (8000, 44100), (44100, 8000), (96000, 44100), (22050, 44100),
        (11025, 96000), (44100, 44100.5), (32000, 31999), (192_000, 8000), (48000, 48000),
    ]

    /// Converts `input` in pieces of `piece` frames into buffers of `room` frames.
    static func convert(
        _ input: [Float], with converter: RateConverter, piece: Int = 4096, room: Int = 4096
    ) throws -> [Float] {
        let channels = converter.channels
        var output: [Float] = []
        var block = [Float](repeating: .nan, count: room * channels)
        var start = 0
        while start < input.count {
            let end = min(input.count, start + piece * channels)
            let step = try unsafe input[start..<end].withUnsafeBufferPointer { input in
                try unsafe block.withUnsafeMutableBufferPointer {
                    try unsafe converter.convert(input, into: $0)
                }
            }
            start += step.framesTaken * channels
            output += block.prefix(step.framesGiven * channels)
        }
        while true {
            let frames = unsafe block.withUnsafeMutableBufferPointer {
                unsafe converter.finish(into: $0)
            }
            if frames == 0 { return output }
            output += block.prefix(frames * channels)
        }
    }

    static func sine(_ hertz: Double, rate: Double, frames: Int) -> [Float] {
        (0..<frames).map { Float(0.5 * sin(2 * .pi * hertz * Double($0) / rate)) }
    }

    @Test("N frames become N × output rate / input rate, rounded", arguments: rates, RateQuality.allCases)
    func lengths(rates: (Double, Double), quality: RateQuality) throws {
        let converter = try RateConverter(from: rates.0, to: rates.1, channels: 1, quality: quality)
        for frames in [0, 1, 2, 3, 100, 1001, 12345] {
            let input = Self.sine(100, rate: rates.0, frames: frames)
            let output = try Self.convert(input, with: converter)
            let expected = Int((Double(frames) * rates.1 / rates.0).rounded())
            expectEqual(output.count, expected, "\(frames) frames")
            #expect(output.allSatisfy { abs($0) <= 1.5 })
            expectEqual(converter.outputFrames(forInput: Int64(frames)), Int64(expected))
            converter.reset()
        }
    }

    @Test(
        "a sine keeps its phase, and the error is below the quality's precision",
        arguments: [
            (RateQuality.minimum, 90.0), (.low, 95), (.medium, 105), (.high, 120), (.maximum, 130),
        ], [(44100.0, 48000.0), (48000, 44100), (96000, 44100), (22050, 48000)])
    func sine(quality: (RateQuality, Double), rates: (Double, Double)) throws {
        let converter = try RateConverter(from: rates.0, to: rates.1, channels: 1, quality: quality.0)
        let input = Self.sine(997, rate: rates.0, frames: Int(rates.0))
        let output = try Self.convert(input, with: converter)
        // Half a second in the middle, away from the abrupt start and end.
        let range = output.count / 4..<output.count * 3 / 4
        var (signal, noise) = (0.0, 0.0)
        for index in range {
            let ideal = 0.5 * sin(2 * .pi * 997 * Double(index) / rates.1)
            signal += ideal * ideal
            noise += (Double(output[index]) - ideal) * (Double(output[index]) - ideal)
        }
        let decibels = 10 * log10(signal / noise)
        #expect(decibels > quality.1, "\(decibels) dB")
    }

    @Test("frequencies above the lower rate's half are removed")
    func aliases() throws {
        for (quality, limit) in [
            (RateQuality.minimum, -90.0), (.low, -95), (.medium, -100), (.high, -120), (.maximum, -130),
        ] {
            let converter = try RateConverter(from: 48000, to: 8000, channels: 1, quality: quality)
            let output = try Self.convert(Self.sine(7000, rate: 48000, frames: 48000), with: converter)
            let middle = output[2000..<6000]
            let power = middle.reduce(0) { $0 + Double($1) * Double($1) } / Double(middle.count)
            #expect(10 * log10(power / 0.125 + 1e-30) < limit)
        }
    }

    @Test("the sizes of the pieces do not change the result", arguments: rates, [RateQuality.minimum, .high])
    func pieces(rates: (Double, Double), quality: RateQuality) throws {
        let converter = try RateConverter(from: rates.0, to: rates.1, channels: 2, quality: quality)
        let input = (0..<3000).map { Float(truncating: $0) }
        let whole = try Self.convert(input, with: converter, piece: 100_000, room: 200_000)
        for (piece, room) in [(1, 4096), (4096, 1), (17, 3), (1000, 777)] {
            converter.reset()
            let output = try Self.convert(input, with: converter, piece: piece, room: room)
            expectEqual(output, whole, "pieces of \(piece) into \(room)")
        }
    }

    @Test("channels do not affect each other")
    func channels() throws {
        let mono = try RateConverter(from: 44100, to: 48000, channels: 1)
        let many = try RateConverter(from: 44100, to: 48000, channels: 3)
        let input = Self.sine(1000, rate: 44100, frames: 5000)
        let alone = try Self.convert(input, with: mono)
        let spread = try Self.convert(input.flatMap { [0, $0, -$0] }, with: many)
        expectEqual(spread, alone.flatMap { [0, $0, -$0] })
    }

    @Test("extreme ratios of rates are converted in limited time and memory", arguments: RateQuality.allCases)
    func extremes(quality: RateQuality) throws {
        let input = [Float](repeating: 0.5, count: 25_600)
        for (low, high) in [(1.0, 256.0), (3000, 768_000)] {
            let up = try RateConverter(from: low, to: high, channels: 1, quality: quality)
            try expectEqual(Self.convert(Array(input.prefix(30)), with: up).count, 30 * 256)
            let down = try RateConverter(from: high, to: low, channels: 1, quality: quality)
            try expectEqual(Self.convert(input, with: down).count, 100)
        }
    }

    @Test(
        "other rates and channels are refused",
        arguments: [
            (0, 48000, 1), (48000, 0.5, 1), (.nan, 48000, 1), (48000, .infinity, 1), (-44100, 48000, 1),
            (48000, 768_001, 1), (48000, 187, 1), (1, 257, 1), (48000, 44100, 0), (48000, 44100, 1025),
            (48000, 44100, -1),
        ] as [(Double, Double, Int)])
    func refused(input: Double, output: Double, channels: Int) {
        let error = #expect(throws: CodecError.self) {
            _ = try RateConverter(from: input, to: output, channels: channels)
        }
        expectEqual(error?.code, .unsupportedFormat)
    }

    @Test("input after the end is refused, and accepted after a reset")
    func afterEnd() throws {
        let converter = try RateConverter(from: 44100, to: 48000, channels: 1)
        let input = Self.sine(1000, rate: 44100, frames: 1000)
        let first = try Self.convert(input, with: converter)
        #expect(throws: CodecError.self) { try Self.convert(input, with: converter) }
        converter.reset()
        try expectEqual(Self.convert(input, with: converter), first)
    }

    @Test("a number selects the quality that reaches it")
    func qualities() {
        let names = [0, 31, 32, 64, 95, 96, 126, 127, .max].map { RateQuality(atMost: $0) }
        expectEqual(names, [.minimum, .minimum, .low, .medium, .medium, .high, .high, .maximum, .maximum])
    }
}

extension Float {
    /// A number from -1 to 1 that differs for each index.
    fileprivate init(truncating index: Int) {
        self = Float(Int32(truncatingIfNeeded: index &* 0x9E37_79B1)) * 0x1p-31
    }
}
