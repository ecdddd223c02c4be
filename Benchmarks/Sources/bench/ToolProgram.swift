// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// A line of tools.tsv: a command that plays or records a file.
struct ToolProgram {
    var name: String
    var servers: String
    var action: String
    var formats: [String]
    /// "self" if the tool ends by itself; otherwise "INT", the signal that ends it.
    var ends: String
    var command: [String]

    /// Reads the file tools.tsv of this package.
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

    /// Returns the tools for a server.
    static func all(on server: SoundServerKind) throws -> [ToolProgram] {
        try all().filter { ["both", server.rawValue].contains($0.servers) }
    }

    /// Returns the command line; nil if the program is not installed. This project's own tools are taken from `folder`.
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
