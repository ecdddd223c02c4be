// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// One run of a tool that records the monitor into a file while noise is played.
struct RecorderToolRun {
    var tool: ToolProgram
    var arguments: [String]
    var file: String
    var seconds: Double

    /// - Throws: ``BenchError`` if the tool fails, or if the noise is not in its file.
    func times(on rig: Rig) throws -> ToolTimes {
        try? FileManager.default.removeItem(atPath: file)
        let frames = Int((seconds + 10) * Double(Rig.sampleRate))
        let noise = ReferenceNoise(stream: 0, frames: frames, amplitude: 0.25)
        let program = try RecordedProgram(
            tool.name, arguments, on: rig, environment: ["PULSE_SOURCE": "\(Rig.sinkName).monitor"],
            noise: noise)
        rig.wait(seconds: seconds * 0.8)
        let peakBytes = program.peakResidentBytes
        let isSignalled = tool.ends != "self"
        rig.wait(seconds: isSignalled ? seconds * 0.2 : 0)
        let signalled = HostClock.now
        if isSignalled { program.signal(SIGINT) }
        // pw-cat reports a signal as a failure.
        let ending = try program.end(upToSeconds: seconds + 10, statuses: isSignalled ? [0, 1] : [0])
        let capture = rig.endRecording()
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)) else {
            throw BenchError("nothing was recorded")
        }
        let (samples, sampleRate) = try WaveReader.read(
            Array(Data(contentsOf: URL(fileURLWithPath: file))))
        guard sampleRate == Rig.sampleRate else {
            throw BenchError("it records \(sampleRate) Hz, not the source's \(Rig.sampleRate)")
        }
        let recorded = Aligner.align(samples, to: noise)
        let audible = Aligner.align(capture.samples, to: noise)
        guard let first = recorded.segments.first, let last = recorded.segments.last,
            let firstAudible = audible.captureFrame(of: first.sequenceStart),
            let lastAudible = audible.captureFrame(of: last.sequenceEnd - 1)
        else { throw BenchError("the noise is not in what \(tool.name) recorded") }
        let end = Double(ending.endHostTime)
        // The file begins before the first frame that was recognised.
        let began = clock.passingNanoseconds(ofFrame: firstAudible - Double(first.captureStart))
        return ToolTimes(
            processToSound: (began - Double(ending.startHostTime)) / 1e6,
            soundToExit: (end
                - (isSignalled ? Double(signalled) : clock.passingNanoseconds(ofFrame: lastAudible)))
                / 1e6,
            missing: isSignalled ? nil : (seconds - Double(samples.count) / Double(sampleRate)) * 1000,
            gaps: recorded.gaps.count, processorSeconds: ending.processorSeconds, peakBytes: peakBytes)
    }
}
