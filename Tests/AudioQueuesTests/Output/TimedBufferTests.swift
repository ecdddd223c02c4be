// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Buffers with parameters and times") struct TimedBufferTests {
        /// Enqueues 16-bit frames of one value.
        @discardableResult
        private func enqueue(
            _ rig: Rig, value: Int16, frames: Int, trimStart: Int = 0, events: [QueueParameterEvent] = [],
            at startFrames: Double? = nil
        ) throws -> Double? {
            let buffer = try rig.queue.allocateBuffer(byteCapacity: frames * 2)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { samples in
                for index in samples.indices { unsafe samples[index] = value }
            }
            buffer.byteCount = frames * 2
            return try unsafe rig.queue.enqueue(
                buffer, packetDescriptions: nil, trimFramesAtStart: trimStart, trimFramesAtEnd: 0,
                events: events, startFrames: startFrames)
        }

        private func constant(_ value: Int16, _ frames: Int) -> [Int16] {
            Array(repeating: value, count: frames)
        }

        @Test("the volume changes at the buffer's first frame, and is reported then")
        func volume() throws {
            let rig = try Rig()
            try enqueue(rig, value: 1000, frames: 100)
            try enqueue(rig, value: 1000, frames: 100, events: [.volume(0.5, rampSeconds: 0)])
            try enqueue(
                rig, value: 1000, frames: 100,
                events: [.volume(0.1, rampSeconds: 0), .volume(1, rampSeconds: 0)])
            try rig.startAndWait()
            expectEqual(rig.queue.volume, 1)
            expectEqual(rig.render(200), constant(1000, 100) + constant(500, 100))
            #expect(eventually { rig.queue.volume == 0.5 })
            expectEqual(rig.render(100), constant(1000, 100))
            #expect(eventually { rig.queue.volume == 1 })
        }

        @Test("a completely trimmed buffer changes the volume in order")
        func trimmedAway() throws {
            let rig = try Rig()
            try enqueue(rig, value: 1000, frames: 50)
            try enqueue(rig, value: 1000, frames: 50, trimStart: 50, events: [.volume(0.5, rampSeconds: 0)])
            try enqueue(rig, value: 1000, frames: 50)
            try rig.startAndWait()
            expectEqual(rig.render(100), constant(1000, 50) + constant(500, 50))
        }

        @Test("a buffer dropped by a stop changes nothing")
        func dropped() throws {
            let rig = try Rig()
            try enqueue(rig, value: 1000, frames: 100)
            try enqueue(rig, value: 1000, frames: 100, events: [.volume(0, rampSeconds: 0), .playRate(2)])
            try rig.startAndWait()
            rig.render(50)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.queue.volume, 1)
            expectEqual(rig.queue.playRate, 1)
            try enqueue(rig, value: 1000, frames: 100)
            try rig.startAndWait()
            expectEqual(rig.render(100), constant(1000, 100))
        }

        @Test("a buffer dropped by a stop changes nothing after a tap either, nor on the next path")
        func droppedBehindTap() throws {
            let rig = try Rig()
            _ = try rig.queue.installTap(StubTap.changing { $0 })
            try enqueue(rig, value: 1000, frames: 48_000)
            try enqueue(rig, value: 1000, frames: 100, events: [.playRate(2), .pan(1), .pitch(cents: 100)])
            try rig.startAndWait()
            #expect(
                eventually { rig.queue.core.monitor.withLock { ($0.path.decoded?.framesAhead ?? 0) > 0 } })
            try rig.queue.reset()
            #expect(rig.queue.playRate == 1 && rig.queue.pitchCents == 0 && rig.queue.pan == 0)
            try rig.queue.stop(immediate: true)
            try rig.queue.removeTap()
            #expect(rig.queue.playRate == 1 && rig.queue.pitchCents == 0 && rig.queue.pan == 0)
        }

        /// A tap that changes nothing, and keeps the queue's times of its audio.
        private func makeTap(_ times: Seen<Double>) -> StubTap {
            unsafe StubTap { frames, flags, audio, source in
                let read = unsafe StubTap.read(frames, audio, source)
                flags = read.flags
                if let time = try? source.queueTime(), read.frames > 0 { times.add(time.sampleTime) }
                return read.frames
            }
        }

        @Test(
            "a tap gets the queue's time, which a stop of either type restarts and a reset does not",
            arguments: [true, false])
        func tapTimeAfterReset(immediate: Bool) throws {
            let rig = try Rig()
            let times = Seen<Double>()
            _ = try rig.queue.installTap(makeTap(times))
            try enqueue(rig, value: 1000, frames: 4800)
            try rig.startAndWait()
            let isPlayed = eventually {
                rig.render(100)
                return ((try? rig.queue.currentTime().sampleTime) ?? 0) >= 1000
            }
            #expect(isPlayed)
            expectEqual(times.all.first, 0)
            try rig.queue.reset()
            let reached = try rig.queue.currentTime().sampleTime
            #expect(reached > 0)
            try enqueue(rig, value: 1000, frames: 4800)
            #expect(eventually { (times.all.last ?? 0) >= reached })
            expectEqual(times.all.filter { $0 == 0 }.count, 1)
            try rig.queue.stop(immediate: immediate)
            let isStopped = eventually {
                rig.render(100)
                return !rig.queue.isRunning
            }
            #expect(isStopped)
            #expect(eventually { rig.queue.core.monitor.withLock { !$0.delivery.isRefusing } })
            let countAtStop = times.all.count
            try enqueue(rig, value: 1000, frames: 4800)
            try rig.startAndWait()
            #expect(eventually { times.all.count > countAtStop })
            expectEqual(times.all.dropFirst(countAtStop).first, 0)
        }

        @Test("a tap's time continues during an underrun, as the queue's does")
        func tapTimeBehindGap() throws {
            let rig = try Rig()
            let times = Seen<Double>()
            _ = try rig.queue.installTap(makeTap(times))
            try enqueue(rig, value: 1000, frames: 4800)
            try rig.startAndWait()
            let isPlayed = eventually {
                rig.render(100)
                return ((try? rig.queue.currentTime().playedFrames) ?? 0) >= 4800
            }
            #expect(isPlayed)
            rig.render(4800)
            let count = times.all.count
            let reached = try rig.queue.currentTime().sampleTime
            #expect(reached >= 9600)
            try enqueue(rig, value: 1000, frames: 4800)
            #expect(eventually { times.all.count > count })
            // Frames rendered next are played there.
            expectEqual(times.all.dropFirst(count).first, reached)
        }

        @Test("silence fills the time before a buffer's start time, to the frame, and the time is reported")
        func startTimes() throws {
            let rig = try Rig()
            try expectEqual(enqueue(rig, value: 1, frames: 100), 0)
            try expectEqual(enqueue(rig, value: 2, frames: 100, at: 250), 250)
            // Too late: as soon as possible.
            try expectEqual(enqueue(rig, value: 3, frames: 100, at: 300), 350)
            expectEqual(code { _ = try enqueue(rig, value: 4, frames: 1, at: 299) }, .invalidArgument)
            expectEqual(code { _ = try enqueue(rig, value: 4, frames: 1, at: .infinity) }, .invalidArgument)
            try rig.startAndWait()
            expectEqual(
                rig.render(450), constant(1, 100) + constant(0, 150) + constant(2, 100) + constant(3, 100))
            try expectEqual(rig.queue.currentTime().sampleTime, 450)
            #expect(eventually { rig.log.count == 3 })
            // The queue underruns for a while, which the timeline counts.
            rig.render(50)
            try expectEqual(enqueue(rig, value: 5, frames: 10, at: 520), 520)
            expectEqual(rig.render(30), constant(0, 20) + constant(5, 10))
            try rig.queue.stop(immediate: true)
            // The timeline restarts.
            try expectEqual(enqueue(rig, value: 6, frames: 10, at: 5), 5)
            try rig.startAndWait()
            expectEqual(rig.render(15), constant(0, 5) + constant(6, 10))
        }

        @Test("times and volumes apply to decoded buffers too")
        func decoded() throws {
            // A format that no device plays directly.
            let rig = try Rig(format: .float(bits: 64, channels: 1, sampleRate: 48000))
            func enqueue(_ value: Double, _ events: [QueueParameterEvent], at startFrames: Double?) throws {
                let buffer = try rig.queue.allocateBuffer(byteCapacity: 800)
                unsafe buffer.bytes.withMemoryRebound(to: Double.self) { samples in
                    for index in samples.indices { unsafe samples[index] = value }
                }
                buffer.byteCount = 800
                _ = try unsafe rig.queue.enqueue(
                    buffer, packetDescriptions: nil, trimFramesAtStart: 0, trimFramesAtEnd: 0,
                    events: events, startFrames: startFrames)
            }
            try enqueue(0.5, [], at: 20)
            try enqueue(0.5, [.volume(0.5, rampSeconds: 0)], at: nil)
            try enqueue(0.5, [.volume(1, rampSeconds: 0)], at: 300)
            try rig.queue.prime()
            try rig.startAndWait()
            let bytes = try #require(rig.device.render(frames: 400).first)
            let played = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
            func constant(_ value: Float, _ frames: Int) -> [Float] { Array(repeating: value, count: frames) }
            expectEqual(
                played,
                constant(0, 20) + constant(0.5, 100) + constant(0.25, 100) + constant(0, 80)
                    + constant(0.5, 100))
        }

        @Test("more silences than a device accepts at once wait in order")
        func manySilences() throws {
            let rig = try Rig(format: .float(bits: 64, channels: 1, sampleRate: 48000))
            let buffers = 300
            for index in 0..<buffers {
                let buffer = try rig.queue.allocateBuffer(byteCapacity: 80)
                unsafe buffer.bytes.withMemoryRebound(to: Double.self) { samples in
                    for frame in samples.indices { unsafe samples[frame] = Double(index + 1) / 1000 }
                }
                buffer.byteCount = 80
                _ = try unsafe rig.queue.enqueue(
                    buffer, packetDescriptions: nil, trimFramesAtStart: 0, trimFramesAtEnd: 0, events: [],
                    startFrames: Double(index * 20))
            }
            try rig.startAndWait()
            var played: [Float] = []
            while played.count < buffers * 20 - 10 {
                let piece = try #require(rig.device.render(frames: 10).first)
                played += unsafe piece.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
                let frames = played.count
                // No faster than segments are passed on, or there would be gaps.
                _ = eventually(within: 1) {
                    rig.queue.core.monitor.withLock { state in
                        // The last chunk is on its way before the device has it.
                        let isAllHandedOn = state.items.isEmpty && state.path.decoded?.openFrames == 0
                        return isAllHandedOn || state.timeline.framesOnTheWay >= frames + 200
                    }
                }
            }
            for index in 0..<buffers {
                let start = index * 20
                #expect(played[start..<(start + 10)].allSatisfy { abs($0 - Float(index + 1) / 1000) < 1e-6 })
            }
            #expect(eventually { rig.log.count == buffers })
        }
    }
}
