// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct PulseTimingTests {
    /// At time 1 s the sink took frame 1000, and frame 600 was audible.
    private func timing(isMoving: Bool) -> PulseTiming {
        var timing = PulseTiming()
        timing.isValid = true
        timing.readFrames = 1000
        timing.playedFrames = 600
        timing.hostTime = 1_000_000_000
        timing.isMoving = isMoving
        return timing
    }

    @Test("reading and playing advance between two answers, reading up to the last written frame")
    func moving() {
        let timing = timing(isMoving: true)
        expectEqual(timing.playedFrames(at: 1_500_000_000, sampleRate: 1000), 1100)
        expectEqual(timing.readFrames(at: 1_500_000_000, sampleRate: 1000, limit: 5000), 1500)
        expectEqual(timing.readFrames(at: 1_500_000_000, sampleRate: 1000, limit: 1200), 1200)
        expectEqual(timing.playedFrames(at: 500_000_000, sampleRate: 1000), 600)
    }

    @Test("a corked or empty stream does not advance")
    func standing() {
        let timing = timing(isMoving: false)
        expectEqual(timing.playedFrames(at: 9_000_000_000, sampleRate: 1000), 600)
        expectEqual(timing.readFrames(at: 9_000_000_000, sampleRate: 1000, limit: 5000), 1000)
    }

    @Test("without an answer nothing counts as read")
    func unknown() {
        expectEqual(PulseTiming().readFrames(at: 9_000_000_000, sampleRate: 1000, limit: 5000), 0)
    }

    @Test(
        "a fade waits for the frames that a sink may rewind, and not for a sink that was suspended",
        arguments: [(0.04, 40), (2, 100), (1e300, 100)])
    func revocable(sinkSeconds: Double, frames: Int) {
        var timing = timing(isMoving: true)
        timing.sinkSeconds = sinkSeconds
        expectEqual(timing.revocableFrames(sampleRate: 1000), frames)
    }

    @Test("a sink takes more once it has played the frames of the last request, and no more than it plays")
    func rewritable() {
        var timing = timing(isMoving: true)
        timing.playedFrames = 985
        timing.sinkBlockFrames = 20
        func frame(after milliseconds: UInt64, limit: Int64 = 5000) -> Int64 {
            timing.rewritableFrame(
                at: 1_000_000_000 + milliseconds * 1_000_000, sampleRate: 1000, limit: limit)
        }
        // The answer may be one block old, and a write takes 3 ms to arrive.
        expectEqual(frame(after: 10), 1033)
        timing.requestReadFrames = 1002
        timing.requestHostTime = 1_001_000_000
        expectEqual(frame(after: 1), 1002)
        // Frame 998 is audible: the write arrives before the sink takes more.
        expectEqual(frame(after: 13), 1002)
        expectEqual(frame(after: 14), 1018)
        expectEqual(frame(after: 18), 1022)
        expectEqual(frame(after: 18, limit: 1010), 1010)
        // The sink's blocks became short for another client, so it has almost nothing.
        timing.playedFrames = 999
        expectEqual(frame(after: 1), 1005)
        expectEqual(frame(after: 14), 1018)
        // A request long ago: no later than without one.
        timing.requestReadFrames = 1030
        expectEqual(frame(after: 200), 1223)
        // A request that contradicts the clock.
        timing.requestReadFrames = 900
        expectEqual(frame(after: 10), 1033)
    }

    @Test("a drain interrupted by further frames keeps its ticket and waits for the feed")
    func drainAgain() {
        var drain = PulseDrain.waitingForSink(ticket: 7)
        drain.waitForFeedAgain()
        #expect(drain.isWaitingForFeed)
        expectEqual(drain.ticket, 7)
        drain = .none
        drain.waitForFeedAgain()
        expectEqual(drain.ticket, nil)
    }
}
