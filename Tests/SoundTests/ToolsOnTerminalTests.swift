// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing
import AQThreads

@Suite("The tools on a terminal", .serialized, .besideOthers(forSeconds: 60), .timeLimit(.minutes(3)))
struct ToolsOnTerminalTests {
    private static let titles = [
        String(repeating: "👩‍👩‍👧‍👦👩🏽‍🚀🏳️‍🌈", count: 3), String(repeating: "🇩🇪🇯🇵🇧🇷", count: 7) + " flags",
        "\u{0600}\u{06DD} أغنية طويلة جدا من المغرب العربي وأخرى أطول منها بكثير",
        String(repeating: "Z\u{300}\u{301}\u{302}\u{303}\u{304}", count: 20),
        String(repeating: "\u{1112}\u{1161}\u{11AB}", count: 12) + "日本語か\u{3099} ☝🏿✈️1️⃣ ❤️‍🔥",
    ]

    private let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    @Test(
        "no title exceeds the progress line of aqplay, and a narrower window wraps nothing",
        arguments: [40, 80, 200])
    func titles(columns: Int) throws {
        let paths = try Self.titles.map { try folder.writeSignal(frames: 14_400, name: "\($0).wav") }
        let session = try start("aqplay", ["--device=virtual", "--loop=2"] + paths, columns: columns)
        expectEqual(session.waitForEnd(upToSeconds: 20), 0)
        let screen = TerminalScreen(columns: columns - 1, showing: session.output)
        // Several a second; a busy machine draws fewer.
        #expect(screen.progressLines.count > 3)
        // The bar is full at the end.
        expectEqual(screen.progressLines.filter { !$0.hasPrefix("> 0:00 / 0:00  ") }, [])
        #expect(screen.progressLines.allSatisfy { $0.contains("─") || $0.contains("━") })
        #expect(screen.progressLines.allSatisfy { $0.contains("]") == (columns >= 80) })
        #expect(!screen.hasWrapped && !screen.isCutOff)
        expectEqual(screen.unknownSequences, [])
        expectEqual(screen.lines, [""])
        let narrow = TerminalScreen(columns: 20, showing: session.output)
        #expect(narrow.isCutOff && !narrow.hasWrapped)
    }

