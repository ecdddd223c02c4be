// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@Suite("Dither")
struct DitherTests {
    private static let floats = Format.float(channels: 1, sampleRate: 44100)
    private static let s16 = Format.signedInteger(bits: 16, channels: 1, sampleRate: 44100)

    private static func convert(
        _ input: [Float], _ kind: DitherKind, seed: UInt64 = 0, bits: Int? = nil, piece: Int = 1000,
        to output: Format = s16
    ) throws -> [UInt8] {
        let converter = try AudioConverter(from: floats, to: output)
        converter.ditherKind = kind
        converter.ditherSeed = seed
        converter.ditherBits = bits
        return try converter.convertAll(
            PacketFeed(floats: input, channels: 1, turns: [.packets(piece)]), packetsPerCall: piece
        ).bytes
    }

    /// The errors of 16-bit samples, in steps.
    private static func errors(_ input: [Float], _ kind: DitherKind) throws -> [Double] {
        zip(samples(Int16.self, of: try convert(input, kind)), input).map { Double($0) - Double($1) * 32768 }
    }

    @Test("without dither a signal below half a step is silent; with dither its mean is kept")
    func mean() throws {
        let input = [Float](repeating: 0.3 / 32768, count: 20_000)
        #expect(try Self.errors(input, .none).allSatisfy { abs($0 + 0.3) < 1e-4 })
        for kind in [DitherKind.triangular, .noiseShaping] {
            let errors = try Self.errors(input, kind)
            let mean = errors.reduce(0, +) / Double(errors.count)
            #expect(abs(mean) < 0.01, "\(kind): \(mean)")
        }
    }

    @Test(
        "triangular noise has the variance of a quarter step at every sample value",
        arguments: [0, 0.25, 0.5, 0.9])
    func variance(fraction: Float) throws {
        let errors = try Self.errors([Float](repeating: fraction / 32768, count: 20_000), .triangular)
        let variance = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
        #expect(abs(variance - 0.25) < 0.01, "\(variance)")
        #expect(errors.allSatisfy { abs($0) < 1.5 })
        // White noise: samples are not correlated.
        let next = zip(errors, errors.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(errors.count)
        #expect(abs(next) < 0.01)
    }

    @Test("shaped noise is weaker where hearing is sensitive, and stronger above")
    func shape() throws {
        let input = (0..<8192).map { Float(0.1 * sin(Double($0) * 0.05)) }
        func power(_ errors: [Double], from: Double, to: Double) -> Double {
            var sum = 0.0
            for hertz in stride(from: from, to: to, by: 300) {
                let step = 2 * Double.pi * hertz / 44100
                var (real, imaginary) = (0.0, 0.0)
                for (index, error) in errors.enumerated() {
                    real += error * cos(step * Double(index))
                    imaginary += error * sin(step * Double(index))
                }
                sum += real * real + imaginary * imaginary
            }
            return sum
        }
        let white = try Self.errors(input, .triangular)
        let shaped = try Self.errors(input, .noiseShaping)
        let low = power(shaped, from: 1000, to: 6000) / power(white, from: 1000, to: 6000)
        let high = power(shaped, from: 14000, to: 20000) / power(white, from: 14000, to: 20000)
        #expect(low < 0.3 && high > 2, "\(low) and \(high)")
    }

    @Test("the same seed gives the same samples in pieces of any size, another seed gives others")
    func seeds() throws {
        let input = (0..<5000).map { Float($0) / 7000 }
        for kind in [DitherKind.triangular, .noiseShaping] {
            let first = try Self.convert(input, kind, seed: 7)
            for piece in [1, 17, 5000] {
                try expectEqual(Self.convert(input, kind, seed: 7, piece: piece), first)
            }
            #expect(try Self.convert(input, kind, seed: 8) != first)
        }
    }

    @Test("a reset restarts the noise")
    func reset() throws {
        let converter = try AudioConverter(from: Self.floats, to: Self.s16)
        converter.ditherKind = .noiseShaping
        let input = (0..<5000).map { Float($0) / 7000 }
        let first = try converter.convertAll(PacketFeed(floats: input, channels: 1)).bytes
        try converter.reset()
        try expectEqual(converter.convertAll(PacketFeed(floats: input, channels: 1)).bytes, first)
    }

    @Test("samples that lose no bits get no noise")
    func equalDepth() throws {
        let input = (0..<1000).map { Int16(truncatingIfNeeded: $0 &* 77) }
        for bits in [16, 24, 32] {
            let converter = try AudioConverter(
                from: Self.s16, to: .signedInteger(bits: bits, channels: 1, sampleRate: 44100))
            converter.ditherKind = .triangular
            #expect(!converter.dropsBits)
            let output = try converter.convertAll(PacketFeed(integers: input, channels: 1)).bytes
            let back = try AudioConverter(from: converter.outputFormat, to: Self.s16)
            let feed = PacketFeed(
                output, bytesPerPacket: Int(converter.outputFormat.mBytesPerPacket), turns: [.packets(100)])
            expectEqual(samples(Int16.self, of: try back.convertAll(feed).bytes), input)
        }
    }

    @Test("reports the conversions that lose bits")
    func dropsBits() throws {
        func drops(_ from: Format, _ to: Format) throws -> Bool {
            try AudioConverter(from: from, to: to).dropsBits
        }
        let s24 = Format.signedInteger(bits: 24, channels: 1, sampleRate: 44100)
        #expect(try drops(s24, Self.s16) && drops(Self.floats, s24))
        #expect(try !drops(Self.s16, s24) && !drops(s24, Self.floats))
        #expect(try drops(Self.s16, .signedInteger(bits: 16, channels: 1, sampleRate: 48000)))
        #expect(try drops(.signedInteger(bits: 16, channels: 2, sampleRate: 44100), Self.s16))
        #expect(try !drops(Self.s16, .signedInteger(bits: 16, channels: 2, sampleRate: 44100)))
    }

    @Test("if fewer bits are valid than the output has, the lowest are zero")
    func fewerBits() throws {
        let input = (0..<1000).map { Float($0) / 1000 }
        let bytes = try Self.convert(input, .triangular, bits: 12)
        #expect(samples(Int16.self, of: bytes).allSatisfy { $0 & 15 == 0 })
        let wide = Format.signedInteger(bits: 32, channels: 1, sampleRate: 44100)
        let words = samples(Int32.self, of: try Self.convert(input, .triangular, bits: 20, to: wide))
        #expect(words.allSatisfy { $0 & 0xFFF == 0 } && words.contains { $0 & 0x1000 != 0 })
    }

    @Test(
        "full scale, larger values and NaN clip and do not wrap around",
        arguments: DitherKind.allCases)
    func clipping(kind: DitherKind) throws {
        let input: [Float] =
            (0..<3000).map { [1, -1, 5, -5, .infinity, -.infinity][$0 / 500] } + [.nan, 0, 0]
        let output = samples(Int16.self, of: try Self.convert(input, kind))
        for (index, sample) in output.prefix(3000).enumerated() {
            #expect(index / 500 % 2 == 0 ? sample > 32700 : sample < -32700)
        }
        #expect(output.suffix(3).allSatisfy { abs($0) < 10 })
    }
}
