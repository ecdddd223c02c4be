// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing
import AQToolSupport

/// Completion in the real shells, on a terminal.
@Suite("Completion", .serialized, .timeLimit(.minutes(20)))
struct CompletionTests {
    /// A command line after the tool's name, with tabs, and the arguments that the tool receives.
    struct Line {
        var typed: String
        var expected: [String]

        init(_ typed: String, _ expected: String...) {
            self.typed = typed
            self.expected = expected
        }
    }

    private static let play = [
        Line("--shu\t", "--shuffle"),
        Line("--vol\t1", "--volume=1"),
        Line("--device v\t", "--device", "virtual"),
        Line("--device=v\t", "--device=virtual"),
        Line("-d v\t", "-d", "virtual"),
        Line("-qd v\t", "-qd", "virtual"),
        Line("LOU\t", "LOUD.MP3"),
        Line("li\t", "list.m3u"),
        Line("it\t", "it's $5.flac"),
        Line("a\t\t", "a folder/one two.mp3"),
        Line("a\\ f\t\t", "a folder/one two.mp3"),
        Line("c\t", "c:d=e.wav"),
        Line("not\t", "notes.txt"),
        // Each option once.
        Line("--verbose --ver\t", "--verbose", "--version"),
    ]

    private static let record = [
        Line("--codec=ul\t", "--codec=ulaw"),
        Line("--codec im\t", "--codec", "ima4"),
        Line("--monitor d\t", "--monitor", "default"),
        Line("--device=virtual:s\t", "--device=virtual:sequence"),
        Line("--device virtual:t\t440", "--device", "virtual:tone=440"),
        Line("--device=virtual:file=li\t", "--device=virtual:file=list.m3u"),
        Line("--flac=it\t", "--flac=it's $5.flac"),
    ]

    private static let convert = [
        Line("-O a\t", "-O", "a folder/"),
        Line("--dither=sh\t", "--dither=shaped"),
        Line("--output-dir=a\t", "--output-dir=a folder/"),
        Line("-f w6\t", "-f", "w64"),
    ]

    private static func check(_ shell: OptionParser.Shell) throws {
        for (tool, lines) in [("aqplay", play), ("aqrecord", record), ("aqconvert", convert)] {
            let session = try ShellSession(shell, completing: tool)
            for line in lines {
                let arguments = try session.arguments(of: "\(tool) \(line.typed)")
                expectEqual(
                    Self.normalized(arguments), Self.normalized(line.expected),
                    "\(shell): \(tool) \(line.typed)")
            }
        }
    }

    /// Shells separate an option and its value differently, and some remove the slash of a folder.
    private static func normalized(_ arguments: [String]) -> String {
        arguments.map { $0.hasSuffix("/") ? String($0.dropLast()) : $0 }.joined(separator: "=")
    }

    @Test("works in bash", .enabled(if: ToolPaths.isInPath("bash"), "bash is not installed"))
    func bash() throws { try Self.check(.bash) }

    @Test("works in zsh", .enabled(if: ToolPaths.isInPath("zsh"), "zsh is not installed"))
    func zsh() throws { try Self.check(.zsh) }

    @Test("works in fish", .enabled(if: ToolPaths.isInPath("fish"), "fish is not installed"))
    func fish() throws { try Self.check(.fish) }
}
