// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("Linear PCM conversion")
struct LinearPCMConverterTests {
    /// Every layout: depth × container × alignment × sign × byte order, and the floats.
    private static func layouts(channels: Int = 1) -> [Format] {
        var result: [Format] = []
        for isBigEndian in [false, true] {
            for bits in [32, 64] {
                result.append(
                    .float(bits: bits, isBigEndian: isBigEndian, channels: channels, sampleRate: 48000))
            }
            for (bits, bytes) in [
                (1, 1), (5, 1), (8, 1), (8, 3), (12, 2), (16, 2), (16, 4), (20, 3), (24, 3), (24, 4), (31, 4),
                (32, 4),
            ] {
                for isSigned in [true, false] {
                    for isHigh in bits == bytes * 8 ? [true] : [true, false] {
                        var format = Format.signedInteger(
                            bits: bits, containerBytes: bytes, isBigEndian: isBigEndian, channels: channels,
                            sampleRate: 48000)
                        if !isSigned { format.mFormatFlags &= ~kAudioFormatFlagIsSignedInteger }
                        if !isHigh { format.mFormatFlags &= ~kAudioFormatFlagIsAlignedHigh }
                        result.append(format)
                    }
                }
            }
        }
        return result
    }

    /// Bytes of `samples` samples: the extremes first, then a spread of values; floats within and beyond 1.
    private static func input(_ format: Format, samples: Int) -> [UInt8] {
        let reference = ReferenceSamples(format: format)
        let bits = Int(format.mBitsPerChannel)
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return reference.bytes(
            (0..<samples).map { index in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                if format.isFloat {
                    let extremes = [
                        0, -0.0, 1, -1, 1.5, -1.5, .infinity, -.infinity, 0x1p-31, 0x1.8p-15, 0x1.4p-15,
                    ]
                    let value = Double(Int64(bitPattern: state)) * 0x1.2p-63
                    return reference.container(index < extremes.count ? extremes[index] : value)
                }
                let half = Int64(1) << Int64(bits - 1)
                let extremes = [0, -half, half - 1, -1]
                return reference.container(
                    index < 4 ? extremes[index] : Int64(truncatingIfNeeded: state >> 31) % (2 * half) - half)
            })
    }

