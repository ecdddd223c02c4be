// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// Programs with procedures of devices.
@Suite("Programs with procedures of devices", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ProgramDeviceSoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig() }

    @Test("play a tone, in cycles of the size that they set", arguments: ["64", "441", "4096"])
    func tone(frames: String) throws {
        let (output, sound) = try rig.hear("device_tone", ["440", "1", frames])
        expectEqual(output, "0 failures\n")
        // A stall of the machine causes a gap, in which no frame is lost; each may hide a frame near zero. The tone has
        // no two frames in a row below the threshold.
        let gaps = sound.gaps(minimumFrames: 3)
        let tone = sound.removing(gaps)
        #expect(abs(tone.soundFrames() - 44_100) <= 60 + gaps.count, "\(gaps.count) gaps")
        #expect(abs(tone.frequency - 440) < 5, "\(gaps.count) gaps")
        #expect(abs(sound.peak - 0.5) < 0.01)
    }

    @Test("capture by a block on a dispatch queue, which stops itself") func dispatch() throws {
        let player = try rig.start(playing: rig.writeSine(frequency: 500, seconds: 5))
        let result = try rig.run("dispatch_device", ["1"])
        result.expectSuccess()
        let numbers = result.standardOutput.numbers
        try #require(numbers.count == 4, "\(result.standardOutput)")
        #expect(numbers[0] >= 44_100 && numbers[0] < 44_100 + 512)
        expectEqual(numbers[1], 0)
        #expect(abs(numbers[2] - 0.5) < 0.01)
        expectEqual(numbers[3], 0)
        player.signal(SIGTERM)
    }
}
