// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness

/// The other programs of the interchange tests, and ours.
enum Tools {
    static let foreign = ["ffmpeg", "ffprobe", "lame", "sox", "sndfile-info", "mpg123"]

    /// Whether all others are installed. `make test-interchange` installs them.
    static let areInstalled = foreign.allSatisfy { ToolPaths.isInPath($0) }

    /// Runs one of our tools or another to its end.
    static func run(_ tool: String, _ arguments: [String]) throws -> ChildProcess.Result {
        let path = tool.hasPrefix("aq") ? try ToolPaths.tool(tool) : tool
        return try ChildProcess.run(path, arguments, deadlineSeconds: 120)
    }

    /// Runs a program that must succeed without a message.
    static func output(_ tool: String, _ arguments: [String]) throws -> String {
        let result = try run(tool, arguments)
        guard result.exitStatus == 0 else {
            throw InterchangeError("\(tool) ended with status \(result.exitStatus): \(result.errorLine)")
        }
        guard result.standardError.isEmpty else {
            throw InterchangeError("\(tool) complained: \(result.errorLine)")
        }
        return result.standardOutput
    }

    /// All frames of a file, decoded by ffmpeg.
    static func decodeWithFFmpeg(_ path: String, _ layout: SoundLayout) throws -> Sound {
        let raw = path + ".raw"
        defer { try? FileManager.default.removeItem(atPath: raw) }
        _ = try output(
            "ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", path, "-map", "a:0", "-f", "f64le", raw])
        return try Sound(rawPath: raw, channels: layout.channels, sampleRate: layout.sampleRate)
    }

    /// The lines `name=value` that ffprobe prints of a file; names are unique.
    static func probe(_ path: String) throws -> [String: String] {
        let entries = "stream=codec_name,sample_rate,channels,duration:format=format_name"
        let text = try output("ffprobe", ["-v", "error", "-show_entries", entries, "-of", "flat", path])
        var values: [String: String] = [:]
        for line in text.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "="), let dot = line[..<equals].lastIndex(of: ".") else {
                continue
            }
            values[String(line[line.index(after: dot)..<equals])] =
                line[line.index(after: equals)...].filter { $0 != "\"" }
        }
        return values
    }
}

extension ChildProcess.Result {
    /// The first line of its error output.
    var errorLine: String { String(standardError.prefix { $0 != "\n" }) }
}
