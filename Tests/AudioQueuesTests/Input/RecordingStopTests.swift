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
    @Suite("Stopping, resetting, disposing of a recording") struct RecordingStopTests {
        @Test("an immediate stop returns the captured audio, then empty buffers, and nothing follows")
        func stopAtOnce() throws {
            let refused = Seen<QueueError.Code?>()
            let rig = try InputRig { queue, buffer, _ in
                do throws(QueueError) { try queue.enqueue(buffer) } catch { refused.add(error.code) }
            }
            var buffers: [QueueBuffer] = []
            for _ in 0..<300 { buffers.append(try rig.enqueue(frames: 10)) }
            try rig.startAndWait()
            rig.capture(1..<7)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.log.all.map(\.buffer), buffers)
            expectEqual(rig.log.all.map(\.bytes.count), [14] + [Int](repeating: 0, count: 299))
            expectEqual(rig.recorded, counting(0..<7))
            expectEqual(rig.log.all.map(\.info.sampleTime), [0] + [Double](repeating: 7, count: 299))
            expectEqual(refused.all, Array(repeating: .enqueueDuringReset, count: 300))
            #expect(!rig.queue.isRunning)
            expectEqual(code { _ = try rig.queue.currentTime() }, .invalidRunState)
            rig.capture(7..<100)
            expectEqual(rig.log.all.count, 300)
            expectEqual(rig.queue.failure, nil)
            try rig.queue.stop(immediate: true)
            // The queue is like new: enqueueing works again, and the timeline restarts.
            try rig.queue.enqueue(buffers[0])
            try rig.queue.start()
            rig.capture(70..<80)
            #expect(rig.waitForCallbacks(301))
            expectEqual(samples(rig.log.all[300].bytes), counting(70..<80))
            expectEqual(rig.log.all[300].info.sampleTime, 0)
            expectEqual(rig.log.all[300].info.lostFramesBefore, 0)
        }

        @Test("audio captured before the stop fills the buffers it waited for")
        func heldBeforeStop() throws {
            let rig = try InputRig()
            try rig.startAndWait()
            rig.capture(1..<25)
            for _ in 0..<2 { try rig.enqueue(frames: 20) }
            try rig.queue.stop(immediate: true)
            expectEqual(rig.log.all.map(\.bytes.count), [40, 10])
            expectEqual(rig.recorded, counting(0..<25))
            expectEqual(rig.queue.overrunCount, 0)
        }

        @Test(
            "an asynchronous stop fills the enqueued buffers; isRunning falls once, after the last callback")
        func stopAfterEnqueued() throws {
            let seen = Seen<String>()
            let rig = try InputRig { queue, buffer, _ in
                do throws(QueueError) { try queue.enqueue(buffer) } catch { seen.add("\(error.code)") }
            }
            try rig.queue.addListener(for: .isRunning) { seen.add("isRunning \($0.isRunning)") }
            for _ in 0..<5 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            #expect(eventually { seen.all.count == 1 })
            try rig.queue.stop(immediate: false)
            try rig.queue.stop(immediate: false)
            let late = try rig.queue.allocateBuffer(byteCapacity: 20)
            expectEqual(code { try rig.queue.enqueue(late) }, .enqueueDuringReset)
            expectEqual(code { try rig.queue.start() }, .cannotStartYet)
            rig.capture(1..<45)
            #expect(rig.waitForCallbacks(4))
            #expect(rig.queue.isRunning)
            rig.capture(45..<90)
            #expect(eventually { !rig.queue.isRunning })
            #expect(eventually { seen.all.count == 7 })
            expectEqual(
                seen.all,
                ["isRunning true"] + Array(repeating: "enqueueDuringReset", count: 5)
                    + ["isRunning false"])
            expectEqual(rig.recorded, counting(0..<50))
            // Audio after the last buffer is not needed.
            expectEqual(rig.queue.overrunCount, 0)
            expectEqual(rig.queue.lostFrameCount, 0)
            try rig.queue.enqueue(late)
        }

        @Test("while the callbacks after a stop run, the queue counts as running")
        func runningUntilCallbacks() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try InputRig { _, _, _ in
                _ = eventually { !isBlocked.load(ordering: .acquiring) }
            }
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            rig.capture(1..<40)
            #expect(rig.waitForCallbacks(1))
            #expect(rig.queue.isRunning)
            isBlocked.store(false, ordering: .releasing)
            #expect(eventually { !rig.queue.isRunning })
            expectEqual(rig.log.all.count, 2)
        }

        @Test("with nothing enqueued, an asynchronous stop stops at once")
        func stopAfterNothing() throws {
            let seen = Seen<Bool>()
            let rig = try InputRig()
            try rig.queue.addListener(for: .isRunning) { seen.add($0.isRunning) }
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            #expect(eventually { seen.all == [true, false] })
            expectEqual(rig.queue.overrunCount, 0)
        }

        @Test("a paused queue stops as it is, and a stopping one if it is paused", arguments: [true, false])
        func stopPaused(pauseFirst: Bool) throws {
            let rig = try InputRig()
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<5)
            if pauseFirst { try rig.queue.pause() }
            try rig.queue.stop(immediate: false)
            if !pauseFirst { try rig.queue.pause() }
            #expect(eventually { !rig.queue.isRunning && rig.log.all.count == 2 })
            expectEqual(rig.log.all.map(\.bytes.count), [10, 0])
        }

        @Test("a queue that never started stops without an error and keeps its buffers")
        func stopNeverStarted() throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            try rig.queue.stop(immediate: true)
            try rig.queue.stop(immediate: false)
            #expect(rig.log.all.isEmpty)
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(1))
        }

        @Test(
            "reset returns every buffer, and capture continues in the next ones", arguments: [true, false])
        func reset(paused: Bool) throws {
            let refused = Seen<QueueError.Code?>()
            let rig = try InputRig { queue, buffer, info in
                guard info.packetCount < 10 else { return }
                do throws(QueueError) { try queue.enqueue(buffer) } catch { refused.add(error.code) }
            }
            for _ in 0..<280 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<4)
            if paused { try rig.queue.pause() }
            try rig.queue.reset()
            expectEqual(rig.log.all.map(\.bytes.count), [8] + [Int](repeating: 0, count: 279))
            expectEqual(refused.all, Array(repeating: .enqueueDuringReset, count: 280))
            #expect(rig.queue.isRunning)
            try rig.enqueue(frames: 10)
            if paused { try rig.queue.start() }
            rig.capture(4..<14)
            #expect(rig.waitForCallbacks(281))
            expectEqual(samples(rig.log.all[280].bytes), counting(4..<14))
            expectEqual(rig.log.all[280].info.sampleTime, 4)
            expectEqual(rig.log.all[280].info.lostFramesBefore, 0)
        }

        @Test("reset of a stopped queue returns its buffers, and of a stopping one stops it")
        func resetStopped() throws {
            let rig = try InputRig()
            try rig.queue.reset()
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.queue.reset()
            expectEqual(rig.log.all.map(\.bytes.count), [0, 0, 0])
            try rig.enqueue(frames: 10)
            try rig.startAndWait()
            try rig.queue.stop(immediate: false)
            try rig.queue.reset()
            expectEqual(rig.log.all.map(\.bytes.count), [0, 0, 0, 2])
            #expect(!rig.queue.isRunning)
        }

        @Test("the next start restarts the timeline and the counts, whatever was lost before")
        func restart() throws {
            let rig = try InputRig(configuration: .init(heldSeconds: 0))
            try rig.startAndWait()
            rig.capture(1..<100)
            #expect(eventually { rig.queue.lostFrameCount == 100 })
            try rig.queue.stop(immediate: true)
            expectEqual(rig.queue.overrunCount, 1)
            try rig.enqueue(frames: 10)
            try rig.queue.start()
            expectEqual(rig.queue.overrunCount, 0)
            rig.capture(0..<10)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.log.all[0].info.sampleTime, 0)
            expectEqual(rig.log.all[0].info.lostFramesBefore, 0)
            try expectEqual(rig.queue.currentTime().sampleTime, 10)
        }

        @Test("after dispose every call reports it, and no callback follows", arguments: [true, false])
        func dispose(immediate: Bool) throws {
            let rig = try InputRig()
            let buffer = try rig.enqueue(frames: 10)
            try rig.startAndWait()
            try rig.queue.dispose(immediate: immediate)
            #expect(eventually { liveBuffers == 0 })
            rig.capture(1..<30)
            let queue = rig.queue
            let calls: [() throws -> Void] = [
                { try queue.start() }, { try queue.pause() }, { try queue.stop(immediate: true) },
                { try queue.stop(immediate: false) }, { try queue.flush() }, { try queue.reset() },
                { try queue.enqueue(buffer) }, { try queue.free(buffer) },
                { _ = try queue.allocateBuffer(byteCapacity: 10) }, { _ = try queue.currentTime() },
                { try queue.dispose(immediate: true) }, { try queue.dispose(immediate: false) },
            ]
            for call in calls { expectEqual(code(call), .disposalPending) }
            #expect(!queue.isRunning)
            #expect(rig.log.all.isEmpty)
            expectEqual(rig.device.openStreams, 0)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("releasing the queue ends it: no thread, buffer or stream remains", arguments: 0..<4)
        func letGo(stage: Int) throws {
            let device = ManualSource()
            do {
                let queue = try InputQueue(
                    format: .signedInteger(bits: 8, channels: 1, sampleRate: 48000), device: device
                ) { queue, buffer, _ in try? queue.enqueue(buffer) }
                if stage > 0 { try queue.enqueue(queue.allocateBuffer(byteCapacity: 100)) }
                if stage > 1 { try queue.start() }
                if stage > 2 { device.captureSilence(frames: 1000) }
            }
            #expect(eventually { liveQueues == 0 })
            #expect(eventually { liveBuffers == 0 })
            #expect(eventually { liveThreads == 0 })
            expectEqual(device.openStreams, 0)
        }
    }
}
