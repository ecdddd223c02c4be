// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Frames of the renderer, checked sample by sample.
@Suite struct RendererTests {
    /// Samples at a fixed address.
    @safe final class Int16Memory {
        let pointer: UnsafeMutablePointer<Int16>
        init(_ samples: [Int16]) {
            unsafe pointer = .allocate(capacity: max(1, samples.count))
            for (index, sample) in samples.enumerated() { unsafe pointer[index] = sample }
        }
        deinit { unsafe pointer.deallocate() }
    }

    /// A renderer of one 16-bit channel and the memory that its segments point to.
    @safe final class Source {
        let renderer: Renderer
        let feed = StreamFeed()
        private var memory: [Int16Memory] = []

        init(isBigEndian: Bool = false, historyFrames: Int = 64, keepsSegments: Bool = false) {
            let format = SampleFormat(
                encoding: .signed16, isBigEndian: isBigEndian, sampleRate: 48_000, channelLabels: [1])
            renderer = Renderer(
                format: format, feed: feed, historyFrames: historyFrames, keepsSegments: keepsSegments)
        }

        func enqueue(_ samples: [Int16], token: UInt64 = 0) {
            let kept = Int16Memory(samples)
            memory.append(kept)
            let isTaken = feed.enqueue(
                unsafe StreamSegment(base: kept.pointer, byteCount: samples.count * 2, token: token))
            #expect(isTaken)
        }

        func render(_ frames: Int) -> [Int16] {
            var out = [Int16](repeating: -1, count: frames)
            let done = unsafe out.withUnsafeMutableBytes { bytes in
                unsafe bytes.baseAddress.map { unsafe renderer.render(into: $0, frames: frames) } ?? 0
            }
            return Array(out.prefix(done))
        }

        func events() -> [DeviceEvent] {
            var found: [DeviceEvent] = []
            while let event = feed.nextEvent() { found.append(event) }
            return found
        }
    }

    @Test("segments are played completely, in order, across any boundary", arguments: [1, 2, 3, 7, 64, 1000])
    func inOrder(block: Int) {
        let source = Source()
        source.enqueue(Array(0..<10), token: 1)
        source.enqueue([], token: 2)
        source.enqueue(Array(10..<123), token: 3)
        var played: [Int16] = []
        while true {
            let frames = source.render(block)
            if frames.isEmpty { break }
            played += frames
        }
        expectEqual(played, Array(0..<123))
        expectEqual(source.events(), [1, 2, 3].map { DeviceEvent(.segmentDone, token: $0) })
    }

    @Test("a segment is returned with its last frame, not before")
    func returnedAtTheEnd() {
        let source = Source()
        source.enqueue([1, 2, 3], token: 9)
        _ = source.render(2)
        #expect(source.events().isEmpty)
        _ = source.render(1)
        expectEqual(source.events(), [DeviceEvent(.segmentDone, token: 9)])
    }

    @Test("a kept segment is returned once its last frame is used, in order")
    func keptUntilUsedUp() {
        let source = Source(keepsSegments: true)
        source.enqueue([1, 2, 3], token: 7)
        source.enqueue([], token: 8)
        source.enqueue([4, 5], token: 9)
        _ = source.render(5)
        source.renderer.returnSegments(usedUpTo: 2)
        #expect(source.events().isEmpty)
        source.renderer.returnSegments(usedUpTo: 3)
        expectEqual(source.events(), [7, 8].map { DeviceEvent(.segmentDone, token: $0) })
        source.renderer.returnSegments(usedUpTo: 3)
        #expect(source.events().isEmpty)
        source.renderer.returnSegments(usedUpTo: 5)
        expectEqual(source.events(), [DeviceEvent(.segmentDone, token: 9)])
    }

    @Test("kept segments are returned with the others when all is dropped, in order")
    func keptAndDropped() {
        let source = Source(keepsSegments: true)
        for token in 1...4 { source.enqueue([1, 2, 3], token: UInt64(token)) }
        _ = source.render(7)
        source.renderer.discardAll()
        expectEqual(source.events(), (1...4).map { DeviceEvent(.segmentDone, token: $0) })
    }

