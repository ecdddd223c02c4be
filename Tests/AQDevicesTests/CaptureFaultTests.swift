// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

/// Capture with a late client or without its device.
@Suite struct CaptureFaultTests {
    /// Holds ten frames.
    private func started() throws -> (ManualSource, Recorder) {
        let source = ManualSource()
        let recorder = try Recorder(source, heldSeconds: 10.0 / 8000)
        recorder.stream.start(fragmentFrames: 4)
        return (source, recorder)
    }

    @Test("frames without a segment are held, and fill the next ones in order")
    func held() throws {
        let (source, recorder) = try started()
        source.capture([1, 2, 3])
        source.capture([4, 5, 6, 7])
        expectEqual(recorder.kinds(), [.started])
        recorder.enqueue(4, token: 1)
        recorder.enqueue(4, token: 2)
        source.capture([8])
        let events = recorder.events()
        expectEqual(events.map(\.frame), [0, 4])
        expectEqual(events.flatMap(recorder.samples), [1, 2, 3, 4, 5, 6, 7, 8])
        expectEqual(recorder.stream.position().overruns, 0)
    }

    @Test("nothing is lost while there is a segment that the device was not notified of")
    func untoldRoom() throws {
        let (source, recorder) = try started()
        source.capture([1, 2, 3, 4, 5, 6, 7, 8])
        recorder.enqueue(12, token: 1, tells: false)
        source.capture([9, 10, 11, 12])
        let done = try #require(recorder.events().last)
        expectEqual(recorder.samples(done), Array(1...12))
        expectEqual(recorder.stream.position().lostFrames, 0)
    }

    @Test("beyond the capacity the oldest frames are lost, once an episode, and the next segment reports it")
    func overrun() throws {
        let (source, recorder) = try started()
        source.capture([1, 2, 3, 4, 5, 6, 7, 8])
        source.capture([9, 10, 11, 12, 13])
        source.capture([14, 15])
        expectEqual(recorder.kinds(), [.started, .overran])
        var position = recorder.stream.position()
        expectEqual(position.overruns, 1)
        expectEqual(position.lostFrames, 5)
        expectEqual(position.timelineFrames, 15)
        recorder.enqueue(10, token: 1)
        let done = try #require(recorder.events().first)
        expectEqual(done.frame, 5)
        expectEqual(recorder.samples(done), [6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
        source.capture(Array(16..<40))
        expectEqual(recorder.kinds(), [.overran])
        position = recorder.stream.position()
        expectEqual(position.overruns, 2)
        expectEqual(position.discontinuities, 2)
        expectEqual(position.lostFrames, 5 + 14)
        recorder.enqueue(10, token: 2)
        let second = try #require(recorder.events().first)
        expectEqual(second.frame, 29)
        expectEqual(recorder.samples(second), Array(30..<40))
    }

    @Test("a full segment and an overrun between two others leave no gap inside a segment")
    func wholeSegments() throws {
        let source = ManualSource()
        let recorder = try Recorder(source, heldSeconds: 0)
        recorder.stream.start(fragmentFrames: 4)
        recorder.enqueue(3, token: 1)
        source.capture([1, 2, 3, 4, 5])
        recorder.enqueue(3, token: 2)
        source.capture([6, 7, 8])
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.started, .segmentDone, .overran, .segmentDone])
        expectEqual(events.map(\.frame), [0, 0, 0, 5])
        expectEqual(recorder.samples(events[3]), [6, 7, 8])
    }

    @Test("an interruption becomes silence ahead of the new frames")
    func interruption() throws {
        let (source, recorder) = try started()
        for token in 0..<3 { recorder.enqueue(4, token: UInt64(token)) }
        source.capture([1, 2])
        source.interrupt()
        source.capture([90])
        #expect(!recorder.stream.position().isRunning)
        source.resume(missingFrames: 5)
        source.capture([3, 4, 5, 6, 7])
        let events = recorder.events()
        expectEqual(
            events.map(\.kind), [.started, .interrupted, .resumed, .segmentDone, .segmentDone, .segmentDone])
        expectEqual(
            events.dropFirst(3).flatMap(recorder.samples), [1, 2, 0, 0, 0, 0, 0, 3, 4, 5, 6, 7])
        let position = recorder.stream.position()
        expectEqual(position.interruptions, 1)
        expectEqual(position.interruptedFrames, 5)
        expectEqual(position.discontinuities, 1)
        expectEqual(position.timelineFrames, 12)
    }

