// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Taps of playback") struct TapTests {
        @Test("without a tap frames are unchanged, in whole chunks unless it is urgent")
        func passing() {
            let rig = EffectRig()
            rig.put(counting: 0..<959)
            #expect(rig.chain.wantsInput)
            #expect(rig.process(4000).isEmpty)
            rig.put(counting: 959..<1000)
            #expect(!rig.chain.wantsInput)
            expectEqual(rig.process(4000), counted(0..<960))
            expectEqual(rig.chain.pendingFrames, 40)
            #expect(rig.process(4000).isEmpty)
            expectEqual(rig.process(4000, isUrgent: true), counted(960..<1000))
        }

        @Test("a tap gets every frame once, and its start and end", arguments: [true, false])
        func everyFrame(isBefore: Bool) {
            let rig = EffectRig()
            let tap = StubTap.changing(before: isBefore) { -$0 }
            rig.tap = tap
            rig.put(counting: 0..<3000)
            rig.chain.markEnd()
            expectEqual(rig.processAll(isUrgent: false), counted(0..<3000).map { -$0 })
            let calls = tap.calls.all
            expectEqual(calls.first?.flags, .startOfStream)
            #expect(calls.dropFirst().allSatisfy { $0.flags.isEmpty })
            #expect(calls.allSatisfy { $0.frames <= 960 })
            var time = 0.0
            for call in calls {
                expectEqual(call.sampleTime, time)
                time += Double(call.frames)
            }
        }

        @Test("a second sequence begins a stream again, and its time continues", arguments: [true, false])
        func sequences(isBefore: Bool) {
            let rig = EffectRig()
            let tap = StubTap.changing(before: isBefore) { $0 }
            rig.tap = tap
            rig.put(counting: 0..<100)
            rig.chain.markEnd()
            rig.put(counting: 100..<300)
            rig.chain.markEnd()
            expectEqual(rig.processAll(), counted(0..<300))
            let starts = tap.calls.all.filter { $0.flags.contains(.startOfStream) }
            expectEqual(starts.map(\.sampleTime), [0, 100])
        }

        @Test(
            "frames that a tap does not provide are silent, and it provides no more than requested",
            arguments: [true, false])
        func fewerAndMore(isBefore: Bool) {
            for (claimed, audible) in [(10, 10), (0, 0), (-5, 0), (Int.max, 960)] {
                let rig = EffectRig()
                rig.tap = unsafe StubTap(before: isBefore) { frames, _, audio, source in
                    _ = unsafe StubTap.read(frames, audio, source)
                    return claimed
                }
                rig.put(counting: 1..<2001)
                let played = rig.process(960)
                expectEqual(played, counted(1..<1 + audible) + [Float](repeating: 0, count: 960 - audible))
            }
        }

        @Test("a tap that provides no memory is silent", arguments: [true, false])
        func noMemory(isBefore: Bool) {
            let rig = EffectRig(channels: 2)
            rig.tap = unsafe StubTap(before: isBefore) { frames, _, audio, source in
                _ = unsafe StubTap.read(frames, audio, source)
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                unsafe list[1].mData = nil
                return frames
            }
            rig.put([Float](repeating: 0.5, count: 4000))
            let played = rig.process(960)
            expectEqual(played.count, 1920)
            expectEqual(played, (0..<1920).map { $0 % 2 == 0 ? 0.5 : 0 })
        }

        @Test("a tap may return fewer buffers, or more", arguments: [UInt32(0), 1, 2, .max])
        func bufferCounts(buffers: UInt32) {
            let rig = EffectRig(channels: 2)
            rig.tap = unsafe StubTap { frames, _, audio, source in
                _ = unsafe StubTap.read(frames, audio, source)
                unsafe audio.pointee.mNumberBuffers = buffers
                return frames
            }
            rig.put([Float](repeating: 1, count: 4000))
            let left: Float = buffers > 0 ? 1 : 0
            let right: Float = buffers > 1 ? 1 : 0
            expectEqual(rig.process(960), (0..<1920).map { $0 % 2 == 0 ? left : right })
            expectEqual(rig.process(100, isUrgent: true).count, 200)
        }

        @Test("a tap's own memory is filled, and must hold the requested frames")
        func ownMemory() {
            let rig = EffectRig()
            let codes = Seen<QueueError.Code?>()
            rig.tap = unsafe StubTap { frames, _, audio, source in
                var time = AudioTimeStamp()
                var samples = [Float](repeating: -1, count: 8)
                unsafe samples.withUnsafeMutableBytes { bytes in
                    var list = unsafe AudioBufferList(
                        mNumberBuffers: 1,
                        mBuffers: AudioBuffer(
                            mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
                    codes.add(
                        code { _ = try unsafe source.read(frames: 9, timeStamp: &time, into: &list) })
                    codes.add(
                        code { _ = try unsafe source.read(frames: -1, timeStamp: &time, into: &list) })
                    codes.add(
                        code { _ = try unsafe source.read(frames: 5, timeStamp: &time, into: &list) })
                    list.mNumberBuffers = 2
                    codes.add(
                        code { _ = try unsafe source.read(frames: 1, timeStamp: &time, into: &list) })
                }
                expectEqual(samples, [0, 1, 2, 3, 4, -1, -1, -1])
                return 0
            }
            rig.put(counting: 0..<1000)
            _ = rig.process(960)
            expectEqual(codes.all, [.invalidArgument, .invalidArgument, nil, .invalidArgument])
        }

        @Test("buffers lent twice in one call are separate and within bounds")
        func lending() {
            let rig = EffectRig()
            let reads = Seen<Int>()
            rig.tap = unsafe StubTap { frames, _, audio, source in
                var second = AudioBufferList()
                second.mNumberBuffers = 1
                let first = unsafe StubTap.read(100, audio, source)
                _ = unsafe StubTap.read(100, &second, source)
                let lent = unsafe (audio.pointee.mBuffers.mData, second.mBuffers.mData)
                if let one = unsafe lent.0, let other = unsafe lent.1 {
                    reads.add(Int(unsafe one.load(as: Float.self)))
                    reads.add(Int(unsafe other.load(as: Float.self)))
                    reads.add(abs(unsafe one - other) >= 400 ? 1 : 0)
                }
                var total = 0
                while true {
                    var more = AudioBufferList()
                    more.mNumberBuffers = 1
                    let count = unsafe StubTap.read(1 << 20, &more, source).frames
                    if count <= 0 { break }
                    total += count
                }
                reads.add(total)
                return first.frames
            }
            rig.put(counting: 0..<100_000)
            _ = rig.process(960)
            // 2400 frames are the most of a call, and four times that the most that is lent.
            expectEqual(reads.all, [0, 100, 1, 4 * 2400 - 200])
        }

        @Test("source audio cannot be read outside the call, nor by a siphon")
        func context() {
            let rig = EffectRig()
            let codes = Seen<QueueError.Code?>()
            let siphon = unsafe StubTap(siphon: true) { frames, _, audio, source in
                var time = AudioTimeStamp()
                codes.add(code { _ = try unsafe source.read(frames: 1, timeStamp: &time, into: audio) })
                codes.add(code { _ = try source.queueTime() })
                return frames
            }
            rig.tap = siphon
            rig.put(counting: 0..<1000)
            _ = rig.process(960)
            expectEqual(codes.all, [.invalidTapContext, nil])
            var time = AudioTimeStamp()
            var list = AudioBufferList()
            expectEqual(
                code { _ = try unsafe rig.chain.before.read(frames: 1, timeStamp: &time, into: &list) },
                .invalidTapContext)
            expectEqual(code { _ = try rig.chain.before.queueTime() }, .invalidTapContext)
        }

        @Test("a siphon gets the audio and changes nothing", arguments: [true, false])
        func siphon(isBefore: Bool) {
            let rig = EffectRig()
            let seen = Seen<[Float]>()
            let tap = unsafe StubTap(before: isBefore, siphon: true) { frames, _, audio, _ in
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                let samples = unsafe UnsafeMutableBufferPointer<Float>(list[0])
                unsafe seen.add(Array(samples))
                unsafe samples.update(repeating: 9)
                return 0
            }
            rig.tap = tap
            rig.put(counting: 0..<2500)
            rig.chain.markEnd()
            expectEqual(rig.processAll(), counted(0..<2500))
            expectEqual(seen.all.flatMap { $0 }, counted(0..<2500))
            expectEqual(tap.calls.all.first?.flags, .startOfStream)
        }

        @Test("a tap's tail follows the end of its source", arguments: [true, false])
        func tail(isBefore: Bool) {
            // Produces 500 frames of silence first, and everything 500 frames later.
            let rig = EffectRig()
            let held = Monitor<[Float]>([Float](repeating: 0, count: 500))
            rig.tap = unsafe StubTap(before: isBefore) { frames, flags, audio, source in
                let read = unsafe StubTap.read(frames, audio, source)
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                let memory = unsafe list[0].mData
                guard let data = unsafe memory else { return 0 }
                let samples = unsafe data.assumingMemoryBound(to: Float.self)
                let given = held.withLock { held in
                    for index in 0..<max(0, read.frames) { held.append(unsafe samples[index]) }
                    let given = Array(held.prefix(frames))
                    held.removeFirst(given.count)
                    for index in 0..<given.count { unsafe samples[index] = given[index] }
                    return given.count
                }
                unsafe list[0].mDataByteSize = UInt32(given * 4)
                let isEnd = read.flags.contains(.endOfStream) && held.withLock { $0.isEmpty }
                flags = isEnd ? .endOfStream : []
                return given
            }
            rig.put(counting: 0..<2000)
            rig.chain.markEnd()
            expectEqual(rig.processAll(), [Float](repeating: 0, count: 500) + counted(0..<2000))
        }

        @Test("a tap that never ends is stopped after a limit", arguments: [true, false])
        func endless(isBefore: Bool) {
            let rig = EffectRig()
            rig.tap = unsafe StubTap(before: isBefore) { frames, flags, audio, source in
                _ = unsafe StubTap.read(frames, audio, source)
                flags = []
                return frames
            }
            rig.put(counting: 0..<2000)
            rig.chain.markEnd()
            let played = rig.processAll(step: 9600)
            #expect(played.count > 2000)
            #expect(played.count <= 2000 + 11 * 48000)
            rig.put(counting: 0..<960)
            expectEqual(rig.process(960), counted(0..<960))
        }

        @Test("a tap that is removed while frames wait loses none", arguments: [true, false])
        func dropping(isBefore: Bool) {
            let rig = EffectRig()
            rig.tap = StubTap.changing(before: isBefore) { -$0 }
            rig.put(counting: 0..<3000)
            var played = rig.process(500)
            rig.chain.dropTap()
            #expect(rig.chain.tap == nil)
            rig.chain.markEnd()
            played += rig.processAll()
            expectEqual(played, counted(0..<500).map { -$0 } + counted(500..<3000))
        }

        @Test("a gap and a restart begin a stream", arguments: [true, false])
        func starts(isBefore: Bool) {
            let rig = EffectRig()
            let tap = StubTap.changing(before: isBefore) { $0 }
            rig.tap = tap
            rig.put(counting: 0..<500)
            rig.chain.markGap()
            rig.put(counting: 500..<600)
            expectEqual(rig.processAll(), counted(0..<600))
            expectEqual(tap.calls.all.map(\.flags), [.startOfStream, .startOfStream])
            expectEqual(tap.calls.all.map(\.frames), [500, 100])
            rig.put(counting: 0..<700)
            rig.chain.restart()
            expectEqual(rig.chain.pendingFrames, 0)
            rig.put(counting: 7..<9)
            expectEqual(rig.processAll(), [7, 8])
            expectEqual(tap.calls.all.last, StubTap.Call(frames: 2, sampleTime: 0, flags: .startOfStream))
        }

        @Test(
            "a tap that reads ahead gets more audio, and its time is correct",
            arguments: [500, 7, 960, 1300])
        func readingAhead(piece: Int) {
            // Twice the speed: every second frame.
            let rig = EffectRig()
            rig.tap = unsafe StubTap { frames, flags, audio, source in
                let read = unsafe StubTap.read(2 * frames, audio, source)
                flags = read.flags
                let list = unsafe UnsafeMutableAudioBufferListPointer(audio)
                guard let data = unsafe list[0].mData, read.frames > 0 else { return 0 }
                let samples = unsafe data.assumingMemoryBound(to: Float.self)
                let given = (read.frames + 1) / 2
                for index in 0..<given { unsafe samples[index] = samples[2 * index] }
                return given
            }
            var next = 0
            var played: [Float] = []
            while next < 40000 {
                while rig.chain.wantsInput {
                    rig.put(counting: next..<next + piece)
                    next += piece
                }
                played += rig.process(960)
            }
            // The first call has an incomplete time; later ones have all of it.
            let later = played.dropFirst(960)
            #expect(later.count > 10000)
            #expect(zip(later, later.dropFirst()).allSatisfy { $1 - $0 == 2 })
            let last = Double(played.count - 1)
            #expect(abs(rig.chain.sourceFrame(atOutput: last) - Double(played.last ?? 0)) <= 2)
        }

        @Test("a tap gets the queue's time of its audio")
        func queueTime() {
            let rig = EffectRig()
            let times = Seen<[Double]>()
            rig.tap = unsafe StubTap(before: false) { frames, flags, audio, source in
                let read = unsafe StubTap.read(frames, audio, source)
                flags = read.flags
                if let time = try? source.queueTime() { times.add([time.sampleTime, Double(time.frames)]) }
                return read.frames
            }
            rig.put(counting: 0..<1920)
            _ = rig.process(960)
            rig.chain.setPaused(true)
            _ = rig.process(960)
            expectEqual(times.all, [[0, 960], [960, 0]])
        }

        @Test("taps work on planar floats of the format's channels, at most 50 ms a call")
        func format() {
            let format = QueueTapFormat(sampleRate: 48000, channels: 2)
            expectEqual(format.format.mChannelsPerFrame, 2)
            #expect(!format.format.isInterleaved)
            #expect(format.format.isFloat)
            expectEqual(format.format.mBitsPerChannel, 32)
            expectEqual(format.maximumFrames, 2400)
            expectEqual(QueueTapFormat(sampleRate: .nan, channels: 1).maximumFrames, 64)
            expectEqual(QueueTapFormat(sampleRate: 1e300, channels: 1).maximumFrames, 65536)
        }
    }
}
