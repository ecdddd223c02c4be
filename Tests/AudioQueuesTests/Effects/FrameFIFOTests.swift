// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AudioQueues

extension AllTests {
    @Suite("Frames in a queue") struct FrameFIFOTests {
        @Test("frames and marks keep their order, in pieces of any size", arguments: UInt64(0)..<20)
        func model(seed: UInt64) {
            var random = SplitMix(seed)
            let channels = Int.random(in: 1...3, using: &random)
            let fifo = FrameFIFO(channels: channels, capacityFrames: 8)
            var (put, taken) = (0, 0)
            var ends: [Int] = []
            for _ in 0..<2000 {
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    ends.append(put)
                    fifo.put(.end)
                case 1, 2:
                    let frames = Int.random(in: 0..<40, using: &random)
                    let room = unsafe fifo.room(frames: frames)
                    for index in 0..<frames * channels { unsafe room[index] = Float(put * channels + index) }
                    fifo.didPut(frames: frames)
                    put += frames
                default:
                    let wanted = Int.random(in: 0..<60, using: &random)
                    var output = [Float](repeating: -1, count: 60 * channels)
                    let count = unsafe output.withUnsafeMutableBufferPointer { (room) -> Int in
                        guard let start = room.baseAddress else { return 0 }
                        return unsafe fifo.take(into: start, frames: wanted)
                    }
                    expectEqual(count, min(wanted, (ends.first ?? put) - taken))
                    let expected = (taken * channels..<(taken + count) * channels).map(Float.init)
                    expectEqual(Array(output.prefix(count * channels)), expected)
                    taken += count
                }
                expectEqual(fifo.frames, put - taken)
                expectEqual(fifo.framesTaken, Int64(taken))
                expectEqual(fifo.ends, ends.count)
                expectEqual(fifo.isAtEnd, (ends.first == taken))
                if fifo.isAtEnd, random.chance(2) {
                    fifo.dropMark()
                    ends.removeFirst()
                }
            }
        }

        @Test("frames beyond the capacity are not counted")
        func room() {
            let fifo = FrameFIFO(channels: 2, capacityFrames: 4)
            fifo.didPut(frames: 10)
            expectEqual(fifo.frames, 0)
            _ = unsafe fifo.room(frames: 3)
            fifo.didPut(frames: 3)
            fifo.drop(frames: 100)
            expectEqual(fifo.frames, 0)
            expectEqual(fifo.framesTaken, 3)
            fifo.drop(frames: -1)
            expectEqual(fifo.framesTaken, 3)
        }
    }

    @Suite("Source frames of output frames") struct SourceTimeMapTests {
        @Test("lines are contiguous")
        func lines() {
            var map = SourceTimeMap()
            expectEqual(map.source(atOutput: 7), 7)
            map.turn(atOutput: 100, rate: 2)
            map.turn(atOutput: 200, rate: 0.5)
            expectEqual(map.source(atOutput: 50), 50)
            expectEqual(map.source(atOutput: 150), 200)
            expectEqual(map.source(atOutput: 300), 350)
            map.restart(rate: 2)
            expectEqual(map.source(atOutput: 50), 100)
        }

        @Test("time never runs backwards, whatever the corrections are", arguments: UInt64(0)..<10)
        func monotonic(seed: UInt64) {
            var random = SplitMix(seed)
            var map = SourceTimeMap()
            var (output, source) = (0.0, 0.0)
            for _ in 0..<3000 {
                output += Double.random(in: 0..<50, using: &random)
                source += Double.random(in: 0..<70, using: &random)
                let rate = Double.random(in: 0.5...2, using: &random)
                map.turn(atOutput: output, source: random.chance(3) ? source : nil, rate: rate)
                source = max(source, map.source(atOutput: output))
            }
            var last = -Double.infinity
            for frame in stride(from: 0, to: output + 1000, by: 7) {
                let now = map.source(atOutput: frame)
                #expect(now >= last)
                last = now
            }
        }
    }
}
