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
    @Suite("Rendering offline") struct OfflineTests {
        /// A queue of 16-bit mono that renders to the same, started, with a buffer to render to.
        private final class OfflineRig: Sendable {
            let queue: OutputQueue
            let target: QueueBuffer
            let log: CallLog

            init(
                to format: AudioStreamBasicDescription = .signedInteger(
                    bits: 16, channels: 1, sampleRate: 48000),
                isStarted: Bool = true,
                onBufferDone: @escaping @Sendable (OutputQueue, QueueBuffer) -> Void = { _, _ in }
            ) throws {
                let log = CallLog()
                self.log = log
                let queue = try OutputQueue(
                    format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: ManualDevice()
                ) { queue, buffer in
                    log.add(buffer)
                    onBufferDone(queue, buffer)
                }
                self.queue = queue
                target = try queue.allocateBuffer(byteCapacity: 1 << 16)
                try queue.setOfflineRendering(format: format, channelLabels: nil)
                if isStarted { try queue.start() }
            }

            @discardableResult
            func enqueue(frames: Int, from first: Int, trimStart: Int = 0) throws -> QueueBuffer {
                let buffer = try queue.allocateBuffer(byteCapacity: frames * 2)
                buffer.fill(frames: frames, from: first)
                try queue.enqueue(buffer, trimFramesAtStart: trimStart)
                return buffer
            }

            func render(_ frames: Int) throws -> [Int16] {
                try queue.renderOffline(at: 0, into: target, frames: frames)
                return samples(unsafe Array(target.bytes.prefix(target.byteCount)))
            }
        }

        @Test("frames are unchanged, in pieces of any length, and no more than there are")
        func exact() throws {
            let rig = try OfflineRig()
            for index in 0..<30 { try rig.enqueue(frames: 1000, from: index * 1000) }
            #expect(rig.queue.isRunning)
            var played: [Int16] = []
            for frames in [1, 7, 0, 20000, 3000] { played += try rig.render(frames) }
            expectEqual(played, counting(0..<23008))
            try expectEqual(rig.queue.currentTime().sampleTime, 23008)
            try expectEqual(rig.render(20000), counting(23008..<30000))
            try expectEqual(rig.render(10), [])
            expectEqual(rig.log.count, 30)
            expectEqual(rig.queue.underrunCount, 0)
            try rig.queue.dispose(immediate: true)
            expectEqual(liveBuffers, 0)
        }

        @Test("callbacks run inside the call, on its thread, and it renders the buffers they enqueue")
        func callbacksFeed() throws {
            let next = Atomic<Int>(300)
            let thread = pthread_self()
            let strangers = Atomic<Int>(0)
            let rig = try OfflineRig { queue, buffer in
                if pthread_equal(pthread_self(), thread) == 0 { strangers.add(1, ordering: .relaxed) }
                buffer.fill(frames: 100, from: next.add(100, ordering: .relaxed).oldValue)
                try? queue.enqueue(buffer)
            }
            for index in 0..<3 { try rig.enqueue(frames: 100, from: index * 100) }
            expectEqual(rig.log.count, 0)
            try expectEqual(rig.render(25000), counting(0..<25000))
            expectEqual(strangers.load(ordering: .relaxed), 0)
            try rig.queue.stop(immediate: true)
            expectEqual(strangers.load(ordering: .relaxed), 0)
            #expect(!rig.queue.isRunning)
        }

        @Test("0 frames run the pending callbacks")
        func noFrames() throws {
            let rig = try OfflineRig()
            let seen = Seen<Bool>()
            try rig.queue.addListener(for: .isRunning) { seen.add($0.isRunning) }
            let trimmed = try rig.enqueue(frames: 10, from: 1, trimStart: 10)
            try rig.enqueue(frames: 100, from: 1)
            try expectEqual(rig.render(0), [])
            expectEqual(seen.all, [true])
            expectEqual(rig.log.all.last, trimmed)
            try expectEqual(rig.render(1000), counting(1..<101))
        }

        @Test("a buffer is returned in the call that renders its last frame")
        func returnsRendered() throws {
            let rig = try OfflineRig()
            let first = try rig.enqueue(frames: 1000, from: 0)
            let second = try rig.enqueue(frames: 600, from: 1000)
            try expectEqual(rig.render(999), counting(0..<999))
            expectEqual(rig.log.count, 0)
            try expectEqual(rig.render(1), [999])
            expectEqual(rig.log.all, [first])
            try expectEqual(rig.render(599), counting(1000..<1599))
            expectEqual(rig.log.count, 1)
            // A stop returns the remaining buffers.
            try rig.queue.stop(immediate: true)
            _ = try rig.render(0)
            expectEqual(rig.log.all, [first, second])
        }

        @Test("a queue stopped in the callback that finds no more data was rendered completely")
        func endsWithTheLastCallback() throws {
            let left = Atomic<Int>(10)
            let rig = try OfflineRig { queue, buffer in
                let part = 10 - left.load(ordering: .relaxed)
                guard part < 10 else {
                    try? queue.flush()
                    try? queue.stop(immediate: false)
                    left.store(-1, ordering: .relaxed)
                    return
                }
                left.subtract(1, ordering: .relaxed)
                buffer.fill(frames: 1000, from: 1000 + part * 1000)
                try? queue.enqueue(buffer)
            }
            try rig.enqueue(frames: 1000, from: 0)
            var played: [Int16] = []
            for _ in 0..<100 where left.load(ordering: .relaxed) >= 0 { played += try rig.render(300) }
            expectEqual(played, counting(0..<11000))
        }

        @Test("the call that renders the last frame of a stopping queue ends it")
        func ends() throws {
            let rig = try OfflineRig()
            let seen = Seen<Bool>()
            try rig.queue.addListener(for: .isRunning) { seen.add($0.isRunning) }
            try rig.enqueue(frames: 500, from: 1)
            _ = try rig.render(0)
            try rig.queue.stop(immediate: false)
            try expectEqual(rig.render(499), counting(1..<500))
            expectEqual(seen.all, [true])
            try expectEqual(rig.render(1), [500])
            expectEqual(seen.all, [true, false])
            // A call after the end returns nothing, and no error.
            try expectEqual(rig.render(1), [])
            // The next start begins again.
            try rig.enqueue(frames: 5, from: 70)
            try rig.queue.start()
            try expectEqual(rig.render(5), counting(70..<75))
            try expectEqual(rig.queue.currentTime().sampleTime, 5)
        }

        @Test("a start at a time starts at once")
        func startAtTime() throws {
            let rig = try OfflineRig(isStarted: false)
            try rig.enqueue(frames: 500, from: 1)
            try rig.queue.start(atHostTime: aq_host_time() + 100_000_000)
            try rig.queue.stop(immediate: false)
            try expectEqual(rig.render(1000), counting(1..<501))
            #expect(!rig.queue.isRunning)
        }

        @Test("another rate and encoding are rendered in full length, including the last frames")
        func converts() throws {
            let rig = try OfflineRig(to: .float(channels: 2, sampleRate: 24000))
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 9600)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { frames in
                for index in frames.indices { unsafe frames[index] = 8192 }
            }
            buffer.byteCount = 9600
            try rig.queue.enqueue(buffer)
            try rig.queue.stop(immediate: false)
            var played: [Float] = []
            while rig.queue.isRunning, played.count < 10000 {
                try rig.queue.renderOffline(at: 0, into: rig.target, frames: 100)
                let bytes = unsafe rig.target.bytes.prefix(rig.target.byteCount)
                played += unsafe Array(UnsafeRawBufferPointer(rebasing: bytes).bindMemory(to: Float.self))
            }
            expectEqual(played.count, 2 * 2400)
            let level = played[2400]
            #expect(level > 0.15)
            #expect(played[2000..<2800].allSatisfy { abs($0 - level) < 0.01 })
        }

        @Test("invalid calls are refused")
        func refused() throws {
            let rig = try OfflineRig(isStarted: false)
            expectEqual(code { _ = try rig.render(1) }, .invalidRunState)
            try rig.queue.start()
            expectEqual(code { _ = try rig.render(-1) }, .invalidArgument)
            let queued = try rig.enqueue(frames: 10, from: 0)
            expectEqual(code { try rig.queue.renderOffline(at: 0, into: queued, frames: 1) }, .bufferInQueue)
            let other = try OfflineRig()
            expectEqual(
                code { try rig.queue.renderOffline(at: 0, into: other.target, frames: 1) }, .invalidBuffer)
            expectEqual(
                code { try rig.queue.setOfflineRendering(format: nil, channelLabels: nil) }, .invalidRunState)
            try rig.queue.stop(immediate: true)
            let packets = AudioStreamBasicDescription.encoded(
                kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 1, sampleRate: 48000)
            expectEqual(
                code { try rig.queue.setOfflineRendering(format: packets, channelLabels: nil) },
                .unsupportedFormat)
            let mono = AudioStreamBasicDescription.float(channels: 1, sampleRate: 48000)
            expectEqual(
                code { try rig.queue.setOfflineRendering(format: mono, channelLabels: []) }, .invalidArgument)
            try rig.queue.setOfflineRendering(format: nil, channelLabels: nil)
            expectEqual(code { _ = try rig.render(1) }, .invalidOfflineMode)
        }

        @Test("a callback may dispose of the queue: the call ends, and the memory is freed with it")
        func disposeInCallback() throws {
            let rig = try OfflineRig { queue, _ in try? queue.dispose(immediate: false) }
            for index in 0..<5 { try rig.enqueue(frames: 100, from: index) }
            expectEqual(code { _ = try rig.render(1000) }, .disposalPending)
            expectEqual(rig.log.count, 1)
            expectEqual(liveBuffers, 0)
        }

        @Test("a callback may stop or reset: buffers enqueued after its buffer are dropped, and not rendered")
        func stopInCallback() throws {
            let calls = Atomic<Int>(0)
            let rig = try OfflineRig { queue, buffer in
                guard calls.add(1, ordering: .relaxed).newValue == 2 else { return }
                try? queue.reset()
                buffer.fill(frames: 100, from: 5000)
                try? queue.enqueue(buffer)
            }
            for index in 0..<5 { try rig.enqueue(frames: 100, from: index * 100) }
            let played = try rig.render(1000)
            expectEqual(played, counting(0..<200) + counting(5000..<5100))
            expectEqual(rig.log.count, 6)
            #expect(rig.queue.isRunning)
        }

        @Test("a nested call is refused")
        func nested() throws {
            let failures = Seen<QueueError.Code?>()
            let rig = try OfflineRig { queue, buffer in
                failures.add(code { try queue.renderOffline(at: 0, into: buffer, frames: 1) })
            }
            try rig.enqueue(frames: 100, from: 0)
            try expectEqual(rig.render(100), counting(0..<100))
            expectEqual(failures.all, [.invalidRunState])
        }

        @Test("disposing on another thread ends a rendering loop")
        func disposeElsewhere() throws {
            for _ in 0..<20 {
                let rig = try OfflineRig { queue, buffer in try? queue.enqueue(buffer) }
                for index in 0..<5 { try rig.enqueue(frames: 1000, from: index) }
                let isEnded = Atomic<Bool>(false)
                try QueueThread.start(named: "render") {
                    while code({
                        try rig.queue.renderOffline(at: 0, into: rig.target, frames: 4000)
                    }) == nil {}
                    isEnded.store(true, ordering: .releasing)
                }
                #expect(eventually { rig.log.count > 0 })
                try rig.queue.dispose(immediate: true)
                #expect(eventually { isEnded.load(ordering: .acquiring) })
                #expect(eventually { liveBuffers == 0 })
            }
        }

        @Test("a queue returns to its device")
        func backToDevice() throws {
            let device = ManualDevice()
            let log = CallLog()
            let queue = try OutputQueue(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), device: device
            ) { _, buffer in log.add(buffer) }
            try queue.setOfflineRendering(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), channelLabels: nil)
            expectEqual(device.openStreams, 0)
            let buffer = try queue.allocateBuffer(byteCapacity: 20)
            buffer.fill(frames: 10, from: 3)
            try queue.enqueue(buffer)
            try queue.setOfflineRendering(format: nil, channelLabels: nil)
            try queue.start()
            #expect(eventually { queue.isRunning })
            expectEqual(device.render(frames: 10).first.map(samples), counting(3..<13))
            #expect(eventually { log.count == 1 })
        }

        @Test("a buffer's volume is rendered from its first frame on, and stays", arguments: [false, true])
        func volumeOfBuffer(hasChain: Bool) throws {
            let rig = try OfflineRig(isStarted: false)
            if hasChain { _ = try rig.queue.installTap(StubTap.changing { $0 }) }
            try rig.queue.start()
            for events in [[], [QueueParameterEvent.volume(0.25, rampSeconds: 0)], []] {
                let buffer = try rig.queue.allocateBuffer(byteCapacity: 200)
                unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { unsafe $0.update(repeating: 1000) }
                buffer.byteCount = 200
                _ = try unsafe rig.queue.enqueue(
                    buffer, packetDescriptions: nil, trimFramesAtStart: 0, trimFramesAtEnd: 0, events: events,
                    startFrames: nil)
            }
            try expectEqual(rig.render(100), [Int16](repeating: 1000, count: 100))
            expectEqual(rig.queue.volume, 1)
            try expectEqual(rig.render(50), [Int16](repeating: 250, count: 50))
            expectEqual(rig.queue.volume, 0.25)
            try expectEqual(rig.render(150), [Int16](repeating: 250, count: 150))
            expectEqual(rig.queue.volume, 0.25)
            try rig.queue.stop(immediate: false)
            while try !rig.render(100).isEmpty {}
            #expect(!rig.queue.isRunning)
            expectEqual(rig.queue.volume, 0.25)
            try rig.queue.setOfflineRendering(format: nil, channelLabels: nil)
            expectEqual(rig.queue.volume, 0.25)
        }

        @Test("priming decodes, and a volume is rendered")
        func primed() throws {
            let rig = try OfflineRig(isStarted: false)
            let buffer = try rig.queue.allocateBuffer(byteCapacity: 200)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { frames in
                for index in frames.indices { unsafe frames[index] = 1000 }
            }
            buffer.byteCount = 200
            try rig.queue.enqueue(buffer)
            rig.queue.setVolume(0.25)
            try expectEqual(rig.queue.prime(), 100)
            expectEqual(rig.log.count, 0)
            try rig.queue.start()
            try expectEqual(rig.render(100), [Int16](repeating: 250, count: 100))
        }
    }
}
