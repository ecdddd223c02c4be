// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("What the device does") struct DeviceNoticeTests {
        @Test(
            "a device that fails returns every buffer, and reports the reason",
            arguments: [
                (DeviceError.Code.connectionLost, QueueError.Code.queueInvalidated),
                (.noServer, .cannotStart), (.noSuchDevice, .invalidDevice), (.refused, .cannotStart),
                (.unsupportedFormat, .unsupportedFormat),
            ])
        func failure(given: DeviceError.Code, expected: QueueError.Code) throws {
            let rig = try Rig()
            let changes = Seen<String>()
            try rig.queue.addListener(for: .isRunning) { changes.add("isRunning \($0.isRunning)") }
            try rig.queue.addListener(for: .failure) { changes.add("failure \($0.failure != nil)") }
            for index in 0..<300 { try rig.enqueue(frames: 10, from: 1 + index) }
            try rig.startAndWait()
            #expect(eventually { changes.all.count == 1 })
            rig.device.fail(DeviceError(given, "cannot play on 'x': why"))
            #expect(eventually { changes.all.count == 3 })
            expectEqual(changes.all, ["isRunning true", "isRunning false", "failure true"])
            expectEqual(rig.log.count, 300)
            expectEqual(rig.queue.failure, QueueError(expected, "cannot play on 'x': why"))
            #expect(rig.render(10).allSatisfy { $0 == 0 })
            // The next start may retry.
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            expectEqual(rig.queue.failure, nil)
            expectEqual(rig.render(10), counting(1..<11))
        }

        @Test("buffers enqueued by callbacks are refused after a device failed, as in every stop")
        func refusalAfterFailure() throws {
            let outcomes = Seen<QueueError.Code?>()
            let rig = try Rig { queue, buffer in outcomes.add(code { try queue.enqueue(buffer) }) }
            var buffers: [QueueBuffer] = []
            for index in 0..<3 { buffers.append(try rig.enqueue(frames: 10, from: 1 + 10 * index)) }
            try rig.startAndWait()
            rig.device.fail(DeviceError(.connectionLost, "cannot play on 'x': why"))
            // Buffers are returned a little before the queue gets the reason: those enqueued meanwhile are returned
            // too.
            #expect(eventually { rig.queue.failure != nil && outcomes.all.count { $0 != nil } == 3 })
            expectEqual(outcomes.all.suffix(3), Array(repeating: .enqueueDuringReset, count: 3))
            // They belong to the client, for the next attempt.
            for buffer in buffers { try rig.queue.enqueue(buffer) }
            try rig.startAndWait()
            expectEqual(rig.render(30), counting(1..<31))
        }

        @Test("a device that is lost and recovers leaves a discontinuity, and no frame is missing")
        func interruption() throws {
            let rig = try Rig()
            let changes = Seen<Bool>()
            try rig.queue.addListener(for: .device) { changes.add($0.isRunning) }
            try rig.enqueue(frames: 100, from: 1)
            try rig.startAndWait()
            let timeline = rig.queue.makeTimeline()
            let other = rig.queue.makeTimeline()
            rig.render(10)
            rig.device.interrupt()
            rig.render(10)
            rig.device.resume()
            #expect(eventually { changes.all == [true, true] })
            expectEqual(rig.render(90), counting(11..<101))
            #expect(try rig.queue.currentTime(on: timeline).isDiscontinuous)
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
            #expect(try rig.queue.currentTime(on: other).isDiscontinuous)
            try expectEqual(rig.queue.currentTime().isDiscontinuous, false)
        }

        @Test("a timeline reports the gaps on each device once, although another has its own count")
        func gapsOfDevices() throws {
            let rig = try Rig()
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            // The queue underruns.
            rig.render(20)
            try rig.queue.stop(immediate: true)
            let timeline = rig.queue.makeTimeline()
            let second = ManualDevice()
            try rig.queue.setDevice(second)
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
            second.render(frames: 20)
            #expect(try rig.queue.currentTime(on: timeline).isDiscontinuous)
            try expectEqual(rig.queue.currentTime(on: timeline).isDiscontinuous, false)
        }

        @Test("the time cannot be read before the device runs")
        func timeBeforeRunning() throws {
            let rig = try Rig()
            #expect(throws: QueueError(.invalidRunState)) { try rig.queue.currentTime() }
            try rig.startAndWait()
            let time = try rig.queue.currentTime()
            expectEqual(time.sampleTime, 0)
            expectEqual(time.playedFrames, 0)
            #expect(time.hostTime > 0)
        }

        @Test("on a device with a clock of its own, time never runs backwards")
        func monotonicTime() throws {
            let queue = try OutputQueue(
                format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000), device: VirtualDevice()
            ) { queue, buffer in try? queue.enqueue(buffer) }
            for _ in 0..<3 {
                let buffer = try queue.allocateBuffer(byteCapacity: 4 * 480)
                buffer.byteCount = 4 * 480
                try queue.enqueue(buffer)
            }
            try queue.start()
            #expect(eventually { queue.isRunning })
            var latest = -1.0
            var isMonotonic = true
            for round in 0..<200 {
                let time = try queue.currentTime().sampleTime
                if time < latest { isMonotonic = false }
                latest = time
                if round % 50 == 25 { try queue.pause() }
                if round % 50 == 40 { try queue.start() }
                if round == 120 { try queue.reset() }
                _ = eventually(within: 0.001) { false }
            }
            #expect(isMonotonic)
            #expect(latest > 0)
            try queue.stop(immediate: true)
        }

        @Test("levels are available while metering is on")
        func metering() throws {
            let rig = try Rig()
            #expect(rig.queue.levels().isEmpty)
            rig.queue.isMeteringEnabled = true
            #expect(rig.queue.isMeteringEnabled)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 9600)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { unsafe $0.update(repeating: 16384) }
            buffer.byteCount = 9600
            try rig.queue.enqueue(buffer)
            try rig.startAndWait()
            rig.render(4800)
            let level = try #require(rig.queue.levels().first)
            #expect(abs(level.peak - 0.5) < 0.01)
        }

        @Test("levels are zero while nothing is audible: after an underrun, paused, played out or stopped")
        func meteringOfSilence() throws {
            let rig = try Rig()
            let loud = [ChannelLevel(rms: 0.5, peak: 0.5)]
            let silent = [ChannelLevel(rms: 0, peak: 0)]
            func enqueue() throws {
                let buffer = try rig.queue.allocateBuffer(byteCapacity: 9600)
                unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { unsafe $0.update(repeating: 16384) }
                buffer.byteCount = 9600
                try rig.queue.enqueue(buffer)
            }
            rig.queue.isMeteringEnabled = true
            expectEqual(rig.queue.levels(), silent)
            try enqueue()
            try rig.startAndWait()
            rig.render(4800)
            expectEqual(rig.queue.levels(), loud)
            rig.render(9600)
            expectEqual(rig.queue.levels(), silent)

            try enqueue()
            rig.render(2400)
            expectEqual(rig.queue.levels(), loud)
            try rig.queue.pause()
            expectEqual(rig.queue.levels(), silent)
            try rig.queue.start()
            rig.render(960)
            expectEqual(rig.queue.levels(), loud)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.queue.levels(), silent)
            try enqueue()
            try rig.startAndWait()
            expectEqual(rig.queue.levels(), silent)

            rig.render(4800)
            expectEqual(rig.queue.levels(), loud)
            try rig.queue.stop(immediate: false)
            rig.render(960)
            expectEqual(rig.queue.levels(), silent)
        }
    }
}
