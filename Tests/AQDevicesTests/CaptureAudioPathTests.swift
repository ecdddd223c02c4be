// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAllocationMeter
import Testing

@testable import AQDevices

/// Counts the allocations of the capture path, which the compiler checks too.
@Suite struct CaptureAudioPathTests {
    @Test(
        "filling, swapping, scaling, metering, overruns and the clock allocate nothing",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"),
        arguments: SampleFormat.Encoding.allCases)
    func filler(encoding: SampleFormat.Encoding) throws {
        let format = SampleFormat(
            encoding: encoding, isBigEndian: true, sampleRate: 48_000, channelLabels: [1, 2])
        let feed = StreamFeed()
        let clock = CaptureClock()
        let filler = SegmentFiller(format: format, feed: feed, clock: clock)
        filler.meter.setOn(true)
        filler.gain = 0.5
        let bytes = 48_000 * format.bytesPerFrame
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 2 * bytes, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 1, count: 2 * bytes)
        defer { unsafe memory.deallocate() }
        for part in 0..<10 {
            let segment = unsafe StreamSegment(
                room: memory + part * bytes / 10, byteCount: bytes / 10, token: UInt64(part))
            #expect(feed.enqueue(segment))
        }
        var frames = 0
        let before = aq_meter_allocations()
        for round in 0..<110 {
            if round == 50 { filler.lose(frames: 7) }
            if round == 60 { filler.handOver() }
            let done =
                round == 70
                ? unsafe filler.fill(nil, frames: 470, hostTime: 1)
                : unsafe filler.fill(memory + bytes, frames: 470, hostTime: 1)
            frames += done
            if done < 470 { filler.lose(frames: 470 - done) }
            clock.publish(CaptureClock.State())
        }
        let count = aq_meter_allocations() - before
        // Two segments were delivered before they were full.
        #expect(frames < 48_000 && frames > 38_400)
        expectEqual(filler.overruns, 2)
        expectEqual(count, 0)
    }

    @Test(
        "a stream that captures, holds, loses and delivers allocates nothing",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func stream() throws {
        let configuration = InputStreamConfiguration(
            format: SampleFormat(encoding: .signed16, sampleRate: 8000, channelLabels: [1]),
            heldSeconds: 0.01)
        let stream = SoftwareInputStream(
            configuration, deviceName: "test", native: (8000, 1), periodFrames: 0, hasThread: false)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 8000, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 1, count: 8000)
        defer { unsafe memory.deallocate() }
        stream.start(fragmentFrames: 10)
        let before = aq_meter_allocations()
        for round in 0..<100 {
            unsafe stream.capture(memory, frames: 33, hostTime: UInt64(round) * 4_125_000)
            if round == 40 {
                stream.interrupt()
                stream.resume(missingFrames: 50)
            }
            if round % 5 == 0 {
                let segment = unsafe StreamSegment(
                    room: memory + 4000, byteCount: 100, token: UInt64(round))
                _ = stream.feed.enqueue(segment)
                stream.roomAvailable()
            }
            while stream.feed.nextEvent() != nil {}
        }
        let count = aq_meter_allocations() - before
        #expect(stream.position().lostFrames > 0)
        expectEqual(count, 0)
    }
}
