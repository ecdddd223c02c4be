// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("Files of killed conversions")
struct PartFileTests {
    private let conversions: ConversionTests
    private var folder: ScratchFolder { conversions.folder }

    init() throws { conversions = try ConversionTests() }

    /// A process that has ended.
    private func deadProcess() throws -> pid_t {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        return process.processIdentifier
    }

    private func write(_ name: String) throws {
        try Data("RIFF".utf8).write(to: URL(fileURLWithPath: folder.file(name)))
    }

    @Test("the next run removes it, and nothing else")
    func removal() throws {
        _ = try conversions.writeWave("in.wav", frames: 1000)
        let dead = try deadProcess()
        let kept = [
            ".a.wav.\(getpid()).0.part", ".a.wav.\(dead).part", ".a.wav.\(dead).0.part.wav",
            ".\(dead).0.part", "a.wav.\(dead).0.part", ".a.wav.x.0.part", ".a.wav.-1.0.part",
            ".a.wav.0.0.part",
        ]
        try (kept + [".a.wav.\(dead).0.part", ".b c.flac.\(dead).17.part"]).forEach(write)
        try FileManager.default.createDirectory(
            atPath: folder.file(".d.\(dead).0.part"), withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file(".e.wav.\(dead).0.part"), withDestinationPath: "in.wav")
        expectEqual(conversions.convert("in.wav", "out.wav"), 0)
        let names = kept + [".d.\(dead).0.part", ".e.wav.\(dead).0.part", "in.wav", "out.wav"]
        expectEqual(folder.names, names.sorted())
    }

    @Test("a file that is being written stays, whatever its process is called")
    func locked() throws {
        let name = ".a.wav.\(try deadProcess()).0.part"
        try write(name)
        let descriptor = unsafe open(folder.file(name), O_RDONLY | O_CLOEXEC)
        expectEqual(flock(descriptor, LOCK_EX), 0)
        PartFile.removeAbandoned(in: FilePath(folder.path))
        expectEqual(folder.names, [name])
        // A process that another test begins at this moment has the descriptor, too.
        expectEqual(flock(descriptor, LOCK_UN), 0)
        close(descriptor)
        PartFile.removeAbandoned(in: FilePath(folder.path))
        #expect(folder.names.isEmpty)
    }

    @Test("a name that is not UTF-8 is removed byte for byte")
    func oddName() throws {
        let dead = try deadProcess()
        let name = FilePath(bytes: Array(".a".utf8) + [0xE9] + Array(".wav.\(dead).0.part".utf8))
        let path = FilePath(folder.path).joined(name)
        close(unsafe open(path.cString, O_CREAT | O_WRONLY, 0o600))
        // The name that a repair of the other has.
        let repaired = ".a\u{FFFD}.wav.\(dead).x.part"
        try write(repaired)
        PartFile.removeAbandoned(in: FilePath(folder.path))
        expectEqual(folder.names, [repaired])
    }

    @Test("a conversion that is killed has its file removed by the next one")
    func killed() async throws {
        _ = try conversions.writeWave("in.wav", frames: 1000)
        let (input, output) = (folder.file("in.wav"), folder.file("out.wav"))
        await #expect(processExitsWith: .signal(SIGKILL)) { [output = output as String] in
            let place = try OutputDestination(path: FilePath(output), overwrites: false)
            kill(getpid(), SIGKILL)
            _ = place
        }
        expectEqual(folder.names.count, 2)
        await #expect(processExitsWith: .exitCode(0)) {
            [input = input as String, output = output as String] in
            exit(ConvertTool.run([input, output]).rawValue)
        }
        expectEqual(folder.names, ["in.wav", "out.wav"])
    }
}
