// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct ManualSourceTests {
    /// A recorder of a device of its own, started with segments of four samples.
    private func started(
        segments: Int = 0, heldSeconds: Double = 0.5
    ) throws -> (ManualSource, Recorder) {
        let source = ManualSource()
        let recorder = try Recorder(source, heldSeconds: heldSeconds)
        for token in 0..<segments { recorder.enqueue(4, token: UInt64(token)) }
        recorder.stream.start(fragmentFrames: 4)
        return (source, recorder)
    }

    @Test("a stream starts with the first captured frames, before any segment is full")
    func start() throws {
        let (source, recorder) = try started(segments: 2)
        #expect(recorder.events().isEmpty)
        source.capture([1, 2, 3, 4, 5])
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .segmentDone])
        expectEqual(events[1].frame, 0)
        expectEqual(events[1].byteCount, 8)
        expectEqual(recorder.samples(events[1]), [1, 2, 3, 4])
        expectEqual(recorder.stream.position().timelineFrames, 5)
        #expect(recorder.stream.position().isRunning)
    }

    @Test("a segment has the capture time of its first frame")
    func hostTimes() throws {
        let (source, recorder) = try started(segments: 2)
        let before = hostTime()
        source.capture(Array(0..<8))
        let after = hostTime()
        let times = recorder.events().filter { $0.kind == .segmentDone }.map(\.hostTime)
        // The last of eight frames at 8 kHz is captured now, and each lasts 125 microseconds.
        expectEqual(times.count, 2)
        #expect(times[0] >= before - 1_000_000 && times[0] <= after - 1_000_000)
        expectEqual(times[1], times[0] + 500_000)
    }

    @Test("a pause keeps the captured audio and stops the timeline; the resumed audio follows directly")
    func pause() throws {
        let (source, recorder) = try started(segments: 2)
        source.capture([1, 2])
        recorder.stream.pause(ticket: 7)
        source.capture([90, 91, 92])
        expectEqual(recorder.stream.position().timelineFrames, 2)
        #expect(!recorder.stream.position().isRunning)
        expectEqual(recorder.events(), [DeviceEvent(.started), DeviceEvent(.paused, token: 7)])
        recorder.stream.start(fragmentFrames: 4)
        source.capture([3, 4])
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .segmentDone])
        expectEqual(recorder.samples(events[1]), [1, 2, 3, 4])
    }

    @Test("frames held at a pause fill segments that are enqueued during it")
    func heldWhilePaused() throws {
        let (source, recorder) = try started()
        source.capture([1, 2, 3, 4])
        recorder.stream.pause(ticket: 1)
        expectEqual(recorder.kinds(), [.started, .paused])
        recorder.enqueue(4, token: 1)
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.segmentDone])
        expectEqual(recorder.samples(events[0]), [1, 2, 3, 4])
    }

    @Test("a stop delivers the partly filled segment, then the empty ones, then reports the stop")
    func stop() throws {
        let (source, recorder) = try started(segments: 3)
        source.capture([1, 2, 3, 4, 5, 6])
        recorder.stream.stop(ticket: 9)
        source.capture([7])
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .segmentDone, .segmentDone, .segmentDone, .stopped])
        expectEqual(events.map(\.byteCount), [0, 8, 4, 0, 0])
        expectEqual(events.map(\.frame), [0, 0, 4, 6, 0])
        expectEqual(recorder.samples(events[2]), [5, 6])
        expectEqual(events[4].token, 9)
        expectEqual(recorder.stream.position().lostFrames, 0)
    }

    @Test("a stop delivers held frames to segments that the device was not notified of")
    func stopWithHeldFrames() throws {
        let (source, recorder) = try started()
        source.capture([1, 2, 3, 4, 5, 6])
        recorder.enqueue(4, token: 1, tells: false)
        recorder.enqueue(4, token: 2, tells: false)
        recorder.stream.stop(ticket: 1)
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .segmentDone, .segmentDone, .stopped])
        expectEqual(recorder.samples(events[1]), [1, 2, 3, 4])
        expectEqual(recorder.samples(events[2]), [5, 6])
    }

    @Test("a stop without segments drops the held frames, which is not an overrun")
    func stopWithoutSegments() throws {
        let (source, recorder) = try started()
        source.capture([1, 2, 3])
        recorder.stream.stop(ticket: 1)
        expectEqual(recorder.kinds(), [.started, .stopped])
        expectEqual(recorder.stream.position().lostFrames, 0)
        expectEqual(recorder.stream.position().timelineFrames, 3)
    }

    @Test("a start after a stop restarts the timeline and the counts")
    func restart() throws {
        let (source, recorder) = try started()
        source.capture([1, 2, 3])
        recorder.stream.stop(ticket: 1)
        recorder.stream.start(fragmentFrames: 4)
        expectEqual(recorder.stream.position().timelineFrames, 0)
        expectEqual(recorder.stream.position().lostFrames, 0)
        expectEqual(recorder.stream.position().discontinuities, 0)
        recorder.enqueue(2, token: 5)
        source.capture([4, 5])
        let done = try #require(recorder.events().last)
        #expect(done.token == 5 && done.frame == 0)
        expectEqual(recorder.samples(done), [4, 5])
    }

    @Test("a flush delivers the partly filled segment and continues in the next")
    func flush() throws {
        let (source, recorder) = try started(segments: 2)
        source.capture([1, 2])
        recorder.stream.flush(ticket: 3)
        recorder.stream.flush(ticket: 4)
        source.capture([3, 4, 5, 6])
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .segmentDone, .flushed, .flushed, .segmentDone])
        expectEqual(events.map(\.token), [0, 0, 3, 4, 1])
        expectEqual(recorder.samples(events[1]), [1, 2])
        expectEqual(events[4].frame, 2)
        expectEqual(recorder.samples(events[4]), [3, 4, 5, 6])
    }

    @Test("a reset returns all segments and continues")
    func reset() throws {
        let (source, recorder) = try started(segments: 3)
        source.capture([1, 2, 3])
        recorder.stream.reset(ticket: 8)
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .segmentDone, .segmentDone, .segmentDone, .reset])
        expectEqual(events.map(\.byteCount), [0, 6, 0, 0, 0])
        source.capture([4])
        recorder.enqueue(2, token: 9)
        source.capture([5])
        let done = try #require(recorder.events().last)
        expectEqual(done.frame, 3)
        expectEqual(recorder.samples(done), [4, 5])
        expectEqual(recorder.stream.position().lostFrames, 0)
    }

    @Test("a closed stream returns everything, reports that last, and is released")
    func close() throws {
        let (source, recorder) = try started(segments: 2)
        source.capture([1])
        recorder.stream.close(ticket: 1)
        recorder.stream.stop(ticket: 2)
        recorder.stream.start(fragmentFrames: 1)
        recorder.stream.pause(ticket: 3)
        source.fail(DeviceError(.connectionLost, "gone"))
        expectEqual(recorder.kinds(), [.started, .segmentDone, .segmentDone, .closed])
        expectEqual(source.openStreams, 0)
    }

    @Test("calls on a stream that never ran are answered")
    func idle() throws {
        let recorder = try Recorder(ManualSource())
        recorder.enqueue(4, token: 1)
        recorder.stream.pause(ticket: 1)
        recorder.stream.flush(ticket: 2)
        recorder.stream.stop(ticket: 3)
        recorder.enqueue(4, token: 2)
        recorder.stream.reset(ticket: 4)
        expectEqual(
            recorder.kinds(), [.paused, .flushed, .segmentDone, .stopped, .segmentDone, .reset])
    }

    @Test("a segment of no size is returned in order, empty")
    func emptySegment() throws {
        let source = ManualSource()
        let recorder = try Recorder(source)
        recorder.enqueue(2, token: 1)
        recorder.enqueue(0, token: 2)
        recorder.enqueue(2, token: 3)
        recorder.stream.start(fragmentFrames: 4)
        source.capture([1, 2, 3, 4])
        let events = recorder.events()
        expectEqual(events.map(\.token), [0, 1, 2, 3])
        expectEqual(events.map(\.byteCount), [0, 4, 0, 4])
        expectEqual(recorder.samples(events[3]), [3, 4])
    }

    @Test("big-endian segments are filled with swapped samples, after the gain")
    func bigEndian() throws {
        let source = ManualSource()
        let recorder = try Recorder(source, isBigEndian: true)
        recorder.enqueue(3, token: 1)
        recorder.stream.setGain(2)
        recorder.stream.start(fragmentFrames: 3)
        source.capture([0x0102, -3, 30_000])
        let done = try #require(recorder.events().last)
        expectEqual(recorder.samples(done).map { Int16(bigEndian: $0) }, [0x0204, -6, 32_767])
    }

    @Test("big-endian segments are filled with swapped samples, metered or not", arguments: [false, true])
    func bigEndianWithoutGain(isMetering: Bool) throws {
        let source = ManualSource()
        let recorder = try Recorder(source, isBigEndian: true)
        recorder.enqueue(2, token: 1)
        recorder.stream.setMetering(isMetering)
        recorder.stream.start(fragmentFrames: 3)
        source.capture([0x0102, -3])
        let done = try #require(recorder.events().last)
        expectEqual(recorder.samples(done).map { Int16(bigEndian: $0) }, [0x0102, -3])
    }

    @Test("levels are those of the latest captured audio, after the gain")
    func levels() throws {
        let (source, recorder) = try started()
        #expect(recorder.stream.levels().isEmpty)
        recorder.stream.setMetering(true)
        recorder.stream.setGain(0.5)
        recorder.enqueue(1000, token: 50)
        source.capture(.init(repeating: 8192, count: 320))
        expectEqual(recorder.stream.levels(), [ChannelLevel(rms: 0.125, peak: 0.125)])
        source.captureSilence(frames: 320)
        expectEqual(recorder.stream.levels(), [ChannelLevel(rms: 0, peak: 0)])
        recorder.stream.setMetering(false)
        #expect(recorder.stream.levels().isEmpty)
    }

    @Test("levels are those of the latest captured audio, with or without a segment for it")
    func levelsWithoutSegments() throws {
        let (source, recorder) = try started()
        recorder.stream.setMetering(true)
        source.capture(.init(repeating: 8192, count: 320))
        expectEqual(recorder.stream.levels(), [ChannelLevel(rms: 0.25, peak: 0.25)])
        source.captureSilence(frames: 320)
        expectEqual(recorder.stream.levels(), [ChannelLevel(rms: 0, peak: 0)])
        source.capture(.init(repeating: -16_384, count: 640_000))
        expectEqual(recorder.stream.levels(), [ChannelLevel(rms: 0.5, peak: 0.5)])
        // Held frames are not measured again.
        source.captureSilence(frames: 320)
        recorder.enqueue(1000, token: 50)
        expectEqual(recorder.stream.levels(), [ChannelLevel(rms: 0, peak: 0)])
    }

    @Test(
        "values that are not finite do no harm", arguments: [Double.nan, .infinity, -.infinity, -1, 1e300])
    func oddNumbers(value: Double) throws {
        let source = ManualSource(sampleRate: value, channels: -1)
        let recorder = try Recorder(source, heldSeconds: value)
        recorder.stream.setGain(Float(value))
        recorder.enqueue(4, token: 1)
        for fragmentFrames in [Int.min, 0, Int.max] {
            recorder.stream.start(fragmentFrames: fragmentFrames)
            #expect(try #require(recorder.stream.granted).requestFrames > 0)
            source.capture([1, 2, 3])
            source.captureSilence(frames: .min)
            source.captureHole(frames: -1)
            source.interrupt()
            source.resume(missingFrames: .max)
            source.resume(missingFrames: .min)
            recorder.stream.stop(ticket: 1)
        }
        expectEqual(recorder.kinds().last, .stopped)
    }

    @Test("invalid formats are refused", arguments: [(0, 48_000.0), (33, 48_000), (2, 0), (2, .nan)])
    func refused(channels: Int, sampleRate: Double) {
        let format = SampleFormat(
            encoding: .signed16, sampleRate: sampleRate, channelLabels: .init(repeating: 1, count: channels))
        #expect(throws: DeviceError.self) {
            try ManualSource().makeStream(InputStreamConfiguration(format: format))
        }
        #expect(throws: DeviceError.self) {
            try VirtualSource().makeStream(InputStreamConfiguration(format: format))
        }
    }
}
