// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

@Suite("Recordings in Ogg")
struct OggRecordingTests {
    private let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    /// Records the virtual device at full speed, in a process of its own.
    private func record(_ arguments: String...) async throws {
        let text = arguments.joined(separator: "\n")
        await #expect(processExitsWith: .success) { [path = folder.path as String, text = text as String] in
            try #require(unsafe chdir(path) == 0)
            exit(RecordTool.run(["-q"] + text.split(separator: "\n").map { FilePath(String($0)) }).rawValue)
        }
    }

    @Test(
        "have exactly the requested frames",
        arguments: [("a.ogg", "Vorbis", 44_100), ("b.opus", "Opus", 48_000), ("c.oga", "Vorbis", 44_100)])
    func exact(name: String, codec: String, rate: Int) async throws {
        try await record("-d", "virtual:tone=500,fast", "-n", "100001", "--rate=\(rate)", name)
        let file = try AudioFile.open(path: folder.file(name))
        #expect(file.decodedCodec == codec && file.format.mSampleRate == Double(rate))
        try expectEqual(file.countFrames(), 100_001)
        #expect(file.warnings.isEmpty)
    }

    @Test("a bit rate that the device's format does not have is a wrong command line, with the known range")
    func bitRateOfDevice() throws {
        let folder = ScratchFolder()
        let path = folder.file("a.ogg")
        let arguments = ["--device=virtual", "--seconds=1", "--bit-rate=8", path].map { FilePath($0) }
        guard case .record(let options) = try RecordOptions.parse(arguments) else {
            throw UsageError("not to be recorded")
        }
        let error = try #require(
            throws: ToolFailure.self,
            performing: {
                _ = try Recorder(
                    options: options, device: VirtualSource(SequenceContent()),
                    console: Console(toolName: "aqrecord", isQuiet: true))
            })
        expectEqual(error.status, .usage)
        let words = "cannot record '\(path)': Ogg Vorbis files of 48000 Hz and 2 channels have bit rates of "
        #expect(error.message.hasPrefix(words), "\(error.message)")
        #expect(error.message.hasSuffix(" kbit/s, not 8 kbit/s"), "\(error.message)")
        #expect(folder.names.isEmpty)
    }

    @Test("have the codec that is requested, and about its bit rate")
    func codec() async throws {
        try await record(
            "-d", "virtual:tone=500,fast", "-n", "480000", "--ogg=a.ogg", "--codec=opus", "--bit-rate=32")
        let file = try AudioFile.open(path: folder.file("a.ogg"))
        expectEqual(file.decodedCodec, "Opus")
        try expectEqual(file.countFrames(), 480_000)
        // The rate of a tone is higher than that of most audio.
        #expect(file.averageBitRate < 80_000)
    }

    @Test("follow each other with no frame lost", arguments: ["ogg", "opus"])
    func split(pathExtension: String) async throws {
        try await record(
            "-d", "virtual:tone=500,fast", "-n", "100000", "--split=1", "--rate=48000", "a.\(pathExtension)")
        let names = folder.names.sorted()
        expectEqual(names, (1...3).map { "a-00\($0).\(pathExtension)" })
        let frames = try names.map { try AudioFile.open(path: folder.file($0)).countFrames() }
        expectEqual(frames, [48_000, 48_000, 4000])
    }

    @Test("of Opus are refused at a rate that Opus does not have, before there is a file")
    func refusedRates() async throws {
        let writer = try AudioFileWriter.create(
            path: folder.file("in.wav"), type: .wave,
            format: .signedInteger(bits: 16, channels: 1, sampleRate: 44_100))
        try writer.close()
        for source in ["virtual:tone=500,fast", "virtual:file=in.wav,fast"] {
            await #expect(processExitsWith: .exitCode(64)) {
                [path = folder.path as String, source = source as String] in
                try #require(unsafe chdir(path) == 0)
                let rate = source.hasSuffix(".wav,fast") ? [] : ["--rate=44100"]
                exit(
                    RecordTool.run((["-q", "-d", source, "-n1000", "a.opus"] + rate).map { FilePath($0) })
                        .rawValue)
            }
        }
        expectEqual(folder.names, ["in.wav"])
    }

    @Test("of Opus get a rate of Opus if the device has another one")
    func rate() throws {
        guard case .record(let options) = try RecordOptions.parse(["a.opus"]) else { return }
        let device = VirtualSource(SilentContent(), sampleRate: 44_100, channels: 1)
        try expectEqual(Recorder.format(options, of: device).sampleRate, 48_000)
    }
}
