// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestTraits
import Testing

/// Programs that use system sounds and the audio session.
@Suite("Programs with system sounds", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ProgramServicesSoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig() }

    @Test("play a sound again in its completion, whole each time") func repeated() throws {
        let frames = 11_025
        let (output, sound) = try rig.hear("alert_sounds", [rig.writeSignal(frames: frames), "3"])
        // A busy machine may divide a sound.
        expectEqual(sound.parts.filter { $0[0] == 0 }.count, 3)
        expectEqual(sound.parts.map { $0[1] }.reduce(0, +), 3 * frames)
        expectEqual(output, "route Speaker, headphones 0\nleft 0, changes 1\n")
    }

    @Test("report a file that is not a sound") func noSound() throws {
        let result = try rig.run("alert_sounds", ["/nowhere.wav", "1"])
        expectEqual(result.exitStatus, 1)
        expectEqual(result.standardError, "no sound /nowhere.wav (-1500)\n")
    }
}
