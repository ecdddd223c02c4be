// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// The printed commands of the README and the articles, on a private server.
@Suite("Printed commands", .serialized, .besideOthers, .timeLimit(.minutes(2)))
struct CommandSoundTests {
    /// The time limit of a command; an endless one is then interrupted, as by Ctrl-C.
    private static let seconds = 3
    /// The status of `timeout` for that.
    private static let interrupted: Int32 = 124

    private let server: PulseServer
    private let toolbox: InstalledToolbox
    private let files: PrintedFiles
    /// The server of all printed addresses.
    private let web: HTTPTestServer

    init() throws {
        let song = SystemFile.contents(ofPath: ToolPaths.fixture("tune-vbr.mp3"))
        web = try HTTPTestServer { request, connection in
            switch request.path.suffix(4) {
            case ".pls": connection.respond(request, file: Array("[playlist]\nFile1=song.mp3\n".utf8))
            case "m3u8": connection.respond(request, file: Array("#EXTM3U\nsong.mp3\n".utf8))
            default: connection.respond(request, file: song)
            }
        }
        server = try PulseServer()
        toolbox = try InstalledToolbox.shared.get()
        files = try PrintedFiles(in: server.folder)
    }

    @Test("play, record, inspect and convert, and print no error") func tools() throws {
        let commands = try CodeBlock.all().filter { ["", "shell"].contains($0.language) }.flatMap(\.commands)
            .filter {
                ["aqplay", "aqrecord", "aqinfo", "aqconvert", "curl"].contains($0.prefix { $0 != " " })
            }
        #expect(commands.count >= 28)
        // In parallel, because most of them wait most of the time.
        let runs = try commands.map { ($0, try start($0, in: files.folder(for: $0))) }
        for (command, run) in runs { expectSuccess(of: run, command) }
    }

    @Test("build programs in C with the installed library, and run them") func programs() throws {
        let blocks = try CodeBlock.all().filter {
            ["", "shell"].contains($0.language)
                && ($0.programs.contains("cc") || $0.programs.contains("clang"))
        }
        #expect(blocks.count >= 5)
        let runs = try blocks.map { block in
            // Replaces the reader's own folders. Building and installing come first; other tests cover them.
            let script = block.commands.filter { !$0.hasPrefix("make") }.joined(separator: "\n")
                .replacing("/path/of/the/toolchain", with: "\(toolbox.toolchain)/../..")
                .replacing("PREFIX", with: toolbox.prefix)
                .replacing("cd Sources/AudioToolboxSamples", with: "true")
            return (script, try start(script, in: files.folder(for: block.text), seconds: 20))
        }
        for (script, run) in runs { expectSuccess(of: run, script) }
    }

    @Test("of make are targets of the Makefile") func targets() throws {
        let text = try ["Makefile", "Packaging/install.mk", "Packaging/packages.mk", "Benchmarks/bench.mk"]
            .map {
                try String(contentsOfFile: "\(InstalledToolbox.root)/\($0)", encoding: .utf8)
            }.joined()
        let lines = try CodeBlock.all().flatMap(\.commands)
        let commands = lines.flatMap { (line: String) -> [String] in line.components(separatedBy: " && ") }
            .filter { $0.hasPrefix("make") || $0.hasPrefix("sudo make") }
        #expect(commands.count >= 5)
        for command in commands {
            let words = command.prefix { $0 != "#" && $0 != ";" }.split(separator: " ").drop { $0 != "make" }
                .dropFirst()
            for target in words where !target.contains("=") {
                #expect(text.contains("\n\(target):"), "\(command)")
            }
        }
    }

