// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQDevices

@Suite struct VirtualSourceTests {
    /// A content of `frames` frames: each sample is its frame's number, from 1.
    private struct ShortContent: CaptureContent {
        let frames: Int64

        func write(
            _ samples: UnsafeMutableBufferPointer<Int32>, fromFrame: Int64, sampleRate: Double, channels: Int
        ) -> Int {
            let count = Int(max(0, min(Int64(samples.count / channels), frames - fromFrame)))
            for index in 0..<count { unsafe samples[index] = Int32(fromFrame + Int64(index) + 1) << 16 }
            return count
        }
    }

    @Test("at full speed, no frame is lost however late segments are enqueued")
    func atSpeed() throws {
        let recorder = try Recorder(VirtualSource(SequenceContent(), pace: .asFastAsRoomAllows))
        recorder.stream.start(fragmentFrames: 100)
        var frame: Int64 = 0
        for token in 1...200 {
            // Sizes that are no multiples of the source's chunks.
            recorder.enqueue(1777, token: UInt64(token))
            var event = try #require(recorder.nextEvent())
            if token == 1 {
                expectEqual(event.kind, .started)
                event = try #require(recorder.nextEvent())
            }
            expectEqual(event.kind, .segmentDone)
            expectEqual(event.frame, frame)
            let expected = (0..<1777).map { SequenceContent.sample(frame: frame + Int64($0), channel: 0) }
            expectEqual(recorder.samples(event), expected)
            frame += 1777
        }
        expectEqual(recorder.stream.position().timelineFrames, Double(frame))
        expectEqual(recorder.stream.position().overruns, 0)
        recorder.stream.close(ticket: 1)
        expectEqual(recorder.nextEvent()?.kind, .closed)
    }

    @Test("in real time, frames are captured at the sample rate and none is missing")
    func realTime() throws {
        let recorder = try Recorder(VirtualSource(SequenceContent()))
        for token in 0..<10 { recorder.enqueue(400, token: UInt64(token)) }
        let before = hostTime()
        recorder.stream.start(fragmentFrames: 80)
        expectEqual(recorder.nextEvent()?.kind, .started)
        var last: DeviceEvent?
        for index in 0..<10 {
            let event = try #require(recorder.nextEvent())
            expectEqual(event.frame, Int64(index) * 400)
            let expected = (0..<400).map {
                SequenceContent.sample(frame: event.frame + $0, channel: 0)
            }
            expectEqual(recorder.samples(event), expected)
            if let last { expectEqual(event.hostTime - last.hostTime, 50_000_000) }
            last = event
        }
        // Half a second of audio takes half a second, or longer on a busy machine.
        #expect(hostTime() - before >= 500_000_000)
        recorder.stream.close(ticket: 1)
        // A slow machine overruns meanwhile, because no segment is left.
        while let event = recorder.nextEvent(), event.kind != .closed {
            expectEqual(event.kind, .overran)
        }
    }

    @Test("a stop delivers the audio captured until then, even in the middle of a long fragment")
    func stopInsideFragment() throws {
        let recorder = try Recorder(VirtualSource(SequenceContent()))
        recorder.enqueue(80_000, token: 1)
        recorder.stream.start(fragmentFrames: 80_000)
        let before = hostTime()
        while hostTime() - before < 100_000_000 {
            recorder.stream.feed.waitForEvent(until: before + 100_000_000)
        }
        recorder.stream.stop(ticket: 3)
        let events = [recorder.nextEvent(), recorder.nextEvent(), recorder.nextEvent()]
        expectEqual(events.map { $0?.kind }, [.started, .segmentDone, .stopped])
        let done = try #require(events[1])
        #expect(done.byteCount >= 700 * 2)
        expectEqual(
            recorder.samples(done).last,
            SequenceContent.sample(
                frame: Int64(done.byteCount / 2) - 1, channel: 0))
        expectEqual(recorder.stream.granted?.requestFrames, 80_000)
        recorder.stream.close(ticket: 1)
    }

    @Test("without segments the oldest frames are lost and the timeline continues")
    func overrun() throws {
        let recorder = try Recorder(VirtualSource(SequenceContent()), heldSeconds: 0.02)
        recorder.stream.start(fragmentFrames: 80)
        expectEqual(recorder.nextEvent()?.kind, .started)
        expectEqual(recorder.nextEvent()?.kind, .overran)
        recorder.enqueue(200, token: 1)
        let done = try #require(recorder.nextEvent())
        expectEqual(done.kind, .segmentDone)
        #expect(done.frame > 0)
        expectEqual(recorder.samples(done).first, SequenceContent.sample(frame: done.frame, channel: 0))
        recorder.stream.close(ticket: 1)
    }

    @Test("calls are answered in order, at any speed", arguments: [0, 1])
    func order(pace: Int) throws {
        let source = VirtualSource(pace: pace == 0 ? .realTime : .asFastAsRoomAllows)
        let recorder = try Recorder(source)
        recorder.stream.start(fragmentFrames: 10)
        recorder.stream.pause(ticket: 1)
        recorder.stream.start(fragmentFrames: 10)
        recorder.stream.flush(ticket: 2)
        recorder.stream.reset(ticket: 3)
        recorder.stream.stop(ticket: 4)
        recorder.stream.start(fragmentFrames: 10)
        recorder.stream.close(ticket: 5)
        recorder.stream.stop(ticket: 6)
        var tickets: [UInt64] = []
        while let event = recorder.nextEvent() {
            if event.token > 0 { tickets.append(event.token) }
            if event.kind == .closed { break }
        }
        expectEqual(tickets, [1, 2, 3, 4, 5])
    }

