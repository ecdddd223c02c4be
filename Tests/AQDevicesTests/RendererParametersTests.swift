// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Volume and pan of segments, sample by sample.
@Suite struct RendererParametersTests {
    /// A renderer of 16-bit samples at 1000 Hz and the memory that its segments point to.
    @safe private final class Source {
        let renderer: Renderer
        let feed = StreamFeed()
        private let channels: Int
        private var memory: [UnsafeMutablePointer<Int16>] = unsafe []

        init(channels: Int = 1, historyFrames: Int = 64) {
            self.channels = channels
            let format = SampleFormat(
                encoding: .signed16, sampleRate: 1000, channelLabels: .init(repeating: 1, count: channels))
            renderer = Renderer(format: format, feed: feed, historyFrames: historyFrames)
        }

        deinit { for index in unsafe memory.indices { unsafe memory[index].deallocate() } }

        /// Enqueues frames of 1000 in every channel.
        func enqueue(_ frames: Int, _ change: SegmentChange? = nil) {
            let samples = UnsafeMutablePointer<Int16>.allocate(capacity: max(1, frames * channels))
            unsafe samples.initialize(repeating: 1000, count: max(1, frames * channels))
            unsafe memory.append(samples)
            var segment = unsafe StreamSegment(
                base: samples, byteCount: frames * channels * 2, token: 0)
            segment.change = change
            let isTaken = feed.enqueue(segment)
            #expect(isTaken)
        }

        /// The samples of up to `frames` frames.
        func render(_ frames: Int) -> [Int16] {
            var out = [Int16](repeating: -1, count: frames * channels)
            let done = unsafe out.withUnsafeMutableBytes { bytes in
                unsafe bytes.baseAddress.map { unsafe renderer.render(into: $0, frames: frames) } ?? 0
            }
            return Array(out.prefix(done * channels))
        }
    }

    @Test("a segment's volume applies from its first frame on", arguments: [1, 2, 3, 64])
    func firstFrame(block: Int) {
        let source = Source()
        source.enqueue(5)
        source.enqueue(5, SegmentChange(gain: 0.5))
        source.enqueue(2, SegmentChange(gain: 1))
        var played: [Int16] = []
        while true {
            let samples = source.render(block)
            if samples.isEmpty { break }
            played += samples
        }
        let loud = [Int16](repeating: 1000, count: 5)
        expectEqual(played, loud + [Int16](repeating: 500, count: 5) + loud[..<2])
    }

    @Test(
        "a segment's own gain applies from its first frame on, beside the volume, and clips",
        arguments: [1, 3, 64])
    func sourceGain(block: Int) {
        let source = Source()
        source.enqueue(5)
        source.enqueue(5, SegmentChange(sourceGain: 3))
        source.enqueue(4, SegmentChange(gain: 0.5))
        source.enqueue(3, SegmentChange(sourceGain: 40))
        source.enqueue(2, SegmentChange(gain: 1))
        source.enqueue(1, SegmentChange(sourceGain: 1))
        var played: [Int16] = []
        while true {
            let samples = source.render(block)
            if samples.isEmpty { break }
            played += samples
        }
        func frames(_ value: Int16, _ count: Int) -> [Int16] { .init(repeating: value, count: count) }
        expectEqual(
            played,
            frames(1000, 5) + frames(3000, 5) + frames(1500, 4) + frames(20_000, 3)
                + frames(32_767, 2) + [1000])
    }

    @Test("a dropped segment's own gain is dropped too, and a played one's remains")
    func droppedSourceGain() {
        let source = Source()
        source.enqueue(5, SegmentChange(sourceGain: 2))
        source.enqueue(5, SegmentChange(sourceGain: 3))
        expectEqual(source.render(8).suffix(3), [3000, 3000, 3000])
        source.renderer.rewind(to: 3)
        source.renderer.discardAll()
        source.enqueue(2)
        expectEqual(source.render(2), [2000, 2000])
    }

    @Test("a segment that fades in begins at its own volume, not at the previous one")
    func fadeIn() {
        let source = Source()
        source.enqueue(2)
        source.enqueue(8, SegmentChange(startGain: 0, gain: 1, rampSeconds: 0.004))
        expectEqual(source.render(10), [1000, 1000, 0, 250, 500, 750, 1000, 1000, 1000, 1000])
    }

    @Test("a segment of no frames changes the volume in order")
    func emptySegment() {
        let source = Source()
        source.enqueue(3)
        source.enqueue(0, SegmentChange(gain: 0.5))
        source.enqueue(3)
        expectEqual(source.render(10), [1000, 1000, 1000, 500, 500, 500])
    }

