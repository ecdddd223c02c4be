// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("Programs that make sound at exact times", .serialized, .measuring, .timeLimit(.minutes(1)))
struct ProgramTimeSoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig() }

    @Test("at the start times of its buffers") func startTimes() throws {
        let (output, sound) = try rig.hear("ToneAVFoundation")
        expectEqual(output, "")
        let onsets = sound.onsets(above: 0.1, afterFrames: 4410)
        try #require(onsets.count == 3)
        #expect(abs(onsets[1] - onsets[0] - 22_050) <= 1)
        #expect(abs(onsets[2] - onsets[1] - 22_050) <= 1)
    }

    @Test("on two queues that start at one time") func metronome() throws {
        let (output, sound) = try rig.hear("metronome", ["120", "4"])
        let apart = try #require(output.numbers.first, "\(output)")
        #expect(abs(apart) <= 64)
        // The first beat has a different tone.
        let onsets = sound.onsets(above: 0.15, afterFrames: 4410)
        try #require(onsets.count == 4)
        #expect(abs(onsets[2] - onsets[1] - 22_050) <= 1)
        #expect(abs(onsets[3] - onsets[2] - 22_050) <= 1)
    }
}
