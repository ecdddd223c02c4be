// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

/// A device that refuses every stream.
private struct RefusingDevice: OutputDevice {
    let name = "refusing"
    func makeStream(_ configuration: OutputStreamConfiguration) throws(DeviceError) -> any OutputStream {
        throw DeviceError(.unsupportedFormat, "cannot play anything")
    }
}

/// A device that needs 8 bits as 16.
private struct WideDevice: OutputDevice {
    let name = "wide"
    let manual = ManualDevice()
    func makeStream(_ configuration: OutputStreamConfiguration) throws(DeviceError) -> any OutputStream {
        try manual.makeStream(configuration)
    }
    func prefers(_ encoding: SampleFormat.Encoding) -> Bool { encoding != .unsigned8 }
}

extension AllTests {
    @Suite("Changing a stopped queue") struct PathTests {
        private func played(_ device: ManualDevice, _ frames: Int) -> [Int16] {
            device.render(frames: frames).first.map(samples) ?? []
        }

        @Test("another device plays the enqueued buffers, and the first releases its stream")
        func anotherDevice() throws {
            let rig = try Rig()
            let seen = Seen<Bool>()
            try rig.queue.addListener(for: .device) { _ in seen.add(true) }
            let first = try rig.enqueue(frames: 50, from: 1)
            let second = ManualDevice()
            try rig.queue.setDevice(second)
            #expect(eventually { seen.all == [true] })
            expectEqual(rig.device.openStreams, 0)
            expectEqual(second.openStreams, 1)
            try rig.startAndWait()
            expectEqual(played(second, 50), counting(1..<51))
            #expect(eventually { rig.log.all == [first] })
            try rig.queue.dispose(immediate: true)
            expectEqual(second.openStreams, 0)
        }

        @Test("a listener added after a change of the device is not notified of it")
        func nobodyListens() throws {
            let rig = try Rig()
            try rig.queue.setDevice(rig.device)
            #expect(rig.queue.core.monitor.withLock { $0.delivery.isEmpty })
            let reported = Seen<Bool>()
            try rig.queue.addListener(for: .device) { _ in reported.add(true) }
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            expectEqual(rig.render(10), counting(1..<11))
            #expect(eventually { rig.log.count == 1 })
            #expect(reported.all.isEmpty)
        }

        @Test("volume and metering are kept for another device")
        func settingsGoAlong() throws {
            let rig = try Rig()
            rig.queue.setVolume(0.5)
            rig.queue.isMeteringEnabled = true
            let second = ManualDevice()
            try rig.queue.setDevice(second)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 200)
            buffer.fill(frames: 100, from: 0)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { frames in
                for index in frames.indices { unsafe frames[index] = 1000 }
            }
            try rig.queue.enqueue(buffer)
            try rig.startAndWait()
            expectEqual(played(second, 100), [Int16](repeating: 500, count: 100))
            expectEqual(rig.queue.levels().count, 1)
        }

        @Test("a queue that is not stopped, or a device that refuses, leaves everything unchanged")
        func refused() throws {
            let rig = try Rig()
            try rig.enqueue(frames: 100, from: 1)
            expectEqual(code { try rig.queue.setDevice(RefusingDevice()) }, .unsupportedFormat)
            try rig.startAndWait()
            expectEqual(code { try rig.queue.setDevice(ManualDevice()) }, .invalidRunState)
            expectEqual(code { try rig.queue.setDecodeAhead(frames: 48000) }, .invalidRunState)
            expectEqual(
                code { try rig.queue.setOfflineRendering(format: nil, channelLabels: nil) }, .invalidRunState)
            try rig.queue.pause()
            expectEqual(code { try rig.queue.setDevice(ManualDevice()) }, .invalidRunState)
            try rig.queue.start()
            expectEqual(rig.render(100), counting(1..<101))
            try rig.queue.dispose(immediate: true)
            expectEqual(code { try rig.queue.setDevice(ManualDevice()) }, .disposalPending)
        }

        @Test("threads end with their path, however often it is replaced")
        func threadsEnd() throws {
            let rig = try Rig()
            for round in 0..<20 {
                let device = ManualDevice()
                try rig.queue.setDevice(device)
                let buffer = try rig.enqueue(frames: 20, from: round)
                try rig.startAndWait()
                expectEqual(played(device, 20), counting(round..<(round + 20)))
                #expect(eventually { rig.log.count == round + 1 })
                try rig.queue.stop(immediate: true)
                try rig.queue.free(buffer)
            }
            // At most those of the last path, once the others have ended.
            #expect(eventually { liveThreads <= 2 })
            try rig.queue.dispose(immediate: true)
            #expect(eventually { liveThreads == 0 })
            expectEqual(liveBuffers, 0)
        }

        @Test("a callback may replace the path, and the callbacks after it run")
        func fromCallback() throws {
            let second = ManualDevice()
            let failures = Seen<QueueError.Code?>()
            let calls = Atomic<Int>(0)
            let rig = try Rig { queue, _ in
                guard calls.add(1, ordering: .relaxed).newValue == 1 else { return }
                failures.add(code { try queue.stop(immediate: true) })
                failures.add(code { try queue.setDevice(second) })
            }
            for index in 0..<5 { try rig.enqueue(frames: 10, from: index) }
            try rig.startAndWait()
            rig.render(15)
            #expect(eventually { rig.log.count == 5 })
            expectEqual(failures.all, [nil, nil])
            #expect(eventually { rig.queue.core.monitor.withLock { !$0.delivery.isRefusing } })
            try rig.enqueue(frames: 10, from: 90)
            try rig.startAndWait()
            expectEqual(played(second, 10), counting(90..<100))
            #expect(eventually { rig.log.count == 6 })
        }

