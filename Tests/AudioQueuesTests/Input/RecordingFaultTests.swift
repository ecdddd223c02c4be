// SPDX-License-Identifier: MIT

import AQExpectations
import CAQRealTime
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AQDevices
@testable import AudioQueues

extension AllTests {
    @Suite("Faults of a recording's device") struct RecordingFaultTests {
        @Test(
            "a device that fails: its captured audio is delivered, then the queue stops and reports the reason",
            arguments: [
                (DeviceError.Code.connectionLost, QueueError.Code.queueInvalidated),
                (.noServer, .cannotStart), (.noSuchDevice, .invalidDevice), (.refused, .cannotStart),
                (.unsupportedFormat, .unsupportedFormat),
            ])
        func failure(given: DeviceError.Code, expected: QueueError.Code) throws {
            let seen = Seen<String>()
            let rig = try InputRig { queue, buffer, _ in
                seen.add("\(buffer.byteCount) \(queue.isRunning) \(queue.failure == nil)")
            }
            try rig.queue.addListener(for: .isRunning) { seen.add("isRunning \($0.isRunning)") }
            try rig.queue.addListener(for: .failure) { seen.add("failure \($0.failure != nil)") }
            for _ in 0..<300 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            #expect(eventually { seen.all.count == 1 })
            rig.capture(1..<5)
            rig.device.fail(DeviceError(given, "cannot record from 'x': why"))
            #expect(eventually { seen.all.count == 303 })
            expectEqual(
                seen.all,
                ["isRunning true", "10 true true"]
                    + Array(repeating: "0 true true", count: 299)
                    + ["isRunning false", "failure true"])
            expectEqual(rig.recorded, counting(0..<5))
            expectEqual(rig.queue.failure, QueueError(expected, "cannot record from 'x': why"))
            // The next start may retry.
            try rig.enqueue(frames: 10)
            try rig.queue.start()
            expectEqual(rig.queue.failure, nil)
            rig.capture(0..<10)
            #expect(rig.waitForCallbacks(301))
            expectEqual(rig.log.all[300].info.sampleTime, 0)
        }

        @Test("a device that fails while the queue stops, is paused, or is disposed of", arguments: 0..<3)
        func failureMeanwhile(state: Int) throws {
            let rig = try InputRig()
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            switch state {
            case 0: try rig.queue.stop(immediate: false)
            case 1: try rig.queue.pause()
            default: try rig.queue.dispose(immediate: false)
            }
            rig.device.fail(DeviceError(.connectionLost, "gone"))
            if state < 2 {
                #expect(eventually { rig.queue.failure?.code == .queueInvalidated })
                expectEqual(rig.log.all.map(\.bytes.count), [2, 0, 0])
                #expect(!rig.queue.isRunning)
            } else {
                #expect(rig.log.all.isEmpty)
            }
        }

        @Test("buffers returned by a failing device do not count as the full ones that a stop waits for")
        func failureInTwoEvents() throws {
            let source = StubSource()
            let queue = try InputQueue(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: source
            ) { _, _, _ in }
            for _ in 0..<2 { try queue.enqueue(queue.allocateBuffer(byteCapacity: 40)) }
            try queue.start()
            let stream = try #require(source.streams.withLock { $0.first })
            try queue.stop(immediate: false)
            stream.feed.post(.started)
            stream.feed.post(DeviceEvent(.segmentDone, token: 1, byteCount: 40))
            stream.feed.post(DeviceEvent(.segmentDone, token: 2))
            #expect(eventually { stream.calls.all.last == "stop" })
            stream.feed.fail(DeviceError(.connectionLost, "gone"))
            stream.feed.post(.stopped, token: .max)
            #expect(eventually { queue.failure?.code == .queueInvalidated && !queue.isRunning })
        }

