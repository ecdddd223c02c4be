import BenchKit
import Foundation
import SoundHarness

/// How long the closest tools take to the first frame.
extension Bench {
    static let startedFormat = "wav"
    /// Of a file that is in the server at once.
    private static let briefSeconds = 0.3
    /// Of one as people have them: longer than what anybody sends the server before it begins.
    private static let longSeconds = 10.0

    /// The starts of tools, by their names.
    struct ToolStarts {
        /// With a file that is played to its end, or recorded.
        var brief: [String: Summary] = [:]
        /// With a file that plays on; of players.
        var long: [String: Summary] = [:]
    }

    private struct Start {
        var tool: String
        var isLong: Bool
        /// Gives milliseconds.
        var action: (Rig) throws -> Double
        var times: [Double] = []
    }

    /// Starts the closest tools on a sink of short periods, since those of the other runs are longer than the differences,
    /// and with nobody between them.
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
            // How many there were is in the table.
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
