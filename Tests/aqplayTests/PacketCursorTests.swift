// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import aqplay

@Suite("PacketCursor")
struct PacketCursorTests {
    typealias Audible = PacketCursor.Audible

    @Test("priming is trimmed from the first packets, the remainder from the last")
    func trims() {
        var cursor = PacketCursor(packet: 0, framesToDiscard: 1105, framesLeft: 2000)
        expectEqual(
            cursor.advance(packets: 2, frames: 2304),
            Audible(trimFramesAtStart: 1105, trimFramesAtEnd: 0, frames: 1199))
        #expect(!cursor.isAtEnd)
        expectEqual(
            cursor.advance(packets: 1, frames: 1152),
            Audible(trimFramesAtStart: 0, trimFramesAtEnd: 351, frames: 801))
        #expect(cursor.isAtEnd)
        expectEqual(cursor.packet, 3)
    }

    @Test("preroll after a seek may span several buffers, which are completely silent")
    func longDiscard() {
        var cursor = PacketCursor(packet: 8, framesToDiscard: 2500, framesLeft: nil)
        expectEqual(
            cursor.advance(packets: 1, frames: 1152),
            Audible(trimFramesAtStart: 1152, trimFramesAtEnd: 0, frames: 0))
        expectEqual(
            cursor.advance(packets: 1, frames: 1152),
            Audible(trimFramesAtStart: 1152, trimFramesAtEnd: 0, frames: 0))
        expectEqual(
            cursor.advance(packets: 1, frames: 1152),
            Audible(trimFramesAtStart: 196, trimFramesAtEnd: 0, frames: 956))
        expectEqual(cursor.packet, 11)
        #expect(!cursor.isAtEnd)
    }

    @Test("a track inside one packet is trimmed at both ends")
    func bothEnds() {
        var cursor = PacketCursor(packet: 0, framesToDiscard: 100, framesLeft: 10)
        expectEqual(
            cursor.advance(packets: 1, frames: 1152),
            Audible(trimFramesAtStart: 100, trimFramesAtEnd: 1042, frames: 10))
        #expect(cursor.isAtEnd)
    }
}

@Suite("PlayedSpans")
struct PlayedSpansTests {
    @Test("tracks end when their last frame was played, and not before")
    func gapless() {
        var spans = PlayedSpans<String>()
        spans.begin("a", at: 0)
        spans.add(frames: 60)
        expectEqual(spans.framesUntilEnd(playedFrames: 10), nil)
        spans.add(frames: 40)
        spans.complete()
        spans.begin("b", at: 500)
        spans.add(frames: 50)
        expectEqual(spans.framesUntilEnd(playedFrames: 99), 1)
        #expect(spans.takeFinished(playedFrames: 99).isEmpty)
        expectEqual(spans.framesPlayed(playedFrames: 99), 99)
        expectEqual(spans.takeFinished(playedFrames: 100).map(\.track), ["a"])
        expectEqual(spans.spans.first?.firstFrame, 500)
        expectEqual(spans.framesPlayed(playedFrames: 130), 30)
        expectEqual(spans.framesPlayed(playedFrames: 1000), 50)
        #expect(spans.takeFinished(playedFrames: 1000).isEmpty)
        spans.complete()
        expectEqual(spans.takeFinished(playedFrames: .max).map(\.frames), [50])
        expectEqual(spans.framesPlayed(playedFrames: .max), 0)
    }

    @Test("several short tracks can end at once, empty ones too")
    func several() {
        var spans = PlayedSpans<Int>()
        for (track, frames) in [(1, 5), (2, 0), (3, 7)] {
            spans.begin(track, at: 0)
            spans.add(frames: Int64(frames))
            spans.complete()
        }
        expectEqual(spans.takeFinished(playedFrames: 12).map(\.track), [1, 2, 3])
    }

    @Test("a reset restarts the count")
    func reset() {
        var spans = PlayedSpans<Int>()
        spans.begin(1, at: 0)
        spans.add(frames: 10)
        spans.complete()
        _ = spans.takeFinished(playedFrames: 10)
        spans.reset()
        spans.begin(2, at: 3)
        spans.add(frames: 10)
        expectEqual(spans.framesPlayed(playedFrames: 4), 4)
    }
}
