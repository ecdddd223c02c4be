// SPDX-License-Identifier: MIT

import AQExpectations
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// The sample programs against a private server, as readers run them.
@Suite("The sample programs", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct SampleSoundTests {
    private let server: PulseServer

    /// The rate of ClassicRecorder, so that no server converts it.
    init() throws {
        var options = PulseServer.Options()
        options.sampleRate = 44_100
        server = try PulseServer(options)
    }

    // MARK: Playing

    @Test(
        "players play a file completely and once, and end", arguments: ["player", "ClassicPlayer"],
        [77, 61_003, 150_007])
    func play(program: String, frames: Int) throws {
        let path = try writeSignal(frames: frames)
        let capture = try MonitorCapture(server)
        let result = try run(program, [path])
        let played = capture.stop()
        expectSuccess(result)
        expectEqual(parts(of: played), [[0, frames]])
        expectEqual(played.soundFrames(), frames)
    }

    @Test("players play packets of varying size to the last one", arguments: ["player", "ClassicPlayer"])
    func playMP3(program: String) throws {
        let played = try hear(program, ToolPaths.fixture("tune-cbr.mp3"))
        // The decoded output of mpg123 for all 212 packets. The encoder's padding around the tune is mostly silent;
        // without the first packet or the last, 890 frames of audio would be missing.
        #expect(abs(played.soundFrames() - 243_711) < 300)
        expectEqual(played.gaps(minimumFrames: 441), [])
        #expect(abs(played.peak - 0.442) < 0.002)
        let levels = played.trimmedToSound().rms()
        #expect(levels.allSatisfy { abs($0 - 0.189) < 0.002 }, "\(levels)")
    }

    @Test("players play lossless packets to the frame", arguments: ["player", "ClassicPlayer"])
    func playLossless(program: String) throws {
        let frames = 61_003
        let path = try encode(writeSignal(frames: frames), as: "alac")
        try expectEqual(parts(of: hear(program, path)), [[0, frames]])
    }

    @Test("players play AAC in M4A, with the audio of each channel", arguments: ["player", "ClassicPlayer"])
    func playAAC(program: String) throws {
        let tones = Recording.sines([441, 700], sampleRate: 44_100, seconds: 2)
        let played = try hear(program, encode(write(tones, name: "tones.wav"), as: "aac"))
        #expect(abs(played.seconds(ofFrames: played.soundFrames()) - 2) < 0.1)
        expectEqual(played.gaps(minimumFrames: 441), [])
        played.expectSines([441, 700], peakTolerance: 0.2)
    }

    @Test("the radio plays a stream completely and once, and ends", arguments: [77, 300_007])
    func radio(frames: Int) throws {
        let bytes = try contents(of: writeSignal(frames: frames))
        let capture = try MonitorCapture(server)
        let result = try run("Radio", [], standardInput: bytes)
        let played = capture.stop()
        expectSuccess(result)
        expectEqual(parts(of: played), [[0, frames]])
    }

    @Test("players and the radio report failures, and exit with 1")
    func refusals() throws {
        for program in ["player", "ClassicPlayer"] {
            let result = try run(program, ["\(server.folder)/missing.wav"])
            expectEqual(result.exitStatus, 1)
            #expect(result.standardError.contains("cannot open"), "\(program): \(result.standardError)")
        }
        let result = try run("Radio", [], standardInput: [UInt8](repeating: 0x20, count: 50_000))
        expectEqual(result.exitStatus, 1)
        #expect(result.standardError.hasPrefix("Radio: cannot "), "\(result.standardError)")
    }

    // MARK: Recording

    @Test("the classic recorder's AIFF has the played audio, without a gap")
    func recordAIFF() throws {
        let path = "\(server.folder)/memo.aif"
        let player = try startSignal(seconds: 6)
        expectSuccess(try run("ClassicRecorder", [path, "1.5"]))
        player.signal(SIGTERM)
        let file = try contents(of: path)
        let chunk = try #require(file.firstRange(of: Array("SSND".utf8)))
        let samples = file[(chunk.lowerBound + 16)...]
        let frames = samples.count / 4
        let sound = Recording(
            sampleRate: 44_100, channels: 2,
            samples: (0..<frames * 2).map { index in
                let high = UInt16(samples[samples.startIndex + 2 * index])
                let low = UInt16(samples[samples.startIndex + 2 * index + 1])
                return Float(Int16(bitPattern: high << 8 | low)) / 32_768
            })
        #expect(abs(Double(frames) / 44_100 - 1.5) < 0.1)
        let runs = TestSignal.runs(in: sound)
        expectEqual(runs.count, 1)
        // A server may begin with a period of silence.
        #expect((runs.first?.frames ?? 0) > frames - 4410)
    }

    @Test("the classic recorder's AAC decodes to the played audio of each channel, for the recorded time")
    func recordAAC() throws {
        let path = "\(server.folder)/memo.caf"
        let player = try start(playing: Recording.sines([441, 700], sampleRate: 44_100, seconds: 6))
        expectSuccess(try run("ClassicRecorder", [path, "1.5"]))
        player.signal(SIGTERM)
        player.wait(deadlineSeconds: 5)
        let file = try contents(of: path)
        #expect(file.starts(with: Array("caff".utf8)))
        #expect(file.firstRange(of: Array("kuki".utf8)) != nil, "there is no cookie")
        let played = try hear("ClassicPlayer", path)
        #expect(abs(played.seconds(ofFrames: played.soundFrames()) - 1.5) < 0.2)
        expectEqual(played.gaps(minimumFrames: 441), [])
        played.expectSines([441, 700], peakTolerance: 0.2)
    }

    @Test("the short recorder prints the number of written frames, and they are audio")
    func recordWAVE() throws {
        let path = "\(server.folder)/memo.wav"
        let player = try startSignal(seconds: 6)
        let result = try run("recorder", [path, "1.5"])
        player.signal(SIGTERM)
        expectSuccess(result)
        let frames = try #require(Int(result.standardOutput.prefix { $0.isNumber }))
        #expect(abs(Double(frames) / 48_000 - 1.5) < 0.1)
        let file = try contents(of: path)
        let chunk = try #require(file.firstRange(of: Array("data".utf8)))
        let data = file[(chunk.lowerBound + 8)...].prefix(2 * frames)
        expectEqual(data.count, 2 * frames)
        // The signal is never below 0.25; a server may begin with a period of silence.
        let quiet = stride(from: data.startIndex, to: data.endIndex - 1, by: 2).filter {
            abs(Int(Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8))) < 4096
        }
        #expect(quiet.count < 4800)
    }

    // MARK: Rendering

    @Test("the offline renderer makes the tone, quiet at first, faster than real time")
    func render() throws {
        let path = "\(server.folder)/tone.wav"
        let result = try run("Offline", [path, "20"])
        expectSuccess(result)
        expectEqual(result.standardOutput, "960000 frames\n")
        #expect(result.wallSeconds < 10)
        let file = try contents(of: path)
        let chunk = try #require(file.firstRange(of: Array("data".utf8)))
        let data = file[(chunk.lowerBound + 8)...]
        let samples = stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
            Float(Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)) / 32_768
        }
        expectEqual(samples.count, 960_000)
        let peaks = [samples.prefix(8192), samples.dropFirst(8192)].map { $0.max() ?? 0 }
        #expect(abs(peaks[0] - 0.125) < 0.001)
        #expect(abs(peaks[1] - 0.5) < 0.001)
    }

    // MARK: Helpers

    /// Programs in C are built against the installed library, those in Swift by the package.
    private static func executable(_ program: String) throws -> String {
        try program.first?.isLowercase == true
            ? InstalledToolbox.program(program) : ToolPaths.tool("aqsample-\(program)")
    }

    private func run(
        _ program: String, _ arguments: [String], standardInput: [UInt8] = []
    ) throws -> ChildProcess.Result {
        try ChildProcess.run(
            Self.executable(program), arguments, environment: server.environment,
            standardInput: standardInput, deadlineSeconds: 40)
    }

    private func expectSuccess(
        _ result: ChildProcess.Result, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.exitStatus == 0, sourceLocation: sourceLocation)
        #expect(result.standardError == "", sourceLocation: sourceLocation)
    }

    /// The audio of a file from before a player's start until after its end, which must succeed.
    private func hear(
        _ player: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Recording {
        let capture = try MonitorCapture(server)
        let result = try run(player, [path])
        let played = capture.stop()
        expectSuccess(result, sourceLocation: sourceLocation)
        return played
    }

    /// Writes the test signal as 16-bit WAVE, and returns the file's path.
    private func writeSignal(frames: Int) throws -> String {
        try write(TestSignal.make(sampleRate: 44_100, frames: frames), name: "signal.wav")
    }

    private func write(_ sound: Recording, name: String) throws -> String {
        let path = "\(server.folder)/\(name)"
        try WaveFile.write(sound, as: .signed16, toPath: path)
        return path
    }

    /// Encodes an audio file with the library's own converter into an M4A file, and returns its path.
    private func encode(_ path: String, as codec: String) throws -> String {
        let encoded = "\(path).m4a"
        let result = try ChildProcess.run(ProgramRig.executable("converter"), [path, encoded, codec])
        expectSuccess(result)
        return encoded
    }

    /// Starts to play the signal, and returns once it is audible.
    private func startSignal(seconds: Int) throws -> ChildProcess {
        try start(playing: TestSignal.make(sampleRate: 44_100, frames: seconds * 44_100))
    }

    /// Starts to play audio, and returns once it is audible.
    private func start(playing sound: Recording) throws -> ChildProcess {
        let capture = try MonitorCapture(server)
        let player = try ChildProcess(
            Self.executable("player"), [write(sound, name: "played.wav")], environment: server.environment)
        try #require(capture.waitForSound(upToSeconds: 10), "\(player.standardError)")
        return player
    }

    private func parts(of recording: Recording) -> [[Int]] {
        TestSignal.runs(in: recording).map { [$0.position, $0.frames] }
    }

    private func contents(of path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: URL(filePath: path)))
    }
}
