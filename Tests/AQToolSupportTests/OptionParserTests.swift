// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing
import AQToolSupport

private let parser = OptionParser(
    toolName: "tool", operandUsage: "FILE...", summary: "Does things to files.",
    groups: [
        OptionGroup(
            "Sound",
            [
                CommandOption("volume", short: "V", value: .required("LEVEL"), help: "How loud it is."),
                CommandOption("loop", short: "l", value: .optional("N"), help: "Again, N times in all."),
                CommandOption("quiet", short: "q", help: "Say less."),
                CommandOption("a-rather-long-option", value: .required("VALUE"), help: "Does not fit."),
            ])
    ],
    sections: [
        HelpSection(
            "Keys",
            [.init("space", "Pause, and go on where it was, however often it is pressed, without end.")])
    ])

@Suite("OptionParser")
struct OptionParserTests {
    typealias Occurrence = OptionParser.Parsed.Occurrence

    @Test(
        "takes a value after '=', after a space, and joined to a short option",
        arguments: [["--volume=0.5"], ["--volume", "0.5"], ["-V0.5"], ["-V", "0.5"], ["-qV", "0.5"]])
    func values(arguments: [FilePath]) throws {
        let parsed = try parser.parse(arguments)
        expectEqual(parsed.options.last, Occurrence(name: "volume", value: "0.5"))
        #expect(parsed.operands.isEmpty)
    }

    @Test("takes a value that begins with a dash unless it is an option")
    func negativeValue() throws {
        try expectEqual(
            parser.parse(["--volume", "-6dB"]).options, [Occurrence(name: "volume", value: "-6dB")])
        #expect(throws: UsageError("option '--volume' needs a value; write '--volume=LEVEL'")) {
            try parser.parse(["--volume", "--quiet"])
        }
        #expect(throws: UsageError("option '-V' needs a value; write '-V LEVEL'")) {
            try parser.parse(["-V", "-q"])
        }
        try expectEqual(parser.parse(["--volume=--quiet"]).options.first?.value, "--quiet")
    }

    @Test("an optional value is taken after '=', or from another argument that is a number and no file")
    func optionalValue() throws {
        let parsed = try parser.parse(["--loop", "3", "--loop=4", "-l", "5", "song", "--loop", "a", "-l"])
        expectEqual(parsed.options.map(\.value), ["3", "4", "5", nil, nil])
        expectEqual(parsed.operands, ["song", "a"])
        try expectEqual(parser.parse(["--loop", "2.5"]).operands, ["2.5"])
        try expectEqual(parser.parse(["--loop", "--", "2"]).operands, ["2"])
    }

    @Test("a file: address is the path of its file, as an operand and as a value that is a file")
    func fileAddresses() throws {
        let parser = OptionParser(
            toolName: "tool", operandUsage: "FILE...", summary: "Does things to files.",
            groups: [
                OptionGroup(
                    "Files",
                    [
                        CommandOption("out", value: .required("FILE"), kind: .file(), help: "Write it."),
                        CommandOption("name", value: .required("NAME"), kind: .text, help: "Its name."),
                    ])
            ])
        let parsed = try parser.parse([
            "file:///tmp/a%20b.wav", "file://localhost/c.wav", "FILE:/d.wav", "file:e.wav", "f.wav", "-",
            "--out=file:///tmp/%C3%A9.wav", "--name", "file:///x",
        ])
        expectEqual(parsed.operands, ["/tmp/a b.wav", "/c.wav", "/d.wav", "file:e.wav", "f.wav", "-"])
        expectEqual(parsed.options.map(\.value), ["/tmp/é.wav", "file:///x"])
        #expect(
            throws: UsageError("cannot open 'file://nas/a.wav': it is a file on another host, 'nas'")
        ) { try parser.parse(["file://nas/a.wav"]) }
    }

    @Test("an optional value is joined to a short option, unless that is other options")
    func joinedOptionalValue() throws {
        try expectEqual(parser.parse(["-l2", "3"]).options, [Occurrence(name: "loop", value: "2")])
        try expectEqual(parser.parse(["-ql12"]).options.last, Occurrence(name: "loop", value: "12"))
        try expectEqual(
            parser.parse(["-lq"]).options,
            [
                Occurrence(name: "loop", value: nil), Occurrence(name: "quiet", value: nil),
            ])
        #expect(throws: UsageError("unknown option '-x'; 'tool --help' lists the options")) {
            try parser.parse(["-lx"])
        }
    }

    @Test("'--' ends the options and '-' is an operand")
    func endOfOptions() throws {
        let parsed = try parser.parse(["-", "a", "-q", "--", "-q", "--", "--volume"])
        expectEqual(parsed.options, [Occurrence(name: "quiet", value: nil)])
        expectEqual(parsed.operands, ["-", "a", "-q", "--", "--volume"])
    }

    @Test(
        "an error names the correct form",
        arguments: [
            (["--volum"], "unknown option '--volum'; did you mean '--volume'?"),
            (["--vloume=1"], "unknown option '--vloume'; did you mean '--volume'?"),
            (["--qui"], "unknown option '--qui'; did you mean '--quiet'?"),
            (["-volume"], "unknown option '-v'; did you mean '--volume'?"),
            (["-Q"], "unknown option '-Q'; did you mean '-q'?"),
            (["--xyz"], "unknown option '--xyz'; 'tool --help' lists the options"),
            (["-z"], "unknown option '-z'; 'tool --help' lists the options"),
            (["--volume"], "option '--volume' needs a value; write '--volume=LEVEL'"),
            (["--volume", "--"], "option '--volume' needs a value; write '--volume=LEVEL'"),
            (["-qV"], "option '-V' needs a value; write '-V LEVEL'"),
            (["--quiet=yes"], "option '--quiet' takes no value"),
            (["--=1"], "unknown option '--'; 'tool --help' lists the options"),
        ])
    func errors(arguments: [FilePath], message: String) {
        #expect(throws: UsageError(message)) { try parser.parse(arguments) }
    }

    @Test("help is wrapped to 80 columns, with long options on a line of their own")
    func help() {
        let expected = """
            Usage: tool [OPTION]... FILE...
            Does things to files.

            Sound:
              -V, --volume=LEVEL        How loud it is.
              -l, --loop[=N]            Again, N times in all.
              -q, --quiet               Say less.
                  --a-rather-long-option=VALUE
                                        Does not fit.

            Keys:
              space                     Pause, and go on where it was, however often it is
                                        pressed, without end.

            """
        expectEqual(parser.helpText(), expected)
    }
}
