// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import Testing
import AQTestSupport

/// Programs that need no sound server.
@Suite("Programs on files", .timeLimit(.minutes(20))) struct ProgramFileTests {
    private let folder = ScratchFolder()

    private func path(_ name: String) -> String { folder.file(name) }

    /// Runs a program that must succeed, without a server, and returns its output.
    private func run(
        _ program: String, _ arguments: [String] = [], sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> String {
        let result = try ChildProcess.run(
            ProgramRig.executable(program), arguments,
            environment: ["PULSE_SERVER": "unix:\(path("nowhere"))"], deadlineSeconds: 60)
        result.expectSuccess(sourceLocation: sourceLocation)
        return result.standardOutput
    }

    private func writeSignal(frames: Int) throws -> String {
        try WaveFile.write(
            TestSignal.make(sampleRate: 44_100, frames: frames), as: .signed16, toPath: path("signal.wav"))
        return path("signal.wav")
    }

    /// The signal's samples as 16-bit integers.
    private func samples(frames: Range<Int>) -> [Int16] {
        TestSignal.make(sampleRate: 44_100, frames: frames.count, from: frames.lowerBound).samples.map {
            Int16($0 * 32_768)
        }
    }

    /// The little-endian samples of a file, after the header of its data.
    private func samples(of name: String, behind mark: String, headerBytes: Int) throws -> [Int16] {
        let file = try [UInt8](Data(contentsOf: URL(filePath: path(name))))
        let header = try #require(file.firstRange(of: Array(mark.utf8)))
        let data = file[(header.upperBound + headerBytes)...]
        return stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
            Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)
        }
    }

    @Test("convert without loss through a lossless codec") func lossless() throws {
        let frames = 30_001
        _ = try run("converter", [writeSignal(frames: frames), path("signal.m4a"), "alac"])
        let output = try run("converter", [path("signal.m4a"), path("signal.caf"), "lpcm"])
        expectEqual(output, "\(frames) packets\n")
        // The size of a CAF chunk has eight bytes, and a four-byte edit count precedes the samples.
        let decoded = try samples(of: "signal.caf", behind: "data", headerBytes: 12)
        expectEqual(decoded, samples(frames: 0..<frames))
    }

    @Test("convert to AAC of the same length by its packet table") func aac() throws {
        _ = try run("converter", [writeSignal(frames: 30_001), path("signal.m4a"), "aac"])
        let facts = try run("file_info", [path("signal.m4a")])
        #expect(facts.contains("valid 30001, "), "\(facts)")
    }

    @Test("cut a file to the frame") func trim() throws {
        let output = try run("trim", [writeSignal(frames: 30_001), path("part.wav"), "1234", "5000"])
        expectEqual(output, "5000 of 30001 frames, from 1234\n")
        let part = try samples(of: "part.wav", behind: "data", headerBytes: 4)
        expectEqual(Array(part.prefix(10_000)), samples(frames: 1234..<6234))
    }

    @Test("render offline, trimmed and scaled, faster than real time") func offline() throws {
        let frames = 20 * 44_100
        let start = HostClock.now
        let arguments = try [writeSignal(frames: frames), path("out.caf"), "0.5", "100", "200"]
        let output = try run("offline_render", arguments)
        #expect(HostClock.seconds(from: start, to: HostClock.now) < 10)
        expectEqual(output, "\(frames - 300) frames\n")
        let rendered = try samples(of: "out.caf", behind: "data", headerBytes: 12)
        let wanted = samples(frames: 100..<(frames - 200))
        try #require(rendered.count == wanted.count)
        #expect(zip(rendered, wanted).allSatisfy { abs(Int($0) * 2 - Int($1)) <= 2 })
    }

    @Test("print the facts of a file, and write user data into it") func information() throws {
        let file = try writeSignal(frames: 44_100)
        let facts = try run("file_info", [file])
        #expect(facts.contains("2 channels, 44100 Hz"), "\(facts)")
        #expect(facts.contains("duration: 1.000 s"), "\(facts)")
        let before = try samples(of: "signal.wav", behind: "data", headerBytes: 4).prefix(88_200)
        _ = try run("file_info", [file, "note", "a word"])
        let changed = try run("file_info", [file])
        #expect(changed.contains("chunk note: "), "\(changed)")
        try expectEqual(samples(of: "signal.wav", behind: "data", headerBytes: 4).prefix(88_200), before)
    }

    @Test("resample into planar buffers") func planar() throws {
        let output = try run("FileConverter", [writeSignal(frames: 44_100), "22050", path("out")])
        let numbers = output.numbers
        try #require(numbers.count == 2, "\(output)")
        #expect(abs(numbers[0] - 22_050) <= 1)
        let sizes = try [1, 2].map { try Data(contentsOf: URL(filePath: path("out-\($0).f32"))).count }
        expectEqual(sizes, [Int(numbers[0]) * 4, Int(numbers[0]) * 4])
    }

    @Test("use names around the audio functions", arguments: ["ported_names", "ported_classes"])
    func portedNames(program: String) throws {
        try expectEqual(run(program), "0 failures\n")
    }

    @Test("use the types alone") func types() throws {
        try expectEqual(
            run("FormatNames"),
            "lpcm 44100.0 2 176400\nlpcm 48000.0 6 1152000\naac  alac .mp3\n6 true false 40 64\n")
        try expectEqual(run("PlanarBuffers"), "true 56 3 3\n[0, 1000, 2000, 1, 1001, 2001]\ntrue\n")
    }
}