    @Test("bars use ASCII characters if the locale is not UTF-8")
    func asciiBars() throws {
        let path = try folder.writeSignal(frames: 24_000, name: "tune.wav")
        let session = try start(
            "aqplay", ["--device=virtual", path], columns: 80, environment: ["LC_ALL": "C"])
        expectEqual(session.waitForEnd(), 0)
        #expect(session.output.contains("===") && session.output.contains("[#"))
        #expect(session.output.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test(
        "a change of the volume is shown at any width, and '?' lists the keys above the line",
        arguments: [20, 40, 80])
    func playerKeys(columns: Int) throws {
        let path = try folder.writeSignal(frames: 480_000, name: "A tune of ten seconds.wav")
        let session = try start("aqplay", ["--device=virtual", path], columns: columns)
        #expect(waitForLine(of: session, columns: columns) { $0.hasPrefix("> 0:00") })
        try session.type("\u{1B}[B")
        #expect(waitForLine(of: session, columns: columns) { $0.contains("-2.0 dB") })
        // If there is room, it stays.
        let hasRoom = columns == 80
        #expect(
            waitForLine(of: session, columns: columns) { $0.contains("A t") && hasRoom == $0.contains("dB") })
        try session.type("?")
        let isListed = session.wait { output in
            let lines = TerminalScreen(columns: columns, showing: output).lines
            return lines.first == "Keys, on a terminal:" && lines.contains { $0.contains("Quit.") }
                && lines.last?.hasPrefix("> 0:0") == true
        }
        #expect(isListed)
        try session.type("q")
        expectEqual(session.waitForEnd(), 0)
        let screen = TerminalScreen(columns: columns, showing: session.output)
        #expect(!screen.hasWrapped)
        expectEqual(screen.lines.last, "")
    }

    @Test("'p' skips tracks that cannot be played")
    func previous() throws {
        let first = try folder.writeSignal(frames: 240_000, name: "first.wav")
        let silent = try folder.writeSignal(frames: 0, name: "silent.wav")
        let text = try folder.write(Array("no sound".utf8), to: "text.wav")
        let gone = try folder.writeSignal(frames: 240_000, name: "gone.wav")
        let last = try folder.writeSignal(frames: 240_000, name: "last.wav")
        let session = try start(
            "aqplay", ["--device=virtual", first, text, "\(folder.path)/missing.wav", silent, gone, last],
            columns: 80)
        #expect(waitForLine(of: session, columns: 80) { $0.contains("first.wav") })
        try session.type("n")
        #expect(waitForLine(of: session, columns: 80) { $0.contains("gone.wav") })
        try session.type("n")
        #expect(waitForLine(of: session, columns: 80) { $0.contains("last.wav") })
        try FileManager.default.removeItem(atPath: gone)
        try session.type("p")
        #expect(waitForLine(of: session, columns: 80) { $0.contains("first.wav") })
        try session.type("q")
        expectEqual(session.waitForEnd(), 1)
    }

    @Test("'n' while paused shows the next track, paused, also in a queue of its own")
    func nextWhilePaused() throws {
        let first = try folder.writeSignal(frames: 480_000, name: "first.wav")
        // Other samples need another queue.
        let second = try folder.writeSignal(frames: 480_000, as: .signed16, name: "second.wav")
        let session = try start("aqplay", ["--device=virtual", first, second, first], columns: 80)
        #expect(waitForLine(of: session, columns: 80) { $0.contains("first.wav") })
        try session.type(" ")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= ") })
        try session.type("n")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= 0:00") && $0.contains("second.wav") })
        try session.type("n")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= 0:00") && $0.contains("first.wav") })
        try session.type(" ")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("> 0:01") && $0.contains("first.wav") })
        try session.type(" ")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= ") })
        // There is no next track.
        try session.type("n")
        expectEqual(session.waitForEnd(upToSeconds: 3), 0)
    }

    @Test("ten keys at once count ten", arguments: ["mp3", "wav"])
    func burst(type: String) throws {
        let wave = try folder.writeSignal(frames: 5_292_000, name: "long.wav")
        let path = "\(folder.path)/long.\(type)"
        if type != "wav" {
            try #require(ChildProcess.run(ToolPaths.tool("aqconvert"), [wave, path]).exitStatus == 0)
        }
        let session = try start("aqplay", ["--device=virtual", path], columns: 80)
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("> 0:00") })
        try session.type(" ")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= 0:0") })
        try session.type(String(repeating: "\u{1B}[C", count: 10))
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= 0:50") || $0.hasPrefix("= 0:51") })
        try session.type(String(repeating: "\u{1B}[D", count: 8) + "]]")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= 0:1") && $0.contains("1.21x") })
        try session.type("q")
        expectEqual(session.waitForEnd(upToSeconds: 3), 0)
        let tracks = [String](repeating: path, count: 12)
        let several = try start("aqplay", ["--device=virtual"] + tracks, columns: 80)
        #expect(waitForLine(of: several, columns: 80) { $0.hasPrefix("> 0:00") })
        try several.type(String(repeating: "n", count: 10))
        #expect(waitForLine(of: several, columns: 80) { $0.contains(" 11/12") })
        try several.type("q")
        expectEqual(several.waitForEnd(upToSeconds: 3), 0)
    }

    @Test("a seek in what cannot be sought is answered in the line")
    func noSeek() throws {
        let tune = SystemFile.contents(ofPath: ToolPaths.fixture("tune-cbr.mp3"))
        let web = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.0 200 OK\r\nicy-name: Station\r\nContent-Type: audio/mpeg\r\n\r\n")
            connection.send(tune)
            _ = eventually(within: 60) { connection.isClosed }
        }
        defer { web.stop() }
        let session = try start("aqplay", ["--device=virtual", web.address("/live")], columns: 80)
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("> 0:00") })
        try session.type("\u{1B}[C")
        #expect(waitForLine(of: session, columns: 80) { $0.contains("cannot seek: it is a broadcast") })
        #expect(waitForLine(of: session, columns: 80) { !$0.contains("cannot seek") })
        try session.type("q")
        expectEqual(session.waitForEnd(upToSeconds: 3), 0)
    }

    @Test("keys are obeyed while a seek waits for a server that sends nothing")
    func stalledSeek() throws {
        // To seek in ADTS, aqplay reads all headers before the position. The second quarter does not arrive.
        let wave = try folder.writeSignal(frames: 5_292_000, name: "long.wav")
        let path = "\(folder.path)/long.aac"
        try #require(ChildProcess.run(ToolPaths.tool("aqconvert"), [wave, path]).exitStatus == 0)
        let file = SystemFile.contents(ofPath: path)
        let missing = file.count / 4..<file.count / 2
        let hasWaited = Monitor(false)
        let web = try HTTPTestServer { request, connection in
            guard let range = request.range, range.start < missing.upperBound,
                range.end ?? .max >= missing.lowerBound
            else { return connection.respond(request, file: file) }
            hasWaited.withLock { $0 = true }
            _ = eventually(within: 60) { connection.isClosed }
        }
        defer { web.stop() }
        let session = try start("aqplay", ["--device=virtual", web.address("/long.aac")], columns: 80)
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("> 0:00") })
        for _ in 0..<10 {
            try session.type("\u{1B}[C")
            leaveAsIs(seconds: 0.2)
        }
        #expect(hasWaited.withLock { $0 })
        try session.type(" ")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= ") })
        try session.type("q")
        expectEqual(session.waitForEnd(upToSeconds: 3), 0)
    }

    @Test("the line of a station that sends nothing anymore says what is waited for")
    func stalledStation() throws {
        let tune = SystemFile.contents(ofPath: ToolPaths.fixture("tune-cbr.mp3"))
        let web = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.0 200 OK\r\nicy-name: Station\r\nContent-Type: audio/mpeg\r\n\r\n")
            connection.send(tune[..<40_000])
            _ = eventually(within: 60) { connection.isClosed }
        }
        defer { web.stop() }
        let session = try start("aqplay", ["--device=virtual", web.address("/live")], columns: 80)
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("> 0:01") && !$0.contains("waiting") })
        #expect(waitForLine(of: session, columns: 80) { $0.contains("waiting for the server") })
        try session.type("q")
        expectEqual(session.waitForEnd(upToSeconds: 3), 0)
    }

    @Test("keys are read from the terminal while standard input is a pipe")
    func pipedInput() throws {
        let path = try folder.writeSignal(frames: 480_000, name: "tune.wav")
        let session = try start(
            "sh", ["-c", "cat \"$1\" | \"$0\" --device=virtual -", ToolPaths.tool("aqplay"), path],
            columns: 80)
        #expect(waitForLine(of: session, columns: 80) { $0.contains("standard input") })
        try session.type(" ")
        #expect(waitForLine(of: session, columns: 80) { $0.hasPrefix("= ") })
        try session.type("q")
        expectEqual(session.waitForEnd(upToSeconds: 5), 0)
    }

    @Test(
        "a job started in the background shows its line and reads keys once it is in the foreground",
        .enabled(if: ToolPaths.isInPath("bash"), "bash is not installed"), arguments: ["aqplay", "aqrecord"])
    func foreground(tool: String) throws {
        let path = try folder.writeSignal(frames: 960_000, name: "tune.wav")
        let arguments = tool == "aqplay" ? path : "\(folder.path)/recorded.wav"
        // Other shells send SIGCONT to every job that is brought to the foreground.
        let session = try start(
            "bash", ["--norc", "--noprofile", "--noediting", "-i"], columns: 80, environment: ["PS1": "$ "])
        #expect(session.wait { $0.hasSuffix("$ ") })
        try session.type("'\(ToolPaths.tool(tool))' --device=virtual '\(arguments)' & echo start''ed\n")
        #expect(session.wait { $0.contains("started") })
        #expect(!session.wait(upToSeconds: 0.4) { $0.contains("0:00") })
        try session.type("fg\n")
        #expect(session.wait { $0.contains("0:0") }, "\(session.output.suffix(300).debugDescription)")
        try session.type("q")
        #expect(session.wait(upToSeconds: 3) { $0.hasSuffix("$ ") })
        try session.type("exit\n")
        expectEqual(session.waitForEnd(), 0)
    }

    @Test("aqrecord keeps its meter at 40 columns, and '?' lists its keys", arguments: [40, 80, 200])
    func recorder(columns: Int) throws {
        let arguments = ["--device=virtual:tone", "--seconds=7200", "\(folder.path)/\(Self.titles[0]).wav"]
        let session = try start("aqrecord", arguments, columns: columns)
        #expect(waitForLine(of: session, columns: columns) { $0.contains("0:00 / 2:00:00  [█") })
        try session.type("?")
        #expect(session.wait { $0.contains("End the recording.") })
        #expect(
            waitForLine(of: session, columns: columns) { $0.contains(" / 2") && !$0.contains("0:00 / 2") })
        try session.type("q")
        expectEqual(session.waitForEnd(), 0)
        let screen = TerminalScreen(columns: columns - 1, showing: session.output)
        #expect(screen.progressLines.allSatisfy { $0.contains("[") && $0.contains("]") })
        #expect(!screen.isCutOff)
        expectEqual(screen.lines.first, "Keys, on a terminal:")
    }

    /// Starts one of our tools, or a program in PATH, on a UTF-8 terminal.
    private func start(
        _ program: String, _ arguments: [String], columns: Int, environment: [String: String?] = [:]
    ) throws -> TerminalSession {
        let settings: [String: String?] = ["TERM": "xterm", "LC_ALL": "C.UTF-8"]
        return try TerminalSession(
            columns: columns, program.hasPrefix("aq") ? ToolPaths.tool(program) : program, arguments,
            environment: folder.serverlessEnvironment.merging(settings) { $1 }.merging(environment) { $1 })
    }

    /// Waits until the last line satisfies `condition`.
    private func waitForLine(
        of session: TerminalSession, columns: Int, _ condition: (String) -> Bool
    ) -> Bool {
        session.wait { output in
            TerminalScreen(columns: columns, showing: output).progressLines.last.map(condition) ?? false
        }
    }
}
