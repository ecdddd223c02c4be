// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Captures that begin at a host time, on devices without hardware.
@Suite struct CaptureStartTimeTests {
    /// A frame at 8 kHz.
    private let frame: UInt64 = 125_000

    private let source = ManualSource()

    /// A recorder with segments of four samples, and its stream, which starts in a second.
    private func waiting() throws -> (Recorder, SoftwareInputStream, start: UInt64) {
        let recorder = try Recorder(source)
        for token in 0..<4 { recorder.enqueue(4, token: UInt64(token)) }
        let stream = try #require(recorder.stream as? SoftwareInputStream)
        let start = hostTime() + 1_000_000_000
        stream.start(fragmentFrames: 4, atHostTime: start)
        return (recorder, stream, start)
    }

    private func capture(_ samples: [Int16], at hostTime: UInt64, by stream: SoftwareInputStream) {
        unsafe samples.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                unsafe stream.capture(base, frames: samples.count, hostTime: hostTime)
            }
        }
    }

    @Test("the first frame is the one at the start time, and has number 0")
    func firstFrame() throws {
        let (recorder, stream, start) = try waiting()
        capture(Array(0..<10), at: start - 20 * frame, by: stream)
        expectEqual(recorder.kinds(), [.started])
        expectEqual(stream.position().timelineFrames, 0)
        capture(Array(10..<30), at: start - 10 * frame, by: stream)
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.segmentDone, .segmentDone])
        expectEqual(recorder.samples(events[0]), [20, 21, 22, 23])
        #expect(events[0].frame == 0 && events[0].hostTime == start)
        expectEqual(events[1].frame, 4)
        expectEqual(stream.position().timelineFrames, 10)
        expectEqual(stream.position().lostFrames, 0)
    }

    @Test("a start whose time has passed keeps the first frame that arrives")
    func passed() throws {
        let recorder = try Recorder(source)
        recorder.enqueue(2, token: 1)
        recorder.stream.start(fragmentFrames: 4, atHostTime: 1)
        source.capture([5, 6])
        let done = try #require(recorder.events().last)
        expectEqual(recorder.samples(done), [5, 6])
    }

    @Test("a pause before the time cancels the start")
    func pause() throws {
        let (recorder, stream, start) = try waiting()
        capture([1, 2], at: start - 20 * frame, by: stream)
        stream.pause(ticket: 3)
        stream.start(fragmentFrames: 4)
        capture([3, 4, 5, 6], at: start - 15 * frame, by: stream)
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .paused, .started, .segmentDone])
        expectEqual(events.last.map { recorder.samples($0) }, [3, 4, 5, 6])
    }

    @Test("an interruption before the time adds no silence and keeps the time")
    func interruption() throws {
        let (recorder, stream, start) = try waiting()
        capture([1, 2], at: start - 20 * frame, by: stream)
        source.interrupt()
        source.resume(missingFrames: 100)
        expectEqual(stream.position().timelineFrames, 0)
        capture([3, 4, 5, 6], at: start - 2 * frame, by: stream)
        stream.flush(ticket: 1)
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .interrupted, .resumed, .segmentDone, .flushed])
        expectEqual(recorder.samples(events[3]), [5, 6])
        expectEqual(events[3].frame, 0)
    }

    @Test("silence and holes before the time are dropped too")
    func holes() throws {
        let (recorder, stream, start) = try waiting()
        unsafe stream.capture(nil, frames: 10, isHole: true, hostTime: start - 8 * frame)
        stream.flush(ticket: 1)
        expectEqual(stream.position().holeFrames, 2)
        expectEqual(recorder.events().filter { $0.kind == .segmentDone }.map(\.byteCount), [4])
    }

    @Test("the virtual source begins its content at the start time", .timeLimit(.minutes(20)))
    func virtual() throws {
        let recorder = try Recorder(VirtualSource(SequenceContent()))
        recorder.enqueue(400, token: 1)
        let start = hostTime() + 500_000_000
        recorder.stream.start(fragmentFrames: 80, atHostTime: start)
        var done: DeviceEvent?
        while done == nil {
            let event = try #require(recorder.nextEvent())
            if event.kind == .segmentDone { done = event }
        }
        recorder.stream.close(ticket: 1)
        let segment = try #require(done)
        #expect(segment.frame == 0 && segment.hostTime == start)
        expectEqual(recorder.samples(segment).first, SequenceContent.sample(frame: 0, channel: 0))
    }

    @Test("a source that captures at full speed waits for the time", .timeLimit(.minutes(20)))
    func virtualAtSpeed() throws {
        let recorder = try Recorder(VirtualSource(SequenceContent(), pace: .asFastAsRoomAllows))
        recorder.enqueue(400, token: 1)
        let start = hostTime() + 500_000_000
        recorder.stream.start(fragmentFrames: 80, atHostTime: start)
        var done: DeviceEvent?
        while done == nil {
            let event = try #require(recorder.nextEvent())
            if event.kind == .segmentDone { done = event }
        }
        #expect(hostTime() >= start)
        recorder.stream.close(ticket: 1)
        expectEqual(done?.frame, 0)
    }

    @Test("a source's clock counts all frames at its own rate while the stream runs")
    func clock() throws {
        let (recorder, stream, start) = try waiting()
        capture(Array(0..<8), at: start - 20 * frame, by: stream)
        let reading = try #require(stream.deviceClock)
        #expect(abs(reading.frames - 48) < 0.01)
        expectEqual(reading.nominalFramesPerSecond, 48_000)
        stream.stop(ticket: 1)
        expectEqual(recorder.stream.deviceClock, nil)
    }
}
