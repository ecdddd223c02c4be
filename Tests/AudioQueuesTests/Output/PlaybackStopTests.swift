// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Stopping, resetting, disposing") struct PlaybackStopTests {
        @Test("an immediate stop returns every buffer, in order, and nothing follows")
        func stopAtOnce() throws {
            let refused = Seen<QueueError.Code?>()
            let rig = try Rig { queue, buffer in
                do throws(QueueError) { try queue.enqueue(buffer) } catch { refused.add(error.code) }
            }
            var buffers: [QueueBuffer] = []
            for index in 0..<300 { buffers.append(try rig.enqueue(frames: 10, from: 1 + index)) }
            try rig.startAndWait()
            try rig.queue.stop(immediate: true)
            expectEqual(rig.log.all, buffers)
            expectEqual(refused.all, Array(repeating: .enqueueDuringReset, count: 300))
            #expect(!rig.queue.isRunning)
            expectEqual(code { _ = try rig.queue.currentTime() }, .invalidRunState)
            rig.render(100)
            expectEqual(rig.log.count, 300)
            // The queue is like new: enqueueing works again, and the timeline restarts.
            buffers[0].fill(frames: 10, from: 77)
            try rig.queue.enqueue(buffers[0])
            try rig.startAndWait()
            try expectEqual(rig.queue.currentTime().sampleTime, 0)
            expectEqual(rig.render(10), counting(77..<87))
        }

        @Test("an asynchronous stop of a primed queue returns its buffers, and does not wait for callbacks")
        func stopPrimed() throws {
            let lock = Mutex(())
            let rig = try Rig { _, _ in lock.withLock { _ in } }
            try rig.enqueue(frames: 10, from: 1)
            try rig.queue.prime()
            let began = HostClock.now
            try lock.withLock { _ in try rig.queue.stop(immediate: false) }
            #expect(HostClock.seconds(from: began, to: HostClock.now) < 1)
            #expect(eventually { rig.log.count == 1 })
        }

        @Test(
            "a listener that is notified of a stop can enqueue and start again, no matter what stopped the queue",
            arguments: [true, false])
        func startInListener(stopsInCallback: Bool) throws {
            let outcomes = Seen<QueueError.Code?>()
            let changes = Seen<Bool>()
            let rig = try Rig { queue, _ in
                if stopsInCallback { try? queue.stop(immediate: true) }
            }
            let next = try rig.queue.allocateBuffer(byteCapacity: 20)
            next.fill(frames: 10, from: 501)
            try rig.queue.addListener(for: .isRunning) { queue in
                changes.add(queue.isRunning)
                guard changes.all.count == 2 else { return }
                outcomes.add(code { try queue.enqueue(next) })
                outcomes.add(code { try queue.start() })
            }
            for index in 0..<8 { try rig.enqueue(frames: 10, from: 1 + 10 * index) }
            try rig.startAndWait()
            #expect(eventually { changes.all == [true] })
            if stopsInCallback {
                rig.render(10)
            } else {
                try rig.queue.stop(immediate: true)
            }
            #expect(eventually { outcomes.all.count == 2 })
            expectEqual(outcomes.all, [nil, nil])
            let played = rig.render { rig.log.all.last == next }
            expectEqual(played.filter { $0 > 500 }, counting(501..<511))
        }

        @Test("an asynchronous stop plays to the last frame, then isRunning is false, once")
        func stopAfterEnqueued() throws {
            let rig = try Rig()
            let seen = Seen<Bool>()
            try rig.queue.addListener(for: .isRunning) { seen.add($0.isRunning) }
            for index in 0..<300 { try rig.enqueue(frames: 10, from: 1 + index * 10) }
            try rig.startAndWait()
            #expect(eventually { seen.all == [true] })
            try rig.queue.stop(immediate: false)
            try rig.queue.stop(immediate: false)
            let late = try rig.queue.allocateBuffer(byteCapacity: 8)
            late.byteCount = 8
            expectEqual(code { try rig.queue.enqueue(late) }, .enqueueDuringReset)
            expectEqual(code { try rig.queue.start() }, .cannotStartYet)
            expectEqual(rig.render(2000), counting(1..<2001))
            #expect(rig.queue.isRunning)
            #expect(eventually { rig.log.count >= 200 })
            expectEqual(rig.render(1000), counting(2001..<3001))
            #expect(eventually { !rig.queue.isRunning && seen.all == [true, false] })
            expectEqual(rig.log.count, 300)
            expectEqual(rig.queue.underrunCount, 0)
            try rig.queue.enqueue(late)
        }

        @Test("a queue that never started stops without an error and keeps its buffers")
        func neverStarted() throws {
            let rig = try Rig()
            try rig.queue.stop(immediate: true)
            try rig.enqueue(frames: 10, from: 1)
            try rig.queue.stop(immediate: true)
            try rig.queue.stop(immediate: false)
            expectEqual(rig.log.count, 0)
            try rig.startAndWait()
            expectEqual(rig.render(10), counting(1..<11))
        }

        @Test("a paused queue resumes for an asynchronous stop")
        func stopWhilePaused() throws {
            let rig = try Rig()
            try rig.enqueue(frames: 100, from: 1)
            try rig.startAndWait()
            rig.render(10)
            try rig.queue.pause()
            try rig.queue.stop(immediate: false)
            expectEqual(rig.render(30), counting(11..<41))
            try rig.queue.pause()
            rig.render(10)
            try rig.queue.start()
            expectEqual(rig.render(60), counting(41..<101))
            #expect(eventually { !rig.queue.isRunning })
        }

        @Test("a start right after a stop plays again, and isRunning does not change")
        func restart() throws {
            let rig = try Rig()
            let seen = Seen<Bool>()
            try rig.queue.addListener(for: .isRunning) { seen.add($0.isRunning) }
            for round in 0..<50 {
                try rig.enqueue(frames: 10, from: 1 + round)
                try rig.startAndWait()
                try rig.queue.stop(immediate: true)
            }
            #expect(eventually { seen.all.count == 100 })
            expectEqual(rig.log.count, 50)
        }

        @Test("reset returns every buffer and continues with the next enqueued ones")
        func reset() throws {
            let rig = try Rig()
            for index in 0..<300 { try rig.enqueue(frames: 10, from: 1 + index) }
            try rig.startAndWait()
            rig.render(5)
            try rig.queue.reset()
            expectEqual(rig.log.count, 300)
            #expect(rig.queue.isRunning)
            try rig.enqueue(frames: 10, from: 500)
            expectEqual(rig.render(10), counting(500..<510))
            expectEqual(rig.queue.underrunCount, 0)
        }

        @Test("reset of a stopping queue stops it")
        func resetWhileStopping() throws {
            let rig = try Rig()
            try rig.enqueue(frames: 1000, from: 1)
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            try rig.queue.reset()
            #expect(!rig.queue.isRunning)
            expectEqual(rig.log.count, 1)
        }

        @Test("after dispose every call reports it, and no callback follows")
        func dispose() throws {
            let rig = try Rig()
            let buffer = try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            try rig.queue.dispose(immediate: true)
            let queue = rig.queue
            expectEqual(code { try queue.start() }, .disposalPending)
            expectEqual(code { try queue.pause() }, .disposalPending)
            expectEqual(code { try queue.flush() }, .disposalPending)
            expectEqual(code { try queue.reset() }, .disposalPending)
            expectEqual(code { try queue.prime() }, .disposalPending)
            expectEqual(code { try queue.stop(immediate: true) }, .disposalPending)
            expectEqual(code { try queue.stop(immediate: false) }, .disposalPending)
            expectEqual(code { try queue.enqueue(buffer) }, .disposalPending)
            expectEqual(code { try queue.free(buffer) }, .disposalPending)
            expectEqual(code { _ = try queue.allocateBuffer(byteCapacity: 1) }, .disposalPending)
            expectEqual(code { _ = try queue.currentTime() }, .disposalPending)
            expectEqual(code { try queue.setMagicCookie([1]) }, .disposalPending)
            expectEqual(code { try queue.addListener(for: .device) { _ in } }, .disposalPending)
            expectEqual(code { try queue.dispose(immediate: true) }, .disposalPending)
            expectEqual(code { try queue.dispose(immediate: false) }, .disposalPending)
            queue.setVolume(0.5)
            queue.isMeteringEnabled = true
            _ = queue.levels()
            expectEqual(rig.log.count, 0)
            expectEqual(rig.device.openStreams, 0)
        }

        @Test("an asynchronous dispose plays to the end, without callbacks, even without the handle")
        func disposeAfterEnqueued() throws {
            let device = ManualDevice()
            let log = CallLog()
            do {
                let queue = try OutputQueue(
                    format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device
                ) { _, buffer in log.add(buffer) }
                for index in 0..<300 {
                    let buffer = try queue.allocateBuffer(byteCapacity: 20)
                    buffer.fill(frames: 10, from: 1 + index * 10)
                    try queue.enqueue(buffer)
                }
                try queue.start()
                try queue.dispose(immediate: false)
            }
            var played: [Int16] = []
            _ = eventually {
                played += device.render(frames: 10).first.map(samples) ?? []
                return device.openStreams == 0
            }
            expectEqual(played.filter { $0 != 0 }, counting(1..<3001))
            expectEqual(log.count, 0)
            #expect(eventually { liveQueues == 0 })
        }

        @Test("releasing the queue ends it: no thread, buffer or stream remains")
        func letGo() throws {
            let device = ManualDevice()
            for isStarted in [false, true] {
                let queue = try OutputQueue(
                    format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device
                ) { _, _ in }
                let buffer = try queue.allocateBuffer(byteCapacity: 2000)
                buffer.fill(frames: 1000, from: 1)
                try queue.enqueue(buffer)
                if isStarted { try queue.start() }
            }
            #expect(eventually { device.openStreams == 0 })
            #expect(eventually { liveQueues == 0 })
            #expect(eventually { liveThreads == 0 })
            expectEqual(liveBuffers, 0)
        }
    }
}
