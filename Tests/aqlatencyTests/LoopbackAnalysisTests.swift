// SPDX-License-Identifier: MIT

import AQRoundTripAnalysis
import Testing

@testable import aqlatency

@Suite("The delay of a made-up loopback")
struct LoopbackAnalysisTests {
    private static let start = 5e12
    private static let chirps = (1...5).map { Int(Double($0) * LoopbackAnalysis.intervalSeconds * 48_000) }

    /// A recording that begins when frame 0 is audible, with chirps that arrive `milliseconds` after they are audible.
    private func audio(
        milliseconds: Double, sampleRate: Double = 48_000, channels: Int = 1, channel: Int = 0,
        gain: Float = 0.05
    ) -> CapturedAudio {
        var audio = CapturedAudio(sampleRate: sampleRate, channels: channels)
        let frames = Int(5 * sampleRate)
        audio.samples = [Float](repeating: 0, count: frames * channels)
        let chirp = Chirp(forSampleRate: min(48_000, sampleRate)).samples(sampleRate: sampleRate).real
        for first in Self.chirps {
            let place = Int(((Double(first) / 48_000 + milliseconds / 1000) * sampleRate).rounded())
            for (index, sample) in chirp.enumerated() where place + index < frames {
                audio.samples[(place + index) * channels + channel] += Float(sample) * gain
            }
        }
        audio.marks = stride(from: 0, to: frames, by: 480).map { frame in
            let time = Self.start + Double(frame) * 1e9 / sampleRate
            return .init(frame: frame, captureNanoseconds: time, callbackNanoseconds: time + 12e6)
        }
        return audio
    }

    private func analysis(_ audio: CapturedAudio) throws -> LoopbackAnalysis {
        let positions = (0...50).map {
            PlayedPosition(frame: Double($0) * 4_800, nanoseconds: Self.start + Double($0) * 1e8)
        }
        let callbacks = (0..<500).map {
            CallbackRecord(
                entryNanoseconds: Self.start + Double($0) * 1e7 - 25e6, firstFrame: $0 * 480, frames: 480)
        }
        return try LoopbackAnalysis(
            audio, chirp: Chirp(forSampleRate: min(48_000, audio.sampleRate)), chirps: Self.chirps,
            outputRate: 48_000, positions: positions, callbacks: callbacks)
    }

    @Test("delays from before the clocks' zero to half a second", arguments: [-10.0, 0, 3.5, 37, 500])
    func delays(milliseconds: Double) throws {
        let result = try analysis(audio(milliseconds: milliseconds))
        #expect(abs(result.delay.median - milliseconds) < 0.011)
        #expect(result.delay.largest - result.delay.smallest < 0.02)
        #expect(result.playedChirps == 5 && result.delays.count == 5)
        #expect(!result.isInverted && !result.isClipped)
    }

    @Test("the rate of the source may be another", arguments: [8_000.0, 44_100, 96_000])
    func rates(sampleRate: Double) throws {
        let result = try analysis(audio(milliseconds: 20, sampleRate: sampleRate))
        // Half a frame of the source, because the chirp is placed at a whole one.
        #expect(abs(result.delay.median - 20) < 0.5e3 / sampleRate + 0.001)
    }

    @Test("from callback to callback: the delay, the buffers before and the fragment after it")
    func through() throws {
        let result = try analysis(audio(milliseconds: 20))
        #expect((45.0...70).contains(result.throughCallbacks.median))
    }

    @Test("the channel with the chirps is found, also an inverted one")
    func channels() throws {
        let result = try analysis(audio(milliseconds: 20, channels: 3, channel: 2, gain: -0.01))
        #expect(result.channel == 2 && result.isInverted)
        #expect(abs(result.delay.median - 20) < 0.011)
    }

    @Test("a chirp that is missing or elsewhere does not change the result; too many are no result")
    func missing() throws {
        var audio = audio(milliseconds: 20)
        func drop(_ number: Int) {
            let first = Self.chirps[number]
            for index in first..<first + 20_000 { audio.samples[index] = 0 }
        }
        drop(1)
        drop(3)
        #expect(abs(try analysis(audio).delay.median - 20) < 0.011)
        drop(0)
        #expect(throws: LoopbackAnalysis.Failure.self) { try analysis(audio) }
    }

    @Test("chirps at different delays are no result, and their range is reported")
    func unsteady() throws {
        var audio = audio(milliseconds: 0)
        // Each is 10 ms later than the one before.
        for number in (0..<5).reversed() {
            let first = Self.chirps[number]
            let piece = Array(audio.samples[first..<first + 10_000])
            for index in 0..<10_000 { audio.samples[first + index] = 0 }
            for index in 0..<10_000 { audio.samples[first + 480 * number + index] = piece[index] }
        }
        #expect {
            try analysis(audio)
        } throws: {
            guard case .unsteady(let range)? = $0 as? LoopbackAnalysis.Failure else { return false }
            return abs(range.lowerBound) < 0.1 && abs(range.upperBound - 40) < 0.1
        }
    }

    @Test("silence and noise have no delay, for different reasons")
    func none() throws {
        var audio = audio(milliseconds: 20, gain: 0)
        #expect(throws: LoopbackAnalysis.Failure.silent) { try analysis(audio) }
        for index in audio.samples.indices {
            audio.samples[index] = ReferenceNoise.sample(ofFrame: index) * 0.5
        }
        #expect {
            try analysis(audio)
        } throws: {
            if case .notFound(let peak)? = $0 as? LoopbackAnalysis.Failure { peak > 0.4 } else { false }
        }
    }

    @Test("a clipped recording is called clipped")
    func clipped() throws {
        var audio = audio(milliseconds: 20, gain: 3)
        audio.samples = audio.samples.map { min(max($0, -1), 1) }
        let result = try analysis(audio)
        #expect(result.isClipped && abs(result.delay.median - 20) < 0.05)
    }
}
