// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

@Suite("Loudness and speed of aqplay", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct AqplayLevelingTests {
    private let folder: ScratchFolder

    init() throws { folder = ScratchFolder() }

    /// Writes a file of one value at 48 kHz in stereo, with a gain in its tags.
    private func write(
        _ name: String, value: Float, frames: Int, gain: Double?, peak: Double? = nil
    ) throws -> String {
        let path = folder.file(name)
        let samples = [Float](repeating: value, count: 2 * frames)
        try WaveFile.write(
            Recording(sampleRate: 48_000, channels: 2, samples: samples), as: .signed16, toPath: path)
        if let gain {
            try ReplayGain(track: .init(gainDecibels: gain, peak: peak)).write(toFile: FilePath(path))
        }
        return path
    }

    /// The levels of the recording and the number of frames of each, without the silence around.
    private func levels(_ recording: Recording) -> [(level: Float, frames: Int)] {
        var levels: [(level: Float, frames: Int)] = []
        for frame in 0..<recording.frames {
            let level = (recording.samples[2 * frame] * 1000).rounded() / 1000
            if let last = levels.last, last.level == level {
                levels[levels.count - 1].frames += 1
            } else {
                levels.append((level, 1))
            }
        }
        return Array(levels.drop { $0.level == 0 }.reversed().drop { $0.level == 0 }.reversed())
    }

    @Test("the level changes exactly at the border of two tracks without a gap, also above 0 dB")
    func border() throws {
        let paths = [
            try write("1.wav", value: 0.25, frames: 24_001, gain: -6.0206, peak: 0.25),
            try write("2.wav", value: 0.25, frames: 12_345, gain: 9.5424, peak: 0.25),
            try write("3.wav", value: 0.25, frames: 9000, gain: nil),
        ]
        let run = try AqplayRun(["--replaygain=track", "--json"] + paths, on: PulseServer())
        expectEqual(run.result.exitStatus, 0)
        let found = levels(run.played)
        expectEqual(found.map(\.frames), [24_001, 12_345, 9000])
        #expect(zip(found, [0.125, 0.75, 0.25] as [Float]).allSatisfy { abs($0.level - $1) <= 0.001 })
        let reports = try run.result.reports()
        expectEqual(reports.map { $0["replayGain"] as? String }, ["track", "track", nil])
        expectEqual(reports.map { $0["replayGainDecibels"] as? Double }, [-6.02, 9.54, nil])
        // Without the option, nothing changes.
        let plain = try AqplayRun(paths, on: PulseServer())
        expectEqual(levels(plain.played).map(\.frames), [24_001 + 12_345 + 9000])
    }

    @Test("a peak above full scale lowers the gain, and clipped samples do not wrap")
    func peak() throws {
        let path = try write("1.wav", value: 0.5, frames: 9600, gain: 12, peak: 0.5)
        let lowered = try AqplayRun(["--replaygain=track", path], on: PulseServer())
        expectEqual(levels(lowered.played).map(\.level), [1])
        let clipped = try AqplayRun(
            ["--replaygain=track", "--allow-clipping", "--volume=0.9", path], on: PulseServer())
        expectEqual(levels(clipped.played).map(\.level), [1])
        let volume = try AqplayRun(["--replaygain=track", "--volume=0.5", path], on: PulseServer())
        expectEqual(levels(volume.played).map(\.level), [0.5])
    }

    @Test("compressed tracks change their level at the border too")
    func compressed() throws {
        let paths = try [(-6.0206, "1.flac"), (0, "2.flac")].map { gain, name in
            let path = folder.file(name)
            let writer = try AudioFileWriter.create(
                path: path, type: .flac, format: .signedInteger(bits: 16, channels: 2, sampleRate: 48_000))
            let samples = [Int16](repeating: 16_384, count: 2 * 20_001)
            try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
            try writer.close()
            try ReplayGain(track: .init(gainDecibels: gain, peak: 0.5)).write(toFile: FilePath(path))
            return path
        }
        let run = try AqplayRun(["--replaygain=track"] + paths, on: PulseServer())
        run.expectSuccess()
        let found = levels(run.played)
        expectEqual(found.map(\.frames), [20_001, 20_001])
        #expect(zip(found, [0.25, 0.5] as [Float]).allSatisfy { abs($0.level - $1) <= 0.001 })
    }

    // MARK: Speed

    private func writeTone(seconds: Double) throws -> String {
        let samples = (0..<Int(seconds * 48_000)).flatMap { frame in
            let phase = 2 * Double.pi * 440 * Double(frame) / 48_000
            return [Float](repeating: Float(0.5 * sin(phase)), count: 2)
        }
        let path = folder.file("tone.wav")
        try WaveFile.write(
            Recording(sampleRate: 48_000, channels: 2, samples: samples), as: .signed16, toPath: path)
        return path
    }

    /// The duration of the audio in a recording in seconds, and its frequency by upward crossings of zero.
    private func tone(_ recording: Recording) throws -> (seconds: Double, frequency: Double) {
        let loud = (0..<recording.frames).filter { abs(recording.samples[2 * $0]) > 0.05 }
        let (first, last) = (try #require(loud.first), try #require(loud.last))
        let middle = first + 4800..<last - 4800
        let crossings = middle.filter {
            recording.samples[2 * ($0 - 1)] < 0 && recording.samples[2 * $0] >= 0
        }
        let (start, end) = (try #require(crossings.first), try #require(crossings.last))
        return (
            Double(last - first) / 48_000, Double(crossings.count - 1) * 48_000 / Double(end - start)
        )
    }

    @Test(
        "another speed changes the duration, but not the pitch or the report", arguments: [0.5, 1.25, 2, 4])
    func speed(speed: Double) throws {
        let path = try writeTone(seconds: 4)
        let run = try AqplayRun(["--speed=\(speed)", "--json", path], on: PulseServer())
        #expect(run.result.exitStatus == 0 && run.result.standardError == "")
        let (seconds, frequency) = try tone(run.played)
        #expect(abs(seconds - 4 / speed) < 0.02, "\(seconds) s")
        #expect(abs(frequency - 440) < 2, "\(frequency) Hz")
        #expect(try run.result.reports().first?["framesPlayed"] as? Int == 192_000)
    }

    @Test("with '--start' and '--end', and for several tracks, the frames of the files count")
    func parts() throws {
        let path = try writeTone(seconds: 4)
        let run = try AqplayRun(
            ["--speed=2", "--start=1", "--end=3", "--json", path, path], on: PulseServer())
        expectEqual(run.result.exitStatus, 0)
        let seconds = try tone(run.played).seconds
        #expect(abs(seconds - 2) < 0.02)
        try expectEqual(run.result.reports().map { $0["framesPlayed"] as? Int }, [96_000, 96_000])
    }

    @Test("gains and speed together")
    func both() throws {
        let path = try writeTone(seconds: 2)
        try ReplayGain(track: .init(gainDecibels: -6.0206, peak: 0.5)).write(toFile: FilePath(path))
        let run = try AqplayRun(["--speed=2", "--replaygain=track", path], on: PulseServer())
        run.expectSuccess()
        #expect(abs(run.played.peak - 0.25) < 0.02)
    }

    @Test("keys change the speed from the audible frame on, and back, and the line shows it")
    func keys() throws {
        let path = try writeTone(seconds: 10)
        let session = try TerminalSession(
            columns: 80, ToolPaths.tool("aqplay"), ["--device=virtual", "--json", path],
            environment: folder.serverlessEnvironment.merging(["TERM": "xterm", "LC_ALL": "C.UTF-8"]) { $1 })
        func waitForLine(_ condition: (String) -> Bool) -> Bool {
            session.wait { output in
                TerminalScreen(columns: 80, showing: output).progressLines.last.map(condition) ?? false
            }
        }
        #expect(waitForLine { $0.hasPrefix("> 0:01") })
        try session.type("]")
        #expect(waitForLine { $0.contains("  1.10x  ") })
        try session.type("]")
        #expect(waitForLine { $0.contains("  1.21x  ") })
        try session.type("[")
        #expect(waitForLine { $0.contains("  1.10x  ") })
        try session.type(" ")
        #expect(waitForLine { $0.hasPrefix("= ") })
        try session.type("\u{7F}")
        #expect(waitForLine { !$0.contains("x  ") })
        try session.type(" ")
        #expect(waitForLine { $0.hasPrefix("> ") })
        expectEqual(session.waitForEnd(upToSeconds: 20), 0)
        #expect(session.output.contains("\"framesPlayed\":480000,"))
    }
}