    @Test("the silence of an interruption waits for a segment, however long it is")
    func longInterruption() throws {
        let (source, recorder) = try started()
        source.capture([1, 2])
        source.interrupt()
        source.resume(missingFrames: 1000)
        source.capture(Array(1...13))
        expectEqual(recorder.stream.position().timelineFrames, 1015)
        recorder.enqueue(2, token: 1)
        recorder.enqueue(1000, token: 2)
        recorder.enqueue(10, token: 3)
        let events = recorder.events()
        // Ten frames are held: the two from before and three of those after were dropped.
        expectEqual(recorder.stream.position().lostFrames, 5)
        let done = events.filter { $0.kind == .segmentDone }
        let sound = done.flatMap(recorder.samples)
        expectEqual(sound.filter { $0 == 0 }.count, 1000)
        expectEqual(Array(sound.suffix(10)), Array(4...13))
        expectEqual(done.last.map { $0.frame + Int64($0.byteCount / 2) }, 1015)
    }

    @Test("frames lost after silence are reported where they are missing")
    func lossBehindSilence() throws {
        let (source, recorder) = try started()
        source.interrupt()
        expectEqual(recorder.kinds(), [.interrupted])
        source.resume(missingFrames: 6)
        source.capture(Array(1...12))
        source.capture([13])
        recorder.enqueue(8, token: 1)
        recorder.enqueue(10, token: 2)
        let events = recorder.events()
        expectEqual(events.map(\.kind), [.resumed, .started, .segmentDone, .overran, .segmentDone])
        expectEqual(recorder.samples(events[2]), .init(repeating: 0, count: 6))
        expectEqual(events[4].frame, 9)
        expectEqual(recorder.samples(events[4]), Array(4...13))
        expectEqual(recorder.stream.position().lostFrames, 3)
    }

    @Test("endless interruptions use limited memory, and the timeline counts them all")
    func manyInterruptions() throws {
        let (source, recorder) = try started()
        for _ in 0..<1000 {
            source.capture([1])
            source.interrupt()
            source.resume(missingFrames: 10)
        }
        expectEqual(recorder.stream.position().timelineFrames, 11_000)
        recorder.enqueue(20_000, token: 1)
        recorder.stream.stop(ticket: 1)
        let done = try #require(recorder.events().first { $0.kind == .segmentDone && $0.byteCount > 0 })
        #expect(done.frame + Int64(done.byteCount / 2) <= 11_000)
        expectEqual(recorder.stream.position().timelineFrames, 11_000)
    }

    /// Frames that the device delivers slowly, so a client sees intermediate states.
    private static let manyFrames = 1_000_000

    /// Runs a device action, and returns the capture state at its event.
    private func position(
        at kind: DeviceEvent.Kind, of recorder: Recorder, when act: @escaping @Sendable () -> Void
    ) throws -> CapturePosition {
        recorder.stream.setMetering(true)
        try #require(DetachedThread.start(named: "aq test act", act) == 0)
        while let event = recorder.nextEvent() {
            if event.kind == kind { return recorder.stream.position() }
        }
        throw DeviceError(.refused, "got no event of '\(kind)'")
    }

    @Test("after an event of an overrun its count is up to date, whatever the device does next")
    func overrunCountedWhenReported() throws {
        let (source, recorder) = try started()
        source.interrupt()
        source.resume(missingFrames: 6)
        source.capture(Array(1...13))
        source.interrupt()
        source.resume(missingFrames: Self.manyFrames)
        recorder.enqueue(8, token: 1, tells: false)
        recorder.enqueue(10 + Self.manyFrames, token: 2, tells: false)
        let stream = recorder.stream
        let position = try position(at: .overran, of: recorder) { stream.roomAvailable() }
        expectEqual(position.overruns, 1)
        expectEqual(position.lostFrames, 3)
        expectEqual(position.discontinuities, 3)
        expectEqual(recorder.nextEvent()?.frame, 9)
    }

