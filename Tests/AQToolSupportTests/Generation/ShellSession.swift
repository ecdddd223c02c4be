// SPDX-License-Identifier: MIT

import AQTestSupport
import AQToolSupport

/// A shell on a terminal in which a tool's completion is loaded.
///
/// The tool itself is replaced by a program that writes its arguments into a file, so that the completed command lines
/// are compared as the tool would receive them.
final class ShellSession {
    private static let prompt = "READY> "

    private let folder = ScratchFolder()
    private let terminal: TerminalSession

    init(_ shell: OptionParser.Shell, completing tool: String) throws {
        let real = try ToolPaths.tool(tool)
        for name in ["bin", "work", "work/a folder"] {
            guard try ChildProcess.run("mkdir", [folder.file(name)]).exitStatus == 0 else {
                throw HarnessError("cannot make \(name)")
            }
        }
        let script = try InstalledTools.output(tool, "--generate-completion=\(shell.rawValue)")
        let scriptName = shell == .zsh ? "_\(tool)" : tool
        try folder.write(Array(script.utf8), to: scriptName)
        let recorder = """
            #!/bin/sh
            case $1 in --generate-*) exec '\(real)' "$@" ;; esac
            printf '%s\\n' "$@" >'\(folder.file("new"))'
            mv '\(folder.file("new"))' '\(folder.file("arguments"))'

            """
        _ = try ChildProcess.run("chmod", ["+x", try folder.write(Array(recorder.utf8), to: "bin/\(tool)")])
        for name in [
            "it's $5.flac", "LOUD.MP3", "LOUD.txt", "a.txt", "notes.txt", "list.m3u", "a folder/one two.mp3",
            "c:d=e.wav",
        ] {
            try folder.write([], to: "work/\(name)")
        }
        terminal = try TerminalSession(
            columns: 200, "/bin/sh",
            ["-c", #"cd "$0/work" && exec "$@""#, folder.path] + Self.command(of: shell),
            environment: [
                "PATH": "\(folder.file("bin")):/usr/bin:/bin", "HOME": folder.path,
                "XDG_CONFIG_HOME": folder.path,
                "TERM": "xterm", "LC_ALL": "C.UTF-8", "PULSE_SERVER": "unix:/nonexistent", "PS1": Self.prompt,
            ])
        try terminal.type(
            Self.preparation(of: shell, script: folder.file(scriptName), folder: folder.path) + "\n")
        guard terminal.wait(upToSeconds: 30, until: { $0.contains("loaded-1") }) else {
            throw HarnessError("\(shell) does not start: \(terminal.output)")
        }
    }

    private static func command(of shell: OptionParser.Shell) -> [String] {
        switch shell {
        case .bash: ["bash", "--norc", "--noprofile", "-i"]
        case .zsh: ["zsh", "-f", "-i"]
        case .fish: ["fish", "--no-config", "-i"]
        }
    }

    /// The commands that load the completion, and print `loaded-1` at the end.
    private static func preparation(of shell: OptionParser.Shell, script: String, folder: String) -> String {
        let loading =
            switch shell {
            case .bash: "source '\(script)'"
            case .zsh: "fpath=('\(folder)' $fpath); autoload -Uz compinit; compinit -u -D"
            case .fish: "source '\(script)'"
            }
        return "\(loading); printf 'loaded-%d\\n' 1"
    }

    /// Types a line with tabs, and returns the arguments that the tool receives.
    func arguments(of line: String) throws -> [String] {
        _ = try ChildProcess.run("rm", ["-f", folder.file("arguments")])
        try terminal.type(line + "\r")
        guard terminal.wait(upToSeconds: 20, until: { _ in !folder.bytes(of: "arguments").isEmpty }) else {
            throw HarnessError("the tool was not started: \(terminal.output)")
        }
        return String(decoding: folder.bytes(of: "arguments"), as: UTF8.self).split(separator: "\n").map(
            String.init)
    }
}
