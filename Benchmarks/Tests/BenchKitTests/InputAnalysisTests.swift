// SPDX-License-Identifier: MIT

import BenchKit
import Testing

@Suite("Input of a made-up run")
struct InputAnalysisTests {
    private static let blockFrames = 240

    /// Callbacks every 5 ms, each entered 2 ms after its last frame is due.
    private func measured(
        blocks: Int
    ) throws -> (ages: (oldest: [Double], newest: [Double], predictionErrors: [Double]), trips: [Double]) {
        let frames = blocks * Self.blockFrames
        let noise = ReferenceNoise(stream: 0, frames: max(frames, 48_000), amplitude: 0.25)
        let callbacks = (0..<blocks).map { index in
            CallbackRecord(
                entryNanoseconds: 1e12 + Double((index + 1) * Self.blockFrames) * 1e9 / 48_000 + 2e6,
                firstFrame: index * Self.blockFrames, frames: Self.blockFrames)
        }
        let samples = Array(noise.samples.prefix(frames))
        let fragments = stride(from: 0, to: frames, by: 48).map {
            ArrivalClock.Fragment(endFrame: $0 + 48, arrivalNanoseconds: 1e12 + Double($0) * 1e9 / 48_000)
        }
        let clock = try #require(ArrivalClock(fragments, sampleRate: 48_000))
        let analysis = try InputAnalysis(samples: samples, callbacks: callbacks, noise: noise)
        return (
            analysis.ages(audible: Aligner.align(samples, to: noise), clock: clock, leavingOut: 1),
            analysis.roundTrips(of: callbacks, leavingOut: 1)
        )
    }

    @Test("a frame's age is from its passing the monitor, and the ends of a run are left out")
    func ages() throws {
        let (ages, trips) = try measured(blocks: 600)
        // Three seconds without the first and the last.
        #expect((199...201).contains(ages.oldest.count))
        #expect(ages.oldest.count == ages.newest.count && ages.oldest.count == trips.count)
        // A block of 1 ms passes when its first frame is due, so the callback's last block passes 3 ms before the
        // callback.
        let (oldest, newest) = (try #require(Summary(ages.oldest)), try #require(Summary(ages.newest)))
        #expect(abs(oldest.median - 7e6) < 1e5 && abs(newest.median - 3e6) < 1e5)
        #expect(trips.allSatisfy { $0 == 0 })
    }

    @Test("a run that ended before its steady part began is measured at nothing", arguments: [120, 300, 399])
    func short(blocks: Int) throws {
        let (ages, trips) = try measured(blocks: blocks)
        #expect(ages.oldest.isEmpty && ages.newest.isEmpty && trips.isEmpty)
    }
}
