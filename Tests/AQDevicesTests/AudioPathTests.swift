// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAllocationMeter
import Testing

@testable import AQDevices

/// Counts the allocations of the audio path, which the compiler checks too.
@Suite struct AudioPathTests {
    /// Allocations of `body` on this thread.
    private func allocations(_ body: () -> Void) -> Int {
        let before = aq_meter_allocations()
        body()
        return aq_meter_allocations() - before
    }

    @Test(
        "changes of volume and pan with segments allocate nothing",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func segmentChanges() throws {
        let format = SampleFormat(encoding: .signed16, sampleRate: 48_000, channelLabels: [1, 2])
        let feed = StreamFeed()
        let renderer = Renderer(format: format, feed: feed, historyFrames: 4096)
        let target = UnsafeMutableRawPointer.allocate(byteCount: 4 * 480, alignment: 16)
        defer { unsafe target.deallocate() }
        // More than the capacity, so some are dropped.
        var frames = 0
        for round in 0..<(4 * StreamFeed.segmentCapacity) {
            var segment = unsafe StreamSegment(base: nil, byteCount: 4 * 100, token: 0)
            segment.change = SegmentChange(
                startGain: 0, gain: Float(round), rampSeconds: 0.001, pan: Float(round % 3) / 2)
            let isTaken = feed.enqueue(segment)
            #expect(isTaken)
            let count = allocations {
                if round % 10 == 0 { renderer.rewind(to: renderer.cursor - 300) }
                frames += unsafe renderer.render(into: target, frames: 480)
            }
            expectEqual(count, 0)
            while feed.nextEvent() != nil {}
        }
        #expect(frames > 400 * StreamFeed.segmentCapacity)
    }

    @Test(
        "the meter counts an allocation",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"))
    func meterIsLive() {
        var kept: [[UInt8]] = []
        let count = allocations {
            for size in 1...10 { kept.append([UInt8](repeating: 1, count: size * 1000)) }
        }
        expectEqual(kept.count, 10)
        #expect(count >= 10)
    }

    @Test(
        "rendering, metering, fading and the clock allocate nothing",
        .enabled(if: aq_meter_is_live() == 1, "a sanitizer counts allocations itself"),
        arguments: SampleFormat.Encoding.allCases)
    func nothing(encoding: SampleFormat.Encoding) throws {
        let format = SampleFormat(
            encoding: encoding, isBigEndian: true, sampleRate: 48_000, channelLabels: [1, 2])
        let feed = StreamFeed()
        let renderer = Renderer(format: format, feed: feed, historyFrames: 4096)
        let clock = PlaybackClock(sampleRate: 48_000)
        renderer.meter.setOn(true)
        let bytes = 48_000 * format.bytesPerFrame
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        unsafe memory.initializeMemory(as: UInt8.self, repeating: 1, count: bytes)
        defer { unsafe memory.deallocate() }
        for part in 0..<10 {
            let segment = unsafe StreamSegment(
                base: memory + part * bytes / 10, byteCount: bytes / 10, token: UInt64(part))
            #expect(feed.enqueue(segment))
        }
        let target = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
        defer { unsafe target.deallocate() }
        var frames = 0
        let count = allocations {
            for round in 0..<100 {
                if round == 20 { renderer.volume.ramp(to: 0.3, from: renderer.cursor, frames: 500) }
                if round == 30 { renderer.rewind(to: renderer.cursor - 1000) }
                frames += unsafe renderer.render(into: target, frames: 480)
                clock.publish(PlaybackClock.State())
                renderer.publishParameters(at: renderer.cursor)
            }
        }
        expectEqual(frames, 48_000)
        expectEqual(count, 0)
    }
}
