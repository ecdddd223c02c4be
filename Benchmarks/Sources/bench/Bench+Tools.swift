// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The measure of commands that play or record files.
extension Bench {
    /// A tool with one file format. The action is nil if the tool is not installed, or no file of the format exists.
    struct Job {
        var tool: ToolProgram
        var format: String
        var action: ((Rig) throws -> ToolTimes)?
        var times: [ToolTimes] = []
        var failure: String?
    }

    /// Tools whose starts differ by only a millisecond or two, so that they need more runs.
    static let closeTools = ["aqplay", "paplay", "aqrecord", "parecord"]
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
            if job.format == Self.startedFormat {
                result.startInTurn = starts.brief[job.tool.name]
                result.longStartInTurn = starts.long[job.tool.name]
            }
            say(result.line)
            record.tools.append(result)
        }
    }

    func job(
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

    /// Makes a file of noise in each format; MP3 only if an encoder is installed.
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

    static func writeNoise(seconds: Double, to path: String) throws {
        let noise = ReferenceNoise(stream: 0, frames: Int(seconds * Double(Rig.sampleRate)), amplitude: 0.25)
        try WaveWriter.write(noise.samples, channels: 2, sampleRate: Rig.sampleRate, to: path)
    }
}
