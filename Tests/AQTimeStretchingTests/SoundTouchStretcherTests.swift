// SPDX-License-Identifier: MIT

#if HAVE_TIME_PITCH
import AQExpectations
import AudioQueues
import Glibc
import AQTestSupport
import Testing
import AQTimeStretching

@Suite("Time stretching") struct SoundTouchStretcherTests {
    static let rate = 48000.0

    /// A tone of a number of periods a second, at half of full scale.
    static func tone(_ frequency: Double, frames: Int) -> [Float] {
        (0..<frames).map { Float(0.5 * sin(2 * .pi * frequency / rate * Double($0))) }
    }

    /// Noise without repetition.
    static func noise(frames: Int) -> [Float] {
        var random = SplitMix(1)
        return (0..<frames).map { _ in Float.random(in: -0.5...0.5, using: &random) }
    }

    /// The output for samples that are entered in pieces.
    static func play(
        _ samples: [Float], channels: Int = 1, through stretcher: SoundTouchStretcher, pieces: Int = 960
    ) -> [Float] {
        var output: [Float] = []
        for start in stride(from: 0, to: samples.count, by: pieces * channels) {
            let piece = Array(samples[start..<min(start + pieces * channels, samples.count)])
            unsafe stretcher.put(piece, count: piece.count / channels)
            output += take(from: stretcher, channels: channels)
        }
        stretcher.finish()
        output += take(from: stretcher, channels: channels)
        return output
    }

    static func take(from stretcher: SoundTouchStretcher, channels: Int) -> [Float] {
        var output: [Float] = []
        var room = [Float](repeating: 0, count: 500 * channels)
        while true {
            let frames = unsafe room.withUnsafeMutableBufferPointer { (room) -> Int in
                guard let start = room.baseAddress else { return 0 }
                return unsafe stretcher.take(into: start, capacity: 500)
            }
            if frames == 0 { return output }
            output += room.prefix(frames * channels)
        }
    }

    /// The frequency of a tone, by its upward zero crossings, between the given parts of it.
    static func frequency(_ samples: [Float]) -> Double {
        let middle = Array(samples[samples.count / 8..<samples.count * 7 / 8])
        let crossings = middle.indices.dropFirst().filter { middle[$0 - 1] < 0 && middle[$0] >= 0 }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * rate / Double(last - first)
    }