    @Test("after an event of a recovery the missing frames are counted, whatever the device does next")
    func resumptionCountedWhenReported() throws {
        let (source, recorder) = try started()
        source.capture([1, 2])
        source.interrupt()
        recorder.enqueue(2 + Self.manyFrames, token: 1)
        let position = try position(at: .resumed, of: recorder) {
            source.resume(missingFrames: Self.manyFrames)
        }
        expectEqual(position.interruptions, 1)
        expectEqual(position.interruptedFrames, Int64(Self.manyFrames))
        expectEqual(position.timelineFrames, Double(2 + Self.manyFrames))
        expectEqual(recorder.nextEvent()?.byteCount, 2 * (2 + Self.manyFrames))
    }

    @Test("a pause during an interruption still holds when the device is back")
    func pauseWhileInterrupted() throws {
        let (source, recorder) = try started()
        recorder.enqueue(4, token: 1)
        source.capture([1])
        source.interrupt()
        recorder.stream.pause(ticket: 1)
        source.resume(missingFrames: 5)
        expectEqual(recorder.kinds(), [.started, .interrupted, .paused])
        recorder.stream.start(fragmentFrames: 1)
        source.capture([2, 3, 4])
        let done = try #require(recorder.events().last)
        expectEqual(recorder.samples(done), [1, 2, 3, 4])
    }

    @Test("a failure delivers the captured audio before it is reported")
    func failure() throws {
        let (source, recorder) = try started()
        recorder.enqueue(4, token: 1)
        recorder.enqueue(4, token: 2)
        recorder.enqueue(4, token: 3)
        source.capture([1, 2, 3, 4, 5])
        source.fail(DeviceError(.connectionLost, "gone"))
        let events = recorder.events()
        expectEqual(
            events.map(\.kind), [.started, .segmentDone, .segmentDone, .segmentDone, .failed])
        expectEqual(events.map(\.byteCount), [0, 8, 2, 0, 0])
        expectEqual(recorder.stream.feed.failure?.code, .connectionLost)
        #expect(!recorder.stream.position().isRunning)
        recorder.stream.start(fragmentFrames: 4)
        expectEqual(recorder.stream.feed.failure, nil)
        expectEqual(recorder.stream.position().timelineFrames, 0)
    }

    @Test("holes become silence of their length and are counted")
    func holes() throws {
        let (source, recorder) = try started()
        recorder.enqueue(7, token: 1)
        source.capture([1, 2])
        source.captureHole(frames: 3)
        source.capture([3, 4])
        let done = try #require(recorder.events().last)
        expectEqual(recorder.samples(done), [1, 2, 0, 0, 0, 3, 4])
        expectEqual(recorder.stream.position().holeFrames, 3)
        expectEqual(recorder.stream.position().discontinuities, 0)
    }

    @Test(
        "held frames are returned in order at every position of the ring",
        arguments: [1, 2, 3, 5, 7], [1, 2, 3, 4])
    func ring(block: Int, room: Int) throws {
        let (source, recorder) = try started()
        var next: Int16 = 0
        var played: [Int16] = []
        var token: UInt64 = 0
        while played.count < 300 {
            source.capture((0..<Int16(block)).map { next + $0 })
            next += Int16(block)
            while recorder.stream.position().timelineFrames - Double(played.count) >= Double(room) {
                token += 1
                recorder.enqueue(room, token: token)
                let done = recorder.events().filter { $0.kind == .segmentDone }
                guard let event = done.last else { break }
                played += recorder.samples(event)
            }
        }
        expectEqual(played, Array(0..<Int16(played.count)))
        expectEqual(recorder.stream.position().lostFrames, 0)
    }
}