        @Test("a start with a pending failure is a start")
        func startDuringFailure() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try InputRig { _, _, _ in _ = eventually { !isBlocked.load(ordering: .acquiring) } }
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(1))
            rig.device.fail(DeviceError(.connectionLost, "gone"))
            // The queue gets the events that the reset's wait takes.
            try? rig.queue.reset()
            try rig.queue.start()
            isBlocked.store(false, ordering: .releasing)
            rig.capture(0..<1)
            #expect(rig.waitForCallbacks(2))
            #expect(eventually { rig.queue.isRunning })
            // The pending failure preceded the new recording.
            #expect(eventually { rig.queue.core.monitor.withLock { $0.delivery.done == $0.delivery.added } })
            #expect(rig.queue.isRunning)
            expectEqual(rig.queue.failure, nil)
        }

        @Test("a failure during a recovery begins a new timeline, and loses no count")
        func resumeDuringFailure() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try InputRig(configuration: .init(heldSeconds: 0)) { _, _, _ in
                _ = eventually { !isBlocked.load(ordering: .acquiring) }
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(1))
            // The queue's thread cannot get the event.
            try rig.queue.pause()
            rig.device.fail(DeviceError(.connectionLost, "gone"))
            try rig.queue.start()
            rig.capture(0..<5)
            try rig.enqueue(frames: 10)
            rig.capture(5..<15)
            isBlocked.store(false, ordering: .releasing)
            #expect(rig.waitForCallbacks(4))
            expectEqual(rig.log.all.map(\.bytes.count), [20, 0, 0, 20])
            expectEqual(rig.log.all[3].info.sampleTime, 5)
            expectEqual(rig.log.all[3].info.lostFramesBefore, 5)
            #expect(rig.queue.isRunning)
            expectEqual(rig.queue.failure, nil)
        }

        @Test("a device that is lost and recovers leaves silence of that length, and a discontinuity")
        func interruption() throws {
            let changes = Seen<Int>()
            let rig = try InputRig()
            try rig.queue.addListener(for: .device) { changes.add($0.interruptionCount) }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            let timeline = rig.queue.makeTimeline()
            let other = rig.queue.makeTimeline()
            rig.capture(1..<5)
            rig.device.interrupt()
            #expect(eventually { changes.all.count == 1 })
            #expect(rig.queue.isRunning)
            rig.device.resume(missingFrames: 7)
            rig.capture(12..<30)
            #expect(rig.waitForCallbacks(3))
            expectEqual(rig.recorded, counting(0..<5) + [Int16](repeating: 0, count: 7) + counting(12..<30))
            expectEqual(rig.log.all.map(\.info.lostFramesBefore), [0, 0, 0])
            #expect(eventually { changes.all.count == 2 })
            expectEqual(rig.queue.interruptionCount, 1)
            expectEqual(rig.queue.interruptedFrameCount, 7)
            #expect(try rig.queue.currentTime(on: timeline).isDiscontinuous)
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
            #expect(try rig.queue.currentTime(on: other).isDiscontinuous)
        }

        @Test("a timeline reports the gaps of each run once, although a start restarts the counts")
        func gapsOfRuns() throws {
            let rig = try InputRig(configuration: .init(heldSeconds: 0))
            try rig.startAndWait()
            rig.capture(1..<26)
            #expect(eventually { rig.queue.overrunCount == 1 })
            try rig.queue.stop(immediate: true)
            let timeline = rig.queue.makeTimeline()
            try rig.enqueue(frames: 10)
            try rig.startAndWait()
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
            rig.capture(1..<26)
            #expect(eventually { rig.queue.overrunCount == 1 })
            #expect(try rig.queue.currentTime(on: timeline).isDiscontinuous)
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
        }

        @Test("holes become silence and are counted")
        func holes() throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            try rig.startAndWait()
            rig.device.captureHole(frames: 4)
            rig.capture(5..<10)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, [0, 0, 0, 0, 0] + counting(5..<10))
            expectEqual(rig.queue.holeFrameCount, 4)
        }

        @Test("a device that never answers delays stop, reset and dispose by two seconds, not for ever")
        func deafDevice() throws {
            let source = StubSource(isDeaf: true)
            let queue = try InputQueue(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: source
            ) { _, _, _ in Issue.record("a callback without a device") }
            try queue.enqueue(queue.allocateBuffer(byteCapacity: 20))
            try queue.start()
            for call in [
                { try queue.reset() }, { try queue.stop(immediate: true) },
                { try queue.dispose(immediate: true) },
            ] as [() throws -> Void] {
                let began = aq_host_time()
                try call()
                #expect((1.9...10).contains(Double(aq_host_time() - began) / 1e9))
            }
            // The buffers wait for the device, which might still write into them.
            expectEqual(liveBuffers, 1)
            let stream = try #require(source.streams.withLock { $0.first })
            stream.feed.post(.closed)
            #expect(eventually { liveBuffers == 0 })
            #expect(eventually { liveThreads == 0 })
        }

        @Test("a device that reports more frames than fit is limited to those")
        func lyingDevice() throws {
            let source = StubSource()
            let log = Seen<(Int, InputBufferInfo)>()
            let queue = try InputQueue(
                format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000), device: source
            ) { _, buffer, info in log.add((buffer.byteCount, info)) }
            for _ in 0..<4 { try queue.enqueue(queue.allocateBuffer(byteCapacity: 40)) }
            try queue.start()
            let stream = try #require(source.streams.withLock { $0.first })
            stream.feed.post(.started)
            let claims: [(bytes: Int, frame: Int64)] = [(1 << 40, 0), (-5, 3), (7, 2)]
            for (index, claim) in claims.enumerated() {
                stream.feed.post(
                    DeviceEvent(
                        .segmentDone, token: UInt64(index + 1), byteCount: claim.bytes, frame: claim.frame))
                #expect(eventually { log.all.count == index + 1 })
            }
            expectEqual(log.all.map(\.0), [40, 0, 4])
            expectEqual(log.all.map(\.1.packetCount), [10, 0, 1])
            expectEqual(log.all.map(\.1.lostFramesBefore), [0, 0, 0])
            // Tokens that were never issued, and answers to no request.
            stream.feed.post(DeviceEvent(.segmentDone, token: 1, byteCount: 40))
            stream.feed.post(.stopped, token: 99)
            stream.feed.post(.drained)
            stream.feed.post(.closed)
            stream.feed.post(DeviceEvent(.segmentDone, token: .max, byteCount: 40))
            #expect(eventually { log.all.count == 4 })
            expectEqual(log.all[3].0, 0)
            #expect(queue.isRunning)
        }
    }
}
