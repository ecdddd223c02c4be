// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite("Slices are rendered") struct SlicePacingTests {
    private let pacing = SlicePacing(sliceFrames: 256, sampleRate: 48_000)

    @Test("when the server holds what the sink takes next")
    func due() {
        expectEqual(pacing.sinkFrames, 128)
        expectEqual(pacing.dueFrames(held: 256, blockFrames: 128, isPeriodic: false), 0)
        expectEqual(pacing.dueFrames(held: 128, blockFrames: 128, isPeriodic: false), 256)
        expectEqual(pacing.waitNanoseconds(held: 256, blockFrames: 128, isPeriodic: false), 2_666_666)
        expectEqual(pacing.waitNanoseconds(held: 100, blockFrames: 128, isPeriodic: false), 0)
    }

    @Test("without a wake-up of their own, if they are due within 0.15 ms")
    func nearlyDue() {
        expectEqual(pacing.dueFrames(held: 128 + 7, blockFrames: 128, isPeriodic: false), 256)
        expectEqual(pacing.dueFrames(held: 128 + 8, blockFrames: 128, isPeriodic: false), 0)
    }

    @Test("in time for a sink that takes larger blocks: as many as it takes")
    func largeBlocks() {
        expectEqual(pacing.dueFrames(held: 600, blockFrames: 512, isPeriodic: false), 0)
        // After that, the server holds at least a block.
        for held in stride(from: -300.0, through: 512, by: 7) {
            let slices = pacing.dueFrames(held: held, blockFrames: 512, isPeriodic: false) / 256
            #expect(held + Double(slices * 256) >= 512 - 1)
        }
    }

    @Test("half a period before a server takes the next block", arguments: [64, 256, 512, 1024])
    func periods(frames: Int) {
        let pacing = SlicePacing(sliceFrames: frames, sampleRate: 48_000)
        let needed = max(frames / 2, 256)
        expectEqual(pacing.dueFrames(held: Double(needed + 8), blockFrames: 512, isPeriodic: true), 0)
        expectEqual(pacing.dueFrames(held: Double(needed), blockFrames: 512, isPeriodic: true), frames)
        let wait = pacing.waitNanoseconds(held: Double(needed + 48), blockFrames: 512, isPeriodic: true)
        expectEqual(wait, 1_000_000)
    }

    @Test("two at once while the server does not play, or as many as fill a block")
    func first() {
        let pacing = SlicePacing(sliceFrames: 64, sampleRate: 48_000)
        expectEqual(pacing.firstFrames(blockFrames: 0), 128)
        expectEqual(pacing.firstFrames(blockFrames: 128), 128)
        expectEqual(pacing.firstFrames(blockFrames: 129), 192)
        expectEqual(pacing.firstFrames(blockFrames: 1024), 1024)
    }

    @Test(
        "with a buffer and requests that the server rounds down to half slices",
        arguments: [32, 64, 128, 512, 4096])
    func sizes(frames: Int) {
        for rate in [8000.0, 44_100, 48_000, 96_000, 192_000] {
            let pacing = SlicePacing(sliceFrames: frames, sampleRate: rate)
            let microseconds = (Double(pacing.requestFrames) / rate * 1e6).rounded(.down)
            let rounded = (microseconds * rate / 1e6).rounded(.down)
            #expect(Int(rounded) >= pacing.sinkFrames)
            #expect(Int(rounded) <= pacing.sinkFrames + 1)
            #expect(pacing.targetFrames >= 3 * frames)
            #expect(pacing.targetFrames >= 3 * pacing.requestFrames)
        }
    }
}
