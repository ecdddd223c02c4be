// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@testable import aqrecord

@Suite("LevelGate and PreRoll")
struct LevelGateTests {
    private static let format = AudioStreamBasicDescription.signedInteger(
        bits: 16, channels: 1, sampleRate: 48_000)

    /// Passes `samples` through a gate in buffers of `bufferFrames`; returns the recorded frames.
    private func recorded(
        _ samples: [Int16], bufferFrames: Int, startLevel: Float?, preRoll: Int, silence: LevelGate.Silence?
    ) throws -> [Int16] {
        let scanner = try #require(SampleScanner(Self.format))
        var gate = LevelGate(startLevel: startLevel, preRollFrames: preRoll, silence: silence)
        var ring = PreRoll(byteCapacity: preRoll * 2)
        var recorded: [Int16] = []
        var start = 0
        while start < samples.count {
            let buffer = Array(samples[start..<min(start + bufferFrames, samples.count)])
            start += bufferFrames
            let passage = unsafe buffer.withUnsafeBytes { unsafe gate.pass($0, scanner) }
            if passage.preRollFrames > 0 {
                let before = ring.take(passage.preRollFrames * 2)
                recorded += unsafe before.withUnsafeBytes { unsafe Array($0.bindMemory(to: Int16.self)) }
            }
            if !gate.isOpen { unsafe buffer.withUnsafeBytes { unsafe ring.append($0) } }
            recorded += buffer[passage.frames]
            if passage.isEnd { break }
        }
        return recorded
    }

    @Test("begins the pre-roll before the first loud frame, wherever buffers end", arguments: 1...40)
    func start(bufferFrames: Int) throws {
        // Numbered, so that a wrong frame is visible; loud from frame 70 on.
        let samples = (0..<100).map { Int16($0 < 70 ? $0 : 20_000 + $0) }
        for preRoll in [0, 1, 13, 70, 90] {
            let recorded = try recorded(
                samples, bufferFrames: bufferFrames, startLevel: 0.5, preRoll: preRoll, silence: nil)
            expectEqual(
                firstDifference(recorded, Array(samples[max(0, 70 - preRoll)...])), nil,
                "pre-roll \(preRoll)")
        }
    }

    @Test("records nothing while nothing is loud enough")
    func neverLoud() throws {
        let samples = [Int16](repeating: 16_000, count: 500)
        #expect(
            try recorded(samples, bufferFrames: 64, startLevel: 0.5, preRoll: 50, silence: nil).isEmpty)
    }

    @Test("ends after the requested silence, to the frame, wherever buffers end", arguments: 1...40)
    func stop(bufferFrames: Int) throws {
        var samples = [Int16](repeating: 1, count: 300)
        // Pauses of 29 frames do not end it, one of 30 does.
        for loud in [10, 40, 70, 71, 100, 150] { samples[loud] = 30_000 }
        let silence = LevelGate.Silence(level: 0.5, frames: 30)
        let recorded = try recorded(
            samples, bufferFrames: bufferFrames, startLevel: nil, preRoll: 0, silence: silence)
        expectEqual(recorded.count, 131)
        expectEqual(recorded, Array(samples[..<131]))
    }

    @Test("silence from the start counts too")
    func silentFromTheStart() throws {
        let samples = [Int16](repeating: 0, count: 300)
        let silence = LevelGate.Silence(level: 0.5, frames: 30)
        try expectEqual(
            recorded(samples, bufferFrames: 100, startLevel: nil, preRoll: 0, silence: silence).count, 30)
    }

    @Test("start and stop together keep the pre-roll and the silent end", arguments: 1...40)
    func startAndStop(bufferFrames: Int) throws {
        var samples = (0..<400).map { Int16($0 % 100) }
        samples[200] = 30_000
        samples[215] = 10_000
        let silence = LevelGate.Silence(level: 0.25, frames: 50)
        let recorded = try recorded(
            samples, bufferFrames: bufferFrames, startLevel: 0.5, preRoll: 20, silence: silence)
        expectEqual(recorded, Array(samples[180..<266]))
    }

    @Test("the pre-roll is taken once, and holds no more than its capacity")
    func ring() {
        var ring = PreRoll(byteCapacity: 5)
        let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe ring.append(UnsafeRawBufferPointer(rebasing: bytes[..<3]))
            unsafe ring.append(UnsafeRawBufferPointer(rebasing: bytes[3...6]))
        }
        expectEqual(ring.take(99), [3, 4, 5, 6, 7])
        #expect(ring.take(99).isEmpty)
        unsafe bytes.withUnsafeBytes { unsafe ring.append($0) }
        expectEqual(ring.take(2), [7, 8])
        var none = PreRoll(byteCapacity: 0)
        unsafe bytes.withUnsafeBytes { unsafe none.append($0) }
        #expect(none.take(4).isEmpty)
    }
}
