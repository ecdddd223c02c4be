// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

@Suite("Virtual devices at full speed")
struct FastSourceTests {
    private let folder: ScratchFolder

    init() throws {
        folder = ScratchFolder()
        let writer = try AudioFileWriter.create(
            path: folder.file("in.wav"), type: .wave,
            format: .signedInteger(bits: 16, channels: 2, sampleRate: 48_000))
        try unsafe sequence(0..<60_000).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
    }

    /// Without an end the recording would fill the disk.
    private static let limit = 20 << 20

    @Test("a file is recorded to its end", arguments: ["out.wav", "out.flac"])
    func file(name: String) async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String, name = name as String] in
            FileSizeLimit.set(bytes: Self.limit)
            alarm(60)
            exit(
                RecordTool.run(["-q", "-d", "virtual:file=\(path)/in.wav,fast", "\(path)/\(name)"]).rawValue)
        }
        expectEqual(firstDifference(try folder.samples(of: name), sequence(0..<60_000)), nil)
    }

    @Test("a pipe is recorded to its end")
    func pipe() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            FileSizeLimit.set(bytes: Self.limit)
            alarm(60)
            guard let pipe = unsafe popen("cat \(path)/in.wav", "r") else { exit(71) }
            dup2(unsafe fileno(pipe), 0)
            exit(RecordTool.run(["-q", "-d", "virtual:file=-,fast", "\(path)/out.wav"]).rawValue)
        }
        expectEqual(firstDifference(try folder.samples(of: "out.wav"), sequence(0..<60_000)), nil)
    }

    @Test("a file without the audio that is waited for ends the recording, too")
    func nothing() async throws {
        let writer = try AudioFileWriter.create(
            path: folder.file("silent.wav"), type: .wave,
            format: .signedInteger(bits: 16, channels: 1, sampleRate: 48_000))
        try unsafe [UInt8](repeating: 0, count: 50_000).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        await #expect(processExitsWith: .exitCode(1)) { [path = folder.path as String] in
            alarm(60)
            exit(
                RecordTool.run([
                    "-q", "--start-on-sound=-40", "-d", "virtual:file=\(path)/silent.wav,fast",
                    "\(path)/out.wav",
                ]).rawValue)
        }
    }

    @Test("a recording longer than its file ends in silence")
    func longer() async throws {
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            exit(
                RecordTool.run([
                    "-q", "-n", "70000", "-d", "virtual:file=\(path)/in.wav,fast", "\(path)/out.wav",
                ])
                .rawValue)
        }
        let samples = sequence(0..<60_000) + [Int16](repeating: 0, count: 20_000)
        expectEqual(firstDifference(try folder.samples(of: "out.wav"), samples), nil)
    }

    @Test(
        "an endless source needs a limit",
        arguments: ["virtual,fast", "virtual:tone,fast", "virtual:sequence,fast"])
    func endless(device: String) {
        #expect(
            throws: UsageError(
                "a virtual device at full speed fills the disk; limit it with '--seconds' or '--frames'")
        ) { try RecordOptions.parse(["-d", device, "a.wav"]) }
        #expect(throws: Never.self) { try RecordOptions.parse(["-d", device, "-s", "1", "a.wav"]) }
        #expect(throws: Never.self) { try RecordOptions.parse(["-d", "virtual:tone", "a.wav"]) }
    }
}