    private static func convert(
        _ bytes: [UInt8], _ from: Format, _ to: Format, misalignedBy offset: Int = 0
    ) throws -> [UInt8] {
        let frames = bytes.count / Int(from.mBytesPerFrame)
        let outputBytes = frames * Int(to.mBytesPerFrame)
        let source = [UInt8](repeating: 0xA5, count: offset) + bytes
        // A guard after the output detects writes beyond it.
        var target = [UInt8](repeating: 0xA5, count: offset + outputBytes + 16)
        let written = try unsafe source.withUnsafeBytes { source in
            try unsafe target.withUnsafeMutableBytes { target in
                try unsafe LinearPCMConverter(from: from, to: to).convert(
                    UnsafeRawBufferPointer(rebasing: source[offset...]),
                    into: UnsafeMutableRawBufferPointer(rebasing: target[offset..<(offset + outputBytes)]))
            }
        }
        expectEqual(written, frames)
        #expect(
            target[..<offset].allSatisfy { $0 == 0xA5 }
                && target[(offset + outputBytes)...].allSatisfy { $0 == 0xA5 })
        return Array(target[offset..<(offset + outputBytes)])
    }

    @Test("every layout converts to every other by the documented rules", arguments: 0..<layouts().count)
    func everyPair(index: Int) throws {
        let from = Self.layouts()[index]
        // More than one block of 128, and not a multiple of any vector size.
        let bytes = Self.input(from, samples: 141)
        for to in Self.layouts() {
            let result = try Self.convert(bytes, from, to, misalignedBy: 1)
            let expected = ReferenceSamples(format: from).converted(bytes, to: ReferenceSamples(format: to))
            expectEqual(result, expected, "\(from.encodingSummary) to \(to.encodingSummary)")
        }
    }

    @Test(
        "channels keep their order, for odd numbers of frames and channels", arguments: [1, 2, 3, 6, 7],
        [0, 1, 3, 127, 129])
    func interleaved(channels: Int, frames: Int) throws {
        for from in Self.layouts(channels: channels).prefix(9) {
            for to in Self.layouts(channels: channels).suffix(9) {
                let bytes = Self.input(from, samples: frames * channels)
                try expectEqual(
                    Self.convert(bytes, from, to),
                    ReferenceSamples(format: from).converted(bytes, to: ReferenceSamples(format: to)))
            }
        }
    }

    @Test("integers survive a conversion to float and back", arguments: [16, 24], [false, true])
    func roundTrip(bits: Int, isBigEndian: Bool) throws {
        let integers = Format.signedInteger(
            bits: bits, isBigEndian: isBigEndian, channels: 1, sampleRate: 44100)
        let floats = Format.float(channels: 1, sampleRate: 44100)
        let reference = ReferenceSamples(format: integers)
        let half = Int64(1) << Int64(bits - 1)
        let samples = Array(stride(from: -half, to: half, by: bits == 16 ? 1 : 509)) + [half - 1]
        let bytes = reference.bytes(samples.map { reference.container($0) })
        try expectEqual(Self.convert(Self.convert(bytes, integers, floats), floats, integers), bytes)
    }

    @Test("NaN becomes silence, and samples above full scale are clipped", arguments: [8, 16, 24, 32])
    func unusualFloats(bits: Int) throws {
        let from = Format.float(channels: 1, sampleRate: 44100)
        let to = Format.signedInteger(bits: bits, channels: 1, sampleRate: 44100)
        let reference = ReferenceSamples(format: to)
        let values: [Float] = [
            .nan, .signalingNaN, .infinity, -.infinity, 3e38, -3e38, .leastNonzeroMagnitude, -0.0,
        ]
        let bytes = ReferenceSamples(format: from).bytes(values.map { UInt64($0.bitPattern) })
        let result = reference.containers(try Self.convert(bytes, from, to)).map(reference.integer)
        let half = Int64(1) << Int64(bits - 1)
        expectEqual(result, [0, 0, half - 1, -half, half - 1, -half, 0, 0])
    }

    @Test("bits outside the valid ones are ignored")
    func garbage() throws {
        var low = Format.signedInteger(bits: 20, containerBytes: 4, channels: 1, sampleRate: 44100)
        low.mFormatFlags &= ~kAudioFormatFlagIsAlignedHigh
        let high = Format.signedInteger(bits: 20, containerBytes: 4, channels: 1, sampleRate: 44100)
        let to = Format.signedInteger(bits: 32, channels: 1, sampleRate: 44100)
        try expectEqual(Self.convert([0x45, 0x23, 0xF1, 0xFF], low, to), [0x00, 0x50, 0x34, 0x12])
        try expectEqual(Self.convert([0xFF, 0x5F, 0x34, 0x12], high, to), [0x00, 0x50, 0x34, 0x12])
    }

    @Test("a change of byte order alone keeps every bit, including those of a NaN", arguments: [32, 64])
    func swapKeepsPayload(bits: Int) throws {
        let big = Format.float(bits: bits, isBigEndian: true, channels: 1, sampleRate: 44100)
        let little = Format.float(bits: bits, isBigEndian: false, channels: 1, sampleRate: 44100)
        let bytes: [UInt8] = bits == 32 ? [0x7F, 0x80, 0x12, 0x34] : [0x7F, 0xF0, 1, 2, 3, 4, 5, 6]
        try expectEqual(Self.convert(bytes, big, little), bytes.reversed())
    }

    @Test("a buffer that is too small or ends inside a frame is refused, and nothing is written")
    func badSizes() throws {
        let converter = try LinearPCMConverter(
            from: .signedInteger(bits: 16, channels: 2, sampleRate: 44100),
            to: .float(channels: 2, sampleRate: 44100))
        func code(input: Int, output: Int) -> CodecError.Code? {
            let source = [UInt8](repeating: 1, count: input)
            var target = [UInt8](repeating: 0xA5, count: output)
            defer { #expect(target.allSatisfy { $0 == 0xA5 }) }
            do {
                _ = try unsafe source.withUnsafeBytes { source in
                    try unsafe target.withUnsafeMutableBytes {
                        try unsafe converter.convert(source, into: $0)
                    }
                }
                return nil
            } catch {
                return (error as? CodecError)?.code
            }
        }
        expectEqual(code(input: 8, output: 15), .outputTooSmall)
        expectEqual(code(input: 8, output: 0), .outputTooSmall)
        expectEqual(code(input: 7, output: 64), .invalidInputSize)
        expectEqual(code(input: 0, output: 0), nil)
    }

    @Test("an unsupported conversion is refused")
    func unsupported() {
        let pcm = Format.signedInteger(bits: 16, channels: 2, sampleRate: 44100)
        func code(_ from: Format, _ to: Format) -> CodecError.Code? {
            do throws(CodecError) {
                _ = try LinearPCMConverter(from: from, to: to)
                return nil
            } catch {
                expectEqual(error.status, 1_718_449_215)
                return error.code
            }
        }
        expectEqual(code(pcm, .float(channels: 1, sampleRate: 44100)), .unsupportedFormat)
        expectEqual(code(pcm, .float(channels: 2, sampleRate: 48000)), .unsupportedFormat)
        expectEqual(
            code(
                pcm, .encoded(kAudioFormatMPEGLayer3, framesPerPacket: 1152, channels: 2, sampleRate: 44100)),
            .unsupportedFormat)
        var hostile = pcm
        hostile.mBytesPerFrame = 3
        expectEqual(code(hostile, pcm), .invalidFormat)
        var fixed = Format.signedInteger(bits: 32, channels: 2, sampleRate: 44100)
        fixed.mFormatFlags |= 24 << kLinearPCMFormatFlagsSampleFractionShift
        expectEqual(code(fixed, pcm), .unsupportedFormat)
        expectEqual(code(Format(), Format()), .unsupportedFormat)
    }
}
