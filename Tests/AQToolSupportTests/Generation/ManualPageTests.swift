// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQToolSupport

@Suite("The manual page")
struct ManualPageTests {
    private let parser = OptionParser(
        toolName: "tool", operandUsage: "FILE|-...",
        summary: "Does things to a FILE. It's 'quick'; see --volume.",
        groups: [
            OptionGroup(
                "Sound",
                [
                    CommandOption(
                        "volume", short: "V", value: .required("LEVEL"), help: "Play at LEVEL, such as -6dB."),
                    CommandOption("loop", value: .optional("N"), help: "Again, N times. See SYNOPSIS."),
                ])
        ],
        sections: [
            HelpSection("Exit status", [.init("0", "Done.")]),
            HelpSection("Keys, on a terminal", manualTitle: "Keys", [.init("left, right", "Seek µs.")]),
        ],
        manual: Manual(
            purpose: "do things", paragraphs: [".A line with a \\ and a dot."],
            examples: [.init("tool --loop a-b.wav", "Plays it.")],
            environment: [.init("A_B", "A variable.")], files: [.init("~/.tool", "A file.")],
            related: ["other(7)"]))

    @Test("has the sections in their order, escaped for roff")
    func page() {
        expectEqual(
            parser.manualPage,
            #"""
            .\" Written by 'tool --generate-manual'.
            .TH TOOL 1 \#(PackageVersion.date) "\#(PackageVersion.text)" ""
            .nh
            .ad l
            .ds AD l
            .SH NAME
            tool \- do things
            .SH SYNOPSIS
            \fBtool\fR [\fIOPTION\fR]... \fIFILE\fR|\:\-...
            .SH DESCRIPTION
            Does things to a \fIFILE\fR.
            It\(aqs \(aqquick\(aq; see \fB\-\-volume\fR.
            .PP
            \&.A line with a \e and a dot.
            .SH OPTIONS
            .SS Sound
            .TP
            \fB\-V\fR, \fB\-\-volume\fR=\fILEVEL\fR
            Play at \fILEVEL\fR, such as \-6dB.
            .TP
            \fB\-\-loop\fR[=\fIN\fR]
            Again, \fIN\fR times.
            See SYNOPSIS.
            .SH KEYS
            .TP
            \fBleft\fR, \fBright\fR
            Seek \[u00B5]s.
            .SH EXAMPLES
            .TP
            \fBtool \-\-loop a\-b.wav\fR
            Plays it.
            .SH "EXIT STATUS"
            .TP
            \fB0\fR
            Done.
            .SH ENVIRONMENT
            .TP
            \fBA_B\fR
            A variable.
            .SH FILES
            .TP
            \fB\(ti/.tool\fR
            A file.
            .SH "REPORTING BUGS"
            \#(Self.bugReports)
            .SH "SEE ALSO"
            \#(Manual.tools.map { ".BR \($0) (1)," }.joined(separator: "\n"))
            .BR other (7)

            """#)
    }

    private static var bugReports: String {
        var text = ManualText(valueNames: [])
        text.append(text: Manual.bugReports)
        return text.lines.joined(separator: "\n")
    }

    @Test("of a tool without more declarations has a purpose and no empty sections")
    func small() {
        let page = OptionParser(toolName: "t", operandUsage: "", summary: "Measures it. Well.", groups: [])
            .manualPage
        #expect(page.contains("\nt \\- measures it\n"))
        #expect(!page.contains("EXAMPLES") && !page.contains("ENVIRONMENT") && !page.contains("FILES"))
    }

    @Test("of each tool describes every option", arguments: InstalledTools.names)
    func complete(tool: String) throws {
        let page = try InstalledTools.output(tool, "--generate-manual").replacing("\\-", with: "-")
        let missing = try InstalledTools.options(of: tool).filter { !page.contains("\\fB\($0)\\fR") }
        expectEqual(missing, [])
    }

    @Test(
        "of each tool passes mandoc's checks",
        .enabled(if: ToolPaths.isInPath("mandoc"), "mandoc is not installed"),
        arguments: InstalledTools.names)
    func mandoc(tool: String) throws {
        let page = try InstalledTools.output(tool, "--generate-manual")
        let result = try ChildProcess.run("mandoc", ["-Tlint", "-Wstyle"], standardInput: Array(page.utf8))
        #expect(result.exitStatus == 0 && result.standardOutput.isEmpty, "\(result.standardOutput)")
    }

    @Test(
        "of each tool is set by groff without a warning, also in a narrow window",
        .enabled(if: ToolPaths.isInPath("groff"), "groff is not installed"), arguments: InstalledTools.names)
    func groff(tool: String) throws {
        let page = try InstalledTools.output(tool, "--generate-manual")
        // In a window of 40 columns, man(1) uses 38.
        for columns in [80, 40, 38] {
            let result = try ChildProcess.run(
                "groff", ["-man", "-Tutf8", "-ww", "-rLL=\(columns)n"], standardInput: Array(page.utf8))
            #expect(result.exitStatus == 0 && result.standardError.isEmpty, "\(result.standardError)")
            // The header and the footer are three parts with space between them.
            let lines = Self.plain(result.standardOutput).split(separator: "\n")
            let name = "\(tool.uppercased())(1)"
            let header = try #require(lines.first).split(separator: " ")
            expectEqual(header, [Substring(name), Substring(name)])
            let footer = try #require(lines.last).split(separator: " ")
            expectEqual(footer.prefix(2), [Substring(PackageVersion.text), Substring(PackageVersion.date)])
        }
    }

    /// The text without the escape sequences for bold and italics: groff sets titles in italics since 1.23.
    private static func plain(_ text: String) -> String {
        text.split(separator: "\u{1B}[", omittingEmptySubsequences: false).enumerated()
            .map { index, part in index == 0 ? part : part.drop { $0 != "m" }.dropFirst() }.joined()
    }

    @Test("of all tools name each other")
    func related() {
        expectEqual(Manual.tools, InstalledTools.names.sorted())
    }

    @Test("has the date of the version in the change log, once it is released")
    func date() {
        let log = InstalledTools.text(ofFile: "CHANGELOG.md")
        let release = log.split(separator: "\n").first { $0.hasPrefix("## [\(PackageVersion.text)]") }
        if let release { #expect(release.hasSuffix(" \(PackageVersion.date)"), "\(release)") }
    }
}
