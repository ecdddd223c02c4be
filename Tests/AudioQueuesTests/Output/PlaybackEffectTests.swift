// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Glibc
import Synchronization
import Testing
import AQTestSupport

@testable import AudioQueues

extension AllTests {
    @Suite("Effects in a queue") struct PlaybackEffectTests {
        private func enqueue(_ rig: Rig, _ value: Int16, frames: Int) throws {
            let buffer = try rig.queue.allocateBuffer(byteCapacity: frames * 2)
            unsafe buffer.bytes.withMemoryRebound(to: Int16.self) { samples in
                for index in samples.indices { unsafe samples[index] = value }
            }
            buffer.byteCount = frames * 2
            try rig.queue.enqueue(buffer)
        }

        /// The whole output of a stopping queue, rendered no faster than it is produced.
        private func renderToEnd(_ rig: Rig) -> [Float] {
            var played: [Float] = []
            while rig.queue.isRunning, played.count < 1_000_000 {
                let isReady = rig.queue.core.monitor.withLock { state in
                    (state.path.decoded?.framesAhead ?? 0) > 0 || state.requests.isDraining
                }
                guard isReady, let piece = rig.device.render(frames: 32).first else {
                    usleep(50)
                    continue
                }
                played += unsafe piece.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
            }
            return played
        }

        @Test("a tap changes the output, and gets the beginning and the end")
        func tap() throws {
            let rig = try Rig()
            let tap = StubTap.changing { $0 * 2 }
            let format = try rig.queue.installTap(tap)
            #expect(format.format.mSampleRate == 48000 && format.format.mChannelsPerFrame == 1)
            expectEqual(code { _ = try rig.queue.installTap(tap) }, .tooManyTaps)
            try enqueue(rig, 4096, frames: 5000)
            try rig.startAndWait()
            expectEqual(code { try rig.queue.removeTap() }, .invalidRunState)
            try rig.queue.stop(immediate: false)
            let played = renderToEnd(rig)
            // Silence is allowed if the test was faster than the engine.
            let audible = played.filter { $0 != 0 }
            expectEqual(audible.count, 5000)
            #expect(audible.allSatisfy { $0 == 0.25 })
            expectEqual(tap.calls.all.first?.flags.contains(.startOfStream), true)
            // Another thread runs the callback.
            #expect(eventually { rig.log.count == 1 })
            #expect(eventually { rig.queue.core.monitor.withLock { !$0.delivery.isRefusing } })
            // After its removal it is not called, and frames go directly to the device.
            let calls = tap.calls.all.count
            try rig.queue.removeTap()
            expectEqual(rig.queue.core.deviceFormat.encoding, .signed16)
            try rig.enqueue(frames: 100, from: 1)
            try rig.startAndWait()
            expectEqual(rig.render(100), counting(1..<101))
            expectEqual(tap.calls.all.count, calls)
            try rig.queue.dispose(immediate: true)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("an asynchronous dispose removes the tap, and waits for it")
        func disposeWithTap() throws {
            let rig = try Rig()
            let isGone = Atomic<Bool>(false)
            let late = Atomic<Int>(0)
            let tap = unsafe StubTap { frames, flags, audio, source in
                if isGone.load(ordering: .acquiring) { late.add(1, ordering: .relaxed) }
                let read = unsafe StubTap.read(frames, audio, source)
                flags = read.flags
                return read.frames
            }
            _ = try rig.queue.installTap(tap)
            for _ in 0..<20 { try enqueue(rig, 100, frames: 4800) }
            try rig.startAndWait()
            rig.render(1000)
            try rig.queue.dispose(immediate: false)
            isGone.store(true, ordering: .releasing)
            let isClosed = eventually {
                rig.render(1000)
                return rig.device.openStreams == 0
            }
            #expect(isClosed)
            expectEqual(late.load(ordering: .relaxed), 0)
            #expect(eventually { liveThreads == 0 })
        }

        @Test("a tap runs in an offline queue as in any other")
        func tapOffline() throws {
            let rig = try Rig()
            _ = try rig.queue.installTap(StubTap.changing(before: false) { -$0 })
            try rig.queue.setOfflineRendering(
                format: .signedInteger(bits: 16, channels: 1, sampleRate: 48000), channelLabels: nil)
            let target = try rig.queue.allocateBuffer(byteCapacity: 20000)
            try enqueue(rig, 1000, frames: 5000)
            try rig.queue.start()
            try rig.queue.stop(immediate: false)
            try rig.queue.renderOffline(at: 0, into: target, frames: 10000)
            unsafe expectEqual(
                samples(Array(target.bytes.prefix(target.byteCount))), [Int16](repeating: -1000, count: 5000))
            #expect(!rig.queue.isRunning)
        }

        @Test("rate, pitch and pan are kept within limits, and time and pitch need an effect")
        func parameters() throws {
            let rig = try Rig()
            try rig.queue.setPan(-3)
            expectEqual(rig.queue.pan, -1)
            try rig.queue.setPan(.nan)
            expectEqual(rig.queue.pan, 0)
            try rig.queue.setPlayRate(9)
            expectEqual(rig.queue.playRate, 2)
            try rig.queue.setPitch(cents: -5000)
            expectEqual(rig.queue.pitchCents, -2400)
            try rig.queue.setTimePitchBypassed(true)
            #expect(rig.queue.isTimePitchBypassed)
            #expect(!rig.queue.isTimePitchEnabled)
            expectEqual(code { try rig.queue.setTimePitchAlgorithm(.varispeed) }, .invalidRunState)
            // Without a stretcher only varispeed is available.
            try rig.queue.setTimePitchEnabled(true)
            expectEqual(rig.queue.timePitchAlgorithm, .varispeed)
            expectEqual(code { try rig.queue.setTimePitchAlgorithm(.spectral) }, .invalidPropertyValue)
            expectEqual(rig.queue.timePitchAlgorithm, .varispeed)
            try rig.queue.setTimePitchEnabled(false)
            // The refused call has not changed the path.
            try rig.enqueue(frames: 10, from: 1)
            try rig.startAndWait()
            expectEqual(rig.render(10), counting(1..<11))
        }
    }
}
