// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// The segment filler alone.
@Suite struct CaptureFillerTests {
    /// A filler of two 16-bit channels with memory for segments of its own.
    @safe private final class Filling {
        let feed = StreamFeed()
        let clock = CaptureClock()
        let filler: SegmentFiller
        let memory: UnsafeMutablePointer<UInt8>

        init() {
            let format = SampleFormat(encoding: .signed16, sampleRate: 1000, channelLabels: [1, 2])
            filler = SegmentFiller(format: format, feed: feed, clock: clock)
            unsafe memory = .allocate(capacity: 4096)
            unsafe memory.initialize(repeating: 0xEE, count: 4096)
        }

        deinit { unsafe memory.deallocate() }

        func enqueue(at offset: Int, bytes: Int, token: UInt64) {
            let isTaken = feed.enqueue(
                unsafe StreamSegment(room: memory + offset, byteCount: bytes, token: token))
            #expect(isTaken)
        }

        func fill(_ bytes: [UInt8], hostTime: UInt64) -> Int {
            unsafe bytes.withUnsafeBytes { buffer in
                unsafe buffer.baseAddress.map {
                    unsafe filler.fill($0, frames: bytes.count / 4, hostTime: hostTime)
                } ?? 0
            }
        }

        func bytes(_ range: Range<Int>) -> [UInt8] { range.map { unsafe memory[$0] } }

        func events() -> [DeviceEvent] {
            var found: [DeviceEvent] = []
            while let event = feed.nextEvent() { found.append(event) }
            return found
        }
    }

    @Test("a segment that does not hold whole frames is filled with those that fit, and not a byte more")
    func wholeFrames() {
        let filling = Filling()
        filling.enqueue(at: 1, bytes: 11, token: 1)
        filling.enqueue(at: 16, bytes: 3, token: 2)
        filling.enqueue(at: 32, bytes: 4, token: 3)
        expectEqual(filling.fill(Array(1...16), hostTime: 5_000_000), 3)
        expectEqual(
            filling.events(),
            [
                DeviceEvent(.segmentDone, token: 1, byteCount: 8, frame: 0, hostTime: 5_000_000),
                DeviceEvent(.segmentDone, token: 2, byteCount: 0, frame: 2),
                DeviceEvent(.segmentDone, token: 3, byteCount: 4, frame: 2, hostTime: 7_000_000),
            ])
        expectEqual(filling.bytes(0..<13), [0xEE] + Array(1...8) + [0xEE, 0xEE, 0xEE, 0xEE])
        expectEqual(filling.bytes(32..<37), Array(9...12) + [0xEE])
        expectEqual(filling.filler.frame, 3)
        #expect(!filling.filler.hasRoom)
    }

    @Test("no segment's time precedes that of the segment before, except after a restart")
    func orderedTimes() {
        let filling = Filling()
        for token in 0..<4 { filling.enqueue(at: 64 * token, bytes: 16, token: UInt64(token)) }
        // The second segment begins within the first piece, and the second piece earlier than that.
        expectEqual(filling.fill(Array(repeating: 1, count: 24), hostTime: 50_000_000), 6)
        expectEqual(filling.fill(Array(repeating: 1, count: 24), hostTime: 51_000_000), 6)
        expectEqual(filling.events().map(\.hostTime), [50_000_000, 54_000_000, 54_000_000])
        filling.filler.returnAll()
        _ = filling.events()
        filling.filler.restart()
        filling.enqueue(at: 0, bytes: 16, token: 9)
        expectEqual(filling.fill(Array(repeating: 1, count: 16), hostTime: 7_000_000), 4)
        expectEqual(filling.events().map(\.hostTime), [7_000_000])
    }

    @Test("a segment without memory or with a negative size is returned empty")
    func hostileSegments() {
        let filling = Filling()
        let empty = unsafe StreamSegment(base: nil, byteCount: 400, token: 1)
        #expect(filling.feed.enqueue(empty))
        filling.enqueue(at: 0, bytes: -8, token: 2)
        filling.enqueue(at: 0, bytes: .min, token: 3)
        expectEqual(filling.fill(Array(1...8), hostTime: 0), 0)
        expectEqual(filling.events().map(\.byteCount), [0, 0, 0])
        expectEqual(filling.filler.frame, 0)
    }

    @Test("nothing is taken from the feed before there is a frame to write")
    func untouched() {
        let filling = Filling()
        filling.enqueue(at: 0, bytes: 8, token: 1)
        unsafe expectEqual(filling.filler.fill(nil, frames: 0, hostTime: 0), 0)
        filling.filler.handOver()
        #expect(filling.events().isEmpty)
        #expect(filling.filler.hasRoom)
    }

