// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestSupport
import Testing

/// Programs that use CoreMedia, without a sound server.
@Suite("Programs with sample buffers", .timeLimit(.minutes(20))) struct ProgramMediaTests {
    private let folder = ScratchFolder()

    private func result(_ program: String, _ arguments: [String]) throws -> ChildProcess.Result {
        try ChildProcess.run(
            ProgramRig.executable(program), arguments,
            environment: ["PULSE_SERVER": "unix:\(folder.file("nowhere"))"], deadlineSeconds: 60)
    }

    /// Runs a program that must succeed, and returns its output.
    private func run(
        _ program: String, _ arguments: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let result = try result(program, arguments)
        result.expectSuccess(sourceLocation: sourceLocation)
        return result.standardOutput
    }

    @Test("count references as CoreFoundation does, and free everything") func references() throws {
        let result = try result("media_objects", [])
        #expect(result.exitStatus == 0 && result.standardOutput == "0 failures\n")
        let times = [
            "{-3/2 = -1.500, epoch=1}", "{1/5 = 0.200, rounded}", "{INVALID}", "{INDEFINITE}", "{+INFINITY}",
            "{-INFINITY}",
        ]
        expectEqual(result.standardError, times.joined(separator: "\n") + "\n")
    }

    @Test("encode sample buffers of PCM, and write those of packets") func encoder() throws {
        let file = folder.file("out.aac")
        let output = try run("adts_writer", [file, "1"])
        let match = try #require(output.firstMatch(of: /^(\d+) packets, from 100 s to ([\d.]+) s\n$/))
        let packets = try #require(Int(match.output.1))
        // 45,000 frames are captured, and the encoder keeps a packet or two.
        #expect(40...44 ~= packets)
        let end = try #require(Double(match.output.2))
        #expect(abs(end - 100 - Double(packets * 1024) / 44_100) < 0.001)

        let decoded = try run("converter", [file, folder.file("out.caf"), "lpcm"])
        expectEqual(decoded, "\(packets * 1024) packets\n")
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: folder.file("out.caf"))))
        let samples = stride(from: bytes.count / 2 & ~3, to: bytes.count / 2 + 8000, by: 4).map {
            Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
        }
        let peak = samples.map { abs(Int($0)) }.max() ?? 0
        #expect(14_000...18_000 ~= peak)
    }

    @Test("import CoreMedia alone") func importedAlone() throws {
        let output = try run("CapturedBuffers")
        expectEqual(
            output,
            """
            4800 frames from 2.0 s to 2.1 s
            0.5 1202.5 4800
            0 5 true
            44100.0 2 18 true

            """)
    }
}