    @Test("frames that are rendered again have the volume of their position", arguments: 0..<12)
    func rewind(to frame: Int) {
        let source = Source()
        source.enqueue(4)
        source.enqueue(4, SegmentChange(gain: 0.5))
        source.enqueue(4, SegmentChange(gain: 0.25))
        let played = source.render(12)
        source.renderer.rewind(to: Int64(frame))
        expectEqual(source.render(20), Array(played[frame...]))
    }

    @Test("a volume set before a segment's is audible applies until then")
    func setBefore() {
        let source = Source()
        source.enqueue(6)
        source.enqueue(4, SegmentChange(gain: 0.5))
        _ = source.render(10)
        source.renderer.rewind(to: 2)
        source.renderer.volume.ramp(to: 0, from: source.renderer.cursor, frames: 0)
        expectEqual(source.render(8), [0, 0, 0, 0, 500, 500, 500, 500])
    }

    @Test("changes in dropped frames do not apply, and the audible volume stays")
    func dropped() {
        let source = Source()
        source.enqueue(4, SegmentChange(gain: 0.5))
        source.enqueue(4, SegmentChange(gain: 0))
        source.enqueue(4, SegmentChange(gain: 0.25))
        _ = source.render(8)
        source.renderer.rewind(to: 2)
        source.renderer.discardAll()
        source.enqueue(3)
        expectEqual(source.render(3), [500, 500, 500])
    }

    @Test("stereo is balanced: one side keeps its bits, the other is softer")
    func balance() {
        let source = Source(channels: 2)
        source.enqueue(1)
        source.enqueue(1, SegmentChange(pan: 0.75))
        source.enqueue(1, SegmentChange(pan: -1))
        source.enqueue(1, SegmentChange(pan: 0))
        expectEqual(source.render(4), [1000, 1000, 250, 1000, 1000, 0, 1000, 1000])
    }

    @Test("pan and volume multiply")
    func balanceAndVolume() {
        let source = Source(channels: 2)
        source.enqueue(2, SegmentChange(gain: 0.5, pan: 0.5))
        expectEqual(source.render(2), [250, 500, 250, 500])
    }

    @Test("a pan that is set moves within its frames, and again after a rewind")
    func panRamp() {
        let source = Source(channels: 2)
        source.enqueue(6)
        source.renderer.movePan(to: 1, frames: 4)
        let played: [Int16] = [1000, 1000, 750, 1000, 500, 1000, 250, 1000, 0, 1000, 0, 1000]
        expectEqual(source.render(6), played)
        source.renderer.rewind(to: 1)
        expectEqual(source.render(6), Array(played[2...]))
    }

    @Test("a reader gets a segment's volume from its first frame on, and a call's at once")
    func inForce() {
        let source = Source()
        source.enqueue(4)
        source.enqueue(8, SegmentChange(gain: 0.5))
        expectEqual(source.render(12).count, 12)
        expectEqual(source.renderer.volume.inForce(at: 3).segmentValue, nil)
        expectEqual(source.renderer.volume.inForce(at: 4).segmentValue, 0.5)
        source.renderer.volume.ramp(to: 1, from: 8, frames: 0)
        expectEqual(source.renderer.volume.inForce(at: 5).segmentValue, nil)
    }

    @Test("other threads get ramps, and compute the volume of each frame")
    func published() {
        let source = Source()
        source.renderer.volume.ramp(to: 0, from: 2, frames: 4)
        source.renderer.publishParameters(at: 0)
        let reported = source.renderer.published.snapshot()
        let gains = (Int64(0)..<8).map { reported.volume.ramp.gain(at: $0) }
        expectEqual(gains, [1, 1, 1, 0.75, 0.5, 0.25, 0, 0])
        #expect(!reported.volume.isOfSegment)
        expectEqual(reported.pan.ramp.endGain, 0)
        source.enqueue(2, SegmentChange(gain: 0.5, pan: -1))
        expectEqual(source.render(2).count, 2)
        source.renderer.publishParameters(at: 2)
        #expect(source.renderer.published.snapshot().pan.isOfSegment)
        expectEqual(source.renderer.published.snapshot().pan.ramp.endGain, -1)
    }

    @Test("mono and more than two channels are not panned", arguments: [1, 3, 6])
    func noStereo(channels: Int) {
        let source = Source(channels: channels)
        source.renderer.movePan(to: 1, frames: 0)
        source.enqueue(2, SegmentChange(pan: -1))
        expectEqual(source.render(2), [Int16](repeating: 1000, count: 2 * channels))
    }

    @Test("values that are not finite do no harm", arguments: [Float.nan, .infinity, -.infinity, 1e30])
    func oddNumbers(value: Float) {
        let source = Source(channels: 2)
        source.enqueue(4, SegmentChange(startGain: value, gain: value, rampSeconds: value, pan: value))
        expectEqual(source.render(4).count, 8)
        var change = SegmentChange()
        change.setVolume(1, rampSeconds: value)
        source.enqueue(1, change)
        expectEqual(source.render(4).count, 2)
    }
}
