// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing
import AQToolSupport

@testable import aqconvert

@Suite("Converting streams whose server states no size", .waiting, .timeLimit(.minutes(20)))
struct LiveInputTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws {
        conversions = try ConversionTests()
        _ = try conversions.writeWave("in.wav", frames: 100_000)
    }

    /// The bytes of a tone in a type of file.
    private func bytes(_ name: String) throws -> [UInt8] {
        if name != "in.wav" { try #require(conversions.convert("in.wav", name) == 0) }
        return folder.bytes(of: name)
    }

    /// A server that sends bytes, and then nothing: like a station, it does not end.
    private static func station(_ bytes: [UInt8], fields: String = "") throws -> HTTPTestServer {
        try HTTPTestServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n\(fields)\r\n")
            connection.send(bytes)
            _ = eventually(within: 20) { connection.isClosed }
        }
    }

    private func conversion(_ arguments: [String]) throws -> Conversion {
        guard case .convert(let options) = try ConvertOptions.parse(arguments) else {
            throw UsageError("nothing to convert")
        }
        let target = try #require(try Converting.targets(options).first)
        return Conversion(
            input: target.input, output: target.output, type: target.type, options: options,
            isCancelled: { false })
    }

    /// The result of a conversion on a thread of its own.
    private final class Running: Sendable {
        let result = Mutex<Result<ConversionReport, ToolFailure>?>(nil)

        init(_ conversion: Conversion) {
            Thread.detachNewThread { [self] in
                let found = Result { () throws(ToolFailure) in try conversion.run() }
                result.withLock { $0 = found }
            }
        }
    }

    @Test(
        "an endless stream is kept when the user ends it",
        arguments: ["in.mp3", "in.wav", "in.opus", "in.flac", "in.aac"])
    func endless(name: String) throws {
        let bytes = try bytes(name)
        let server = try Self.station(Array(bytes.prefix(bytes.count * 9 / 10)))
        defer { server.stop() }
        let conversion = try conversion([server.address("/\(name)"), folder.file("out.wav")])
        let running = Running(conversion)
        try #require(eventually(within: 20) { conversion.progress.frames > 20_000 })
        #expect(conversion.endRecording())
        try #require(eventually(within: 20) { running.result.withLock { $0 != nil } })
        let report = try running.result.withLock { try $0?.get() }
        expectEqual(report?.warnings, [])
        #expect(try conversions.read("out.wav").samples.count > 20_000)
    }

    @Test(
        "an introduction that counts its packets is not the end of a station",
        arguments: ["wav", "m4a", "mp3"])
    func introduction(type: String) throws {
        _ = try conversions.writeWave("short.wav", frames: 20_000)
        try #require(conversions.convert("short.wav", "intro.mp3") == 0)
        let stream = folder.bytes(of: "intro.mp3") + (try bytes("in.mp3"))
        let server = try Self.station(stream, fields: "icy-name: Station\r\n")
        defer { server.stop() }
        let conversion = try conversion([server.address("/"), folder.file("out.\(type)")])
        let running = Running(conversion)
        try #require(eventually(within: 20) { conversion.progress.frames > 100_000 })
        #expect(conversion.endRecording())
        try #require(eventually(within: 20) { running.result.withLock { $0 != nil } })
        let report = try running.result.withLock { try $0?.get() }
        expectEqual(report?.warnings.contains { $0.contains("ends at frame") }, false)
        let frames = try AudioFile.open(path: folder.file("out.\(type)")).countFrames()
        #expect((120_000..<130_000).contains(frames), "\(frames)")
    }

    @Test("'--start' may be behind the introduction of a station")
    func startBehindIntroduction() throws {
        _ = try conversions.writeWave("short.wav", frames: 20_000)
        try #require(conversions.convert("short.wav", "intro.mp3") == 0)
        let server = try Self.station(
            folder.bytes(of: "intro.mp3") + (try bytes("in.mp3")), fields: "icy-name: Station\r\n")
        defer { server.stop() }
        let arguments = ["--start", "1", "--end", "2", server.address("/"), folder.file("out.wav")]
        let running = Running(try conversion(arguments))
        try #require(eventually(within: 8) { running.result.withLock { $0 != nil } })
        _ = try running.result.withLock { try $0?.get() }
        try expectEqual(conversions.read("out.wav").samples.count, 88_200)
    }

    @Test(
        "'--end' ends the recording of a station when its frame has arrived",
        arguments: ["mp3", "wav", "aac"])
    func range(type: String) throws {
        let server = try Self.station(bytes("in.\(type)"), fields: "icy-name: Station\r\n")
        defer { server.stop() }
        let arguments = ["--end", "1", server.address("/"), folder.file("out.wav")]
        let running = Running(try conversion(arguments))
        try #require(eventually(within: 8) { running.result.withLock { $0 != nil } })
        _ = try running.result.withLock { try $0?.get() }
        try expectEqual(conversions.read("out.wav").samples.count, 88_200)
    }

    @Test("a block is written when half a second has arrived", arguments: ["mp3", "wav", "flac"])
    func blocks(type: String) throws {
        let bytes = try bytes("in.wav")
        // 1.5 s of 2.3 s.
        let server = try Self.station(Array(bytes.prefix(264_600)))
        defer { server.stop() }
        let output = folder.file("out.\(type)")
        let conversion = try conversion([server.address("/"), output])
        let running = Running(conversion)
        #expect(eventually(within: 8) { conversion.progress.frames >= 44_100 })
        let part = try #require(folder.names.first { $0.hasSuffix(".part") })
        #expect(eventually(within: 5) { folder.bytes(of: part).count > (type == "wav" ? 176_400 : 4000) })
        let progress = conversion.progress
        expectEqual(progress.totalFrames, nil)
        #expect(progress.recording?.seconds ?? 0 >= 1)
        let line = ProgressBar([progress], done: 0).text(columns: 79)
        #expect(line.hasPrefix("* 0:01") && line.hasSuffix("Ctrl-C ends the recording"), "\(line)")
        _ = conversion.endRecording()
        try #require(eventually(within: 20) { running.result.withLock { $0 != nil } })
    }

    @Test("a full disk ends the recording of a station, and keeps what fits", arguments: ["wav", "m4a"])
    func fullDisk(type: String) async throws {
        let server = try Self.station(bytes("in.wav"), fields: "icy-name: Station\r\n")
        defer { server.stop() }
        let (input, output) = (server.address("/"), folder.file("out.\(type)"))
        let ended = await #expect(processExitsWith: .exitCode(74), observing: [\.standardErrorContent]) {
            [input = input as String, output = output as String, isSmall = (type == "m4a") as Bool] in
            FileSizeLimit.set(bytes: isSmall ? 20_000 : 200_000, ignoringSignal: false)
            exit(ConvertTool.run([input, output]).rawValue)
        }
        let text = String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
        #expect(text.contains("cannot write '\(output)'") && text.contains("whole up to frame"), "\(text)")
        #expect(try conversions.read("out.\(type)").samples.count > 10_000)
    }

    @Test("a lost connection is reported at once")
    func notice() throws {
        let bytes = try bytes("in.mp3")
        let server = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nicy-name: Station\r\n\r\n")
            connection.send(bytes)
            connection.close()
        }
        defer { server.stop() }
        let process = try ChildProcess(
            ToolPaths.tool("aqconvert"), [server.address("/"), folder.file("out.wav")])
        let text = "the broadcast has ended; connecting again"
        #expect(eventually(within: 10) { process.standardError.contains(text) })
        // Before it is open, the recording is not kept.
        #expect(eventually(within: 10) { folder.names.contains { $0.hasSuffix(".part") } })
        process.signal(SIGINT)
        expectEqual(process.wait(deadlineSeconds: 10).exitStatus, 0)
    }

    @Test("an address is no output", arguments: [["http://h/x.wav"], ["-f", "wav", "-O", "http://h/x"]])
    func addressOutput(output: [String]) throws {
        let arguments =
            Array(output.dropLast(1)) + (output.count > 1 ? [output[output.count - 1], "a"] : ["a"] + output)
        let error = #expect(throws: UsageError.self) { _ = try ConvertOptions.parse(arguments) }
        expectEqual(error?.message.hasSuffix("is an address; the output must be a file"), true)
    }

    @Test(
        "a file is converted exactly and to its end",
        arguments: [
            "in.mp3", "in.wav", "in.opus", "in.ogg", "in.flac", "in.aac", "in.m4a", "in.caf", "in.aiff",
        ])
    func file(name: String) throws {
        let bytes = try bytes(name)
        let size = String(bytes.count, radix: 16)
        let server = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(size)\r\n")
            connection.send(bytes)
            connection.send("\r\n0\r\n\r\n")
        }
        defer { server.stop() }
        expectEqual(ConvertTool.run([folder.file(name), folder.file("local.wav")]), .success)
        expectEqual(ConvertTool.run([server.address("/\(name)"), folder.file("remote.wav")]), .success)
        expectEqual(folder.bytes(of: "remote.wav"), folder.bytes(of: "local.wav"))
    }
}
