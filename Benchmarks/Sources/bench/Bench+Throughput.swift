import BenchKit
import Foundation
import SoundHarness

/// How many times faster than real time a conversion is.
struct ConversionResult: Codable {
    var tool: String
    var conversion: String
    var failure: String?
    var timesRealTime: Summary?
    var processorTimesRealTime: Double?

    static let header = "tool          conversion               × real time (wall)   (processor)"

    var line: String {
        let name = OutputTable.pad(tool, 14) + OutputTable.pad(conversion, 25)
        if let failure { return name + failure }
        return name
            + String(
                format: "%18.0f%14.0f", timesRealTime?.median ?? .nan, processorTimesRealTime ?? .nan)
    }
}

extension Bench {
    /// Conversions of a minute or ten by our tool and by others, without any sound server.
    mutating func throughput() throws {
        let seconds = options.effort == .full ? 600 : 60
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let wave = "\(folder)/in.wav"
        let noise = ReferenceNoise(stream: 0, frames: seconds * Rig.sampleRate, amplitude: 0.25)
        try WaveWriter.write(noise.samples, channels: 2, sampleRate: Rig.sampleRate, to: wave)
        let ours = options.toolFolder.map { "\($0)/aqconvert" } ?? "aqconvert"
        let commands: [(tool: String, conversion: String, words: [String])] = [
            ("aqconvert", "wav to aiff", [ours, "-y", wave, "\(folder)/a.aiff"]),
            ("sox", "wav to aiff", ["sox", wave, "\(folder)/b.aiff"]),
            (
                "ffmpeg", "wav to aiff",
                ["ffmpeg", "-nostdin", "-v", "quiet", "-y", "-i", wave, "\(folder)/c.aiff"]
            ),
            ("aqconvert", "48 to 44.1 kHz", [ours, "-y", "--data", "@44100", wave, "\(folder)/a.wav"]),
            ("sox", "48 to 44.1 kHz", ["sox", wave, "-r", "44100", "\(folder)/b.wav"]),
            (
                "ffmpeg", "48 to 44.1 kHz",
                ["ffmpeg", "-nostdin", "-v", "quiet", "-y", "-i", wave, "-ar", "44100", "\(folder)/c.wav"]
            ),
            ("aqconvert", "wav to alac", [ours, "-y", "--data", "alac", wave, "\(folder)/a.m4a"]),
            (
                "ffmpeg", "wav to alac",
                ["ffmpeg", "-nostdin", "-v", "quiet", "-y", "-i", wave, "-c:a", "alac", "\(folder)/c.m4a"]
            ),
        ]
        say("\n## Conversion of \(seconds) s\n\(ConversionResult.header)")
        let repeats = options.repeats ?? (options.effort == .full ? 5 : 3)
        var runs: [Int: [ChildProcess.Result]] = [:]
        for index in order.interleaved(Array(commands.indices), repeats: repeats) {
            let words = commands[index].words
            guard let result = try? ChildProcess.run(words[0], Array(words.dropFirst()), deadlineSeconds: 600)
            else { continue }
            runs[index, default: []].append(result)
        }
        for (index, command) in commands.enumerated() {
            let own = runs[index] ?? []
            let failed = own.first { $0.exitStatus != 0 }
            let result = ConversionResult(
                tool: command.tool, conversion: command.conversion,
                failure: own.isEmpty ? "is not installed" : failed.map { PeerRun.reason($0) },
                timesRealTime: Summary(own.map { Double(seconds) / $0.wallSeconds }),
                processorTimesRealTime: Summary(own.map { Double(seconds) / $0.processorSeconds })?.median)
            say(result.line)
            record.conversions.append(result)
        }
    }
}
