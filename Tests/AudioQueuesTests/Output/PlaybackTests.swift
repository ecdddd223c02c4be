// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Playback of linear PCM") struct PlaybackTests {
        @Test("data arrives sample-exact and in order, and buffers are returned in order")
        func exactOrder() throws {
            let rig = try Rig()
            var buffers: [QueueBuffer] = []
            for index in 0..<5 { buffers.append(try rig.enqueue(frames: 100, from: 1 + index * 100)) }
            try rig.startAndWait()
            expectEqual(rig.render(320) + rig.render(180), counting(1..<501))
            #expect(eventually { rig.log.count == 5 })
            expectEqual(rig.log.all, buffers)
            try rig.queue.dispose(immediate: true)
        }

        @Test("the classic loop of three buffers plays long audio without a gap")
        func threeBuffers() throws {
            let next = Atomic<Int>(1)
            let rig = try Rig { queue, buffer in
                buffer.fill(frames: 64, from: next.add(64, ordering: .relaxed).oldValue)
                try? queue.enqueue(buffer)
            }
            for _ in 0..<3 {
                try rig.enqueue(frames: 64, from: next.add(64, ordering: .relaxed).oldValue)
            }
            try rig.startAndWait()
            var played: [Int16] = []
            for step in 1...100 {
                played += rig.render(64)
                #expect(eventually { rig.log.count == step })
            }
            expectEqual(played, counting(1..<6401))
            expectEqual(rig.queue.underrunCount, 0)
            try rig.queue.stop(immediate: true)
        }

        @Test("trims are exact to the frame, and a completely trimmed buffer is returned in order")
        func trims() throws {
            let rig = try Rig()
            let first = try rig.enqueue(frames: 50, from: 1, trimStart: 10, trimEnd: 5)
            let second = try rig.enqueue(frames: 10, from: 1000, trimStart: 7, trimEnd: 3)
            let third = try rig.enqueue(frames: 10, from: 2000, trimStart: 1 << 40, trimEnd: .max)
            let fourth = try rig.enqueue(frames: 20, from: 100, trimEnd: 1)
            try rig.startAndWait()
            expectEqual(rig.render(54), counting(11..<46) + counting(100..<119))
            #expect(eventually { rig.log.count == 4 })
            expectEqual(rig.log.all, [first, second, third, fourth])
        }

        @Test("an empty queue continues in silence, counts one underrun, and plays again when fed")
        func starvation() throws {
            let rig = try Rig()
            let timeline = rig.queue.makeTimeline()
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            expectEqual(rig.render(10), counting(1..<11))
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
            expectEqual(rig.render(20), [Int16](repeating: 0, count: 20))
            rig.render(20)
            #expect(eventually { rig.queue.underrunCount == 1 })
            #expect(rig.queue.isRunning)
            #expect(try rig.queue.currentTime(on: timeline).isDiscontinuous)
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
            try rig.enqueue(frames: 10, from: 500)
            expectEqual(rig.render(10), counting(500..<510))
            try expectEqual(rig.queue.currentTime().sampleTime, 60)
        }

        @Test("a queue started without buffers is silent without an underrun")
        func startedEmpty() throws {
            let rig = try Rig()
            try rig.startAndWait()
            expectEqual(rig.render(100), [Int16](repeating: 0, count: 100))
            try rig.enqueue(frames: 10, from: 1)
            expectEqual(rig.render(10), counting(1..<11))
            expectEqual(rig.queue.underrunCount, 0)
        }

        @Test("a thousand buffers of one frame are all played")
        func tinyBuffers() throws {
            let rig = try Rig()
            for index in 0..<1000 { try rig.enqueue(frames: 1, from: index + 1) }
            try rig.startAndWait()
            let played = rig.render(step: 7) { rig.log.count == 1000 }
            expectEqual(played.filter { $0 != 0 }, counting(1..<1001))
        }

        @Test("more buffers than the device takes at once play without a gap")
        func manyBuffers() throws {
            let rig = try Rig()
            for index in 0..<400 { try rig.enqueue(frames: 32, from: 1 + index * 32) }
            try rig.startAndWait()
            var played: [Int16] = []
            for step in 1...200 {
                played += rig.render(64)
                #expect(eventually { rig.log.count == step * 2 })
            }
            expectEqual(played, counting(1..<12801))
        }

        @Test("while a callback is slow, the queue plays on all that the device has, which is 256 buffers")
        func slowCallback() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try Rig { _, _ in
                _ = eventually { !isBlocked.load(ordering: .acquiring) }
            }
            for index in 0..<StreamFeed.segmentCapacity { try rig.enqueue(frames: 8, from: 1 + index * 8) }
            try rig.startAndWait()
            let played = rig.render(step: 8) { rig.queue.playedAll(frames: 2048) }
            expectEqual(played.filter { $0 != 0 }, counting(1..<2049))
            expectEqual(rig.log.count, 1)
            isBlocked.store(false, ordering: .releasing)
            #expect(eventually { rig.log.count == StreamFeed.segmentCapacity })
        }

        @Test("a pause stops the timeline, and start resumes at the next frame")
        func pauseAndResume() throws {
            let rig = try Rig()
            try rig.enqueue(frames: 100, from: 1)
            try rig.startAndWait()
            expectEqual(rig.render(40), counting(1..<41))
            try rig.queue.pause()
            let time = try rig.queue.currentTime().sampleTime
            #expect(rig.render(40).allSatisfy { $0 == 0 })
            try expectEqual(rig.queue.currentTime().sampleTime, time)
            #expect(rig.queue.isRunning)
            try rig.queue.start()
            expectEqual(rig.render(60), counting(41..<101))
        }

        @Test("every encoding of the device is played, in either byte order")
        func encodings() throws {
            for format in [
                AudioStreamBasicDescription.unsignedInteger(bits: 8, channels: 2, sampleRate: 8000),
                .signedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: 8000),
                .signedInteger(bits: 24, channels: 2, sampleRate: 8000),
                .signedInteger(bits: 24, isBigEndian: true, channels: 2, sampleRate: 8000),
                .signedInteger(bits: 32, channels: 2, sampleRate: 8000),
                .float(isBigEndian: true, channels: 2, sampleRate: 8000),
            ] {
                let rig = try Rig(format: format)
                let bytes = Int(format.mBytesPerFrame) * 10
                let buffer = try rig.queue.allocateBuffer(byteCapacity: bytes)
                var expected: [UInt8] = []
                let sampleBytes = Int(format.mBytesPerFrame) / 2
                for index in 0..<bytes {
                    unsafe buffer.bytes[index] = UInt8(index + 1)
                    let sample = index / sampleBytes * sampleBytes
                    let place =
                        format.isBigEndian ? sample + sampleBytes - 1 - index % sampleBytes : index
                    expected.append(UInt8(place + 1))
                }
                buffer.byteCount = bytes
                try rig.queue.enqueue(buffer)
                try rig.startAndWait()
                expectEqual(rig.device.render(frames: 10), [expected], "\(format.summary)")
            }
        }

        @Test("volume scales the output, and values out of range are accepted")
        func volume() throws {
            let rig = try Rig()
            rig.queue.setVolume(0.5)
            expectEqual(rig.queue.volume, 0.5)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 200)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { unsafe $0.update(repeating: 1000) }
            buffer.byteCount = 200
            try rig.queue.enqueue(buffer)
            try rig.startAndWait()
            #expect(rig.render(50).suffix(20).allSatisfy { $0 == 500 })
            for (given, kept) in [(7, 1), (-1, 0), (Float.nan, 0), (.infinity, 1)] as [(Float, Float)] {
                rig.queue.setVolume(given, rampSeconds: -.infinity)
                expectEqual(rig.queue.volume, kept)
            }
        }

        @Test("prime counts the prepared frames, and start then plays them")
        func prime() throws {
            let rig = try Rig()
            try expectEqual(rig.queue.prime(), 0)
            try rig.enqueue(frames: 100, from: 1, trimStart: 10)
            try rig.enqueue(frames: 50, from: 101)
            try expectEqual(rig.queue.prime(frames: 20), 140)
            #expect(throws: QueueError.self) { try rig.queue.prime(frames: -1) }
            #expect(!rig.queue.isRunning)
            try rig.startAndWait()
            expectEqual(rig.render(140), counting(11..<151))
        }
    }
}

extension OutputQueue {
    func playedAll(frames: Int) -> Bool {
        do { return try currentTime().playedFrames >= Double(frames) } catch { return false }
    }
}
