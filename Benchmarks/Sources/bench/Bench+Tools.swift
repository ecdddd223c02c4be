import BenchKit
import Foundation
import SoundHarness

/// Commands that play or record files.
extension Bench {
    /// A tool with a file that it takes, and how to run it; nil where it is not installed.
    private struct Job {
        var tool: ToolProgram
        var format: String
        var action: ((Rig) throws -> ToolTimes)?
        var times: [ToolTimes] = []
        var failure: String?
    }

    /// Whose starts lie within a millisecond or two of each other, which a few runs do not tell apart.
    private static let closeTools = ["aqplay", "paplay", "aqrecord", "parecord"]
    private static let closeRuns = 4

    mutating func tools(on rig: Rig) throws {
        let plan = schedule.tools
        let files = try Self.makeFiles(seconds: plan.seconds, in: rig.folder)
        var jobs = try ToolProgram.all(on: rig.kind).flatMap { tool in
            tool.formats.map { job(tool, $0, files: files, seconds: plan.seconds, folder: rig.folder) }
        }
        say(
            "\n## Tools that play or record \(plan.seconds) s, ms: \(plan.repeats) runs each, "
                + "\(Self.closeRuns) times that of \(Self.closeTools.joined(separator: ", "))")
        let runs = jobs.indices.flatMap { index in
            repeatElement(index, count: Self.closeTools.contains(jobs[index].tool.name) ? Self.closeRuns : 1)
        }
        for index in order.interleaved(runs, repeats: plan.repeats) {
            guard let action = jobs[index].action else { continue }
            let result = try make("\(jobs[index].tool.name) \(jobs[index].format)", on: rig) {
                Result { try action(rig) }
            }
            switch result {
            case .success(let times): jobs[index].times.append(times)
            case .failure(let failure): jobs[index].failure = "\(failure)"
            }
        }
        let starts = try toolStarts(on: rig)
        say(ToolResult.header)
        for job in jobs {
            var result = ToolResult(
                tool: job.tool, server: rig.kind.rawValue, format: job.format, times: job.times,
                seconds: plan.seconds, failure: job.failure)
            if job.format == Self.startedFormat { result.startInTurn = starts[job.tool.name] }
            say(result.line)
            record.tools.append(result)
        }
    }

    // MARK: Starts

    private static let startedFormat = "wav"
    /// Of a file that is played only until it is heard.
    private static let startedSeconds = 0.3

    /// How long the closest tools take to the first frame: on a sink of short periods, since those of the other runs are
    /// longer than the differences, and with nobody between them.
    private mutating func toolStarts(on rig: Rig) throws -> [String: Summary] {
        let repeats = schedule.toolStarts
        guard repeats > 0 else { return [:] }
        rig.isBrisk = true
        defer { rig.isBrisk = false }
        let brief = "\(rig.folder)/brief.wav"
        try Self.writeNoise(seconds: Self.startedSeconds, to: brief)
        let jobs = try ToolProgram.all(on: rig.kind).filter { Self.closeTools.contains($0.name) }.map {
            tool in
            job(
                tool, Self.startedFormat, files: [Self.startedFormat: brief],
                seconds: tool.action == "play" ? Self.startedSeconds : schedule.tools.seconds,
                folder: rig.folder)
        }
        say("\n## Starts of tools in turn, ms: \(repeats) runs each")
        var times = [[Double]](repeating: [], count: jobs.count)
        for index in order.interleaved(Array(jobs.indices), repeats: repeats) {
            guard let action = jobs[index].action else { continue }
            let result = try make("\(jobs[index].tool.name) starts", on: rig) { Result { try action(rig) } }
            switch result {
            case .success(let own): times[index].append(own.processToSound)
            // How many there were is in the table.
            case .failure(let failure): say("\(jobs[index].tool.name) did not start: \(failure)")
            }
        }
        var starts: [String: Summary] = [:]
        for (job, own) in zip(jobs, times) {
            guard let summary = Summary(own) else { continue }
            starts[job.tool.name] = summary
            say("\(OutputTable.pad(job.tool.name, 14))\(summary.medianWithConfidence)")
        }
        return starts
    }

    private func job(
        _ tool: ToolProgram, _ format: String, files: [String: String], seconds: Double, folder: String
    ) -> Job {
        var job = Job(tool: tool, format: format)
        let isRecorder = tool.action == "record"
        let file = isRecorder ? "\(folder)/recorded.\(format)" : files[format]
        guard let file else {
            job.failure = "there is nothing here that makes \(format) files"
            return job
        }
        guard let words = tool.arguments(file: file, seconds: Int(seconds), folder: options.toolFolder) else {
            job.failure = "is not installed"
            return job
        }
        if isRecorder {
            let run = RecorderToolRun(tool: tool, arguments: words, file: file, seconds: seconds)
            job.action = { try run.times(on: $0) }
        } else {
            let run = ToolRun(tool: tool, format: format, arguments: words, fileSeconds: seconds)
            job.action = { try run.times(on: $0) }
        }
        return job
    }

    /// Files of noise by their format; MP3 only where something encodes it.
    private static func makeFiles(seconds: Double, in folder: String) throws -> [String: String] {
        let wave = "\(folder)/noise.wav"
        try writeNoise(seconds: seconds, to: wave)
        var files = ["wav": wave]
        let mp3 = "\(folder)/noise.mp3"
        if (try? HarnessCommand.output("lame", ["--quiet", "-b", "192", wave, mp3])) != nil
            || (try? HarnessCommand.output("ffmpeg", ["-v", "quiet", "-i", wave, mp3])) != nil
        {
            files["mp3"] = mp3
        }
        return files
    }

    private static func writeNoise(seconds: Double, to path: String) throws {
        let noise = ReferenceNoise(stream: 0, frames: Int(seconds * Double(Rig.sampleRate)), amplitude: 0.25)
        try WaveWriter.write(noise.samples, channels: 2, sampleRate: Rig.sampleRate, to: path)
    }
}
