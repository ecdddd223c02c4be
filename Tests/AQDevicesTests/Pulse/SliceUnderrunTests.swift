// SPDX-License-Identifier: MIT

import AQExpectations
import Synchronization
import Testing

@testable import AQDevices

/// A server that keeps a part of a block after an underrun, and requests nothing more until it can play a whole one.
@Suite("After an underrun") struct SliceUnderrunTests {
    private static let frames = 480

    @Test("a stream renders whole slices at once, until the server holds two", arguments: [0, 300, 479])
    func topUp(heldFrames: Int) throws {
        let slices = SliceCount()
        let source = unsafe SliceSource(frames: Self.frames, format: PlaybackPair.format) { _, _ in
            slices.add()
        }
        let pair = PlaybackPair(latency: .buffers, slices: source, recoverySeconds: .infinity)
        pair.carryOut(.start, .serverAnswers, .streamIsMade)
        expectEqual(slices.now, 2)
        let made = try #require(pair.made)
        pair.stream.clockFit.followsPeriods = true
        pair.stream.reference.report(.sound)
        made.writableBytes = 2 * (pair.stream.buffer.targetFrames - heldFrames)
        pair.stream.reference.report(.underrun)
        let missing = 2 * Self.frames - heldFrames
        expectEqual(slices.now, 2 + (missing + Self.frames - 1) / Self.frames)
    }

    private final class SliceCount: Sendable {
        private let count = Atomic<Int>(0)
        var now: Int { count.load(ordering: .relaxed) }
        func add() { count.add(1, ordering: .relaxed) }
    }
}
