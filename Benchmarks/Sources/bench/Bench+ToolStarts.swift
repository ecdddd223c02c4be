// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The time from the start of a tool to the first frame, for tools that differ little.
extension Bench {
    static let startedFormat = "wav"
    /// The length of a file that fits into the server's buffer, in seconds.
    private static let briefSeconds = 0.3
    /// The length of an ordinary file in seconds, which exceeds the audio that any player sends in advance.
    private static let longSeconds = 10.0

    /// The times of starts in milliseconds, by tool.
    struct ToolStarts {
        /// With a file that is played to its end, or recorded.
        var brief: [String: Summary] = [:]
        /// With a file that continues after the first frame; only players.
        var long: [String: Summary] = [:]
    }

    private struct Start {
        var tool: String
        var isLong: Bool
        /// Returns the time in milliseconds.
        var action: (Rig) throws -> Double
        var times: [Double] = []
    }

    /// Starts these tools in turn, on a sink with short periods: the longer periods of the other runs would hide the
    /// differences between the tools.
    mutating func toolStarts(on rig: Rig) throws -> ToolStarts {
        let repeats = schedule.toolStarts
        guard repeats > 0 else { return ToolStarts() }
        rig.isBrisk = true
        defer { rig.isBrisk = false }
        var starts = try makeStarts(on: rig)
        say("\n## Starts of tools in turn, ms: \(repeats) runs each")
        for index in order.interleaved(Array(starts.indices), repeats: repeats) {
            let start = starts[index]
            let result = try make("\(start.tool) starts", on: rig) { Result { try start.action(rig) } }
            switch result {
            case .success(let time): starts[index].times.append(time)
            // The table contains the number of successful starts.
            case .failure(let failure): say("\(start.tool) did not start: \(failure)")
            }
        }
        var summaries = ToolStarts()
        for start in starts {
            guard let summary = Summary(start.times) else { continue }
            if start.isLong {
                summaries.long[start.tool] = summary
            } else {
                summaries.brief[start.tool] = summary
            }
            let file = start.isLong ? "\(Int(Self.longSeconds)) s" : ""
            say(
                OutputTable.pad(start.tool, 14) + OutputTable.pad(file, 5)
                    + summary.medianWithConfidence)
        }
        return summaries
    }

    private func makeStarts(on rig: Rig) throws -> [Start] {
        let brief = "\(rig.folder)/brief.wav"
        try Self.writeNoise(seconds: Self.briefSeconds, to: brief)
        let long = "\(rig.folder)/long.wav"
        try Self.writeNoise(seconds: Self.longSeconds, to: long)
        var starts: [Start] = []
        for tool in try ToolProgram.all(on: rig.kind) where Self.closeTools.contains(tool.name) {
            let isPlayer = tool.action == "play"
            let own = job(
                tool, Self.startedFormat, files: [Self.startedFormat: brief],
                seconds: isPlayer ? Self.briefSeconds : schedule.tools.seconds, folder: rig.folder)
            guard let action = own.action else { continue }
            starts.append(
                Start(tool: tool.name, isLong: false) { rig in try action(rig).processToSound })
            guard isPlayer,
                let words = tool.arguments(
                    file: long, seconds: Int(Self.longSeconds), folder: options.toolFolder)
            else { continue }
            let start = ToolStart(tool: tool, arguments: words)
            starts.append(
                Start(tool: tool.name, isLong: true) { rig in try start.milliseconds(on: rig) })
        }
        return starts
    }
}
