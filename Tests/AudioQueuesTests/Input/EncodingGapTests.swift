// SPDX-License-Identifier: MIT

import AQCodecs
import AQDevices
import AQExpectations
import CoreAudioTypes
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Packets around lost frames") struct EncodingGapTests {
        /// Captures 21 frames into the three blocks of two buffers, loses some, and captures 14 more.
        private func record(losing lost: Int) throws -> EncodingRig {
            let rig = try EncodingRig { _, _, _ in }
            // Three blocks of 8 frames, none of which is returned before there is a buffer.
            let first = try rig.queue.allocateBuffer(byteCapacity: 20)
            let second = try rig.queue.allocateBuffer(byteCapacity: 20)
            try rig.queue.start()
            rig.capture(0..<24)
            rig.capture(24..<24 + lost)
            #expect(rig.queue.lostFrameCount == lost)
            try rig.queue.enqueue(first)
            try rig.queue.enqueue(second)
            #expect(rig.waitForCallbacks(2))
            for _ in 0..<8 { try rig.enqueue(buffers: 1, packets: 2) }
            #expect(rig.waitForEncoder(frames: 24))
            rig.capture(24 + lost..<38 + lost)
            try rig.queue.stop(immediate: true)
            return rig
        }

        @Test("audio keeps its capture position, and whole packets are left out", arguments: 0...23)
        func gap(lost: Int) throws {
            let rig = try record(losing: lost)
            var wanted: [Int: Int16] = [:]
            for frame in 0..<24 { wanted[frame] = Int16(frame) }
            for frame in 24 + lost..<38 + lost { wanted[frame] = Int16(frame) }
            // Every packet is on the grid, and contains the audio captured then, or silence.
            var end = -3
            var leftOut = 0
            for recorded in rig.log.all where recorded.info.packetCount > 0 {
                let start = Int(recorded.info.sampleTime)
                expectEqual((start + 3) % 4, 0)
                expectEqual(start - Int(recorded.info.lostFramesBefore), end)
                leftOut += Int(recorded.info.lostFramesBefore)
                let played = recorded.packets.flatMap { samples(Array($0.prefix(8))) }
                expectEqual(played, (start..<start + played.count).map { wanted[$0] ?? 0 }, "at \(start)")
                for frame in start..<start + played.count { wanted[frame] = nil }
                end = start + played.count
            }
            #expect(wanted.isEmpty)
            // 24 frames are 3 into a packet, which ends at 25.
            expectEqual(leftOut, (lost < 1 ? 0 : (lost - 1) / 4 * 4))
        }

        @Test("if a packet is a frame, exactly the lost frames are missing")
        func gapOfSinglePackets() throws {
            let rig = try EncodingRig(
                format: .encoded(kAudioFormatULaw, framesPerPacket: 0, channels: 1, sampleRate: 48_000),
                isReal: true
            ) { _, _, _ in }
            let buffers = try (0..<4).map { _ in try rig.queue.allocateBuffer(byteCapacity: 100) }
            // Five blocks of 100 frames, none of which is returned before there is a buffer.
            try rig.queue.start()
            rig.capture(0..<500)
            rig.capture(500..<507)
            expectEqual(rig.queue.lostFrameCount, 7)
            for buffer in buffers { try rig.queue.enqueue(buffer) }
            #expect(rig.waitForCallbacks(4))
            for recorded in rig.log.all { try rig.queue.enqueue(recorded.buffer) }
            #expect(rig.waitForCallbacks(5))
            rig.capture(507..<600)
            try rig.queue.stop(immediate: true)
            let filled = rig.log.all.filter { $0.byteCount > 0 }
            expectEqual(filled.map(\.byteCount), [100, 100, 100, 100, 100, 93])
            expectEqual(filled.map(\.info.packetCount), [100, 100, 100, 100, 100, 93])
            expectEqual(filled.map(\.info.sampleTime), [0, 100, 200, 300, 400, 507])
            expectEqual(filled.map(\.info.lostFramesBefore), [0, 0, 0, 0, 0, 7])
        }

        @Test("host times are those of the first frames, with priming before them")
        func hostTimes() {
            var timeline = EncodedTimeline(sampleRate: 1000)
            timeline.mark(inputFrame: 0, timelineFrame: 0, hostTime: 5_000_000_000, lostFrames: nil)
            timeline.mark(inputFrame: 10, timelineFrame: 10, hostTime: 5_020_000_000, lostFrames: nil)
            #expect(!timeline.isJump(atInputFrame: -3))
            expectEqual(
                timeline.position(ofInputFrame: -3),
                .init(frame: -3, hostTime: 4_997_000_000, lostFrames: nil))
            expectEqual(timeline.position(ofInputFrame: 9).hostTime, 5_009_000_000)
            timeline.mark(inputFrame: 14, timelineFrame: 24, hostTime: 6_000_000_000, lostFrames: 10)
            expectEqual(timeline.position(ofInputFrame: 13).hostTime, 5_023_000_000)
            #expect(!timeline.isJump(atInputFrame: 13))
            #expect(timeline.isJump(atInputFrame: 17))
            expectEqual(
                timeline.position(ofInputFrame: 17), .init(frame: 27, hostTime: 6_003_000_000, lostFrames: 10)
            )
            #expect(!timeline.isJump(atInputFrame: 21))
        }
    }
}
