// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The speed of a conversion as a multiple of real time.
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
    /// Measures conversions by this project's tool and by others, and rendering without a sound server.
    mutating func throughput() throws {
        let plan = schedule.conversions
        let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let wave = "\(folder)/in.wav"
        let noise = ReferenceNoise(stream: 0, frames: plan.seconds * Rig.sampleRate, amplitude: 0.25)
        try WaveWriter.write(noise.samples, channels: 2, sampleRate: Rig.sampleRate, to: wave)
        let commands =
            commands(wave: wave, folder: folder, seconds: plan.seconds)
            + (try engineCommands(folder: folder, seconds: plan.seconds))
        say("\n## Conversion of \(plan.seconds) s\n\(ConversionResult.header)")
        var runs: [Int: [ChildProcess.Result]] = [:]
        for index in order.interleaved(Array(commands.indices), repeats: plan.repeats) {
            let words = commands[index].words
            progress.step("\(commands[index].tool) \(commands[index].conversion)")
            // A program that is not installed has no result.
            let result = try? ChildProcess.run(words[0], Array(words.dropFirst()), deadlineSeconds: 600)
            try Interrupted.check()
            if let result { runs[index, default: []].append(result) }
        }
        for (index, command) in commands.enumerated() {
            let own = runs[index] ?? []
            let failed = own.first { $0.exitStatus != 0 }
            // Programs that print nothing print the same.
            let isSame = Set(own.map(\.standardOutput)).count <= 1
            let seconds = Double(plan.seconds)
            let result = ConversionResult(
                tool: command.tool, conversion: command.conversion,
                failure: own.isEmpty
                    ? "is not installed"
                    : failed.map { PeerRun.reason($0) } ?? (isSame ? nil : "differs from run to run"),
                timesRealTime: Summary(own.map { seconds / $0.wallSeconds }),
                processorTimesRealTime: Summary(own.map { seconds / $0.processorSeconds })?.median)
            say(result.line)
            record.conversions.append(result)
        }
    }

    private typealias Command = (tool: String, conversion: String, words: [String])

    /// Returns the command that renders eight files with an engine, and prints a hash of the result.
    private func engineCommands(folder: String, seconds: Int) throws -> [Command] {
        guard
            let program = try? PeerProgram.find(
                in: peerFoldersToSearch, names: [PeerTraits.engine], prefix: "mix-"
            ).first
        else { return [] }
        let files = 8
        try MixedFiles.write(files, seconds: 10, sampleRate: Rig.sampleRate, to: "\(folder)/files")
        let arguments = program.arguments(
            setting: BufferSetting(buffers: 2, frames: 512), seconds: Double(seconds), signal: "sine",
            log: "\(folder)/engine.log",
            more: ["--offline", "--files", "\(folder)/files", "--scale", String(files)])
        return [(program.name, "render an engine", [program.path] + arguments)]
    }

    private func commands(wave: String, folder: String, seconds: Int) -> [Command] {
        let ours = options.toolFolder.map { "\($0)/aqconvert" } ?? "aqconvert"
        func ffmpeg(_ words: [String]) -> [String] {
            ["ffmpeg", "-nostdin", "-v", "quiet", "-y", "-i", wave] + words
        }
        var all: [Command] = [
            ("aqconvert", "wav to aiff", [ours, "-y", wave, "\(folder)/a.aiff"]),
            ("sox", "wav to aiff", ["sox", wave, "\(folder)/b.aiff"]),
            ("ffmpeg", "wav to aiff", ffmpeg(["\(folder)/c.aiff"])),
            ("aqconvert", "48 to 44.1 kHz", [ours, "-y", "--data", "@44100", wave, "\(folder)/a.wav"]),
            ("sox", "48 to 44.1 kHz", ["sox", wave, "-r", "44100", "\(folder)/b.wav"]),
            ("ffmpeg", "48 to 44.1 kHz", ffmpeg(["-ar", "44100", "\(folder)/c.wav"])),
            ("aqconvert", "wav to alac", [ours, "-y", "--data", "alac", wave, "\(folder)/a.m4a"]),
            ("ffmpeg", "wav to alac", ffmpeg(["-c:a", "alac", "\(folder)/c.m4a"])),
        ]
        if let peer = peers.first(where: \.traits.isOurs) {
            let setting = BufferSetting(buffers: 3, frames: 4800)
            all.append(
                (
                    peer.name, "render a queue",
                    [peer.path]
                        + peer.arguments(
                            setting: setting, seconds: Double(seconds), log: "\(folder)/render.log",
                            more: ["--offline", "--aggregate"])
                ))
        }
        return all + [
            ("sox", "wav to nowhere", ["sox", wave, "-n"]),
            ("ffmpeg", "wav to nowhere", ffmpeg(["-f", "null", "-"])),
            (
                "gst-launch", "wav to nowhere",
                [
                    "gst-launch-1.0", "-q", "filesrc", "location=\(wave)", "!", "wavparse", "!", "fakesink",
                    "sync=false",
                ]
            ),
        ]
    }
}