    @Test("a pause at full speed stops the timeline, and the resumed audio follows directly")
    func pauseAtSpeed() throws {
        let recorder = try Recorder(VirtualSource(ShortContent(frames: 30_000), pace: .asFastAsRoomAllows))
        recorder.enqueue(100, token: 1)
        recorder.stream.start(fragmentFrames: 10)
        expectEqual(recorder.nextEvent()?.kind, .started)
        expectEqual(recorder.nextEvent()?.kind, .segmentDone)
        recorder.stream.pause(ticket: 1)
        expectEqual(recorder.nextEvent()?.kind, .paused)
        recorder.enqueue(100, token: 2)
        recorder.stream.start(fragmentFrames: 10)
        expectEqual(recorder.nextEvent()?.kind, .started)
        let done = try #require(recorder.nextEvent())
        expectEqual(recorder.samples(done), Array(101...200))
        recorder.stream.close(ticket: 1)
    }

    @Test("a content that ends is followed by silence, and restarts with the stream")
    func ending() throws {
        let recorder = try Recorder(VirtualSource(ShortContent(frames: 150), pace: .asFastAsRoomAllows))
        for round in 0..<2 {
            recorder.enqueue(100, token: 1)
            recorder.enqueue(100, token: 2)
            recorder.stream.start(fragmentFrames: 10)
            expectEqual(recorder.nextEvent()?.kind, .started, "round \(round)")
            let first = try #require(recorder.nextEvent())
            let second = try #require(recorder.nextEvent())
            expectEqual(recorder.samples(first), Array(1...100))
            expectEqual(recorder.samples(second), Array(101...150) + .init(repeating: 0, count: 50))
            recorder.stream.stop(ticket: 1)
            expectEqual(recorder.nextEvent()?.kind, .stopped)
        }
        recorder.stream.close(ticket: 1)
    }

    @Test(
        "the sequence is exact in every encoding of 16 bits or more",
        arguments: SampleFormat.Encoding.allCases)
    func encodings(encoding: SampleFormat.Encoding) {
        let format = SampleFormat(encoding: encoding, sampleRate: 48_000, channelLabels: [1, 2, 3])
        let generator = ContentGenerator(SequenceContent(), format: format)
        let data = unsafe generator.data(fromFrame: 65_000, frames: 1000)
        for frame in 0..<1000 {
            for channel in 0..<3 {
                let sample = SequenceContent.sample(frame: 65_000 + Int64(frame), channel: channel)
                let value = unsafe SampleKernels.value(data, frame * 3 + channel, encoding: encoding)
                if encoding == .unsigned8 {
                    expectEqual(value, Float(sample >> 8) / 128)
                } else {
                    expectEqual(value, Float(sample) / 32_768)
                }
            }
        }
    }

    @Test("after a content's end nothing of an earlier chunk is delivered")
    func silenceAfterTheEnd() {
        let format = SampleFormat(encoding: .signed16, sampleRate: 8000, channelLabels: [1])
        let generator = ContentGenerator(ShortContent(frames: 102), format: format)
        _ = unsafe generator.data(fromFrame: 0, frames: 100)
        let data = unsafe generator.data(fromFrame: 100, frames: 4)
        expectEqual(
            (0..<4).map { unsafe data.load(fromByteOffset: $0 * 2, as: Int16.self) }, [101, 102, 0, 0])
        unsafe expectEqual(generator.available(fromFrame: 103).frames, 1)
        unsafe expectEqual(generator.available(fromFrame: 104).frames, generator.chunkFrames)
    }

    @Test("a tone has its frequency and amplitude; invalid values make silence")
    func tone() {
        func samples(_ tone: ToneContent, fromFrame: Int64) -> [Int32] {
            var room = [Int32](repeating: 7, count: 8)
            unsafe room.withUnsafeMutableBufferPointer { buffer in
                unsafe expectEqual(tone.write(buffer, fromFrame: fromFrame, sampleRate: 8, channels: 1), 8)
            }
            return room
        }
        let tone = samples(ToneContent(frequency: 2, amplitude: 1), fromFrame: 1 << 40)
        expectEqual(
            tone.map { Int64($0).magnitude > 2_000_000_000 },
            [
                false, true, false, true, false, true, false, true,
            ])
        #expect(tone[1] > 0 && tone[3] < 0)
        expectEqual(
            samples(ToneContent(frequency: .nan, amplitude: 2), fromFrame: 0), .init(repeating: 0, count: 8)
        )
        expectEqual(
            samples(ToneContent(frequency: 1, amplitude: .nan), fromFrame: 0), .init(repeating: 0, count: 8)
        )
        expectEqual(samples(ToneContent(frequency: 1e300, amplitude: .infinity), fromFrame: .max).count, 8)
    }
}