    @Test("a loss delivers the partly filled segment first, so the frames of each segment are contiguous")
    func lossInside() {
        let filling = Filling()
        filling.enqueue(at: 0, bytes: 16, token: 1)
        filling.enqueue(at: 16, bytes: 4, token: 2)
        expectEqual(filling.fill(Array(1...8), hostTime: 0), 2)
        filling.filler.lose(frames: 5)
        filling.filler.lose(frames: 1)
        expectEqual(filling.fill(Array(9...12), hostTime: 0), 1)
        filling.filler.lose(frames: 1)
        filling.filler.lose(frames: 0)
        let events = filling.events()
        expectEqual(events.map(\.kind), [.segmentDone, .overran, .segmentDone, .overran])
        expectEqual(events.map(\.byteCount), [8, 0, 4, 0])
        expectEqual(events[2].frame, 8)
        expectEqual(filling.filler.overruns, 2)
        expectEqual(filling.filler.lostFrames, 7)
        expectEqual(filling.filler.frame, 10)
    }

    @Test("lost frames are on the clock when the client is notified, and the clock continues otherwise")
    func lossOnClock() {
        let filling = Filling()
        var state = CaptureClock.State()
        state.setAnchor(frame: 40, at: 1)
        state.limitFrame = 40
        // Another overrun, which stays.
        state.discontinuities = 3
        filling.clock.publish(state)
        func position() -> CapturePosition {
            var position = filling.clock.position()
            position.hostTime = 0
            return position
        }
        filling.filler.lose(frames: 5)
        expectEqual(
            position(), CapturePosition(timelineFrames: 40, discontinuities: 4, overruns: 1, lostFrames: 5))
        // The same overrun, without another notification.
        filling.filler.lose(frames: 2)
        expectEqual(
            position(), CapturePosition(timelineFrames: 40, discontinuities: 4, overruns: 1, lostFrames: 7))
        filling.enqueue(at: 0, bytes: 4, token: 1)
        expectEqual(filling.fill(Array(1...4), hostTime: 0), 1)
        filling.filler.lose(frames: 1)
        expectEqual(
            position(), CapturePosition(timelineFrames: 40, discontinuities: 5, overruns: 2, lostFrames: 8))
        expectEqual(filling.events().map(\.kind), [.overran, .segmentDone, .overran])
    }

    @Test("frames that were not captured are skipped, with those in the partly filled segment before them")
    func skipped() {
        let filling = Filling()
        filling.filler.skip(frames: 10)
        filling.enqueue(at: 0, bytes: 16, token: 1)
        filling.enqueue(at: 16, bytes: 8, token: 2)
        expectEqual(filling.fill(Array(1...8), hostTime: 10_000_000), 2)
        filling.filler.skip(frames: 1000)
        expectEqual(filling.events(), [])
        expectEqual(filling.fill(Array(11...34), hostTime: 2_000_000_000), 6)
        filling.filler.skip(frames: 1)
        expectEqual(
            filling.events(),
            [
                DeviceEvent(.segmentDone, token: 1, byteCount: 16, frame: 1012, hostTime: 2_000_000_000),
                DeviceEvent(.segmentDone, token: 2, byteCount: 8, frame: 1016, hostTime: 2_004_000_000),
            ])
        expectEqual(filling.bytes(0..<24), Array(11...34))
        expectEqual(filling.filler.frame, 1019)
        expectEqual(filling.filler.overruns, 0)
    }

    @Test("all segments of a feed can be filled at once")
    func fullFeed() {
        let filling = Filling()
        for token in 0..<StreamFeed.segmentCapacity {
            filling.enqueue(at: 4 * token, bytes: 4, token: UInt64(token))
        }
        unsafe expectEqual(filling.filler.fill(nil, frames: 1000, hostTime: 0), StreamFeed.segmentCapacity)
        let events = filling.events()
        expectEqual(events.map(\.frame), (0..<StreamFeed.segmentCapacity).map(Int64.init))
        #expect(filling.bytes(0..<1024).allSatisfy { $0 == 0 })
        expectEqual(filling.bytes(1024..<1025), [0xEE])
    }

    @Test("silence of unsigned samples is the middle of their range, in buffers and for the meter")
    func silence() {
        let feed = StreamFeed()
        let format = SampleFormat(encoding: .unsigned8, sampleRate: 100, channelLabels: [1])
        let filler = SegmentFiller(format: format, feed: feed, clock: CaptureClock())
        var room = [UInt8](repeating: 1, count: 4)
        unsafe room.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            #expect(feed.enqueue(unsafe StreamSegment(room: base, byteCount: 4, token: 1)))
            filler.meter.setOn(true)
            unsafe filler.measure(base, frames: 4, endFrame: 4)
            unsafe expectEqual(filler.fill(nil, frames: 4, hostTime: 0), 4)
        }
        expectEqual(room, [128, 128, 128, 128])
        // The buffer's first samples were 1, almost the lowest level.
        expectEqual(filler.meter.newestLevels().map { $0.peak > 0.9 }, [true])
        unsafe room.withUnsafeBytes { unsafe filler.measure($0.baseAddress, frames: 4, endFrame: 8) }
        expectEqual(filler.meter.newestLevels(), [ChannelLevel(rms: 0, peak: 0)])
    }
}
