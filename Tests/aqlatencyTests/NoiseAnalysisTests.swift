// SPDX-License-Identifier: MIT

import AQExpectations
import AQRoundTripAnalysis
import Testing

@testable import aqlatency

@Suite("The round trip of made-up noise")
struct NoiseAnalysisTests {
    private static let frames = 144_000
    private static let start = 5e12
    private static let bufferFrames = 96

    /// A recording in which noise begins after 0.1 s, at a level far below full scale, rounded to 16 bits.
    private func audio(_ change: (inout [Float]) -> Void = { _ in }) -> CapturedAudio {
        var noise = (0..<Self.frames).map { ReferenceNoise.sample(ofFrame: $0) * 0.005 }
        change(&noise)
        var audio = CapturedAudio(sampleRate: 48_000, channels: 1)
        audio.samples = ([Float](repeating: 0, count: 4_800) + noise).map { ($0 * 32_768).rounded() / 32_768 }
        audio.marks = stride(from: 0, to: audio.frames, by: 480).map { frame in
            let time = Self.start + Double(frame) * 1e9 / 48_000
            return .init(frame: frame, captureNanoseconds: time, callbackNanoseconds: time)
        }
        return audio
    }

    /// Callbacks that are entered `latency` milliseconds before their first frame is audible.
    private func analysis(_ audio: CapturedAudio, latency: Double = 4.25) throws -> NoiseAnalysis {
        let callbacks = stride(from: 0, to: Self.frames, by: Self.bufferFrames).map { frame in
            CallbackRecord(
                entryNanoseconds: Self.start + 0.1e9 + Double(frame) * 1e9 / 48_000 - latency * 1e6,
                firstFrame: frame, frames: Self.bufferFrames)
        }
        return try NoiseAnalysis(audio, callbacks: callbacks, playedFrames: Self.frames)
    }

    @Test("the latency is that of the callbacks, and the first second does not count")
    func latency() throws {
        let result = try analysis(audio())
        expectEqual(result.gaps, 0)
        #expect(result.latencies.allSatisfy { abs($0 - 4.25) < 0.001 })
        #expect(abs(result.seconds - 2) < 0.001)
        #expect((990...1_001).contains(result.latencies.count))
    }

    @Test("an error of the clock makes no latency negative")
    func notNegative() throws {
        #expect(try analysis(audio(), latency: -0.07).latencies.allSatisfy { $0 == 0 })
    }

    @Test("silence in the noise is a gap, and delays what follows")
    func gap() throws {
        let result = try analysis(
            audio { noise in noise.insert(contentsOf: [Float](repeating: 0, count: 144), at: 100_000) })
        #expect(result.gaps == 1 && abs(result.gapMilliseconds - 3) < 0.03)
        #expect(abs((result.latencies.last ?? 0) - 7.25) < 0.001)
    }

    @Test("24 frames that were replaced by silence are a gap, in the first second they do not count")
    func dropout() throws {
        let result = try analysis(
            audio { noise in
                for index in 100_000..<100_024 { noise[index] = 0 }
                for index in 10_000..<10_024 { noise[index] = 0 }
            })
        expectEqual(result.gaps, 1)
    }

    @Test("silence, and other audio, are recognised in time")
    func none() {
        #expect(throws: NoiseAnalysis.Failure.silent) { try analysis(audio { $0 = $0.map { _ in 0 } }) }
        let other = audio { noise in
            for index in noise.indices { noise[index] = ReferenceNoise.sample(ofFrame: index + 1_000_000) }
        }
        #expect(throws: NoiseAnalysis.Failure.notFound) { try analysis(other) }
    }
}
