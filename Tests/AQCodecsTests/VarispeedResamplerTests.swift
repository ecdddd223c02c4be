// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import AQTestSupport
import Glibc
import Testing

@Suite("Varispeed")
struct VarispeedResamplerTests {
    static func play(
        _ samples: [Float], through resampler: VarispeedResampler, rate: Double, channels: Int = 1,
        piece: Int = 1000, ends: Bool = true
    ) -> [Float] {
        resampler.setRate(rate)
        var output: [Float] = []
        var room = [Float](repeating: .nan, count: 777 * channels)
        func take() {
            while true {
                let count = unsafe room.withUnsafeMutableBufferPointer { room in
                    guard let start = room.baseAddress else { return 0 }
                    return unsafe resampler.take(into: start, capacity: room.count / channels)
                }
                if count == 0 { return }
                output += room.prefix(count * channels)
            }
        }
        for start in stride(from: 0, to: samples.count, by: piece * channels) {
            let frames = Array(samples[start..<min(start + piece * channels, samples.count)])
            unsafe resampler.put(frames, count: frames.count / channels)
            take()
        }
        if ends { resampler.finish() }
        take()
        return output
    }

    static func play(_ samples: [Float], rate: Double) throws -> [Float] {
        play(samples, through: try #require(VarispeedResampler(channels: 1)), rate: rate)
    }

    static func tone(_ hertz: Double, frames: Int = 44_100) -> [Float] {
        (0..<frames).map { Float(sin(2 * .pi * hertz / 44_100 * Double($0))) }
    }

    /// The power of samples but the first and the last thousand, in decibels below a sine of full scale.
    static func decibels(_ samples: [Float]) -> Double {
        let inner = samples.dropFirst(1000).dropLast(1000)
        let power = inner.reduce(0) { $0 + Double($1) * Double($1) } / Double(inner.count)
        return 10 * log10(max(2 * power, 1e-20))
    }

    @Test(
        "the number of frames is the rate's, exactly", arguments: [0.5, 0.55, 0.7, 0.9, 1, 1.1, 1.3, 1.9, 2])
    func length(rate: Double) throws {
        let resampler = try #require(VarispeedResampler(channels: 1))
        for frames in [0, 1, 2, 5, 100, 881, 10_000] {
            let samples = [Float](repeating: 0.5, count: frames)
            for piece in [130, 1000] {
                let output = Self.play(samples, through: resampler, rate: rate, piece: piece)
                expectEqual(output.count, Int((Double(frames) / rate - 1e-6).rounded(.up)), "\(frames)")
                // Constant inside, without ripples.
                #expect(output.dropFirst(500).dropLast(500).allSatisfy { abs($0 - 0.5) < 0.001 })
                resampler.restart()
            }
        }
    }

    @Test(
        "a tone has its level, at the position that the rate gives, and nothing is beside it",
        arguments: [0.5, 0.9, 1, 1.1, 2], [100, 1000, 5000, 10_000, 15_000, 19_000])
    func tone(rate: Double, hertz: Double) throws {
        guard hertz * rate < 20_500 else { return }
        let output = try Self.play(Self.tone(hertz), rate: rate)
        let omega = 2 * .pi * hertz * rate / 44_100
        // The tone in the output, by least squares.
        var (ss, sc, cc, ys, yc) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for index in 1000..<output.count - 1000 {
            let (s, c, y) = (sin(omega * Double(index)), cos(omega * Double(index)), Double(output[index]))
            (ss, sc, cc, ys, yc) = (ss + s * s, sc + s * c, cc + c * c, ys + y * s, yc + y * c)
        }
        let determinant = ss * cc - sc * sc
        let (a, b) = ((ys * cc - yc * sc) / determinant, (yc * ss - ys * sc) / determinant)
        #expect(abs(hypot(a, b) - 1) < 0.001)
        // The delay at low frequencies is removed; the filters have one more frame at the top of the band.
        #expect(abs(atan2(b, a)) / omega < (hertz > 5000 ? 1.1 : hertz > 1000 ? 0.25 : 0.02))
        let rest = output.enumerated().map { index, sample in
            sample - Float(a * sin(omega * Double(index)) + b * cos(omega * Double(index)))
        }
        #expect(Self.decibels(rest) < -95)
    }

    @Test("what would be above half the sample rate is removed", arguments: [(1.1, 21_000), (2, 12_000)])
    func aliases(rate: Double, hertz: Double) throws {
        #expect(Self.decibels(try Self.play(Self.tone(hertz), rate: rate)) < -95)
    }

    @Test(
        "what would be above half the sample rate is removed after a lower rate, too",
        arguments: [1.1, 1.5, 2], [false, true])
    func aliases(rate: Double, afterRestart: Bool) throws {
        let resampler = try #require(VarispeedResampler(channels: 1))
        _ = Self.play(Self.tone(1000), through: resampler, rate: 0.8, ends: afterRestart)
        if afterRestart { resampler.restart() }
        let output = Self.play(Self.tone(21_000), through: resampler, rate: rate)
        #expect(Self.decibels(Array(output.dropFirst(1000))) < -95)
    }

    @Test(
        "nothing of the frames before a restart is output", arguments: [0.5, 0.8, 1, 1.3, 1.5, 2],
        [0.5, 1, 2])
    func restart(rate: Double, before: Double) throws {
        let resampler = try #require(VarispeedResampler(channels: 1))
        var random = SplitMix(1)
        let noise = (0..<20_000).map { _ in Float(random.noise()) }
        let tone = Self.tone(1000, frames: 10_000)
        let expected = try Self.play(tone, rate: rate)
        for ends in [true, false] {
            _ = Self.play(noise, through: resampler, rate: before, ends: ends)
            resampler.setRate(rate)
            resampler.restart()
            resampler.restart()
            let output = Self.play(tone, through: resampler, rate: rate)
            #expect(output.count == expected.count)
            let worst = zip(output, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
            // Noise rings longest in the filters, at half the sample rate.
            #expect(worst < 1e-4)
        }
    }

    @Test("the division into pieces changes nothing", arguments: [0.8, 1.3])
    func pieces(rate: Double) throws {
        let whole = try Self.play(
            Self.tone(1000), through: #require(VarispeedResampler(channels: 1)), rate: rate, piece: 44_100)
        let pieces = try Self.play(
            Self.tone(1000), through: #require(VarispeedResampler(channels: 1)), rate: rate, piece: 77)
        #expect(pieces.count == whole.count)
        #expect(zip(pieces, whole).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("channels do not affect each other")
    func channels() throws {
        let resampler = try #require(VarispeedResampler(channels: 3))
        func spread(_ samples: [Float]) -> [Float] { samples.flatMap { [$0, 0, -$0] as [Float] } }
        let output = Self.play(spread(Self.tone(1000)), through: resampler, rate: 1.2, channels: 3)
        expectEqual(output, spread(try Self.play(Self.tone(1000), rate: 1.2)))
    }

    @Test("rates out of bounds count as the nearer bound, and no number as half")
    func bounds() throws {
        let tone = Self.tone(1000, frames: 10_000)
        try expectEqual(Self.play(tone, rate: 3).count, 5000)
        try expectEqual(Self.play(tone, rate: -.infinity).count, 20_000)
        try expectEqual(Self.play(tone, rate: .nan).count, 20_000)
        #expect(VarispeedResampler(channels: 0) == nil)
        #expect(VarispeedResampler(channels: 1025) == nil)
    }
}
