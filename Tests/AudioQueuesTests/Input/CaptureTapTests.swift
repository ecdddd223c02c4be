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

/// A tap that reports earlier capture times for its frames, like one that delays.
private func lateTap(frames lateFrames: Double) -> QueueTap {
    unsafe QueueTap(.preEffects) { frames, timeStamp, _, audio, source in
        let read = try? unsafe source.read(frames: frames, timeStamp: &timeStamp, into: audio)
        timeStamp.mSampleTime -= lateFrames
        return read?.frames ?? 0
    }
}

/// A tap's own memory.
@safe final class TapMemory: @unchecked Sendable {
    // SAFETY: used only by the tap's thread.
    let floats: UnsafeMutablePointer<Float>

    init(repeating value: Float) {
        unsafe floats = .allocate(capacity: 100)
        unsafe floats.initialize(repeating: value, count: 100)
    }

    deinit { unsafe floats.deallocate() }
}

extension AllTests {
    @Suite("Taps of a recording") struct CaptureTapTests {
        /// 16-bit samples as the floats that a tap gets for them.
        func floats(_ range: Range<Int>) -> [Float] { range.map { Float($0) / 32768 } }

        func capture(_ range: Range<Int>, on rig: InputRig) { rig.capture(samples: floats(range)) }

        func flags(_ call: StubTap.Call) -> QueueTapFlags {
            call.flags.intersection([.startOfStream, .endOfStream])
        }

        // MARK: The recorded audio

        @Test("the tap's output is recorded; it has another thread than callbacks")
        func changes() throws {
            let tapThread = Atomic<UInt>(0)
            let callbackThread = Atomic<UInt>(0)
            let rig = try InputRig { _, _, _ in
                callbackThread.store(UInt(pthread_self()), ordering: .relaxed)
            }
            let changing = unsafe StubTap { frames, flags, audio, source in
                tapThread.store(UInt(pthread_self()), ordering: .relaxed)
                let read = unsafe StubTap.read(frames, audio, source)
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                if let data = unsafe list[0].mData?.assumingMemoryBound(to: Float.self) {
                    for index in 0..<read.frames { unsafe data[index] *= 2 }
                }
                return read.frames
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            let format = try rig.queue.installTap(changing)
            #expect(format.format.isFloat && format.format.mBitsPerChannel == 32)
            #expect(format.format.mChannelsPerFrame == 1 && format.format.mSampleRate == 48000)
            expectEqual(format.maximumFrames, 2400)
            try rig.queue.start()
            capture(0..<25, on: rig)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, [Int16](stride(from: 0, to: 50, by: 2)))
            expectEqual(rig.log.all.map(\.bytes.count), [20, 20, 10])
            expectEqual(rig.log.all.map(\.info.sampleTime), [0, 10, 20])
            #expect(rig.log.all.allSatisfy { $0.info.lostFramesBefore == 0 })
            #expect(tapThread.load(ordering: .relaxed) != callbackThread.load(ordering: .relaxed))
            #expect(tapThread.load(ordering: .relaxed) != UInt(pthread_self()))
        }

