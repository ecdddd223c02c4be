// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("The output of a conversion")
struct OutputDestinationTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws { conversions = try ConversionTests() }

    private func link(_ name: String, to destination: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(name), withDestinationPath: destination)
    }

    private func isLink(_ name: String) throws -> Bool {
        let kind = try FileManager.default.attributesOfItem(atPath: folder.file(name))[.type]
        return kind as? FileAttributeType == .typeSymbolicLink
    }

    @Test("a link stays, and its target is replaced")
    func links() throws {
        let samples = try conversions.writeWave("in.wav", frames: 1000)
        try FileManager.default.createDirectory(
            atPath: folder.file("large"), withIntermediateDirectories: false)
        _ = try conversions.writeWave("large/out.wav", frames: 10)
        try link("second.wav", to: "large/out.wav")
        try link("first.wav", to: folder.file("second.wav"))
        expectEqual(conversions.convert("in.wav", "first.wav"), 74)
        try expectEqual(conversions.read("first.wav").samples.count, 20)
        expectEqual(conversions.convert("-y", "in.wav", "first.wav"), 0)
        #expect(try isLink("first.wav") && isLink("second.wav"))
        try expectEqual(conversions.read("large/out.wav").samples, samples)
        expectEqual(folder.names, ["first.wav", "in.wav", "large", "second.wav"])
    }

    @Test("a link without a target exists, '-y' creates the target, and a circle is reported")
    func linksToNothing() throws {
        let samples = try conversions.writeWave("in.wav", frames: 1000)
        try link("first.wav", to: "out.wav")
        expectEqual(conversions.convert("in.wav", "first.wav"), 74)
        expectEqual(folder.names, ["first.wav", "in.wav"])
        expectEqual(conversions.convert("-y", "in.wav", "first.wav"), 0)
        #expect(try isLink("first.wav") && !isLink("out.wav"))
        try expectEqual(conversions.read("out.wav").samples, samples)
        try link("circle.wav", to: "circle.wav")
        expectEqual(conversions.convert("-y", "in.wav", "circle.wav"), 74)
        #expect(try isLink("circle.wav"))
    }

    @Test("standard output by another name is written, and its name stays", arguments: ["stdout", "fd/1"])
    func standardOutput(name: String) async throws {
        let samples = try conversions.writeWave("in.wav", frames: 1000)
        let (input, output) = (folder.file("in.wav"), folder.file("out.wav"))
        await #expect(processExitsWith: .success) {
            [name = name as String, input = input as String, output = output as String] in
            let descriptor = unsafe open(output, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
            expectEqual(dup2(descriptor, STDOUT_FILENO), STDOUT_FILENO)
            var own = stat()
            unsafe expectEqual(lstat("/dev/\(name)", &own), 0)
            expectEqual(ConvertTool.run(["-f", "wav", input, "/dev/\(name)"]), .success)
            var now = stat()
            unsafe expectEqual(lstat("/dev/\(name)", &now), 0)
            expectEqual(own.st_ino, now.st_ino)
        }
        try expectEqual(conversions.read("out.wav").samples, samples)
    }

    @Test("a name may have the file system's largest length, and others may differ only at its end")
    func longNames() throws {
        let samples = try conversions.writeWave("in.wav", frames: 1000)
        let names = ["1", "2"].map { String(repeating: "\u{6B4C}", count: 83) + "_\($0).wav" }
        expectEqual(names[0].utf8.count, 255)
        for name in names { expectEqual(conversions.convert("in.wav", name), 0) }
        for name in names { try expectEqual(conversions.read(name).samples, samples) }
        let places = try names.map {
            try OutputDestination(path: FilePath(folder.file($0)), overwrites: true).workPath
        }
        expectEqual(Set(places).count, 2)
    }

    @Test("a file that others may not read keeps its permissions when it is replaced")
    func mode() throws {
        _ = try conversions.writeWave("in.wav", frames: 1000)
        _ = try conversions.writeWave("out.wav", frames: 10)
        unsafe expectEqual(chmod(folder.file("out.wav"), 0o600), 0)
        expectEqual(conversions.convert("-y", "in.wav", "out.wav"), 0)
        var status = stat()
        unsafe expectEqual(stat(folder.file("out.wav"), &status), 0)
        expectEqual(status.st_mode & 0o777, 0o600)
        #expect(status.st_size > 1000)
    }

    @Test("a signal leaves no file, although the pipe being read is silent")
    func signalled() async throws {
        _ = try conversions.writeWave("in.wav", frames: 200_000)
        let (input, output) = (folder.file("in.wav"), folder.file("out.flac"))
        await #expect(processExitsWith: .exitCode(128 + SIGTERM)) {
            [input = input as String, output = output as String] in
            var pipe: [Int32] = [0, 0]
            unsafe expectEqual(Foundation.pipe(&pipe), 0)
            _ = fcntl(pipe[1], 1031, 1 << 20)
            expectEqual(dup2(pipe[0], STDIN_FILENO), STDIN_FILENO)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: input)).prefix(700_000)
            unsafe expectEqual(
                bytes.withUnsafeBytes { unsafe write(pipe[1], $0.baseAddress, $0.count) }, 700_000)
            let folder = FilePath(output).directory.description
            Thread.detachNewThread {
                // Once data is written, and the pipe is empty.
                var request = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                while unsafe (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count != 2
                    || poll(&request, 1, 0) != 0
                {
                    usleep(1000)
                }
                kill(getpid(), SIGTERM)
            }
            exit(ConvertTool.run(["-", output]).rawValue)
        }
        expectEqual(folder.names, ["in.wav"])
    }

    @Test("a removed file is not reported as partly complete")
    func failure() async throws {
        _ = try conversions.writeWave("in.wav", frames: 50_000)
        let (input, output) = (folder.file("in.wav"), folder.file("out.caf"))
        let ended = await #expect(processExitsWith: .exitCode(74), observing: [\.standardErrorContent]) {
            [input = input as String, output = output as String] in
            FileSizeLimit.set(bytes: 100_000, ignoringSignal: false)
            exit(ConvertTool.run([input, output]).rawValue)
        }
        let text = String(decoding: try #require(ended).standardErrorContent, as: UTF8.self)
        #expect(text.contains("cannot write '\(output)'") && !text.contains("whole"), "\(text)")
        expectEqual(folder.names, ["in.wav"])
    }
}
