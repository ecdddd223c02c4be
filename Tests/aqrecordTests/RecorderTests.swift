// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQFiles
import AudioQueues
import CoreAudioTypes
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqrecord

@Suite("Recordings through a queue")
struct RecorderTests {
    private func record(
        _ arguments: [String], from device: any InputDevice
    ) throws -> AQToolSupport.ExitStatus {
        guard case .record(let options) = try RecordOptions.parse(arguments) else {
            throw UsageError("not to be recorded")
        }
        let console = Console(toolName: "aqrecord", isQuiet: true)
        return try Recorder(options: options, device: device, console: console).run()
    }

    @Test(
        "a split recording loses and repeats no frame, whatever the buffers",
        arguments: [("a.aif", "7ms"), ("a.wav", "10ms"), ("a.caf", "500ms"), ("a.flac", "33ms")])
    func split(name: String, bufferDuration: String) throws {
        let folder = ScratchFolder()
        let source = VirtualSource(SequenceContent(), pace: .asFastAsRoomAllows)
        let status = try record(
            [
                folder.file(name), "--frames=200000", "--split=700ms", "--buffer-duration", bufferDuration,
                "--buffers=3", "-q",
            ], from: source)
        expectEqual(status, .success)
        let names = folder.names
        expectEqual(names.count, 6)
        var start = 0
        for name in names {
            let samples = try folder.samples(of: name)
            expectEqual(firstDifference(samples, sequence(start..<start + samples.count / 2)), nil)
            expectEqual(samples.count, 2 * min(33_600, 200_000 - start))
            start += samples.count / 2
        }
        expectEqual(start, 200_000)
    }

    @Test("a recording of known length ends at its last frame, not at a buffer's end")
    func length() throws {
        let folder = ScratchFolder()
        let clock = ContinuousClock()
        var status: AQToolSupport.ExitStatus?
        let time = try clock.measure {
            status = try record(
                [folder.file("a.wav"), "--seconds=100ms", "--buffer-duration=10s", "-q"],
                from: VirtualSource(SequenceContent()))
        }
        expectEqual(status, .success)
        #expect(time < .seconds(8))
        try expectEqual(folder.samples(of: "a.wav"), sequence(0..<4800))
    }

    /// By the requested length, with buffers of 500 frames.
    static let bufferLengths: [(arguments: [String], frames: Int64)] = [
        ([], 500), (["--frames=1"], 1), (["--frames=499"], 499), (["--frames=500"], 500),
        (["--frames=501"], 251), (["--seconds=1200ms"], 400), (["--seconds=7001ms"], 467),
        (["--frames=3600300"], 500), (["--frames=501", "--start-on-sound=-40"], 500),
        (["--frames=501", "--stop-on-silence=-40:1"], 500),
    ]

    @Test(
        "buffers are as long as requested, or shorter so that the last is full at the end",
        arguments: bufferLengths)
    func bufferFrames(arguments: [String], frames: Int64) throws {
        guard
            case .record(let options) = try RecordOptions.parse(
                ["a.wav", "--buffer-duration=500ms"] + arguments)
        else {
            throw UsageError("not to be recorded")
        }
        let format = RecordingFormat(.signedInteger(bits: 16, channels: 2, sampleRate: 1000))
        expectEqual(Recorder.bufferFrames(options, format), frames)
    }

    @Test("without a server nothing is recorded, and no file remains", arguments: ["a.wav", "a.mp3"])
    func noServer(name: String) throws {
        let folder = ScratchFolder()
        let source = try PulseSource(server: "unix:/no/such/socket")
        try expectEqual(
            record(
                [folder.file(name), "-q", "--rate=48000", "--channels=2", "--wait-for-server=0"], from: source
            ), .noSoundServer)
        #expect(folder.names.isEmpty)
        let arguments = [folder.file(name), "-q"]
        #expect(throws: ToolFailure.self) { _ = try record(arguments, from: source) }
        #expect(folder.names.isEmpty)
    }

    @Test("a device that fails for good leaves the recorded audio")
    func deviceLost() throws {
        let folder = ScratchFolder()
        let source = ManualSource()
        let failing = FailingSource(source)
        try expectEqual(record([folder.file("a.wav"), "-q"], from: failing), .noSoundServer)
        try expectEqual(folder.samples(of: "a.wav").count, 2 * 1000)
    }

    @Test("an existing file is refused before the device is opened")
    func check() throws {
        let folder = ScratchFolder()
        let target = try RecordingTarget.operand(FilePath(folder.file("a.wav")))
        #expect(throws: Never.self) { try target.check(overwrites: false, isNumbered: false) }
        let writer = try AudioFileWriter.create(
            path: target.path, type: .wave, format: .signedInteger(bits: 16, channels: 1, sampleRate: 8000))
        try writer.close()
        #expect(
            throws: ToolFailure(
                .inputOutput,
                "cannot create '\(target.path)': it exists already; '--overwrite' replaces it")
        ) { try target.check(overwrites: false, isNumbered: false) }
        #expect(throws: Never.self) { try target.check(overwrites: true, isNumbered: false) }
        #expect(throws: Never.self) { try target.check(overwrites: false, isNumbered: true) }
        let lost = RecordingTarget(path: FilePath(folder.file("no/a.wav")), type: .wave)
        #expect(
            throws: ToolFailure(.inputOutput, "cannot create '\(lost.path)': no such file or directory")
        ) { try lost.check(overwrites: false, isNumbered: false) }
        let directory = RecordingTarget(path: FilePath(folder.path), type: .wave)
        #expect(throws: ToolFailure(.inputOutput, "cannot create '\(folder.path)': it is a folder")) {
            try directory.check(overwrites: true, isNumbered: false)
        }
    }
}

/// A source that captures a fiftieth of a second and then fails for good, once it runs.
private struct FailingSource: InputDevice {
    private let source: ManualSource
    var name: String { source.name }

    init(_ source: ManualSource) { self.source = source }

    func nativeFormat(timeoutSeconds: Double) throws(DeviceError) -> (sampleRate: Double, channels: Int) {
        try source.nativeFormat(timeoutSeconds: timeoutSeconds)
    }

    func makeStream(_ configuration: InputStreamConfiguration) throws(DeviceError) -> any InputStream {
        let stream = try source.makeStream(configuration)
        let source = source
        Task.detached {
            // Until the stream runs, captured audio is dropped.
            while !stream.position().isRunning { await Task.yield() }
            source.captureSilence(frames: 1000)
            source.fail(DeviceError(.connectionLost, "cannot record from 'manual': it is gone"))
        }
        return stream
    }
}