        @Test("stops and changes on several threads leave a playable queue")
        func race() throws {
            let rig = try Rig()
            for index in 0..<40 { try rig.enqueue(frames: 10, from: index) }
            let left = Atomic<Int>(3)
            for number in 0..<3 {
                try QueueThread.start(named: "race") {
                    for _ in 0..<50 {
                        // The results do not matter; nothing may crash.
                        _ = code {
                            switch number {
                            case 0: try rig.queue.start()
                            case 1: try rig.queue.stop(immediate: true)
                            default: try rig.queue.setDevice(rig.device)
                            }
                        }
                    }
                    left.subtract(1, ordering: .releasing)
                }
            }
            #expect(eventually(within: 30) { left.load(ordering: .acquiring) == 0 })
            try rig.queue.stop(immediate: true)
            try rig.queue.reset()
            #expect(eventually { rig.log.count == 40 })
            try rig.enqueue(frames: 10, from: 500)
            try rig.startAndWait()
            expectEqual(rig.render(10), counting(500..<510))
            try rig.queue.dispose(immediate: true)
            #expect(eventually { liveThreads == 0 })
            expectEqual(rig.device.openStreams, 0)
        }

        @Test("8 bits are converted to 16 for a device that needs that, and unchanged for others")
        func wide() throws {
            let rig = try Rig(format: .unsignedInteger(bits: 8, channels: 1, sampleRate: 48000))
            let device = WideDevice()
            try rig.queue.setDevice(device)
            expectEqual(rig.queue.core.deviceFormat.encoding, .signed16)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 4)
            let levels: [UInt8] = [0x80, 0x81, 0xff, 0]
            unsafe buffer.bytes.copyBytes(from: levels)
            buffer.byteCount = 4
            try rig.queue.enqueue(buffer)
            try rig.startAndWait()
            #expect(eventually { rig.log.all == [buffer] })
            expectEqual(played(device.manual, 6), [0, 256, 32512, -32768, 0, 0])
            try rig.queue.stop(immediate: true)
            try rig.queue.setDevice(rig.device)
            expectEqual(rig.queue.core.deviceFormat.encoding, .unsigned8)
        }

        @Test("labels and the length of decoding ahead are kept, within their limits")
        func settings() throws {
            let rig = try Rig(format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000))
            expectEqual(rig.queue.channelLabels, [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
            expectEqual(
                code { try rig.queue.setChannelLabels([kAudioChannelLabel_Mono]) }, .invalidPropertyValue)
            let swapped = [kAudioChannelLabel_Right, kAudioChannelLabel_Left]
            try rig.queue.setChannelLabels(swapped)
            expectEqual(rig.queue.channelLabels, swapped)
            expectEqual(rig.queue.core.deviceFormat.channelLabels, swapped)
            expectEqual(rig.queue.decodeAheadFrames, 12000)
            try rig.queue.setDecodeAhead(frames: 24000)
            expectEqual(rig.queue.decodeAheadFrames, 24000)
            try rig.queue.setDecodeAhead(frames: 0)
            expectEqual(rig.queue.decodeAheadFrames, 960)
            expectEqual(rig.device.openStreams, 1)
        }

        @Test("as many channels are assigned as there are, of the queue's device")
        func assignments() throws {
            let rig = try Rig()
            let own = ChannelAssignment(deviceName: "manual", channelNumber: 2)
            try rig.queue.setChannelAssignments([own])
            expectEqual(code { try rig.queue.setChannelAssignments([own, own]) }, .invalidPropertyValue)
            let other = ChannelAssignment(deviceName: "other", channelNumber: 1)
            expectEqual(code { try rig.queue.setChannelAssignments([other]) }, .invalidDevice)
            let none = ChannelAssignment(deviceName: "manual", channelNumber: 0)
            expectEqual(code { try rig.queue.setChannelAssignments([none]) }, .invalidDevice)
            try rig.queue.setChannelAssignments([])
        }

        @Test(
            "one channel that is panned plays on two from the next start on, primed or not",
            arguments: [false, true])
        func panMono(isPrimed: Bool) throws {
            let rig = try Rig()
            try rig.queue.setPan(1)
            expectEqual(rig.queue.core.deviceFormat.channels, 1)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 9600)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { frames in
                for index in frames.indices { unsafe frames[index] = 16384 }
            }
            buffer.byteCount = 9600
            try rig.queue.enqueue(buffer)
            if isPrimed { _ = try rig.queue.prime(frames: 0) }
            try rig.queue.start()
            expectEqual(rig.queue.core.deviceFormat.channels, 2)
            #expect(
                eventually { rig.queue.core.monitor.withLock { ($0.path.decoded?.framesAhead ?? 0) >= 4000 } }
            )
            let bytes = try #require(rig.device.render(frames: 3000).first)
            let sides = unsafe bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
            // Only the right channel, after a possible glide at the beginning.
            #expect(abs(sides[5998]) < 0.001)
            #expect(sides[5999] > 0.49)
        }

        @Test("mono that is assigned to one channel of the device is not panned, and starts")
        func panOfAssignedMono() throws {
            let rig = try Rig()
            try rig.queue.setPan(0.5)
            // The device's name is known from the first start on.
            try rig.startAndWait()
            let name = try #require(rig.queue.granted?.deviceName)
            try rig.queue.stop(immediate: true)
            try rig.queue.setChannelAssignments([ChannelAssignment(deviceName: name, channelNumber: 2)])
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            expectEqual(rig.queue.core.deviceFormat.channels, 1)
            expectEqual(rig.render(10), counting(1..<11))
        }
    }
}
