import BenchKit
import Foundation
import SoundHarness

/// One start of a tool that plays a file, which is killed once it was heard.
struct ToolStart {
    /// Many times what any takes that is compared here.
    private static let seconds = 0.3

    var tool: ToolProgram
    var arguments: [String]

    /// How long it takes from the process's start to the first frame heard.
    ///
    /// - Throws: ``BenchError`` when it ends before, or is not heard.
    func milliseconds(on rig: Rig) throws -> Double {
        let program = try HeardProgram(tool.name, arguments, on: rig)
        program.wait(seconds: Self.seconds)
        program.signal(SIGKILL)
        let ending = try program.end(upToSeconds: 5, statuses: [128 + SIGKILL])
        let capture = rig.endRecording(quietSeconds: 0.1)
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)),
            let spans = SoundSpans(capture.samples, silenceFrames: Rig.sampleRate)
        else { throw BenchError("\(tool.name) was not heard") }
        return (clock.nanoseconds(ofFrame: Double(spans.first)) - Double(ending.startHostTime)) / 1e6
    }
}
