// SPDX-License-Identifier: MIT

import AQExpectations
import CAQAudioToolbox
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQToolboxFunctions

/// The parameters of a queue besides its volume, and their audible effect.
@Suite("Rate, pitch and pan by AudioQueue.h") struct QueueEffectTests {
    /// The playback of a 441 Hz tone, and the resulting tone.
    struct Stretch: Sendable {
        let algorithm: UInt32
        let rate: Float
        let cents: Float
        let frequency: Double
    }

    private static let varispeed = [
        Stretch(algorithm: kAudioQueueTimePitchAlgorithm_Varispeed, rate: 2, cents: 0, frequency: 882),
        Stretch(algorithm: kAudioQueueTimePitchAlgorithm_Varispeed, rate: 0.5, cents: 0, frequency: 220.5),
    ]
    #if HAVE_TIME_PITCH
    private static let stretches =
        varispeed + [
            Stretch(algorithm: kAudioQueueTimePitchAlgorithm_TimeDomain, rate: 1.5, cents: 0, frequency: 441),
            Stretch(algorithm: kAudioQueueTimePitchAlgorithm_Spectral, rate: 2, cents: 0, frequency: 441),
            Stretch(algorithm: kAudioQueueTimePitchAlgorithm_Spectral, rate: 1, cents: 1200, frequency: 882),
        ]
    #else
    private static let stretches = varispeed
    #endif

    private func set(_ property: AudioQueuePropertyID, _ value: UInt32, of rig: QueueRig) -> OSStatus {
        var value = value
        return unsafe audioQueueSetProperty(rig.queue, property, &value, 4)
    }

    private func set(_ parameter: AudioQueueParameterID, to value: Float, of rig: QueueRig) {
        var inForce: Float = 9
        unsafe expectEqual(audioQueueSetParameter(rig.queue, parameter, value), noErr)
        unsafe expectEqual(audioQueueGetParameter(rig.queue, parameter, &inForce), noErr)
        expectEqual(inForce, value)
    }

    /// The frequency of a tone at 48 kHz, by its upward zero crossings away from its ends.
    private func frequency(of sound: [Float]) -> Double {
        let middle = Array(sound[(sound.count / 8)..<(sound.count * 7 / 8)])
        let crossings = middle.indices.dropFirst().filter { middle[$0 - 1] < 0 && middle[$0] >= 0 }
        guard let first = crossings.first, let last = crossings.last, last > first else { return 0 }
        return Double(crossings.count - 1) * 48_000 / Double(last - first)
    }

    @Test("rate and pitch change the tone and the length as their algorithm defines", arguments: stretches)
    func rateAndPitch(stretch: Stretch) throws {
        let rig = try QueueRig(format: floats())
        expectEqual(set(kAudioQueueProperty_EnableTimePitch, 1, of: rig), noErr)
        expectEqual(set(kAudioQueueProperty_TimePitchAlgorithm, stretch.algorithm, of: rig), noErr)
        set(kAudioQueueParam_PlayRate, to: stretch.rate, of: rig)
        set(kAudioQueueParam_Pitch, to: stretch.cents, of: rig)
        let frames = 48_000
        let step = 2 * Double.pi * 441 / 48_000
        let tone = (0..<frames).map { (frame: Int) -> Float in Float(0.5 * sin(step * Double(frame))) }
        try rig.enqueue(tone)
        try rig.start()
        unsafe expectEqual(audioQueueStop(rig.queue, false), noErr)
        let rendered = rig.render(of: Float.self, limit: 2_000_000) { rig.isRunning == 0 }
        // Silence is allowed if the device was faster than the effects.
        let played = rendered.filter { $0 != 0 }
        let wantedFrames = Double(frames) / Double(stretch.rate)
        #expect(abs(Double(played.count) - wantedFrames) < wantedFrames * 0.02)
        #expect(abs(frequency(of: played) - stretch.frequency) < stretch.frequency * 0.02)
        #expect(eventually { rig.record.count == 1 })
    }

    @Test("a rate is kept, without effect, while time and pitch are not enabled")
    func rateAlone() throws {
        let rig = try QueueRig()
        set(kAudioQueueParam_PlayRate, to: 2, of: rig)
        set(kAudioQueueParam_Pitch, to: -1200, of: rig)
        try unsafe rig.enqueue(frames: 100, from: 1)
        try rig.start()
        expectEqual(rig.render(frames: 100), counting(1...100))
    }

    @Test("mono is panned between two channels", arguments: [-1, 1] as [Float])
    func panMono(pan: Float) throws {
        let rig = try QueueRig()
        set(kAudioQueueParam_Pan, to: pan, of: rig)
        try rig.enqueue([Int16](repeating: 8192, count: 960))
        try rig.start()
        unsafe expectEqual(audioQueueStop(rig.queue, false), noErr)
        let played = rig.render(of: Float.self, limit: 1_000_000) { rig.isRunning == 0 }
        let sides = [0, 1].map { (side: Int) -> [Float] in
            stride(from: side, to: played.count, by: 2).map { played[$0] }
        }
        let (loud, quiet) = pan < 0 ? (sides[0], sides[1]) : (sides[1], sides[0])
        let audible = loud.filter { $0 != 0 }
        expectEqual(audible.count, 960)
        #expect(audible.allSatisfy { abs($0 - 0.25) < 1e-6 })
        #expect(quiet.allSatisfy { $0 == 0 })
    }

    @Test("one side of stereo is lowered, and the other is unchanged", arguments: [-1, 1] as [Float])
    func panStereo(pan: Float) throws {
        let rig = try QueueRig(format: shorts(channels: 2))
        set(kAudioQueueParam_Pan, to: pan, of: rig)
        try rig.enqueue(counting(1...200))
        try rig.start()
        // The odd numbers are left.
        let expected = (1...200).map { (sample: Int) -> Int16 in
            (sample % 2 == 1) == (pan < 0) ? Int16(sample) : 0
        }
        expectEqual(rig.render(frames: 100), expected)
    }
}
