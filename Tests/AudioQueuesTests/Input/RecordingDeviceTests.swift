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
    @Suite("Devices of a recording") struct RecordingDeviceTests {
        /// Captures samples equal to their index in the sequence on a device.
        func capture(_ range: Range<Int>, on device: ManualSource) {
            unsafe counting(range).withUnsafeBytes { unsafe device.capture($0) }
        }

        // MARK: Another device

        @Test("a stopped queue continues with another device, with its buffers and those enqueued")
        func anotherDevice() throws {
            let rig = try InputRig()
            let kept = try rig.enqueue(frames: 10)
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(1))
            try rig.queue.stop(immediate: true)
            try rig.queue.enqueue(kept)
            let other = ManualSource()
            try rig.queue.setDevice(other)
            // The old device was replaced, and its audio is ignored.
            expectEqual(rig.device.openStreams, 0)
            rig.capture(0..<10)
            try rig.enqueue(frames: 10)
            try rig.queue.start()
            capture(50..<70, on: other)
            #expect(rig.waitForCallbacks(3))
            expectEqual(rig.recorded, counting(0..<10) + counting(50..<70))
            expectEqual(rig.log.all[1].buffer, kept)
            expectEqual(rig.log.all.map(\.info.sampleTime), [0, 0, 10])
            #expect(rig.log.all.allSatisfy { $0.info.lostFramesBefore == 0 })
            try rig.queue.dispose(immediate: true)
            expectEqual(other.openStreams, 0)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("the name is sent to the stream at once, and kept for another device")
        func name() throws {
            let first = StubSource()
            let queue = try InputQueue(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: first,
                configuration: InputQueue.Configuration(
                    name: "one", role: .production, iconName: "audio-input-microphone")
            ) { _, _, _ in }
            let stream = try #require(first.streams.withLock { $0.first })
            #expect(stream.configuration.streamName == "one" && queue.name == "one")
            expectEqual(stream.configuration.role, .production)
            expectEqual(stream.configuration.iconName, "audio-input-microphone")
            queue.name = "two"
            #expect(stream.calls.all == ["name two"] && queue.name == "two")
            let second = StubSource()
            try queue.setDevice(second)
            expectEqual(second.streams.withLock { $0.first }?.calls.all, ["name two"])
            queue.name = nil
            expectEqual(second.streams.withLock { $0.first }?.calls.all.last, "name of the program")
            try queue.dispose(immediate: true)
            queue.name = "three"
            expectEqual(queue.name, nil)
        }

        @Test("before the first start, only the last device captures")
        func beforeStart() throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            let other = ManualSource()
            try rig.queue.setDevice(other)
            #expect(!rig.queue.core.monitor.withLock { $0.threads.isStarted })
            try rig.queue.start()
            capture(0..<10, on: other)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, counting(0..<10))
        }

        @Test("many devices after one another leave no stream and no event")
        func manyDevices() throws {
            let rig = try InputRig()
            var devices = [rig.device]
            for round in 0..<20 {
                let device = ManualSource()
                devices.append(device)
                try rig.enqueue(frames: 10)
                try rig.queue.setDevice(device)
                try rig.queue.start()
                capture(round * 10..<round * 10 + 10, on: device)
                #expect(rig.waitForCallbacks(round + 1), "round \(round)")
                try rig.queue.stop(immediate: true)
            }
            expectEqual(rig.recorded, counting(0..<200))
            #expect(devices.dropLast().allSatisfy { $0.openStreams == 0 })
        }

        @Test("a queue that runs, is paused, or fills its last buffers keeps its device", arguments: 0..<3)
        func notStopped(state: Int) throws {
            let rig = try InputRig()
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            try rig.startAndWait()
            if state == 1 { try rig.queue.pause() }
            if state == 2 { try rig.queue.stop(immediate: false) }
            expectEqual(code { try rig.queue.setDevice(ManualSource()) }, .invalidRunState)
            expectEqual(code { try rig.queue.setChannelLabels([kAudioChannelLabel_Left]) }, .invalidRunState)
            expectEqual(code { try rig.queue.setChannelAssignments([]) }, .invalidRunState)
            if state == 1 { try rig.queue.start() }
            rig.capture(1..<20)
            #expect(rig.waitForCallbacks(2))
            expectEqual(rig.recorded, counting(0..<20))
            try rig.queue.dispose(immediate: true)
            expectEqual(code { try rig.queue.setDevice(ManualSource()) }, .disposalPending)
        }

        @Test("a device that refuses the format changes nothing")
        func refused() throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            let refusing = StubSource(streamError: DeviceError(.unsupportedFormat, "no"))
            expectEqual(code { try rig.queue.setDevice(refusing) }, .unsupportedFormat)
            try rig.startAndWait()
            rig.capture(1..<10)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, counting(0..<10))
        }

        @Test("the listeners of the device are notified, also before the first start")
        func listeners() throws {
            let rig = try InputRig()
            let reported = Seen<Bool>()
            try rig.queue.addListener(for: .device) { reported.add($0.isRunning) }
            try rig.queue.setDevice(ManualSource())
            #expect(eventually { reported.all == [false] })
            try rig.queue.setChannelLabels([kAudioChannelLabel_Left])
            try rig.queue.setDevice(ManualSource())
            #expect(eventually { reported.all == [false, false] })
        }

        @Test("a change without listeners leaves no event, and does not affect a tap")
        func nobodyListens() throws {
            let rig = try EncodingRig()
            try rig.queue.setDevice(ManualSource())
            #expect(rig.queue.core.monitor.withLock { $0.delivery.isEmpty && !$0.threads.isStarted })
            _ = try rig.queue.installTap(StubTap.changing { $0 })
            let reported = Seen<Bool>()
            try rig.queue.addListener(for: .device) { _ in reported.add(true) }
            try rig.queue.start()
            try rig.queue.stop(immediate: true)
            #expect(reported.all.isEmpty)
        }

        @Test("a callback of a stop may select another device, and the pending callbacks still run")
        func inCallback() throws {
            let other = ManualSource()
            let calls = Atomic<Int>(0)
            let problems = Seen<String>()
            // 64-bit floats, so that buffers must be converted.
            let rig = try InputRig(format: .float(bits: 64, channels: 1, sampleRate: 48000)) { queue, _, _ in
                guard calls.add(1, ordering: .relaxed).newValue == 1 else { return }
                do throws(QueueError) {
                    try queue.stop(immediate: true)
                    try queue.setDevice(other)
                } catch {
                    problems.add("\(error)")
                }
            }
            for _ in 0..<4 { try rig.enqueue(frames: 4) }
            try rig.queue.start()
            rig.capture(samples: (0..<10).map { Float($0) })
            #expect(rig.waitForCallbacks(4))
            #expect(problems.all.isEmpty)
            let recorded = rig.log.all.flatMap { recorded in
                unsafe recorded.bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Double.self)) }
            }
            expectEqual(recorded, (0..<10).map { Double($0) })
            #expect(eventually { rig.device.openStreams == 0 && other.openStreams == 1 })
            // The callbacks have run, and buffers can be enqueued again.
            #expect(eventually { rig.queue.core.monitor.withLock { !$0.delivery.isRefusing } })
            try rig.queue.enqueue(rig.log.all[0].buffer)
            try rig.queue.start()
            let samples = [Float](repeating: 0.5, count: 4)
            unsafe samples.withUnsafeBytes { unsafe other.capture($0) }
            #expect(rig.waitForCallbacks(5))
        }

        @Test("the gain and the metering are kept, and the counts until the next start")
        func settings() throws {
            let rig = try InputRig(configuration: .init(heldSeconds: 0))
            rig.queue.setInputGain(2)
            rig.queue.isMeteringEnabled = true
            try rig.startAndWait()
            #expect(eventually { rig.queue.overrunCount == 1 })
            try rig.queue.stop(immediate: true)
            let source = StubSource()
            try rig.queue.setDevice(source)
            let stream = try #require(source.streams.withLock { $0.first })
            expectEqual(stream.calls.all, ["gain 2.0", "metering true"])
            expectEqual(rig.queue.lostFrameCount, 1)
            expectEqual(rig.queue.overrunCount, 1)
            try rig.queue.start()
            expectEqual(rig.queue.lostFrameCount, 0)
        }

        @Test("packets continue with another device, and a recording there begins with the priming")
        func encoded() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 2, packets: 20)
            try rig.queue.start()
            rig.capture(0..<10)
            try rig.queue.stop(immediate: true)
            let other = ManualSource()
            try rig.queue.setDevice(other)
            for recorded in rig.log.all { try rig.queue.enqueue(recorded.buffer) }
            try rig.queue.start()
            capture(30..<41, on: other)
            try rig.queue.stop(immediate: true)
            // 3 + 10 frames are 3 packets and 1 frame; 3 + 11 are 3 and 2.
            expectEqual(
                rig.recorded,
                EncodingTests.primed + counting(0..<10) + [0, 0, 0]
                    + EncodingTests.primed + counting(30..<41) + [0, 0])
            #expect(rig.log.all.map(\.info.lostFramesBefore).allSatisfy { $0 == 0 })
        }

        // MARK: Channels

        @Test("labels are sent to the device, and their number is fixed")
        func labels() throws {
            let source = StubSource()
            let queue = try InputQueue(
                format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000), device: source
            ) { _, _, _ in }
            expectEqual(queue.channelLabels, [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
            let swapped = [kAudioChannelLabel_Right, kAudioChannelLabel_Left]
            try queue.setChannelLabels(swapped)
            expectEqual(queue.channelLabels, swapped)
            expectEqual(code { try queue.setChannelLabels([kAudioChannelLabel_Mono]) }, .invalidPropertyValue)
            expectEqual(queue.channelLabels, swapped)
            let streams = source.streams.withLock { $0 }
            expectEqual(streams.map(\.configuration.format.channelLabels).last, swapped)
            expectEqual(streams.first?.calls.all, ["close"])
        }

        @Test("channels are assigned by number, of the queue's own device, as many as there are")
        func assignments() throws {
            let source = StubSource(native: .success((48000, 4)))
            let queue = try InputQueue(
                format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000), device: source
            ) { _, _, _ in }
            func assign(_ channels: [(String, UInt32)]) -> QueueError.Code? {
                code {
                    try queue.setChannelAssignments(
                        channels.map { ChannelAssignment(deviceName: $0.0, channelNumber: $0.1) })
                }
            }
            func numbers() -> [Int]? { source.streams.withLock { $0.last }?.configuration.channelNumbers }
            expectEqual(assign([("stub", 4), ("stub", 1)]), nil)
            expectEqual(numbers(), [4, 1])
            expectEqual(assign([("stub", 1)]), .invalidPropertyValue)
            expectEqual(assign([("stub", 1), ("other", 2)]), .invalidPropertyValue)
            expectEqual(assign([("other", 1), ("other", 2)]), .invalidDevice)
            expectEqual(assign([("stub", 1), ("stub", 5)]), .invalidDevice)
            expectEqual(assign([("stub", 0), ("stub", .max)]), .invalidDevice)
            expectEqual(numbers(), [4, 1])
            try queue.setChannelLabels([kAudioChannelLabel_Right, kAudioChannelLabel_Left])
            expectEqual(numbers(), [4, 1])
            expectEqual(assign([]), nil)
            expectEqual(numbers(), nil)
            expectEqual(assign([("stub", 2), ("stub", 2)]), nil)
            // Another device has other channels.
            try queue.setDevice(source)
            expectEqual(numbers(), nil)
        }
    }
}
