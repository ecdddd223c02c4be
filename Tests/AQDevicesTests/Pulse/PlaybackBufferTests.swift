// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct PlaybackBufferTests {
    private func buffer(_ latency: LatencyGoal) -> PlaybackBuffer {
        let format = SampleFormat(encoding: .signed16, sampleRate: 48_000, channelLabels: [42])
        return PlaybackBuffer(OutputStreamConfiguration(format: format, latency: latency))
    }

    @Test(
        "the server is asked for the goal, in requests that leave its sink a quarter, at most 40 ms",
        arguments: [
            (0.1, 4800, 1200), (2, 96_000, 46_080), (0, 48, 12), (Double.nan, 48, 12), (99, 480_000, 238_080),
        ])
    func seconds(goal: Double, target: Int, request: Int) {
        var buffer = buffer(.seconds(goal))
        buffer.choose(frames: 1_000_000, segments: 3)
        expectEqual(buffer.targetFrames, target)
        expectEqual(buffer.requestFrames, request)
        #expect(!buffer.returnsWhenUsedUp)
    }

    @Test("with buffers alone, the server is asked for all enqueued audio, two requests a buffer")
    func buffers() {
        var buffer = buffer(.buffers)
        buffer.choose(frames: 3 * 480, segments: 3)
        expectEqual(buffer.targetFrames, 1440)
        expectEqual(buffer.requestFrames, 240)
        #expect(buffer.returnsWhenUsedUp)
    }

    @Test("a stream that is made again with nothing enqueued keeps its request")
    func anew() {
        var buffer = buffer(.buffers)
        buffer.choose(frames: 1440, segments: 3)
        buffer.grant(1440, requestFrames: 240)
        buffer.choose(frames: 0, segments: 0)
        expectEqual(buffer.targetFrames, 1440)
    }

    @Test("one of three buffers is kept in reserve until the server's buffer nearly runs out")
    func reserve() {
        var buffer = buffer(.buffers)
        buffer.choose(frames: 3 * 480, segments: 3)
        buffer.grant(1440, requestFrames: 240)
        expectEqual(buffer.heldFrames(asked: 480), 960)
        let kept = buffer.keptFrames(asked: 480, hasPlayed: true, periodFrames: 0, at: 1)
        expectEqual(kept, 960 + 480)
        let keptWhenShort = buffer.keptFrames(asked: 1400, hasPlayed: true, periodFrames: 0, at: 2)
        #expect(keptWhenShort < 40 + 480)
        buffer.giveReserve()
        let keptWithout = buffer.keptFrames(asked: 480, hasPlayed: true, periodFrames: 0, at: 3)
        expectEqual(keptWithout, 960)
    }

    @Test(
        "buffers that are shorter than a period and a buffer are returned earlier, so that the server holds both",
        arguments: [(3, 64, 384), (3, 128, 256), (2, 400, 112), (3, 256, 0), (1, 512, 512), (2, 1024, 0)])
    func periods(count: Int, frames: Int, carried: Int) {
        var buffer = buffer(.buffers)
        buffer.choose(frames: count * frames, segments: count)
        // The server grants a period and two requests, which are at least 256 frames.
        let request = max(frames / 2, 256)
        let granted = max(count * frames, 512 + 2 * request)
        buffer.grant(granted, requestFrames: request)
        buffer.giveReserve()
        #expect(buffer.mostBlockFrames >= 512)
        let room = granted - 500
        let kept = buffer.keptFrames(asked: room, hasPlayed: true, periodFrames: 512, at: 1)
        expectEqual(kept, max(0, 500 - carried))
        let keptWithoutPeriods = buffer.keptFrames(asked: room, hasPlayed: true, periodFrames: 0, at: 1)
        expectEqual(keptWithoutPeriods, 500)
    }
}
