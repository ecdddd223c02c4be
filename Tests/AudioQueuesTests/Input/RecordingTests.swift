// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CAQRealTime
import CoreAudioTypes
import Glibc
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Recording") struct RecordingTests {
        @Test("buffers are returned full, in the order of enqueueing, with no frame lost or repeated")
        func order() throws {
            let rig = try InputRig { queue, buffer, _ in try? queue.enqueue(buffer) }
            // More than the device's feed holds.
            var buffers: [QueueBuffer] = []
            for _ in 0..<300 { buffers.append(try rig.enqueue(frames: 10)) }
            try rig.startAndWait()
            for start in stride(from: 1, to: 10_000, by: 101) {
                rig.capture(start..<min(start + 101, 10_000))
                #expect(rig.waitForCallbacks(min(start + 101, 10_000) / 10))
            }
            expectEqual(rig.log.all.map(\.buffer), (0..<1000).map { buffers[$0 % 300] })
            expectEqual(rig.recorded, counting(0..<10_000))
            expectEqual(rig.log.all.map(\.info.sampleTime), [Double](stride(from: 0, to: 10_000, by: 10)))
            #expect(rig.log.all.allSatisfy { $0.info.packetCount == 10 && $0.info.lostFramesBefore == 0 })
            expectEqual(rig.queue.overrunCount, 0)
            try rig.queue.stop(immediate: true)
        }

        @Test("host times are those of the first frames")
        func hostTimes() throws {
            // The manual source captures the last frame at the time of the call.
            let before = aq_host_time() - 14_400 * 1_000_000_000 / 48_000
            let rig = try InputRig()
            for _ in 0..<3 { try rig.enqueue(frames: 4800) }
            try rig.startAndWait()
            // The other frames were not captured before the first one.
            usleep(310_000)
            rig.capture(1..<14_400)
            #expect(rig.waitForCallbacks(3))
            let times = rig.log.all.map(\.info.hostTime)
            #expect(times.allSatisfy { (before..<aq_host_time()).contains($0) })
            // A tenth of a second apart, because the last two were captured at one time.
            #expect(abs(Int64(times[2] - times[1]) - 100_000_000) < 1000)
        }

        @Test("a buffer whose size is no whole number of frames is filled with the whole ones")
        func oddCapacity() throws {
            let rig = try InputRig(format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000))
            let odd = try rig.queue.allocateBuffer(byteCapacity: 11)
            try rig.queue.enqueue(odd)
            try rig.enqueue(frames: 1)
            let tiny = try rig.queue.allocateBuffer(byteCapacity: 3)
            expectEqual(code { try rig.queue.enqueue(tiny) }, .invalidArgument)
            try rig.queue.start()
            rig.capture(0..<6)
            #expect(rig.waitForCallbacks(2))
            expectEqual(rig.log.all.map { samples($0.bytes) }, [counting(0..<4), counting(4..<6)])
            expectEqual(odd.byteCount, 8)
        }

        @Test("a buffer is enqueued once, by the queue that allocated it, and not freed while it is")
        func buffers() throws {
            let rig = try InputRig()
            let other = try InputRig()
            let buffer = try rig.enqueue(frames: 10)
            expectEqual(code { try rig.queue.enqueue(buffer) }, .bufferEnqueuedTwice)
            expectEqual(code { try rig.queue.free(buffer) }, .bufferInQueue)
            expectEqual(code { try other.queue.enqueue(buffer) }, .invalidBuffer)
            expectEqual(code { try other.queue.free(buffer) }, .invalidBuffer)
            expectEqual(code { _ = try rig.queue.allocateBuffer(byteCapacity: 0) }, .invalidArgument)
            expectEqual(code { _ = try rig.queue.allocateBuffer(byteCapacity: .max) }, .invalidArgument)
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(1))
            try rig.queue.free(buffer)
            expectEqual(code { try rig.queue.free(buffer) }, .invalidBuffer)
        }

        @Test("frames without a buffer are counted as lost, and are a gap on the timeline")
        func overrun() throws {
            /// Overruns, and the frames lost and recorded, as the listener reads them.
            let reported = Seen<[Int]>()
            let rig = try InputRig(configuration: .init(heldSeconds: 0))
            try rig.queue.addListener(for: .overrun) { queue in
                let recorded = (try? queue.currentTime().playedFrames).map { Int($0) } ?? -1
                reported.add([queue.overrunCount, Int(queue.lostFrameCount), recorded])
            }
            try rig.enqueue(frames: 10)
            try rig.startAndWait()
            rig.capture(1..<25)
            #expect(rig.waitForCallbacks(1))
            #expect(eventually { reported.all == [[1, 15, 10]] })
            expectEqual(rig.queue.lostFrameCount, 15)
            let timeline = rig.queue.makeTimeline()
            try rig.enqueue(frames: 10)
            try rig.enqueue(frames: 10)
            rig.capture(25..<45)
            #expect(rig.waitForCallbacks(3))
            expectEqual(rig.recorded, counting(0..<10) + counting(25..<45))
            expectEqual(rig.log.all.map(\.info.sampleTime), [0, 25, 35])
            expectEqual(rig.log.all.map(\.info.lostFramesBefore), [0, 15, 0])
            expectEqual(rig.queue.overrunCount, 1)
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
            rig.capture(45..<50)
            #expect(eventually { reported.all == [[1, 15, 10], [2, 20, 30]] })
            let time = try rig.queue.currentTime(on: timeline)
            #expect(time.isDiscontinuous)
            expectEqual(time.sampleTime, 50)
            expectEqual(time.playedFrames, 30)
            expectEqual(rig.queue.lostFrameCount, 20)
        }

        @Test("captured audio waits for a buffer up to the limit")
        func held() throws {
            let rig = try InputRig(configuration: .init(heldSeconds: 0.01))
            try rig.queue.start()
            rig.capture(0..<480)
            try rig.enqueue(frames: 480)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, counting(0..<480))
            expectEqual(rig.queue.overrunCount, 0)
        }

        @Test("a pause is not on the timeline, and the buffer continues at its position")
        func pause() throws {
            let rig = try InputRig()
            try rig.queue.pause()
            try rig.enqueue(frames: 10)
            try rig.startAndWait()
            rig.capture(1..<5)
            try rig.queue.pause()
            try rig.queue.pause()
            rig.capture(100..<200)
            #expect(rig.queue.isRunning)
            try expectEqual(rig.queue.currentTime().sampleTime, 5)
            try rig.queue.start()
            try rig.queue.start()
            rig.capture(5..<10)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, counting(0..<10))
            expectEqual(rig.queue.lostFrameCount, 0)
        }

        @Test("flush returns the partly filled buffer, and continues with the next")
        func flush() throws {
            let rig = try InputRig()
            try rig.queue.flush()
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<4)
            try rig.queue.flush()
            #expect(rig.waitForCallbacks(1))
            rig.capture(4..<14)
            #expect(rig.waitForCallbacks(2))
            // The third remains, because it is empty.
            try rig.queue.flush()
            rig.capture(14..<24)
            #expect(rig.waitForCallbacks(3))
            expectEqual(rig.log.all.map(\.bytes.count), [8, 20, 20])
            expectEqual(rig.recorded, counting(0..<24))
            expectEqual(rig.log.all.map(\.info.sampleTime), [0, 4, 14])
        }

        @Test("isRunning is true from the first frame on, and the listener is notified once")
        func isRunning() throws {
            let seen = Seen<Bool>()
            let rig = try InputRig()
            try rig.queue.addListener(for: .isRunning) { seen.add($0.isRunning) }
            #expect(throws: QueueError(.invalidRunState)) { try rig.queue.currentTime() }
            try rig.enqueue(frames: 10)
            try rig.queue.start()
            #expect(!rig.queue.isRunning)
            #expect(throws: QueueError(.invalidRunState)) { try rig.queue.currentTime() }
            rig.capture(0..<1)
            #expect(eventually { seen.all == [true] })
            try rig.queue.pause()
            try rig.queue.start()
            rig.capture(1..<2)
            try rig.queue.stop(immediate: true)
            #expect(eventually { seen.all == [true, false] })
        }

        @Test("a removed listener is not called, and one is not called after dispose")
        func listeners() throws {
            let removed = Seen<Bool>()
            let kept = Seen<Bool>()
            let rig = try InputRig()
            let token = try rig.queue.addListener(for: .isRunning) { removed.add($0.isRunning) }
            try rig.queue.addListener(for: .isRunning) { kept.add($0.isRunning) }
            rig.queue.removeListener(token)
            rig.queue.removeListener(token)
            try rig.startAndWait()
            #expect(eventually { kept.all == [true] })
            #expect(removed.all.isEmpty)
            try rig.queue.dispose(immediate: true)
            expectEqual(kept.all, [true])
            expectEqual(code { try rig.queue.addListener(for: .device) { _ in } }, .disposalPending)
        }

        @Test("gain is sent to the device, and levels come from it")
        func levels() throws {
            let rig = try InputRig()
            #expect(rig.queue.levels().isEmpty)
            expectEqual(rig.queue.inputGain, 1)
            rig.queue.setInputGain(.nan)
            expectEqual(rig.queue.inputGain, 0)
            rig.queue.setInputGain(1e9)
            expectEqual(rig.queue.inputGain, 1000)
            rig.queue.setInputGain(2)
            rig.queue.isMeteringEnabled = true
            #expect(rig.queue.isMeteringEnabled)
            try rig.enqueue(frames: 4800)
            try rig.queue.start()
            rig.capture(samples: [Int16](repeating: 8192, count: 4800))
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, [Int16](repeating: 16384, count: 4800))
            let level = try #require(rig.queue.levels().first)
            #expect(abs(level.peak - 0.5) < 0.01)
            #expect(abs(level.rms - 0.5) < 0.01)
        }

        @Test("levels are available before any buffer is enqueued")
        func levelsWithoutBuffers() throws {
            let rig = try InputRig()
            rig.queue.isMeteringEnabled = true
            try rig.queue.start()
            rig.capture(samples: [Int16](repeating: 8192, count: 4800))
            let level = try #require(rig.queue.levels().first)
            #expect(abs(level.peak - 0.25) < 0.01)
            #expect(abs(level.rms - 0.25) < 0.01)
        }

        @Test("the device delivers as much as the smallest buffer holds, within limits")
        func fragment() throws {
            func fragment(_ frames: [Int], seconds: Double? = nil) throws -> [String] {
                let source = StubSource()
                let queue = try InputQueue(
                    format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: source,
                    configuration: .init(fragmentSeconds: seconds)
                ) { _, _, _ in }
                for count in frames {
                    try queue.enqueue(queue.allocateBuffer(byteCapacity: count * 2))
                }
                try queue.start()
                try queue.pause()
                try queue.start()
                return try #require(source.streams.withLock { $0.first }).calls.all
            }
            try expectEqual(fragment([4800, 2400, 9600]), ["start 2400", "pause", "start 2400"])
            try expectEqual(fragment([480_000]).first, "start 24000")
            try expectEqual(fragment([1]).first, "start 48")
            try expectEqual(fragment([]).first, "start 4800")
            try expectEqual(fragment([4800], seconds: 0.02).first, "start 960")
            try expectEqual(fragment([4800], seconds: .nan).first, "start 48")
        }

        @Test("the granted format can be read, and a cookie is empty")
        func properties() throws {
            let rig = try InputRig(format: .signedInteger(bits: 24, channels: 2, sampleRate: 48000))
            #expect(rig.queue.magicCookie.isEmpty)
            expectEqual(rig.queue.maximumOutputPacketSize, 6)
            try rig.enqueue(frames: 480)
            try rig.queue.start()
            expectEqual(rig.queue.granted?.requestFrames, 480)
            expectEqual(rig.queue.granted?.deviceName, "manual")
        }

        @Test(
            "deriveBufferSize returns the published values",
            arguments: [
                (44100.0, 4, 0.5, 88200, 22050), (48000, 6, 10, 0x50000, 0x50000 / 6),
                (8000, 1, 0.1, 800, 800),
                (48000, 4, 0, 4, 1), (48000, 4, -1, 4, 1), (48000, 4, .nan, 4, 1),
                (48000, 0x60000, 1, 0x60000, 1), (.infinity, 4, 1, 0x50000, 0x50000 / 4),
                (48000, 0, 0.01, 960, 480), (48000, -5, 0.01, 960, 480),
            ] as [(Double, Int, Double, Int, Int)])
        func derivedSize(rate: Double, packet: Int, seconds: Double, bytes: Int, packets: Int) {
            let format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 1, sampleRate: rate)
            let derived = InputQueue.deriveBufferSize(
                format: format, maximumPacketSize: packet, seconds: seconds)
            expectEqual(derived.bufferByteCount, bytes)
            expectEqual(derived.packetCount, packets)
        }
    }
}
