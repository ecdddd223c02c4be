// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import Testing

@Suite("Sound analysis")
struct HarnessAnalysisTests {
    private let signal = TestSignal.make(sampleRate: 48000, frames: 9000)

    private func silence(_ frames: Int) -> [Float] { [Float](repeating: 0, count: frames * 2) }

    private func recording(_ samples: [Float]) -> Recording {
        Recording(sampleRate: 48000, channels: 2, samples: samples)
    }

    @Test("every frame of the test signal encodes its position")
    func positions() {
        for frame in [0, 1, 4095, 4096, 8999] {
            let position = TestSignal.position(
                left: signal.samples[2 * frame], right: signal.samples[2 * frame + 1])
            expectEqual(position, frame)
        }
        expectEqual(TestSignal.position(left: 0, right: 0), nil)
        expectEqual(TestSignal.position(left: 0.250001, right: 0.25), nil)
    }

    @Test("a gap is found with its position and length; silence around the audio is not a gap")
    func gaps() {
        let holed = recording(
            silence(100) + signal.samples.prefix(2 * 1000) + silence(60) + signal.samples.suffix(2 * 500)
                + silence(300))
        expectEqual(holed.firstSoundFrame(), 100)
        expectEqual(holed.lastSoundFrame(), 1659)
        expectEqual(holed.soundFrames(), 1560)
        expectEqual(holed.gaps(), [Recording.Gap(startFrame: 1100, frames: 60)])
        expectEqual(holed.gaps(minimumFrames: 60).count, 1)
        expectEqual(
            holed.removing(holed.gaps()).trimmedToSound().samples,
            Array(signal.samples.prefix(2 * 1000) + signal.samples.suffix(2 * 500)))
        #expect(holed.gaps(minimumFrames: 61).isEmpty)
        #expect(recording(silence(500)).gaps().isEmpty)
        expectEqual(recording(silence(500)).soundFrames(), 0)
    }

    @Test("lost and repeated frames divide the test signal into runs")
    func runs() {
        let played = recording(
            silence(10) + [0..<2000, 3000..<5000, 4000..<6000].flatMap { signal.samples[$0] }
        )
        expectEqual(
            TestSignal.runs(in: played),
            [
                TestSignal.Run(startFrame: 10, position: 0, frames: 1000),
                TestSignal.Run(startFrame: 1010, position: 1500, frames: 1000),
                TestSignal.Run(startFrame: 2010, position: 2000, frames: 1000),
            ])
    }

    @Test("a comparison finds the offset and the first difference")
    func comparison() throws {
        var played = recording(silence(77) + signal.samples + silence(5))
        #expect(try #require(played.compare(to: signal)).isExact(referenceFrames: signal.frames))
        played.samples[2 * (77 + 4321) + 1] += 0.001
        let difference = try #require(played.compare(to: signal))
        expectEqual(difference.offsetFrames, 77)
        expectEqual(difference.firstDifferenceFrame, 4321)
        #expect(abs(difference.maximumDifference - 0.001) < 1e-6)
        try expectEqual(#require(played.compare(to: signal, tolerance: 0.002)).firstDifferenceFrame, nil)
        expectEqual(recording(silence(9100)).compare(to: signal), nil)
        let cut = try #require(recording(silence(3) + signal.samples.prefix(2 * 8000)).compare(to: signal))
        #expect(!cut.isExact(referenceFrames: signal.frames))
        expectEqual(cut.comparedFrames, 8000)
    }

    @Test("a block is found by its waveform at another gain")
    func correlation() throws {
        // Noise of a linear congruential generator: unlike a ramp it matches itself at one position only.
        var state: UInt32 = 1
        let noise = (0..<4000).map { _ -> Float in
            state = state &* 1_664_525 &+ 1_013_904_223
            return Float(Int32(bitPattern: state)) / 4_294_967_296
        }
        let whole = recording(noise)
        let part = recording(noise[2 * 700..<2 * 900].map { $0 * 0.3 })
        let found = try #require(whole.correlatedPosition(of: part))
        expectEqual(found.frame, 700)
        #expect(found.correlation > 0.999)
    }

    @Test("levels are those of a square wave")
    func levels() {
        let square = recording((0..<400).map { $0 % 4 < 2 ? 0.5 : -0.5 })
        expectEqual(square.rms(), [0.5, 0.5])
        expectEqual(square.peak, 0.5)
        #expect(abs(Recording.decibels(0.5) + 6.02) < 0.01)
    }

    @Test("a frame's host time counts back from its block's arrival")
    func hostTimes() {
        let blocks = [
            Recording.Block(startFrame: 0, hostTime: 1_000_000_000),
            Recording.Block(startFrame: 480, hostTime: 1_010_000_000),
        ]
        let played = Recording(
            sampleRate: 48000, channels: 2, samples: silence(960), blocks: blocks)
        expectEqual(played.hostTime(ofFrame: 0), 990_000_000)
        expectEqual(played.hostTime(ofFrame: 480), 1_000_000_000)
        expectEqual(played.hostTime(ofFrame: 960), nil)
    }
}
