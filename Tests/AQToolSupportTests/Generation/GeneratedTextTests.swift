// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import AQTestSupport
import Testing

@testable import AQToolSupport

@Suite("The texts that a tool generates")
struct GeneratedTextTests {
    private let parser = OptionParser(
        toolName: "tool", operandUsage: "", summary: "",
        groups: [
            OptionGroup(
                "",
                [
                    CommandOption("device", value: .required("NAME"), kind: .listed(), help: ""),
                    CommandOption("quiet", help: ""),
                ])
        ])

    @Test("are not requested by other command lines")
    func others() throws {
        let lines: [[FilePath]] = [
            [], ["--generate-manual", "x"], ["--generate-manual=x"], ["--generate-completion"],
            ["--generate-x"], ["--help"],
        ]
        for line in lines { try expectEqual(parser.generatedText(for: line), nil) }
    }

    @Test("are refused for an unknown shell, and for an option without a list")
    func refused() {
        #expect(throws: UsageError("no completion for the shell 'tcsh'; write one of bash, zsh, fish")) {
            try parser.generatedText(for: ["--generate-completion=tcsh"])
        }
        #expect(throws: UsageError("there is no list of values for '--quiet'")) {
            try parser.generatedText(for: ["--generate-values=quiet"])
        }
    }

    @Test("are lists of values, without those that a line cannot contain")
    func values() throws {
        let text = try parser.generatedText(for: ["--generate-values=device"]) { option in
            [ValueWord("\(option) 1", help: "the\tfirst\u{1B}"), ValueWord("a\nb"), ValueWord("c\u{1B}")]
        }
        expectEqual(text, "device 1\tthe first?\n")
    }

    @Test("offer values by the kind of the option, which its value's name decides if none is declared")
    func kinds() {
        func kind(_ name: String) -> ValueKind { CommandOption("x", value: .required(name), help: "").kind }
        #expect(kind("FILE") == .file() && kind("FOLDER") == .folder)
        #expect(kind("TIME") == .time && kind("N") == .number)
        #expect(
            kind("NAME") == .text && kind("TIME|SIZE") == .text && kind("on") == .text
                && kind("a||b") == .text)
        expectEqual(kind("track|album-1"), .words(["track", "album-1"]))
        expectEqual(CommandOption("x", help: "").kind, .text)
    }

    @Test("of each tool offer every option, in every shell", arguments: InstalledTools.names)
    func complete(tool: String) throws {
        let options = try InstalledTools.options(of: tool)
        #expect(options.count > 5)
        for shell in OptionParser.Shell.allCases {
            let script = try InstalledTools.output(tool, "--generate-completion=\(shell.rawValue)")
            let missing = options.filter { option in
                !script.contains(shell == .fish ? " -l \(option.dropFirst(2)) " : option)
            }
            expectEqual(missing, [], "\(shell)")
        }
    }

    @Test("are installed below a prefix, and removed")
    func installation() throws {
        let folder = ScratchFolder()
        func make(_ target: String) throws {
            let result = try ChildProcess.run(
                "make",
                [
                    "-s", "-C", InstalledTools.root, target, "TOOLS_FOLDER=\(ToolPaths.binaryFolder)",
                    "DESTDIR=\(folder.path)", "PREFIX=/p",
                ], environment: ["MAKEFLAGS": nil, "MAKELEVEL": nil])
            expectEqual(result.exitStatus, 0, "\(result.standardError)")
        }
        try make("install-tools")
        for tool in InstalledTools.names {
            let page = String(decoding: folder.bytes(of: "p/share/man/man1/\(tool).1"), as: UTF8.self)
            try expectEqual(page, InstalledTools.output(tool, "--generate-manual"))
            for name in Self.completions(of: tool) { #expect(!folder.bytes(of: name).isEmpty, "\(name)") }
        }
        #expect(!SystemFile.isExecutable(folder.file("p/share/man/man1/aqplay.1")))
        #expect(SystemFile.isExecutable(folder.file("p/bin/aqplay")))
        try make("uninstall")
        for tool in InstalledTools.names {
            let rest = (["p/bin/\(tool)", "p/share/man/man1/\(tool).1"] + Self.completions(of: tool))
                .filter { !folder.bytes(of: $0).isEmpty }
            expectEqual(rest, [])
        }
    }

    private static func completions(of tool: String) -> [String] {
        [
            "p/share/bash-completion/completions/\(tool)", "p/share/zsh/site-functions/_\(tool)",
            "p/share/fish/vendor_completions.d/\(tool).fish",
        ]
    }
}