    @Test("in Swift are a player that ends and a recorder, as printed") func swiftPrograms()
        throws
    {
        let folder = try files.folder(for: "swift")
        let capture = try MonitorCapture(server)
        let tone = try ToolPaths.tool("aqsample-Tone"), recorder = try ToolPaths.tool("aqsample-FileRecorder")
        let runs = try [tone, recorder].map { ($0, try start("exec \($0)", in: folder, seconds: 10)) }
        for (program, run) in runs {
            expectSuccess(of: run, program)
            expectEqual(run.wait().exitStatus, 0, "\(program)")
        }
        let sound = capture.stop()
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) - 2) < 0.3)
        #expect(abs(sound.frequency - 440) < 9)
        let recorded = try FileManager.default.attributesOfItem(atPath: "\(folder)/out.aif")[.size] as? Int
        #expect((recorded ?? 0) > 2 * 44_100 * 4)
    }

    private func start(_ script: String, in folder: String, seconds: Int = seconds) throws -> ChildProcess {
        var environment = server.environment
        environment["PATH"] =
            "\(files.programs):\(ToolPaths.binaryFolder):\(toolbox.toolchain):\(Environment.value("PATH") ?? "")"
        environment["PKG_CONFIG_PATH"] = "\(toolbox.prefix)/lib/pkgconfig"
        let local = script.replacing(/https:\/\/[a-z]+\.example/, with: web.address(""))
        return try ChildProcess(
            "timeout", ["-s", "INT", "-k", "5", "\(seconds)", "sh", "-c", "cd '\(folder)'\n\(local)"],
            environment: environment)
    }

    private func expectSuccess(
        of run: ChildProcess, _ command: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let result = run.wait(deadlineSeconds: 40)
        let isGood = result.exitStatus == 0 || result.exitStatus == Self.interrupted
        #expect(
            isGood && !result.standardError.contains("error") && !result.standardError.contains("cannot"),
            "\(command)\nstatus \(result.exitStatus)\n\(result.standardOutput)\(result.standardError)",
            sourceLocation: sourceLocation)
    }
}

/// The files that the commands name.
private struct PrintedFiles {
    /// The folder of programs besides the tools.
    let programs: String
    private let prepared: String
    private let root: String

    init(in root: String) throws {
        self.root = root
        prepared = "\(root)/prepared"
        programs = "\(root)/programs"
        for folder in ["\(prepared)/Music", programs] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for (name, source) in [
            ("song.mp3", "tune-vbr.mp3"), ("Music/a.mp3", "tune-vbr.mp3"), ("Music/b.mp3", "tune-cbr.mp3"),
            ("song.wav", "tune.wav"), ("take.wav", "tune.wav"), ("take.aiff", "tune.aiff"),
            ("song.caf", "tune.caf"),
            ("memo.aif", "tune.aiff"),
        ] {
            try FileManager.default.copyItem(atPath: ToolPaths.fixture(source), toPath: "\(prepared)/\(name)")
        }
        try "song.mp3\n".write(toFile: "\(prepared)/list.m3u", atomically: true, encoding: .utf8)
        // An hour of silence: MPEG-2.5 of 8 kHz and 8 kbit/s, in frames of 72 bytes and 72 ms.
        let frame: [UInt8] = [0xFF, 0xE3, 0x18, 0xC4] + [UInt8](repeating: 0, count: 68)
        let hour = Array(repeatElement(frame, count: 50_001).joined())
        try Data(hour).write(to: URL(filePath: "\(prepared)/long.mp3"))
        // More than two minutes at 8 kHz.
        try WaveFile.write(
            Recording(sampleRate: 8000, channels: 1, samples: [Float](repeating: 0.1, count: 8000 * 125)),
            as: .signed16, toPath: "\(root)/long.wav")
        let convert = try ToolPaths.tool("aqconvert")
        for (input, output) in [
            ("\(root)/long.wav", "long.flac"), ("\(prepared)/song.wav", "song.m4a"),
            ("\(prepared)/song.wav", "talk.m4a"),
        ] {
            let codec = output == "long.flac" ? "I16" : "alac"
            try InstalledToolbox.output(of: convert, ["-d", codec, input, "\(prepared)/\(output)"])
        }
        for source in ["player.c", "recorder.c", "unit_recorder.c"] {
            try FileManager.default.copyItem(
                atPath: "\(InstalledToolbox.root)/Sources/AudioToolboxSamples/\(source)",
                toPath: "\(prepared)/\(source)")
        }
        // Replaces the network.
        let curl = "\(programs)/curl"
        try "#!/bin/sh\nexec cat '\(prepared)/song.mp3'\n".write(
            toFile: curl, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: curl)
    }

    /// A folder with the input files of a command, and without its output files.
    func folder(for command: String) throws -> String {
        let folder = "\(root)/run-\(UUID().uuidString)"
        if command.hasPrefix("aqrecord") {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return folder
        }
        try InstalledToolbox.output(of: "cp", ["-rl", prepared, folder])
        let operands = command.prefix { $0 != "#" }.split(separator: " ")
        if command.hasPrefix("aqconvert"), let output = operands.last, !output.contains("*") {
            try? FileManager.default.removeItem(atPath: "\(folder)/\(output)")
        }
        if command.contains("-O converted/") {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/converted", withIntermediateDirectories: true)
        }
        return folder
    }
}
