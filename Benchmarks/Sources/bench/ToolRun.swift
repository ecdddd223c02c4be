import BenchKit
import Foundation
import SoundHarness

/// What a tool that plays or records a file was measured at. Times are in milliseconds.
struct ToolResult: Codable {
    var tool: String
    var server: String
    /// "play" or "record".
    var action: String
    var format: String
    var failure: String?
    /// Until the first frame that was played is heard, or the first that was recorded is.
    var processToSound: Summary?
    /// The same of many short runs on a sink of short periods, in turn with those it is compared with alone.
    var startInTurn: Summary?
    /// As that, of a player whose file goes on.
    var longStartInTurn: Summary?
    /// From the last frame's being heard, or from the signal that ends a recorder, to the process's end; negative
    /// where it ended before.
    var soundToExit: Summary?
    /// How much shorter the sound, or the recording, is than it should be. None for who is ended by a signal.
    var missingMilliseconds: Double?
    /// Departures from the noise in what was recorded.
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
    /// The median, and between what it lies at 95 %.
    var medianWithConfidence: String { String(format: "%.2f (%.2f to %.2f)", median, medianLow, medianHigh) }
}

/// The figures of one run of a tool.
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
        let program = try HeardProgram(tool.name, arguments, on: rig)
        // While it plays: once it has ended nobody tells how large it was.
        rig.wait(seconds: fileSeconds * 0.8)
        let peakBytes = program.peakResidentBytes
        let ending = try program.end(upToSeconds: fileSeconds + 15)
        let capture = rig.endRecording(quietSeconds: 0.5)
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)),
            let spans = SoundSpans(capture.samples, silenceFrames: Rig.sampleRate)
        else { throw BenchError("\(tool.name) was not heard") }
        let heard = Double(spans.end - spans.first) / Double(Rig.sampleRate)
        return ToolTimes(
            processToSound: (clock.nanoseconds(ofFrame: Double(spans.first)) - Double(ending.startHostTime))
                / 1e6,
            soundToExit: (Double(ending.endHostTime) - clock.nanoseconds(ofFrame: Double(spans.end))) / 1e6,
            missing: (fileSeconds - heard) * 1000, processorSeconds: ending.processorSeconds,
            peakBytes: peakBytes)
    }
}
