// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// One start of a tool that plays a file. The tool is killed after its first frames.
struct ToolStart {
    /// Several times the duration of the slowest start.
    private static let seconds = 0.3

    var tool: ToolProgram
    var arguments: [String]

    /// Returns the time from the start of the process to the first audible frame.
    ///
    /// - Throws: ``BenchError`` if the process ends too early, or is not audible.
    func milliseconds(on rig: Rig) throws -> Double {
        let program = try RecordedProgram(tool.name, arguments, on: rig)
        program.wait(seconds: Self.seconds)
        program.signal(SIGKILL)
        let ending = try program.end(upToSeconds: 5, statuses: [128 + SIGKILL])
        let capture = rig.endRecording(quietSeconds: 0.1)
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)),
            let spans = SoundSpans(capture.samples, silenceFrames: Rig.sampleRate)
        else { throw BenchError("\(tool.name) was not audible") }
        return (clock.nanoseconds(ofFrame: Double(spans.first)) - Double(ending.startHostTime)) / 1e6
    }
}