        @Test("calls are for at most 50 ms, and the first and the last of a stream are flagged")
        func calls() throws {
            let rig = try InputRig()
            for _ in 0..<3 { try rig.enqueue(frames: 3000) }
            let tap = StubTap.changing { $0 }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<7000, on: rig)
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, counting(0..<7000))
            expectEqual(tap.calls.all.map(\.frames), [2400, 600, 2400, 600, 1000])
            expectEqual(tap.calls.all.map { flags($0) }, [.startOfStream, [], [], [], .endOfStream])
            for recorded in rig.log.all { try rig.queue.enqueue(recorded.buffer) }
            try rig.queue.start()
            capture(0..<10, on: rig)
            try rig.queue.stop(immediate: true)
            expectEqual(tap.calls.all.last.map { flags($0) }, [.startOfStream, .endOfStream])
        }

        @Test("a siphon gets the recorded audio and cannot change it")
        func siphon() throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            let seen = Seen<Float>()
            let siphon = unsafe StubTap(siphon: true) { frames, _, audio, source in
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                guard let data = unsafe list[0].mData?.assumingMemoryBound(to: Float.self) else { return 0 }
                for index in 0..<frames {
                    seen.add(unsafe data[index])
                    unsafe data[index] = 7
                }
                unsafe list[0].mData = nil
                // Nothing is read if everything is visible.
                return unsafe StubTap.read(frames, audio, source).frames
            }
            _ = try rig.queue.installTap(siphon)
            try rig.queue.start()
            capture(0..<10, on: rig)
            #expect(rig.waitForCallbacks(1))
            expectEqual(seen.all, floats(0..<10))
            expectEqual(rig.recorded, counting(0..<10))
        }

        @Test("stereo is passed in a buffer for each channel, and recorded interleaved")
        func stereo() throws {
            let rig = try InputRig(format: .signedInteger(bits: 16, channels: 2, sampleRate: 48000))
            try rig.enqueue(frames: 5)
            let left = Seen<Float>()
            let tap = unsafe StubTap { frames, _, audio, source in
                let read = unsafe StubTap.read(frames, audio, source)
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                if unsafe list.count == 2, let data = unsafe list[0].mData {
                    for index in 0..<read.frames {
                        left.add(unsafe data.loadUnaligned(fromByteOffset: index * 4, as: Float.self))
                    }
                }
                return read.frames
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<10, on: rig)
            #expect(rig.waitForCallbacks(1))
            expectEqual(left.all.map { $0 * 32768 }, [0, 2, 4, 6, 8])
            expectEqual(rig.recorded, counting(0..<10))
        }

        @Test("packets are made of the tap's output, and no frame is passed twice")
        func encoded() throws {
            let rig = try EncodingRig { _, _, _ in }
            try rig.enqueue(buffers: 4, packets: 5)
            let tap = StubTap.changing { -$0 }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            let samples = floats(0..<22)
            unsafe samples.withUnsafeBytes { unsafe rig.device.capture($0) }
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, EncodingTests.packets(of: 0..<22, padding: 3).map { -$0 })
            expectEqual(tap.calls.all.map(\.frames).reduce(0, +), 22)
            expectEqual(rig.queue.remainderFrames, 3)
        }

        // MARK: Gaps

        @Test("lost frames are between two buffers, are counted, and begin a stream of the tap")
        func lost() throws {
            let rig = try InputRig(configuration: .init(heldSeconds: 0)) { _, _, _ in }
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            let tap = StubTap.changing { $0 }
            _ = try rig.queue.installTap(tap)
            /// Waits until the device has room for two blocks, and a third one waits for a buffer.
            func isFull() -> Bool {
                eventually { rig.queue.core.path.feed.outstandingSegments == 2 }
            }
            try rig.queue.start()
            capture(0..<30, on: rig)
            #expect(rig.waitForCallbacks(2) && isFull())
            capture(30..<60, on: rig)
            expectEqual(rig.queue.lostFrameCount, 10)
            for recorded in rig.log.all { try rig.queue.enqueue(recorded.buffer) }
            #expect(rig.waitForCallbacks(4) && isFull())
            capture(60..<80, on: rig)
            for recorded in rig.log.all[2...] { try rig.queue.enqueue(recorded.buffer) }
            #expect(rig.waitForCallbacks(6))
            expectEqual(rig.recorded, counting(0..<50) + counting(60..<70))
            expectEqual(rig.log.all.map(\.info.sampleTime), [0, 10, 20, 30, 40, 60])
            expectEqual(rig.log.all.map(\.info.lostFramesBefore), [0, 0, 0, 0, 0, 10])
            expectEqual(rig.queue.overrunCount, 1)
            let starts = tap.calls.all.map { $0.flags.contains(.startOfStream) }
            expectEqual(starts, [true, false, false, false, false, true])
        }

        @Test("a reset begins a stream of the tap; a pause and a flush do not")
        func streams() throws {
            let rig = try InputRig { queue, buffer, info in
                if info.packetCount > 0 { try? queue.enqueue(buffer) }
            }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            let tap = StubTap.changing { $0 }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<4, on: rig)
            try rig.queue.flush()
            #expect(rig.waitForCallbacks(1))
            try rig.queue.pause()
            try rig.queue.start()
            capture(4..<14, on: rig)
            #expect(eventually { tap.calls.all.count == 2 })
            try rig.queue.reset()
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            capture(14..<24, on: rig)
            #expect(eventually { tap.calls.all.count == 3 })
            expectEqual(tap.calls.all.map { flags($0) }, [.startOfStream, [], .startOfStream])
        }

        @Test("frames that the tap drops are missing but not lost; the others keep their times")
        func swallows() throws {
            let rig = try InputRig { _, _, _ in }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            let calls = Atomic<Int>(0)
            let tap = unsafe StubTap { frames, _, audio, source in
                let read = unsafe StubTap.read(frames, audio, source)
                // The second call keeps 4 of its frames, the third all.
                switch calls.add(1, ordering: .relaxed).newValue {
                case 2: return read.frames - 4
                case 3: return 0
                default: return read.frames
                }
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            for start in stride(from: 0, to: 40, by: 10) {
                capture(start..<start + 10, on: rig)
                #expect(eventually { tap.calls.all.count == start / 10 + 1 })
            }
            try rig.queue.stop(immediate: true)
            expectEqual(rig.recorded, counting(0..<16) + counting(30..<40))
            expectEqual(rig.log.all.map(\.info.packetCount), [10, 10, 6])
            expectEqual(rig.log.all.map(\.info.sampleTime), [0, 10, 34])
            #expect(rig.log.all.allSatisfy { $0.info.lostFramesBefore == 0 })
            expectEqual(rig.queue.lostFrameCount, 0)
        }

        @Test("unread frames remain for the tap's next call, but a tap that uses none gets no others")
        func readsLess() throws {
            let rig = try InputRig { _, _, _ in }
            try rig.enqueue(frames: 10)
            let calls = Atomic<Int>(0)
            let tap = unsafe StubTap { frames, _, audio, source in
                guard calls.add(1, ordering: .relaxed).newValue <= 2 else { return 0 }
                return unsafe StubTap.read(min(3, frames), audio, source).frames
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<10, on: rig)
            #expect(eventually { tap.calls.all.count == 3 })
            try rig.queue.stop(immediate: true)
            expectEqual(tap.calls.all.map(\.frames), [10, 7, 4])
            expectEqual(rig.recorded, counting(0..<6))
        }

        @Test("a tap's own audio replaces the captured audio")
        func generates() throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            let memory = TapMemory(repeating: 0.5)
            let tap = unsafe StubTap { frames, _, audio, _ in
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                unsafe list[0].mData = UnsafeMutableRawPointer(memory.floats)
                unsafe list[0].mDataByteSize = UInt32(frames * 4)
                return frames
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<10, on: rig)
            #expect(rig.waitForCallbacks(1))
            expectEqual(rig.recorded, [Int16](repeating: 16384, count: 10))
        }

        @Test(
            "a time set by a tap is that of its frames",
            arguments: [3, .infinity, -1e300] as [Double])
        func times(late: Double) throws {
            let rig = try InputRig()
            try rig.enqueue(frames: 10)
            _ = try rig.queue.installTap(lateTap(frames: late))
            try rig.queue.start()
            capture(0..<10, on: rig)
            #expect(rig.waitForCallbacks(1))
            // An invalid time is ignored.
            expectEqual(rig.log.all[0].info.sampleTime, (late == 3 ? -3 : 0))
            expectEqual(rig.recorded, counting(0..<10))
        }

        // MARK: Adding and removing

        @Test("one tap at a time, and only while the queue is stopped")
        func rules() throws {
            let rig = try InputRig()
            expectEqual(code { try rig.queue.removeTap() }, .invalidTapContext)
            _ = try rig.queue.installTap(StubTap.changing { $0 })
            expectEqual(code { _ = try rig.queue.installTap(StubTap.changing { $0 }) }, .tooManyTaps)
            try rig.queue.start()
            expectEqual(code { _ = try rig.queue.installTap(StubTap.changing { $0 }) }, .invalidRunState)
            expectEqual(code { try rig.queue.removeTap() }, .invalidRunState)
            try rig.queue.pause()
            expectEqual(code { try rig.queue.removeTap() }, .invalidRunState)
            try rig.queue.stop(immediate: true)
            try rig.queue.removeTap()
            try rig.queue.dispose(immediate: true)
            expectEqual(code { _ = try rig.queue.installTap(StubTap.changing { $0 }) }, .disposalPending)
        }

        @Test("a queue that has recorded accepts a tap and releases it, and keeps its buffers")
        func inAndOut() throws {
            // A format that is converted without a tap; its buffers have their own memory.
            let rig = try InputRig(format: .float(bits: 64, channels: 1, sampleRate: 48000))
            let tap = StubTap.changing { $0 * 2 }
            try rig.enqueue(frames: 10)
            for round in 0..<4 {
                let calls = tap.calls.all.count
                let isTapped = round % 2 == 1
                if isTapped { _ = try rig.queue.installTap(tap) }
                if round == 2 { try rig.queue.removeTap() }
                try rig.queue.start()
                capture(0..<10, on: rig)
                #expect(rig.waitForCallbacks(round + 1))
                try rig.queue.stop(immediate: true)
                let last = try #require(rig.log.all.last)
                let samples = unsafe last.bytes.withUnsafeBytes {
                    unsafe Array($0.bindMemory(to: Double.self))
                }
                expectEqual(samples, floats(0..<10).map { Double($0) * (isTapped ? 2 : 1) })
                expectEqual((tap.calls.all.count > calls), isTapped)
                try rig.queue.enqueue(last.buffer)
            }
            try rig.queue.dispose(immediate: true)
            #expect(eventually { liveThreads == 0 })
            expectEqual(liveBuffers, 0)
        }

        @Test("calls made in the tap's own call do not wait", arguments: 0..<4)
        func callsInTap(call: Int) throws {
            final class Owner: Sendable { let queue = Monitor<InputQueue?>(nil) }
            let owner = Owner()
            let seconds = Seen<Double>()
            let codes = Seen<QueueError.Code?>()
            let rig = try InputRig { _, _, _ in }
            owner.queue.withLock { $0 = rig.queue }
            for _ in 0..<3 { try rig.enqueue(frames: 10) }
            let tap = unsafe StubTap { frames, _, audio, source in
                let began = aq_host_time()
                if let queue = owner.queue.withLock({ $0 }) {
                    codes.add(
                        code {
                            switch call {
                            case 0: try queue.stop(immediate: true)
                            case 1: try queue.reset()
                            case 2: try queue.dispose(immediate: true)
                            default:
                                try queue.stop(immediate: true)
                                try queue.removeTap()
                            }
                        })
                }
                seconds.add(Double(aq_host_time() - began) / 1e9)
                return unsafe StubTap.read(frames, audio, source).frames
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<15, on: rig)
            #expect(eventually { !seconds.all.isEmpty })
            #expect(seconds.all.allSatisfy { $0 < 1.9 })
            let first = try #require(codes.all.first)
            expectEqual(first, (call == 3 ? .invalidRunState : nil))
            owner.queue.withLock { $0 = nil }
            if call < 2 { #expect(rig.waitForCallbacks(3)) }
            if call == 2 {
                #expect(eventually { liveBuffers == 0 })
                expectEqual(tap.calls.all.count, 1)
            }
        }

        @Test("disposing of the queue waits for the tap, which is not called again")
        func disposeWaits() throws {
            let isInside = Atomic<Bool>(false)
            let rig = try InputRig { _, _, _ in }
            for _ in 0..<3 { try rig.enqueue(frames: 3000) }
            let tap = unsafe StubTap { frames, _, audio, source in
                isInside.store(true, ordering: .sequentiallyConsistent)
                usleep(50_000)
                let read = unsafe StubTap.read(frames, audio, source)
                isInside.store(false, ordering: .sequentiallyConsistent)
                return read.frames
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<9000, on: rig)
            #expect(eventually { isInside.load(ordering: .sequentiallyConsistent) })
            try rig.queue.dispose(immediate: true)
            let isStillInside = isInside.load(ordering: .sequentiallyConsistent)
            #expect(!isStillInside)
            expectEqual(liveBuffers, 0)
            let calls = tap.calls.all.count
            #expect(eventually { liveThreads == 0 })
            expectEqual(tap.calls.all.count, calls)
        }

        @Test("a tap that blocks does not block a stop")
        func blocks() throws {
            let isBlocked = Atomic<Bool>(true)
            let rig = try InputRig { _, _, _ in }
            for _ in 0..<2 { try rig.enqueue(frames: 10) }
            let tap = unsafe StubTap { frames, _, audio, source in
                _ = eventually(within: 20) { !isBlocked.load(ordering: .acquiring) }
                return unsafe StubTap.read(frames, audio, source).frames
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<20, on: rig)
            #expect(eventually { tap.calls.all.count == 1 })
            let began = aq_host_time()
            try rig.queue.stop(immediate: true)
            #expect((1.9...10).contains(Double(aq_host_time() - began) / 1e9))
            // The tap is running, and stays.
            expectEqual(code { try rig.queue.removeTap() }, .invalidRunState)
            isBlocked.store(false, ordering: .releasing)
            #expect(rig.waitForCallbacks(2))
            try rig.queue.removeTap()
        }

        @Test("invalid requests of a tap are refused, and all requests outside its call")
        func reading() throws {
            final class Kept: @unchecked Sendable { var source: (any QueueTapSource)? }
            let kept = Kept()
            let codes = Seen<QueueError.Code?>()
            let memory = TapMemory(repeating: 0)
            let rig = try InputRig { _, _, _ in }
            try rig.enqueue(frames: 10)
            let tap = unsafe StubTap { _, _, audio, source in
                kept.source = source
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                var time = AudioTimeStamp()
                codes.add(code { _ = try unsafe source.read(frames: -1, timeStamp: &time, into: audio) })
                unsafe list.count = 0
                codes.add(code { _ = try unsafe source.read(frames: 1, timeStamp: &time, into: audio) })
                unsafe list.count = 1
                unsafe list[0].mData = UnsafeMutableRawPointer(memory.floats)
                unsafe list[0].mDataByteSize = 39
                codes.add(code { _ = try unsafe source.read(frames: 10, timeStamp: &time, into: audio) })
                unsafe list[0].mDataByteSize = 40
                codes.add(code { _ = try unsafe source.read(frames: 1000, timeStamp: &time, into: audio) })
                codes.add(
                    code {
                        let read = try unsafe source.read(frames: 10, timeStamp: &time, into: audio)
                        let last = unsafe memory.floats[9]
                        if read.frames != 10 || last != 9.0 / 32768 {
                            throw QueueError(.bufferEmpty, "unexpected")
                        }
                    })
                codes.add(code { _ = try source.queueTime() })
                return 0
            }
            _ = try rig.queue.installTap(tap)
            try rig.queue.start()
            capture(0..<10, on: rig)
            #expect(eventually { codes.all.count == 6 })
            expectEqual(
                codes.all,
                [
                    .invalidArgument, .invalidArgument, .invalidArgument, .invalidArgument, nil,
                    .invalidTapType,
                ])
            try rig.queue.stop(immediate: true)
            var list = AudioBufferList()
            list.mNumberBuffers = 1
            var time = AudioTimeStamp()
            let source = try #require(kept.source)
            let outside = code { _ = try unsafe source.read(frames: 1, timeStamp: &time, into: &list) }
            expectEqual(outside, .invalidTapContext)
            // The tap and the queue refer to each other.
            kept.source = nil
        }
    }
}
