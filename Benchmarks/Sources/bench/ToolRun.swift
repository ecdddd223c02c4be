import BenchKit
import Foundation
import SoundHarness

/// A line of tools.tsv: a command that plays or records a file.
struct ToolProgram {
    var name: String
    var servers: String
    var action: String
    var formats: [String]
    /// "self", or the signal that ends it.
    var ends: String
    var command: [String]

    /// Reads the table beside this package.
    static func all() throws -> [ToolProgram] {
        let path = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .appending(path: "../../../tools.tsv").standardizedFileURL
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("#") }.dropFirst().map { line in
                let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard fields.count == 7 else { throw BenchError("cannot read tools.tsv: '\(line)'") }
                return ToolProgram(
                    name: fields[0], servers: fields[2], action: fields[3],
                    formats: fields[4].split(separator: ",").map(String.init), ends: fields[5],
                    command: fields[6].split(separator: " ").map(String.init))
            }
    }

    /// The program that must be in PATH, or in `folder` for this project's own.
    func arguments(file: String, seconds: Int, folder: String?) -> [String]? {
        var words = command.map {
            $0.replacingOccurrences(of: "{file}", with: file)
                .replacingOccurrences(of: "{seconds}", with: String(seconds))
        }
        if let folder, words[0].hasPrefix("aq") { words[0] = "\(folder)/\(words[0])" }
        let program = words.first { $0 != "env" && !$0.contains("=") } ?? ""
        let isThere =
            program.hasPrefix("/")
            ? FileManager.default.isExecutableFile(atPath: program) : ToolPaths.isInPath(program)
        return isThere ? words : nil
    }
}

/// What a tool that plays a file was measured at. Times are in milliseconds.
struct ToolResult: Codable {
    var tool: String
    var server: String
    var format: String
    var failure: String?
    var processToSound: Summary?
    /// From the last frame's being played to the process's end; negative where it ended before.
    var soundToExit: Summary?
    var missingMilliseconds: Double?
    var processorMillisecondsPerSecond: Double?
    var peakMegabytes: Double?

    static let header =
        "tool          file  exec..sound    p99  sound..exit  sound missing  cpu ms/s      MB"

    var line: String {
        let name = OutputTable.pad(tool, 13) + OutputTable.pad(format, 5)
        if let failure { return name + "  " + failure }
        return name
            + String(
                format: "%12.1f%7.1f%13.1f%15.2f%10.2f%8.1f", processToSound?.median ?? .nan,
                processToSound?.percentile99 ?? .nan, soundToExit?.median ?? .nan,
                missingMilliseconds ?? .nan,
                processorMillisecondsPerSecond ?? .nan, peakMegabytes ?? .nan)
    }
}

/// One run of a tool that plays a file.
struct ToolRun {
    struct Times {
        var processToSound: Double
        var soundToExit: Double
        var missing: Double
        var processorSeconds: Double
        var peakBytes: Int
    }

    var tool: ToolProgram
    var format: String
    var arguments: [String]
    var fileSeconds: Double

    func times(on rig: Rig) throws -> Times {
        try rig.beginRecording()
        rig.wait(seconds: Double.random(in: 0.001...0.02))
        let child = try ChildProcess(
            arguments[0], Array(arguments.dropFirst()), environment: rig.environment())
        // While it plays: once it has ended nobody tells how large it was.
        rig.wait(seconds: fileSeconds * 0.8)
        let peakBytes = ProcessSample(process: child.processIdentifier).peakResidentBytes
        let ending = child.wait(deadlineSeconds: fileSeconds + 15)
        guard ending.exitStatus == 0, !ending.isTimedOut else {
            throw BenchError("\(tool.name) failed: \(PeerRun.reason(ending))")
        }
        let capture = rig.endRecording(quietSeconds: 0.5)
        guard let clock = ArrivalClock(capture.fragments, sampleRate: Double(Rig.sampleRate)),
            let spans = SoundSpans(capture.samples, silenceFrames: Rig.sampleRate)
        else { throw BenchError("\(tool.name) was not heard") }
        let heard = Double(spans.end - spans.first) / Double(Rig.sampleRate)
        return Times(
            processToSound: (clock.nanoseconds(ofFrame: Double(spans.first)) - Double(ending.startHostTime))
                / 1e6,
            soundToExit: (Double(ending.endHostTime) - clock.nanoseconds(ofFrame: Double(spans.end))) / 1e6,
            missing: (fileSeconds - heard) * 1000, processorSeconds: ending.processorSeconds,
            peakBytes: peakBytes)
    }
}

extension Bench {
    mutating func tools(on rig: Rig) throws {
        let fileSeconds = options.effort == .full ? 3.0 : 1.0
        let wave = "\(rig.folder)/noise.wav"
        let noise = ReferenceNoise(
            stream: 0, frames: Int(fileSeconds * Double(Rig.sampleRate)), amplitude: 0.25)
        try WaveWriter.write(noise.samples, channels: 2, sampleRate: Rig.sampleRate, to: wave)
        var files = ["wav": wave]
        let mp3 = "\(rig.folder)/noise.mp3"
        if (try? HarnessCommand.output("lame", ["--quiet", "-b", "192", wave, mp3])) != nil
            || (try? HarnessCommand.output("ffmpeg", ["-v", "quiet", "-i", wave, mp3])) != nil
        {
            files["mp3"] = mp3
        }
        let repeats = options.repeats ?? (options.effort == .full ? 15 : options.effort == .quick ? 2 : 7)
        let runs = try ToolProgram.all()
            .filter { $0.action == "play" && ["both", rig.kind.rawValue].contains($0.servers) }
            .flatMap { tool in
                tool.formats.compactMap { format in
                    files[format].flatMap { file in
                        tool.arguments(file: file, seconds: Int(fileSeconds), folder: options.toolFolder)
                    }.map { ToolRun(tool: tool, format: format, arguments: $0, fileSeconds: fileSeconds) }
                }
            }
        var times: [String: [ToolRun.Times]] = [:]
        var failures: [String: String] = [:]
        for run in order.interleaved(runs, repeats: repeats) {
            let key = "\(run.tool.name) \(run.format)"
            do { times[key, default: []].append(try run.times(on: rig)) } catch { failures[key] = "\(error)" }
        }
        say("\n## Tools that play \(fileSeconds) s, ms: \(repeats) runs each\n\(ToolResult.header)")
        for run in runs.sorted(by: { $0.format > $1.format }) {
            let key = "\(run.tool.name) \(run.format)"
            let own = times[key] ?? []
            let result = ToolResult(
                tool: run.tool.name, server: rig.kind.rawValue, format: run.format, failure: failures[key],
                processToSound: Summary(own.map(\.processToSound)),
                soundToExit: Summary(own.map(\.soundToExit)),
                missingMilliseconds: Summary(own.map(\.missing))?.median,
                processorMillisecondsPerSecond: Summary(own.map { $0.processorSeconds * 1000 / fileSeconds })?
                    .median,
                peakMegabytes: Summary(own.map { Double($0.peakBytes) / 1e6 })?.median)
            say(result.line)
            record.tools.append(result)
        }
    }
}
