// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import AQTestSupport
import AQTestTraits
import Testing

/// Programs in both language modes, which import AVFoundation alone. That they are built is most of the test.
@Suite("Programs with the classes for audio", .serialized, .besideOthers, .timeLimit(.minutes(3)))
struct ClientProgramTests {
    private let server: PulseServer
    private let folder = ScratchFolder()

    init() throws { server = try PulseServer() }

    private func lines(_ program: String) throws -> [String] {
        let result = try ChildProcess.run(
            ToolPaths.tool("aqprogram-\(program)"), [folder.path], environment: server.environment,
            deadlineSeconds: 60)
        #expect(result.exitStatus == 0 && !result.isTimedOut, "\(result.standardError)")
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    @Test("in language mode 5") func five() throws {
        try expectEqual(
            lines("ClassesInFive"),
            [
                "recorded true, levels true, at 16 kHz true", "com.apple.coreaudio.avfaudio 2003334207",
                "played true",
            ])
    }

    @Test("in language mode 6") func six() throws {
        try expectEqual(
            lines("ClassesInSix"),
            [
                "duration 0.5, rate 48000", "resampled 12000", "played true", "recorded true, 6000 frames",
            ])
    }

    @Test("on the main actor") func main() throws {
        try expectEqual(
            lines("ClassesOnMain"),
            [
                "recorded true, samples true, level true", "paused true", "played true", "sound ended, true",
            ])
    }
}
