// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The results of a tool that plays or records a file. Times are in milliseconds.
struct ToolResult: Codable {
    var tool: String
    var server: String
    /// Either "play" or "record".
    var action: String
    var format: String
    var failure: String?
    /// The time from the start of the process until the first frame is audible, or is in the recorded file.
    var processToSound: Summary?
    /// The same time from many short runs with short periods of the sink, in turn with the tools of the comparison
    /// only.
    var startInTurn: Summary?
    /// The same time for a player whose file continues after the first frame.
    var longStartInTurn: Summary?
    /// The time from the last frame, or from the signal that ends a recorder, to the end of the process. It is negative
    /// if the process ended first.
    var soundToExit: Summary?
    /// The length of the file minus that of the audio, or of the recording; nil if a signal ended the tool.
    var missingMilliseconds: Double?
    /// Differences between the recording and the noise.
    var gaps: Int?
    var processorMillisecondsPerSecond: Double?
    var peakMegabytes: Double?

    static let header =
        "tool          does    file  exec..sound    p99  sound..exit     missing  gaps  cpu ms/s      MB"

    init(
        tool: ToolProgram, server: String, format: String, times: [ToolTimes], seconds: Double,
        failure: String?
    ) {
        self.tool = tool.name
        self.server = server
        self.format = format
        self.failure = failure
        action = tool.action
        processToSound = Summary(times.map(\.processToSound))
        soundToExit = Summary(times.map(\.soundToExit))
        missingMilliseconds = Summary(times.compactMap(\.missing))?.median
        let counted = times.compactMap(\.gaps)
        gaps = counted.isEmpty ? nil : counted.reduce(0, +)
        processorMillisecondsPerSecond = Summary(times.map { $0.processorSeconds * 1000 / seconds })?.median
        peakMegabytes = Summary(times.map { Double($0.peakBytes) / 1e6 })?.median
    }

    var line: String {
        let name = OutputTable.pad(tool, 14) + OutputTable.pad(action, 8) + OutputTable.pad(format, 5)
        if let failure { return name + "  " + failure }
        return name
            + String(
                format: "%12.1f%7.1f%13.1f%12.2f%6d%10.2f%8.1f", processToSound?.median ?? .nan,
                processToSound?.percentile99 ?? .nan, soundToExit?.median ?? .nan,
                missingMilliseconds ?? .nan, gaps ?? 0, processorMillisecondsPerSecond ?? .nan,
                peakMegabytes ?? .nan)
    }
}

extension Summary {
    /// The median with its 95 % confidence interval.
    var medianWithConfidence: String { String(format: "%.2f (%.2f to %.2f)", median, medianLow, medianHigh) }
}

/// The results of one run of a tool. Times are in milliseconds.
struct ToolTimes {
    var processToSound: Double
    var soundToExit: Double
    var missing: Double?
    var gaps: Int?
    var processorSeconds: Double
    var peakBytes: Int
}

/// One run of a tool that plays a file.
struct ToolRun {
    var tool: ToolProgram
    var format: String
    var arguments: [String]
    var fileSeconds: Double

    func times(on rig: Rig) throws -> ToolTimes {
        let program = try RecordedProgram(tool.name, arguments, on: rig)
        // Read during playback, because the memory of a process cannot be read after its end.
        rig.wait(seconds: fileSeconds * 0.8)
        let peakBytes = program.peakResidentBytes
        let ending = try program.end(upToSeconds: fileSeconds + 15)
        let capture = rig.endRecording(quietSeconds: 0.5)
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)),
            let spans = SoundSpans(capture.samples, silenceFrames: Rig.sampleRate)
        else { throw BenchError("\(tool.name) was not audible") }
        let audible = Double(spans.end - spans.first) / Double(Rig.sampleRate)
        return ToolTimes(
            processToSound: (clock.nanoseconds(ofFrame: Double(spans.first)) - Double(ending.startHostTime))
                / 1e6,
            soundToExit: (Double(ending.endHostTime) - clock.nanoseconds(ofFrame: Double(spans.end))) / 1e6,
            missing: (fileSeconds - audible) * 1000, processorSeconds: ending.processorSeconds,
            peakBytes: peakBytes)
    }
}
