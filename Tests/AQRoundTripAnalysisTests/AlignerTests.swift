// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQRoundTripAnalysis
import Testing

@Suite("Finding the known sequence in a recording")
struct AlignerTests {
    private static let noise = ReferenceNoise(stream: 0, frames: 60000, amplitude: 0.25)

    private func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames) }
    private func noise(_ range: Range<Int>) -> [Float] { Array(Self.noise.samples[range]) }

    @Test("the noise is that of the peers: known values of frames and streams")
    func knownValues() {
        // splitmix64 seeded with 0 begins with 0xe220a8397b1dcdaf, of which the noise keeps 14 bits.
        expectEqual(Self.noise.samples[0], Float(0x0daf - 8192) * 0.25 / 8192)
        #expect(Self.noise.samples.allSatisfy { abs($0) <= 0.25 })
    }

    @Test("what begins in the middle of the sequence is found to the frame, without a gap")
    func found() throws {
        let alignment = Aligner.align(silence(777) + noise(1234..<30000) + silence(100), to: Self.noise)
        let first = Self.noise.samples[1234] == 0 ? 1 : 0
        expectEqual(alignment.segments.count, 1)
        expectEqual(alignment.captureFrame(of: 1234 + first), Double(777 + first))
        expectEqual(alignment.captureFrame(of: 29999), Double(777 + 29999 - 1234))
        expectEqual(alignment.captureFrame(of: 30000), nil)
        expectEqual(alignment.captureFrame(of: 1000), nil)
        #expect(alignment.gaps.isEmpty && alignment.isExact)
    }

    @Test("nothing is found in silence, or in another noise")
    func notFound() {
        #expect(Aligner.align(silence(5000), to: Self.noise).segments.isEmpty)
        let other = ReferenceNoise(stream: 1, frames: 20000, amplitude: 0.25)
        #expect(Aligner.align(other.samples, to: Self.noise).segments.isEmpty)
    }

    @Test("silence put in is a gap that loses nothing", arguments: [3, 48, 144, 4800])
    func insertedSilence(frames: Int) throws {
        let capture = noise(0..<10000) + silence(frames) + noise(10000..<20000)
        let alignment = Aligner.align(capture, to: Self.noise)
        let gap = try #require(alignment.gaps.first)
        expectEqual(alignment.gaps.count, 1)
        // A sample of the noise near 0 counts as silence.
        #expect(abs(gap.captureStart - 10000) <= 2 && abs(gap.foreignFrames - frames) <= 2)
        #expect(gap.lostFrames == 0 || abs(gap.foreignFrames - gap.lostFrames - frames) <= 2)
    }

    @Test("sound replaced by silence is a gap as long as what it loses", arguments: [3, 48, 144, 4800])
    func replacedBySilence(frames: Int) throws {
        let capture = noise(0..<10000) + silence(frames) + noise((10000 + frames)..<20000)
        let alignment = Aligner.align(capture, to: Self.noise)
        let gap = try #require(alignment.gaps.first)
        expectEqual(alignment.gaps.count, 1)
        #expect(gap.foreignFrames == gap.lostFrames && abs(gap.frames - frames) <= 2)
    }

    @Test("frames left out, or played twice, are gaps", arguments: [-480, -1, 1, 64, 480, 20000])
    func skipped(frames: Int) throws {
        let capture = noise(0..<10000) + noise((10000 + frames)..<40000)
        let alignment = Aligner.align(capture, to: Self.noise)
        let gap = try #require(alignment.gaps.first)
        expectEqual(alignment.gaps.count, 1)
        expectEqual(gap.lostFrames - gap.foreignFrames, frames)
        #expect(gap.frames >= abs(frames) && gap.frames <= abs(frames) + 2)
    }

    @Test("a click of another sound is a gap of its length, and what follows is found again")
    func click() throws {
        var capture = noise(0..<20000)
        for index in 10000..<10100 { capture[index] = 0.9 }
        let alignment = Aligner.align(capture, to: Self.noise)
        expectEqual(alignment.gaps, [Alignment.Gap(captureStart: 10000, foreignFrames: 100, lostFrames: 100)])
        expectEqual(alignment.captureFrame(of: 15000), 15000)
        expectEqual(alignment.captureFrame(of: 10050), nil)
    }

    @Test("softer sound, and sound rounded to 16 bits, is followed like the original")
    func softer() {
        let capture = noise(0..<20000).map { (($0 * 0.3) * 32768).rounded() / 32768 }
        let alignment = Aligner.align(silence(10) + capture, to: Self.noise)
        #expect(alignment.gaps.isEmpty && alignment.segments.count == 1)
        #expect(abs(alignment.gain - 0.3) < 0.001)
    }

    @Test(
        "a sound that begins with one gap after the other is followed as exactly as another",
        arguments: [300, 700])
    func stumbling(pieceFrames: Int) {
        // Half a second of pieces that each follow a silence, then the rest of the noise with 3 ms of silence in it.
        let pieces = 24000 / pieceFrames
        var capture: [Float] = []
        for piece in 0..<pieces {
            capture += silence(130) + noise((piece * pieceFrames)..<((piece + 1) * pieceFrames))
        }
        let start = pieces * pieceFrames
        capture += noise(start..<40000) + silence(144) + noise(40000..<60000)
        let alignment = Aligner.align(capture, to: Self.noise)
        #expect(alignment.isExact)
        #expect(alignment.gaps.count >= pieces - 1)
        #expect(abs((alignment.gaps.last?.frames ?? 0) - 144) <= 2)
        expectEqual(alignment.captureFrame(of: 50000), Double(capture.count - 10000))
    }

    @Test(
        "a delay of part of a frame is measured to a twentieth",
        arguments: [0.0, 0.1, 0.25, 0.5, -0.3, -0.45])
    func fraction(delay: Double) throws {
        let capture = Self.delayed(Array(Self.noise.samples[0..<12000]), by: delay)
        let fraction = Self.noise.fraction(of: capture, at: 2000, to: 2000, frames: 8192)
        #expect(
            abs(fraction - delay) < 0.05 || abs(abs(delay) - 0.5) < 0.06 && abs(abs(fraction) - 0.5) < 0.06)
    }

    @Test("a delay is measured in noise that is as loud as the sequence")
    func fractionInNoise() throws {
        let other = ReferenceNoise(stream: 9, frames: 24000, amplitude: 0.25)
        var capture = Self.delayed(Array(Self.noise.samples[0..<24000]), by: 0.3)
        for index in capture.indices { capture[index] += other.samples[index] }
        let fraction = Self.noise.fraction(of: capture, at: 2000, to: 2000, frames: 20000)
        #expect(abs(fraction - 0.3) < 0.05)
    }

    /// Band-limited interpolation by a windowed sinc of 64 samples.
    private static func delayed(_ samples: [Float], by delay: Double) -> [Float] {
        let reach = 32
        return samples.indices.map { index in
            var sum = 0.0
            for tap in -reach...reach where samples.indices.contains(index - tap) {
                let distance = Double(tap) - delay
                let sinc = abs(distance) < 1e-9 ? 1 : sin(.pi * distance) / (.pi * distance)
                let window = 0.5 + 0.5 * cos(.pi * distance / Double(reach + 1))
                sum += Double(samples[index - tap]) * sinc * window
            }
            return Float(sum)
        }
    }
}