    static func level(_ samples: [Float]) -> Double {
        let middle = samples[samples.count / 8..<samples.count * 7 / 8]
        return (middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)).squareRoot()
    }

    @Test(
        "a changed rate changes the length and keeps the pitch", arguments: [0.25, 0.5, 0.8, 1, 1.25, 2, 4],
        [TimePitchAlgorithm.spectral, .timeDomain])
    func tempo(tempo: Double, algorithm: TimePitchAlgorithm) throws {
        let stretcher = try #require(
            SoundTouchStretcher(sampleRate: Self.rate, channels: 1, algorithm: algorithm))
        stretcher.setRate(tempo)
        let output = Self.play(Self.tone(440, frames: 96000), through: stretcher)
        #expect(abs(Double(output.count) - 96000 / tempo) <= 1)
        #expect(abs(Self.frequency(output) - 440) < 4)
        #expect(abs(Self.level(output) - 0.3536) < 0.03)
    }

    @Test("a shifted pitch keeps the length", arguments: [-2400.0, -700, 0, 300, 1200, 2400])
    func pitch(cents: Double) throws {
        let stretcher = try #require(
            SoundTouchStretcher(sampleRate: Self.rate, channels: 1, algorithm: .spectral))
        stretcher.setPitch(cents: cents)
        let output = Self.play(Self.tone(440, frames: 96000), through: stretcher)
        let expected = 440 * exp2(cents / 1200)
        #expect(abs(output.count - 96000) <= 1)
        #expect(abs(Self.frequency(output) - expected) < expected * 0.01)
    }

    /// Whether samples end like others, except for rounding by the pitch filter.
    static func endsAlike(_ samples: [Float], _ others: [Float], frames: Int) -> Bool {
        zip(samples.suffix(frames), others.suffix(frames)).allSatisfy { abs($0 - $1) < 0.002 }
    }

    /// The lowest peak of all pieces of a number of samples.
    static func lowestPeak(_ samples: [Float], pieces: Int) -> Float {
        let starts = stride(from: 0, through: samples.count - pieces, by: max(1, pieces / 2))
        return starts.map { samples[$0..<$0 + pieces].reduce(0) { max($0, abs($1)) } }.min() ?? 0
    }

    // MARK: The end

    @Test(
        "the last frame of the input is the last of the output, and nothing before it is silent",
        arguments: [0.25, 0.5, 0.7, 1, 1.4, 2, 4], [TimePitchAlgorithm.spectral, .timeDomain])
    func end(tempo: Double, algorithm: TimePitchAlgorithm) throws {
        // One second, lengths that the library divides into few pieces, and one shorter than any piece.
        for frames in [48000, 7200, 4800, 1000] {
            let stretcher = try #require(
                SoundTouchStretcher(sampleRate: Self.rate, channels: 1, algorithm: algorithm))
            stretcher.setRate(tempo)
            let noise = Self.noise(frames: frames)
            let output = Self.play(noise, through: stretcher)
            #expect(abs(Double(output.count) - Double(frames) / tempo) <= 1, "\(frames)")
            // The overlap with the previous audio has ended by then.
            #expect(Self.endsAlike(output, noise, frames: 100), "\(frames)")
            #expect(Self.lowestPeak(output, pieces: 100) > 0.2, "\(frames)")
            if tempo == 1 { #expect(Self.endsAlike(output, noise, frames: frames)) }
        }
    }

    @Test(
        "with another pitch, the audio still lasts to the end", arguments: [0.5, 1, 2],
        [-2400.0, -1200, -300, 300, 1200, 2400])
    func endOfPitch(tempo: Double, cents: Double) throws {
        for frames in [48000, 4800] {
            let stretcher = try #require(
                SoundTouchStretcher(sampleRate: Self.rate, channels: 1, algorithm: .spectral))
            stretcher.setRate(tempo)
            stretcher.setPitch(cents: cents)
            let output = Self.play(Self.tone(440, frames: frames), through: stretcher)
            let period = Int(Self.rate / (440 * exp2(cents / 1200)))
            #expect(abs(Double(output.count) - Double(frames) / tempo) <= 1, "\(frames)")
            #expect(output.suffix(period).contains { abs($0) > 0.4 }, "\(frames)")
            // Tones that meet at another phase are low for a moment, but not silent.
            #expect(Self.lowestPeak(output, pieces: period) > 0.05, "\(frames)")
        }
    }

    @Test(
        "a rate that changes during a stream loses nothing at the end, and adds no silence",
        arguments: [(2.0, 0.5), (0.5, 2), (1, 1.5), (1.5, 1)], [0, 960, 4800, 48000])
    func change(rates: (first: Double, second: Double), framesBehind: Int) throws {
        let stretcher = try #require(
            SoundTouchStretcher(sampleRate: Self.rate, channels: 1, algorithm: .spectral))
        let noise = Self.noise(frames: 48000 + framesBehind)
        var output: [Float] = []
        stretcher.setRate(rates.first)
        for start in stride(from: 0, to: noise.count, by: 960) {
            if start == 48000 { stretcher.setRate(rates.second) }
            unsafe stretcher.put(Array(noise[start..<start + 960]), count: 960)
            output += Self.take(from: stretcher, channels: 1)
        }
        if framesBehind == 0 { stretcher.setRate(rates.second) }
        stretcher.finish()
        output += Self.take(from: stretcher, channels: 1)
        // About 0.1 s held at the change is played at the second rate.
        let expected = 48000 / rates.first + Double(framesBehind) / rates.second
        let heldLonger = Double(output.count) - expected
        let leastHeld = heldLonger / (1 / rates.second - 1 / rates.first)
        #expect((0..<7200).contains(leastHeld))
        #expect(Self.endsAlike(output, noise, frames: 100))
        #expect(Self.lowestPeak(output, pieces: 100) > 0.2)
        #expect(Self.take(from: stretcher, channels: 1).isEmpty)
    }

    @Test("repeated changes of the rate keep the total length right")
    func manyChanges() throws {
        let stretcher = try #require(
            SoundTouchStretcher(sampleRate: Self.rate, channels: 1, algorithm: .spectral))
        let noise = Self.noise(frames: 96000)
        var output: [Float] = []
        var expected = 0.0
        for (index, start) in stride(from: 0, to: noise.count, by: 480).enumerated() {
            let rate = index % 20 < 10 ? 0.5 + Double(index % 10) / 10 : 1.5 - Double(index % 10) / 10
            stretcher.setRate(rate)
            unsafe stretcher.put(Array(noise[start..<start + 480]), count: 480)
            expected += 480 / rate
            output += Self.take(from: stretcher, channels: 1)
        }
        stretcher.finish()
        output += Self.take(from: stretcher, channels: 1)
        #expect(abs(Double(output.count) - expected) < 4800)
        #expect(Self.endsAlike(output, noise, frames: 100))
        #expect(Self.lowestPeak(output, pieces: 100) > 0.2)
    }

    // MARK: Streams

    @Test("channels stay separate", arguments: [2, 6, 15])
    func channels(count: Int) throws {
        let stretcher = try #require(
            SoundTouchStretcher(sampleRate: Self.rate, channels: count, algorithm: .spectral))
        stretcher.setRate(1.5)
        let tone = Self.tone(440, frames: 48000)
        var samples = [Float](repeating: 0, count: 48000 * count)
        for (index, sample) in tone.enumerated() { samples[index * count + 1] = sample }
        let output = Self.play(samples, channels: count, through: stretcher)
        expectEqual(output.count % count, 0)
        let played = stride(from: 1, to: output.count, by: count).map { output[$0] }
        #expect(abs(Self.frequency(played) - 440) < 4)
        let silent = output.indices.filter { $0 % count != 1 }.allSatisfy { output[$0] == 0 }
        #expect(silent)
    }

    @Test("a restart drops the input, and keeps the settings")
    func restart() throws {
        let stretcher = try #require(
            SoundTouchStretcher(sampleRate: Self.rate, channels: 1, algorithm: .spectral))
        stretcher.setRate(2)
        for _ in 0..<3 {
            _ = Self.play(Self.tone(1000, frames: 20000), through: stretcher)
            stretcher.restart()
            #expect(Self.take(from: stretcher, channels: 1).isEmpty)
            let output = Self.play([Float](repeating: 0, count: 4000), through: stretcher)
            #expect(abs(output.count - 2000) <= 1)
            #expect(output.allSatisfy { $0 == 0 })
            stretcher.restart()
        }
    }

    @Test("empty input gives empty output, and short input short output")
    func short() throws {
        let stretcher = try #require(
            SoundTouchStretcher(sampleRate: Self.rate, channels: 2, algorithm: .timeDomain))
        #expect(Self.play([], channels: 2, through: stretcher).isEmpty)
        stretcher.restart()
        #expect(Self.play([0.5, 0.5], channels: 2, through: stretcher).count <= 4)
    }

    @Test("unsupported settings return nil, and extreme ones do no harm")
    func limits() throws {
        #expect(SoundTouchStretcher(sampleRate: 48000, channels: 16, algorithm: .spectral) == nil)
        #expect(SoundTouchStretcher(sampleRate: 48000, channels: 0, algorithm: .spectral) == nil)
        #expect(SoundTouchStretcher(sampleRate: 48000, channels: 2, algorithm: .varispeed) == nil)
        for rate in [0, 1, 8000, 384_000, 1e300, .nan] {
            let stretcher = try #require(
                SoundTouchStretcher(sampleRate: rate, channels: 1, algorithm: .spectral))
            for setting in [-1, 0, 1e300, Double.nan, -Double.infinity] {
                stretcher.setRate(setting)
                stretcher.setPitch(cents: setting)
                #expect(Self.play(Self.tone(440, frames: 3000), through: stretcher).count < 13_000)
                stretcher.restart()
            }
        }
        #expect(SoundTouchStretcher.maker(48000, 2, .spectral) != nil)
        #expect(SoundTouchStretcher.maker(48000, 2, .varispeed) == nil)
    }
}
#endif
