// SPDX-License-Identifier: MIT

import AQSoundHarness

/// A demonstration: a tune, a player, and a sink whose monitor is recorded while the tune plays.
struct Demo {
    private static let tune = ToolPaths.fixture("tune-vbr.mp3")
    /// The tune's duration: 242,550 frames at 44.1 kHz.
    private static let tuneSeconds = 5.5

    private let player: String
    private let sink: DemoSink

    static func prepare() throws -> Demo {
        let player = try Environment.value("AQ_PLAYER") ?? ToolPaths.tool("aqplay")
        return Demo(player: player, sink: try DemoSink.choose())
    }

    /// Plays the tune to its end.
    ///
    /// - Throws: `HarnessError` if the player fails or no audio can be recorded.
    func play() throws -> Measurement {
        let capture = try sink.makeCapture()
        let result = try ChildProcess.run(
            player, [Self.tune], environment: sink.environment, deadlineSeconds: 60)
        let recording = capture.stop()
        guard result.exitStatus == 0 else {
            let reason =
                result.isTimedOut ? "did not end within 60 s" : "ended with status \(result.exitStatus)"
            throw HarnessError("\(player) \(reason)\n\(result.standardError)")
        }
        return Measurement(
            recording, startHostTime: result.startHostTime, expectedSeconds: Self.tuneSeconds,
            device: sink.description)
    }
}
