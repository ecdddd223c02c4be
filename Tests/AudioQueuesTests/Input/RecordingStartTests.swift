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
    @Suite("Starting a recording") struct RecordingStartTests {
        static let format = AudioStreamBasicDescription.signedInteger(
            bits: 16, channels: 1, sampleRate: 48000)

        @Test("waiting for the start ends once the device captures")
        func runs() throws {
            let rig = try InputRig()
            try rig.queue.start()
            let waiting = ThreadStatus.ofThisThread
            try QueueThread.start(named: "capture") {
                _ = eventually { waiting.isAsleep }
                rig.capture(0..<1)
            }
            let began = aq_host_time()
            try rig.queue.awaitStart()
            #expect(Double(aq_host_time() - began) / 1e9 < 1.9)
            #expect(rig.queue.isRunning)
            // Nothing is left to wait for.
            try rig.queue.awaitStart()
            try rig.queue.stop(immediate: true)
            try rig.queue.awaitStart()
            #expect(Double(aq_host_time() - began) / 1e9 < 1.9)
            #expect(eventually { liveThreads == 1 })
        }

        @Test("the device's failure is the result, although no callback can run")
        func fails() throws {
            let lock = Monitor<Int>(0)
            let rig = try InputRig { _, _, _ in lock.withLock { $0 += 1 } }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            try lock.withLock { (_: inout Int) -> Void in
                try rig.queue.start()
                rig.device.fail(DeviceError(.noSuchDevice, "no such thing"))
                let began = aq_host_time()
                expectEqual(code { try rig.queue.awaitStart() }, .invalidDevice)
                #expect(Double(aq_host_time() - began) / 1e9 < 1.9)
                // The queue has stopped: it can use another device.
                try rig.queue.setDevice(ManualSource())
            }
            #expect(eventually { rig.queue.failure?.code == .invalidDevice })
            #expect(rig.waitForCallbacks(3))
            // And started again.
            try rig.queue.start()
            expectEqual(rig.queue.failure, nil)
        }

        @Test("a slow device is waited for at most two seconds, without an error")
        func slow() throws {
            let source = StubSource()
            let queue = try InputQueue(format: Self.format, device: source) { _, _, _ in }
            try queue.start()
            let began = aq_host_time()
            try queue.awaitStart()
            #expect((1.9...10).contains(Double(aq_host_time() - began) / 1e9))
        }

        @Test("a stop, a pause or the disposal by another thread ends the wait", arguments: 0..<3)
        func endsEarly(call: Int) throws {
            let queue = try InputQueue(format: Self.format, device: StubSource()) { _, _, _ in }
            try queue.start()
            let waiting = ThreadStatus.ofThisThread
            try QueueThread.start(named: "stop") {
                _ = eventually { waiting.isAsleep }
                switch call {
                case 0: try? queue.stop(immediate: false)
                case 1: try? queue.pause()
                default: try? queue.dispose(immediate: true)
                }
            }
            let began = aq_host_time()
            try queue.awaitStart()
            #expect(Double(aq_host_time() - began) / 1e9 < 1.9)
        }

        @Test("in a callback of any queue there is no wait")
        func inCallback() throws {
            let waiting = try InputQueue(format: Self.format, device: StubSource()) { _, _, _ in }
            let seconds = Seen<Double>()
            let rig = try InputRig { _, _, _ in
                let began = aq_host_time()
                try? waiting.start()
                try? waiting.awaitStart()
                seconds.add(Double(aq_host_time() - began) / 1e9)
            }
            try rig.enqueue(frames: 10)
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(eventually { seconds.all.count == 1 })
            #expect(seconds.all.allSatisfy { $0 < 1.9 })
        }

        @Test("a host time is passed to the device of a stopped queue only")
        func hostTime() throws {
            let source = StubSource()
            let queue = try InputQueue(format: Self.format, device: source) { _, _, _ in }
            let later = aq_host_time() + 30_000_000_000
            expectEqual(code { try queue.start(atHostTime: later + 60_000_000_000) }, .invalidArgument)
            expectEqual(code { try queue.start(atHostTime: .max) }, .invalidArgument)
            let stream = try #require(source.streams.withLock { $0.first })
            #expect(stream.calls.all.isEmpty)
            try queue.start(atHostTime: later)
            expectEqual(stream.calls.all, ["start 4800 at \(later)"])
            // It counts as started, without a wait of half a minute.
            let began = aq_host_time()
            try queue.awaitStart()
            #expect(Double(aq_host_time() - began) / 1e9 < 1.9)
            try queue.start(atHostTime: later + 1)
            try queue.start()
            try queue.pause()
            try queue.start(atHostTime: later + 2)
            expectEqual(stream.calls.all, ["start 4800 at \(later)", "pause", "start 4800"])
        }

        @Test("a time that has passed means now")
        func passed() throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            try rig.queue.start(atHostTime: 1)
            rig.capture(0..<10)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, counting(0..<10))
            expectEqual(rig.log.all[0].info.sampleTime, 0)
        }
    }
}
