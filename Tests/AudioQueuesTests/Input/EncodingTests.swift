// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQExpectations
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Recording packets") struct EncodingTests {
        static let primed: [Int16] = [0, 0, 0]

        /// The frames of a recording: the priming, the captured ones, and the silence that fills the last packet.
        static func packets(of captured: Range<Int>, padding: Int = 0) -> [Int16] {
            primed + counting(captured) + [Int16](repeating: 0, count: padding)
        }

        @Test("packets are in order, with no frame lost or repeated, from the priming to the remainder")
        func order() throws {
            let rig = try EncodingRig()
            try rig.enqueue(buffers: 4, packets: 3)
            try rig.queue.start()
            for start in stride(from: 0, to: 1000, by: 10) {
                rig.capture(start..<start + 10)
                // Blocks are of 12 frames.
                #expect(rig.waitForEncoder(frames: (start + 10) / 12 * 12))
            }
            try rig.queue.stop(immediate: true)
            // 3 + 1000 frames are 250 packets and 3 frames.
            expectEqual(rig.recorded, Self.packets(of: 0..<1000, padding: 1))
            expectEqual(rig.queue.primingFrames, 3)
            expectEqual(rig.queue.remainderFrames, 1)
            expectEqual(rig.queue.overrunCount, 0)
            let full = rig.log.all.filter { $0.packets.count == 3 }
            expectEqual(full.count, 251 / 3)
            expectEqual(rig.log.all.map(\.info.packetCount), rig.log.all.map(\.packets.count))
            #expect(rig.log.all.allSatisfy { $0.byteCount == $0.packets.map(\.count).reduce(0, +) })
            #expect(rig.log.all.allSatisfy { $0.info.lostFramesBefore == 0 })
            expectEqual(full.map(\.info.sampleTime), full.indices.map { Double($0 * 12 - 3) })
        }

        @Test("the metadata that a file needs is known before the recording")
        func properties() throws {
            let rig = try EncodingRig()
            expectEqual(rig.queue.magicCookie, [1, 2, 3])
            expectEqual(rig.queue.maximumOutputPacketSize, 10)
            expectEqual(rig.queue.primingFrames, 3)
            expectEqual(rig.queue.remainderFrames, 0)
            expectEqual(rig.queue.format.mFramesPerPacket, 4)
            expectEqual(rig.queue.converterError, nil)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 39)
            unsafe expectEqual(buffer.packetDescriptions.count, 3)
            let roomy = try rig.queue.allocateBuffer(byteCapacity: 39, packetDescriptionCapacity: 7)
            unsafe expectEqual(roomy.packetDescriptions.count, 7)
            let tiny = try rig.queue.allocateBuffer(byteCapacity: 9)
            expectEqual(code { try rig.queue.enqueue(tiny) }, .invalidArgument)
        }

        @Test("a stop delivers all audio captured before it, and returns the other buffers empty")
        func stop() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 4, packets: 5)
            try rig.queue.start()
            rig.capture(0..<22)
            try rig.queue.stop(immediate: true)
            // 25 frames are 6 packets and a quarter.
            expectEqual(rig.recorded, Self.packets(of: 0..<22, padding: 3))
            expectEqual(rig.log.all.map(\.info.packetCount), [5, 2, 0, 0])
            expectEqual(rig.log.all.map(\.info.sampleTime), [-3, 17, 25, 25])
            expectEqual(rig.queue.remainderFrames, 3)
            #expect(!rig.queue.isRunning)
        }

        @Test("audio without a buffer at a stop is left out, and not counted as a remainder")
        func stopWithoutRoom() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 1, packets: 2)
            try rig.queue.start()
            rig.capture(0..<8)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, Self.packets(of: 0..<5))
            expectEqual(rig.queue.remainderFrames, 0)
            expectEqual(rig.queue.overrunCount, 0)
        }

        @Test("each recording begins with its own priming and its own times")
        func again() throws {
            let rig = try EncodingRig { _, _, _ in }
            for _ in 0..<3 {
                try rig.enqueue(buffers: 3, packets: 8)
                try rig.queue.start()
                rig.capture(5..<20)
                try rig.queue.stop(immediate: true)
            }
            let one = Self.packets(of: 5..<20, padding: 2)
            expectEqual(rig.recorded, one + one + one)
            expectEqual(rig.log.all.filter { $0.info.packetCount > 0 }.map(\.info.sampleTime), [-3, -3, -3])
            expectEqual(rig.queue.remainderFrames, 2)
        }

        @Test("stop(immediate: false) fills the enqueued buffers, and then stops")
        func stopAfterEnqueued() throws {
            let rig = try EncodingRig { _, _, _ in }
            let ran = Seen<Bool>()
            try rig.queue.addListener(for: .isRunning) { ran.add($0.isRunning) }
            try rig.enqueue(buffers: 2, packets: 2)
            try rig.queue.start()
            rig.capture(0..<4)
            #expect(eventually { rig.queue.isRunning })
            try rig.queue.stop(immediate: false)
            for start in stride(from: 4, to: 40, by: 4) {
                rig.capture(start..<start + 4)
                if start < 16 { #expect(rig.waitForEncoder(frames: (start + 4) / 8 * 8)) }
            }
            #expect(eventually { ran.all == [true, false] })
            expectEqual(rig.recorded, Self.packets(of: 0..<13))
            expectEqual(rig.log.all.map(\.info.packetCount), [2, 2])
        }

        @Test("flush returns the complete packets; further frames come with the next buffer")
        func flush() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 3, packets: 10)
            try rig.queue.start()
            rig.capture(0..<4)
            try rig.queue.flush()
            // 7 frames make no packet that 5 frames follow.
            #expect(rig.waitForEncoder(frames: 4))
            #expect(rig.log.all.isEmpty)
            rig.capture(4..<15)
            try rig.queue.flush()
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.log.all.map(\.info.packetCount), [3])
            rig.capture(15..<20)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, Self.packets(of: 0..<20, padding: 1))
            expectEqual(rig.log.all.map(\.info.sampleTime), [-3, 9, 21])
        }

        @Test("a pause is not in the packets or on their timeline")
        func pause() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 3, packets: 10)
            try rig.queue.start()
            rig.capture(0..<9)
            try rig.queue.pause()
            rig.capture(100..<200)
            try rig.queue.start()
            rig.capture(9..<20)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, Self.packets(of: 0..<20, padding: 1))
            expectEqual(rig.log.all[0].info.lostFramesBefore, 0)
        }

        @Test("reset returns every buffer; the packets continue after those before")
        func reset() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.queue.reset()
            try rig.enqueue(buffers: 3, packets: 10)
            try rig.queue.start()
            rig.capture(0..<15)
            try rig.queue.reset()
            expectEqual(rig.log.all.map(\.info.packetCount), [3, 0, 0])
            try rig.enqueue(buffers: 2, packets: 10)
            rig.capture(15..<20)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, Self.packets(of: 0..<20, padding: 1))
        }

        @Test("buffers enqueued on a stopped queue are returned by a reset")
        func resetStopped() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 2, packets: 1)
            try rig.queue.reset()
            expectEqual(rig.log.all.map(\.byteCount), [0, 0])
        }

        @Test("captured audio waits for a buffer, up to one for each allocated buffer and one more")
        func waits() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 2, packets: 2)
            try rig.queue.start()
            // Three blocks of 8 frames.
            rig.capture(0..<24)
            #expect(rig.waitForCallbacks(2))
            rig.capture(24..<32)
            expectEqual(rig.queue.overrunCount, 0)
            for recorded in rig.log.all { try rig.queue.enqueue(recorded.buffer) }
            #expect(rig.waitForCallbacks(3))
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, Self.packets(of: 0..<29))
        }

        @Test("while a callback blocks, capture continues, and the audio is encoded afterwards")
        func slowCallback() throws {
            let isOpen = Seen<Bool>()
            let rig = try EncodingRig { queue, buffer, _ in
                _ = eventually { !isOpen.all.isEmpty }
                try? queue.enqueue(buffer)
            }
            try rig.enqueue(buffers: 4, packets: 2)
            try rig.queue.start()
            rig.capture(0..<16)
            #expect(rig.waitForCallbacks(1))
            rig.capture(16..<40)
            isOpen.add(true)
            #expect(rig.waitForEncoder(frames: 40))
            try rig.queue.stop(immediate: true)
            expectEqual(rig.queue.overrunCount, 0)
            expectEqual(rig.recorded.prefix(43), Self.packets(of: 0..<40)[...])
        }

        @Test("a queue that is disposed of or released while it encodes frees everything")
        func dispose() throws {
            for _ in 0..<20 {
                let rig = try EncodingRig()
                try rig.enqueue(buffers: 3, packets: 2)
                try rig.queue.start()
                rig.capture(0..<50)
                try rig.queue.dispose(immediate: true)
                let callbacks = rig.log.all.count
                expectEqual(code { try rig.queue.start() }, .disposalPending)
                expectEqual(rig.log.all.count, callbacks)
            }
            do {
                let rig = try EncodingRig()
                try rig.enqueue(buffers: 3, packets: 2)
                try rig.queue.start()
                rig.capture(0..<50)
            }
            #expect(eventually { liveBuffers == 0 })
            #expect(eventually { liveQueues == 0 })
        }

        @Test("an encoder that fails stops the queue, which reports the reason, and may start again")
        func failure() throws {
            let rig = try EncodingRig(failsAtFrame: 30) { _, _, _ in }
            let seen = Seen<InputQueue.Property>()
            for property in [InputQueue.Property.converterError, .isRunning, .failure] {
                try rig.queue.addListener(for: property) { _ in seen.add(property) }
            }
            try rig.enqueue(buffers: 4, packets: 2)
            try rig.queue.start()
            rig.capture(0..<20)
            #expect(rig.waitForEncoder(frames: 16))
            rig.capture(20..<40)
            #expect(eventually { rig.queue.failure != nil })
            expectEqual(rig.queue.failure, QueueError(.codecNotFound, "cannot encode: worn out"))
            expectEqual(rig.queue.converterError, rig.queue.failure)
            #expect(eventually { seen.all == [.isRunning, .converterError, .isRunning, .failure] })
            // The packets before the failure are there, and every buffer is returned.
            expectEqual(rig.recorded, Self.packets(of: 0..<17))
            expectEqual(rig.log.all.count, 4)
            try rig.enqueue(buffers: 3, packets: 8)
            try rig.queue.start()
            rig.capture(0..<10)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.queue.failure, nil)
            expectEqual(rig.recorded.suffix(16), Self.packets(of: 0..<10, padding: 3)[...])
        }
    }
}
