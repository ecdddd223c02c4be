// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    /// The queue's parameters compared with the played audio.
    @Suite("Parameters in force") struct ParametersInForceTests {
        /// Enqueues 16-bit samples of 1000.
        private func enqueue(_ rig: Rig, samples: Int, _ events: [QueueParameterEvent] = []) throws {
            let buffer = try rig.queue.allocateBuffer(byteCapacity: samples * 2)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { unsafe $0.update(repeating: 1000) }
            buffer.byteCount = samples * 2
            _ = try unsafe rig.queue.enqueue(
                buffer, packetDescriptions: nil, trimFramesAtStart: 0, trimFramesAtEnd: 0, events: events,
                startFrames: nil)
        }

        private func constant(_ value: Int16, _ samples: Int) -> [Int16] {
            Array(repeating: value, count: samples)
        }

        @Test("a buffer's volume is reported while it is audible, and after a stop during it, which keeps it")
        func stopInBuffer() throws {
            let rig = try Rig()
            try enqueue(rig, samples: 100, [.volume(0.5, rampSeconds: 0)])
            try rig.startAndWait()
            expectEqual(rig.queue.volume, 1)
            expectEqual(rig.render(50), constant(500, 50))
            expectEqual(rig.queue.volume, 0.5)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.queue.volume, 0.5)
            try enqueue(rig, samples: 100)
            try rig.startAndWait()
            expectEqual(rig.render(50), constant(500, 50))
            expectEqual(rig.queue.volume, 0.5)
            // And kept for another device.
            try rig.queue.stop(immediate: true)
            let second = ManualDevice()
            try rig.queue.setDevice(second)
            expectEqual(rig.queue.volume, 0.5)
            try enqueue(rig, samples: 50)
            try rig.startAndWait()
            expectEqual(second.render(frames: 50).first.map(samples), constant(500, 50))
        }

        @Test("a volume set while a buffer plays still applies when that buffer plays again")
        func setInBuffer() throws {
            let rig = try Rig()
            try enqueue(rig, samples: 100, [.volume(0.5, rampSeconds: 0)])
            try rig.startAndWait()
            expectEqual(rig.render(50), constant(500, 50))
            rig.queue.setVolume(1)
            expectEqual(rig.queue.volume, 1)
            expectEqual(rig.render(50), constant(1000, 50))
            #expect(eventually { rig.log.count == 1 })
            expectEqual(rig.queue.volume, 1)
            try rig.queue.stop(immediate: true)
            let second = ManualDevice()
            try rig.queue.setDevice(second)
            expectEqual(rig.queue.volume, 1)
            try enqueue(rig, samples: 50)
            try rig.startAndWait()
            expectEqual(second.render(frames: 50).first.map(samples), constant(1000, 50))
        }

        @Test("a volume set before a buffer is audible applies until then")
        func setBeforeBuffer() throws {
            let rig = try Rig()
            try enqueue(rig, samples: 100)
            try enqueue(rig, samples: 100, [.volume(0.5, rampSeconds: 0)])
            try rig.startAndWait()
            rig.queue.setVolume(0.25)
            expectEqual(rig.render(100), constant(250, 100))
            expectEqual(rig.queue.volume, 0.25)
            expectEqual(rig.render(50), constant(500, 50))
            expectEqual(rig.queue.volume, 0.5)
        }

        @Test("a pan set while a buffer plays still applies when that buffer plays again")
        func panInBuffer() throws {
            let rig = try Rig(format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000))
            try enqueue(rig, samples: 200, [.pan(1)])
            try rig.startAndWait()
            let played = rig.render(50)
            expectEqual(played.count, 100)
            #expect(played.indices.allSatisfy { played[$0] == ($0 % 2 == 0 ? 0 : 1000) })
            expectEqual(rig.queue.pan, 1)
            try rig.queue.setPan(0)
            expectEqual(rig.queue.pan, 0)
            expectEqual(rig.render(50), constant(1000, 100))
            #expect(eventually { rig.log.count == 1 })
            expectEqual(rig.queue.pan, 0)
        }

        @Test("the channel that a buffer has selected is reported, and audible from the next start on")
        func panOfMono() throws {
            let rig = try Rig()
            try enqueue(rig, samples: 100)
            try rig.startAndWait()
            try enqueue(rig, samples: 100, [.pan(1)])
            expectEqual(rig.render(150), constant(1000, 150))
            expectEqual(rig.queue.pan, 1)
            try rig.queue.setPan(-1)
            expectEqual(rig.queue.pan, -1)
        }
    }
}