    @Test("the audio left to play includes waiting, begun and unused segments")
    func framesToPlay() {
        let source = Source(keepsSegments: true)
        #expect(source.renderer.framesToPlay(usedUpTo: 0) == (0, 0))
        for token in 1...3 { source.enqueue([1, 2, 3, 4], token: UInt64(token)) }
        #expect(source.renderer.framesToPlay(usedUpTo: 0) == (12, 3))
        _ = source.render(6)
        #expect(source.renderer.framesToPlay(usedUpTo: 6) == (6, 3))
        #expect(source.renderer.framesToPlay(usedUpTo: 1) == (11, 3))
    }

    @Test("as many segments can be kept as can be enqueued, repeatedly")
    func keptAtCapacity() {
        let source = Source(historyFrames: 1024, keepsSegments: true)
        for round in 0..<3 {
            let tokens = (0..<StreamFeed.segmentCapacity).map { UInt64(round * 1000 + $0) }
            for token in tokens { source.enqueue([1], token: token) }
            _ = source.render(StreamFeed.segmentCapacity)
            #expect(source.events().isEmpty)
            source.renderer.returnSegments(usedUpTo: .max)
            expectEqual(source.events().map(\.token), tokens)
        }
    }

    @Test("big-endian samples are swapped while they are copied")
    func swapped() {
        let source = Source(isBigEndian: true)
        source.enqueue([0x0102, 0x7F80].map { Int16(bitPattern: $0) })
        expectEqual(source.render(2), [0x0201, Int16(bitPattern: 0x807F)])
    }

    @Test("a rewind returns the same frames again, then continues")
    func rewind() {
        let source = Source()
        source.enqueue(Array(0..<100))
        _ = source.render(60)
        source.renderer.rewind(to: 41)
        expectEqual(source.render(40), Array(41..<81))
    }

    @Test("a rewind reaches back no further than the history")
    func rewindLimit() {
        let source = Source(historyFrames: 16)
        source.enqueue(Array(0..<100))
        _ = source.render(100)
        source.renderer.rewind(to: 0)
        expectEqual(source.renderer.cursor, 84)
        expectEqual(source.render(100), Array(84..<100))
    }

    @Test("every position of the history's seam is replayed exactly", arguments: 0..<17)
    func historySeam(offset: Int) {
        let source = Source(historyFrames: 16)
        source.enqueue(Array(0..<200))
        _ = source.render(32 + offset)
        let back = Int64(32 + offset - 13)
        source.renderer.rewind(to: back)
        expectEqual(source.render(20), Array(Int16(back)..<Int16(back) + 20))
    }

    @Test("growing the history keeps its contents")
    func grow() {
        let source = Source(historyFrames: 16)
        source.enqueue(Array(0..<200))
        _ = source.render(21)
        source.renderer.reserveHistory(frames: 50)
        _ = source.render(10)
        source.renderer.rewind(to: 0)
        expectEqual(source.renderer.cursor, 5)
        expectEqual(source.render(40), Array(5..<45))
    }

    @Test("replayed frames have the gain of their position")
    func gainOnReplay() {
        let source = Source()
        source.enqueue([Int16](repeating: 1000, count: 40))
        _ = source.render(20)
        source.renderer.rewind(to: 10)
        source.renderer.volume.ramp(to: 0.5, from: 10, frames: 0)
        expectEqual(source.render(20), [Int16](repeating: 500, count: 20))
    }

    @Test("a fade is linear, ends at its target, and stays there")
    func fade() {
        let source = Source()
        source.enqueue([Int16](repeating: 1000, count: 40))
        source.renderer.fade.ramp(to: 0, from: 4, frames: 10)
        let played = source.render(20)
        expectEqual(played[..<5], [1000, 1000, 1000, 1000, 1000])
        expectEqual(played[9], 500)
        expectEqual(played[14...], [0, 0, 0, 0, 0, 0])
    }

    @Test("discarding returns every segment, in order, and leaves nothing to play")
    func discard() {
        let source = Source()
        source.enqueue([1, 2, 3], token: 1)
        source.enqueue([4], token: 2)
        _ = source.render(1)
        source.renderer.discardAll()
        expectEqual(source.events().map(\.token), [1, 2])
        #expect(!source.renderer.hasData)
        #expect(source.render(5).isEmpty)
        source.enqueue([7, 8], token: 3)
        expectEqual(source.render(5), [7, 8])
    }

    @Test("a segment without memory becomes silence of its length")
    func silence() {
        let source = Source()
        #expect(source.feed.enqueue(unsafe StreamSegment(base: nil, byteCount: 6, token: 5)))
        source.enqueue([9])
        expectEqual(source.render(5), [0, 0, 0, 9])
    }
}
