// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@testable import aqrecord

/// Every sample format of the containers, with an independent packer.
private enum Form: String, CaseIterable, Sendable {
    case unsigned8, signed8, signed16, signed16BE, signed24, signed24BE, signed32, signed32BE, float, floatBE

    var bits: Int {
        switch self {
        case .unsigned8, .signed8: 8
        case .signed16, .signed16BE: 16
        case .signed24, .signed24BE: 24
        default: 32
        }
    }
    var isBigEndian: Bool { rawValue.hasSuffix("BE") }
    var isFloat: Bool { self == .float || self == .floatBE }

    func format(channels: Int) -> AudioStreamBasicDescription {
        if isFloat { return .float(isBigEndian: isBigEndian, channels: channels, sampleRate: 48_000) }
        if self == .unsigned8 { return .unsignedInteger(bits: 8, channels: channels, sampleRate: 48_000) }
        return .signedInteger(bits: bits, isBigEndian: isBigEndian, channels: channels, sampleRate: 48_000)
    }

    /// The bytes of samples that are multiples of 1/128, which every format represents exactly.
    func pack(_ samples: [Int]) -> [UInt8] {
        samples.flatMap { sample -> [UInt8] in
            if self == .unsigned8 { return [UInt8(sample + 128)] }
            let pattern =
                isFloat
                ? UInt64((Float(sample) / 128).bitPattern)
                : UInt64(bitPattern: Int64(sample) << Int64(bits - 8))
            let bytes = (0..<bits / 8).map { UInt8(truncatingIfNeeded: pattern >> UInt64(8 * $0)) }
            return isBigEndian ? bytes.reversed() : bytes
        }
    }
}

@Suite("SampleScanner")
struct SampleScannerTests {
    private func samples(_ count: Int, seed: UInt64 = 1) -> [Int] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 56) - 128
        }
    }

    @Test("peak, mean and clipping of every format, for any channels and lengths", arguments: Form.allCases)
    private func levels(form: Form) throws {
        for channels in [1, 2, 3, 5, 6, 8, 16, 17, 32] {
            for frames in [0, 1, 7, 16, 333, 9001] where frames * channels < 20_000 {
                let samples = samples(frames * channels)
                let scanner = try #require(SampleScanner(form.format(channels: channels)))
                var totals = LevelTotals(channels: channels)
                let bytes = form.pack(samples)
                unsafe bytes.withUnsafeBytes { unsafe scanner.measure($0, into: &totals) }
                expectEqual(totals.frames, Int64(frames))
                var clipped: Int64 = 0
                for channel in 0..<channels {
                    let own = stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
                    let peak = Float(own.map(\.magnitude).max() ?? 0) / 128
                    let squares = own.reduce(0.0) { $0 + Double($1 * $1) / 16384 }
                    let rms = frames > 0 ? (squares / Double(frames)).squareRoot() : 0
                    expectEqual(totals.peaks[channel], peak)
                    #expect(abs(Double(totals.rms(ofChannel: channel)) - rms) < 1e-4 * max(rms, 1))
                    // In 8 bits both ends are full scale; deeper samples of 127/128 are not.
                    clipped += Int64(own.count { $0 == -128 || form.bits == 8 && $0.magnitude == 127 })
                }
                expectEqual(totals.clippedSamples, clipped, "\(form), \(channels) channels, \(frames) frames")
            }
        }
    }

    @Test("the first and last loud frame, wherever in a buffer", arguments: Form.allCases)
    private func loudFrames(form: Form) throws {
        let frames = 100
        for channels in [1, 2, 5] {
            let scanner = try #require(SampleScanner(form.format(channels: channels)))
            for loud in 0..<frames {
                var samples = [Int](repeating: 3, count: frames * channels)
                samples[loud * channels + loud % channels] = loud % 2 == 0 ? 64 : -64
                let bytes = form.pack(samples)
                unsafe bytes.withUnsafeBytes { bytes in
                    for range in [0..<frames, loud..<loud + 1, max(0, loud - 20)..<min(frames, loud + 20)] {
                        unsafe expectEqual(scanner.firstFrame(atOrAbove: 0.5, of: bytes, in: range), loud)
                        unsafe expectEqual(scanner.lastFrame(atOrAbove: 0.5, of: bytes, in: range), loud)
                    }
                    for range in [0..<loud, loud + 1..<frames, loud..<loud] {
                        unsafe expectEqual(scanner.firstFrame(atOrAbove: 0.5, of: bytes, in: range), nil)
                        unsafe expectEqual(scanner.lastFrame(atOrAbove: 0.5, of: bytes, in: range), nil)
                    }
                    unsafe expectEqual(scanner.firstFrame(atOrAbove: 0.51, of: bytes, in: 0..<frames), nil)
                }
            }
        }
    }

    @Test("NaN is silent, and values beyond full scale are clipped")
    func floats() throws {
        let format = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48_000)
        let scanner = try #require(SampleScanner(format))
        for count in [3, 40] {
            var totals = LevelTotals(channels: 1)
            var samples = [Float](repeating: 0, count: count)
            samples.replaceSubrange(0..<3, with: [.nan, 1.5, -0.25])
            unsafe samples.withUnsafeBytes { unsafe scanner.measure($0, into: &totals) }
            #expect((totals.peak, totals.clippedSamples) == (1.5, 1))
        }
    }

    @Test("16-bit full scale counts as clipped in deeper samples too")
    func clippedDeepSamples() throws {
        let format = AudioStreamBasicDescription.signedInteger(bits: 32, channels: 1, sampleRate: 48_000)
        let scanner = try #require(SampleScanner(format))
        for (sample, expected) in [(0x7FFF_0000, 1), (0x7FFE_0000, 0), (-0x8000_0000, 1)] as [(Int, Int64)] {
            var totals = LevelTotals(channels: 1)
            let samples = [Int32](repeating: Int32(sample), count: 1)
            unsafe samples.withUnsafeBytes { unsafe scanner.measure($0, into: &totals) }
            expectEqual(totals.clippedSamples, expected)
        }
    }

    @Test("sample formats that no container here has are refused")
    func others() {
        #expect(SampleScanner(.float(bits: 64, channels: 1, sampleRate: 48_000)) == nil)
        #expect(
            SampleScanner(.signedInteger(bits: 24, containerBytes: 4, channels: 1, sampleRate: 48_000)) == nil
        )
        #expect(
            SampleScanner(.signedInteger(bits: 16, isInterleaved: false, channels: 2, sampleRate: 48_000))
                == nil)
    }
}
