// SPDX-License-Identifier: MIT

import BenchKit
import Testing

@Suite("The sink's clock, from arrivals")
struct ArrivalClockTests {
    /// Returns the fragments of a sink whose clock is fast by `drift`. Each block arrives late by `lateness`, in
    /// `pieces` fragments.
    private func fragments(
        blockFrames: Int, seconds: Int, drift: Double = 0, pieces: Int = 1, lateness: (Int) -> Double
    ) -> [ArrivalClock.Fragment] {
        var fragments: [ArrivalClock.Fragment] = []
        for block in 0..<(seconds * 48000 / blockFrames) {
            let start = block * blockFrames
            let due = 1e12 + Double(start) * 1e9 / 48000 * (1 - drift)
            for piece in 1...pieces {
                fragments.append(
                    ArrivalClock.Fragment(
                        endFrame: start + blockFrames * piece / pieces,
                        arrivalNanoseconds: due + lateness(block) + Double(piece) * 2000))
            }
        }
        return fragments
    }

    private func error(_ clock: ArrivalClock, at frame: Double, drift: Double = 0) -> Double {
        clock.nanoseconds(ofFrame: frame) - (1e12 + frame * 1e9 / 48000 * (1 - drift))
    }

    @Test(
        "blocks that come in 20 µs late, now and then 3 ms, tell the time to 30 µs",
        arguments: [48, 240, 960])
    func lateBlocks(blockFrames: Int) throws {
        let clock = try #require(
            ArrivalClock(
                fragments(blockFrames: blockFrames, seconds: 4) {
                    $0 % 7 == 3 ? 3e6 : 20_000 + Double($0 % 5) * 4000
                },
                sampleRate: 48000))
        for frame in stride(from: 1000.0, to: 180_000, by: 777) {
            #expect((0...30_000).contains(error(clock, at: frame)))
        }
        #expect(clock.burstFrames == Double(blockFrames))
        #expect(clock.lateness.largestNanoseconds > 2.9e6)
    }

    @Test("a sink whose clock drifts is followed")
    func drift() throws {
        let clock = try #require(
            ArrivalClock(
                fragments(blockFrames: 96, seconds: 6, drift: 8e-4) { _ in 20_000 }, sampleRate: 48000))
        for frame in stride(from: 24000.0, to: 260_000, by: 999) {
            #expect(abs(error(clock, at: frame, drift: 8e-4)) < 60_000)
        }
    }

    @Test("a block in pieces counts as one")
    func pieces() throws {
        let clock = try #require(
            ArrivalClock(
                fragments(blockFrames: 480, seconds: 2, pieces: 4) { _ in 10_000 }, sampleRate: 48000))
        #expect(clock.burstFrames == 480)
        #expect(abs(error(clock, at: 40000)) < 30_000)
    }

    @Test("a pause in the middle of a block makes no block of what comes after it")
    func pausedBlock() throws {
        var pieces = fragments(blockFrames: 480, seconds: 4, pieces: 2) { _ in 10_000 }
        for index in pieces.indices where index % 2 == 1 && index % 3 == 0 {
            pieces[index].arrivalNanoseconds += 900_000
        }
        let clock = try #require(ArrivalClock(pieces, sampleRate: 48000))
        #expect(clock.burstFrames == 480)
        for frame in stride(from: 1000.0, to: 180_000, by: 777) {
            #expect(abs(error(clock, at: frame)) < 30_000)
        }
    }

    @Test("a window in which everything was late does not bend the clock")
    func lateWindow() throws {
        let clock = try #require(
            ArrivalClock(
                fragments(blockFrames: 480, seconds: 4) { (100..<126).contains($0) ? 5e6 : 10_000 },
                sampleRate: 48000))
        for frame in stride(from: 30000.0, to: 100_000, by: 500) {
            #expect(abs(error(clock, at: frame)) < 100_000)
        }
    }

    @Test("no fragments, no clock")
    func empty() { #expect(ArrivalClock([], sampleRate: 48000) == nil) }

    @Test("a burst's first frame passes with it, also where it was found just before it")
    func passing() throws {
        let clock = try #require(
            ArrivalClock(fragments(blockFrames: 240, seconds: 2) { _ in 10_000 }, sampleRate: 48000))
        let passing = clock.passingNanoseconds(ofFrame: 24_000)
        #expect(clock.passingNanoseconds(ofFrame: 23_999.999) == passing)
        #expect(clock.passingNanoseconds(ofFrame: 24_239) == passing)
        #expect(passing - clock.passingNanoseconds(ofFrame: 23_999) > 4.9e6)
    }
}
