// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// The sample programs with I/O units against a private server, as readers run them.
@Suite("The sample programs with I/O units", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct UnitSampleSoundTests {
    private let rig: ProgramRig

    init() throws { rig = try ProgramRig() }

    // MARK: Recording

    @Test("the recorder stores the played tone, and prints times that are on a line") func recorder() throws {
        let player = try rig.start(playing: rig.writeSine(frequency: 441, seconds: 8))
        defer { player.signal(SIGTERM) }
        let result = try rig.run("unit_recorder", [rig.path("memo.wav"), "2"])
        result.expectSuccess()
        let lines = result.standardOutput.split(separator: "\n").map { String($0).numbers }
        let summary = try #require(lines.last)
        try #require(summary.count == 3)
        #expect(summary[1] == 44_100 && summary[2] == 0, "\(summary)")

        let slices = lines.dropLast()
        try #require(slices.count > 20 && slices.allSatisfy { $0.count == 3 })
        for (slice, next) in zip(slices, slices.dropFirst()) { expectEqual(next[0], slice[0] + slice[1]) }
        // The capture times are 1 / 44,100 s a frame apart.
        let line = Line(slices.map { ($0[0], $0[2]) })
        #expect(abs(line.slope * 44_100 - 1) < 0.0008 + SoundServerTraits.chosen.captureTimeErrorSeconds)
        #expect(line.largestDistance < 0.002, "\(line.largestDistance * 1000) ms")

        let sound = try signed16(ofFile: rig.path("memo.wav"), sampleRate: 44_100)
        expectEqual(sound.frames, Int(summary[0]))
        #expect(abs(sound.seconds(ofFrames: sound.frames) - 2) < 0.2)
        sound.expectSines([441], peakTolerance: 0.001)
        expectEqual(sound.gaps(minimumFrames: 44), [])
    }

    @Test(
        "the encoder's ADTS file decodes to the tone of each channel",
        .enabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "no AAC encoder is installed"
        ))
    func encoder() throws {
        let player = try rig.start(playing: rig.writeSine(frequency: 441, right: 700, seconds: 8))
        let result = try rig.run("unit_encoder", [rig.path("memo.aac"), "1.5"])
        player.signal(SIGTERM)
        // Separates the next audio from the current one.
        player.wait(deadlineSeconds: 5)
        result.expectSuccess()
        let numbers = result.standardOutput.numbers
        try #require(numbers.count == 3)
        #expect(numbers[1] == 1024 && numbers[2] == 0)
        // 1.5 s, and at most three packets of the encoder itself.
        #expect((65...68).contains(numbers[0]), "\(numbers[0]) packets")
        let bytes = try Data(contentsOf: URL(filePath: rig.path("memo.aac")))
        #expect(bytes.prefix(1) == Data([0xFF]) && (bytes.dropFirst().first ?? 0) & 0xF6 == 0xF0)
        #expect(try abs(rig.duration(ofFile: rig.path("memo.aac")) - numbers[0] * 1024 / 44_100) < 0.05)

        let (_, sound) = try rig.hear("classic_player", [rig.path("memo.aac")])
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) - 1.5) < 0.2)
        expectEqual(sound.gaps(minimumFrames: 441), [])
        sound.expectSines([441, 700], peakTolerance: 0.2)
    }

    @Test(
        "the encoder reports that there is no encoder",
        .disabled(
            if: CodecAvailability.encoder(of: kAudioFormatMPEG4AAC).isAvailable, "an AAC encoder is installed"
        ))
    func noEncoder() throws {
        let result = try rig.run("unit_encoder", [rig.path("memo.aac"), "1"])
        expectEqual(result.exitStatus, 1)
        expectEqual(result.standardError, "unit_encoder: there is no AAC encoder on this system\n")
    }

    // MARK: Playing

    @Test("the synthesizer plays its notes, alone and in chords, at their frequencies") func synth() throws {
        let capture = try MonitorCapture(rig.server)
        let result = try ChildProcess.run(
            ToolPaths.tool("aqsample-Synth"), ["69", "60+64+67", "-", "81"],
            environment: rig.server.environment, deadlineSeconds: 20)
        let sound = capture.stop()
        result.expectSuccess()
        let start = try #require(sound.firstSoundFrame())
        let notes = [440, 261.63, 329.63, 392, 880]
        let expected: [(second: Double, notes: [Double])] = [
            (0, [440]), (0.5, [261.63, 329.63, 392]), (1, []), (1.5, [880]),
        ]
        for (second, sounding) in expected {
            // Sleeps may last longer than requested.
            let first = start + Int((second + 0.15) * 44_100)
            for note in notes {
                let amplitude = sound.amplitude(of: note, in: first..<first + 11_025)
                let wanted = sounding.contains(note) ? 0.2 : 0
                #expect(abs(amplitude - wanted) < 0.02, "\(note) Hz at \(second) s: \(amplitude)")
            }
        }
        #expect(abs(sound.seconds(ofFrames: sound.soundFrames()) - 2) < 0.2)
    }

    // MARK: In both directions

    @Test("the loop-through plays what is captured") func loopThrough() throws {
        let sound = try loop(["2", "plain"])
        #expect(sound.seconds(ofFrames: sound.soundFrames()) > 1.4)
        // Half a second of the exact tone: the first slices may be silent, and those that a busy machine misses.
        let parts = stride(from: 0, to: sound.frames - 22_050, by: 4410).map { start in
            Recording(
                sampleRate: 44_100, channels: 2,
                samples: Array(sound.samples[2 * start..<2 * (start + 22_050)]))
        }
        #expect(parts.contains { abs($0.frequency - 441) < 4 && abs($0.peak - 0.5) < 0.01 })
    }

    /// Whether the unit with voice processing can be used here.
    private static let cancelsEchoes =
        (try? ProgramRig().run("loop_through", ["0.1"]))?.exitStatus == 0

    @Test(
        "the loop-through with echo cancelling carries audio",
        .enabled(if: cancelsEchoes, "the server has no echo canceller"))
    func cancelling() throws {
        let sound = try loop(["3"])
        // The processing changes the level, and suppresses what does not change.
        #expect(sound.seconds(ofFrames: sound.soundFrames()) > 1)
        #expect(sound.peak > 0.01)
    }

    @Test(
        "the loop-through without echo cancelling names the reason",
        .disabled(if: cancelsEchoes, "the server has an echo canceller"))
    func refused() throws {
        let result = try rig.run("loop_through", ["1"])
        expectEqual(result.exitStatus, 1)
        #expect(
            result.standardError.firstMatch(
                of: /^loop_through: cannot (make|initialize) the I\/O unit \(error -\d+\)\n$/)
                != nil, "\(result.standardError)")
    }

    @Test(
        "the programs print their usage",
        arguments: ["unit_recorder", "unit_encoder", "loop_through"])
    func usage(program: String) throws {
        let result = try rig.run(program, ["memo", "no number"])
        expectEqual(result.exitStatus, 64)
        #expect(result.standardError.hasPrefix("usage: \(program) "))
    }

    // MARK: Helpers

    /// The audio of the default sink while a loop-through runs, and a tone is played to the sink of its source.
    private func loop(_ arguments: [String]) throws -> Recording {
        var other = rig.server.options
        other.sinkName = "other"
        _ = try rig.server.addSink(other)
        try rig.server.setDefaultSink("test")
        try rig.server.control("set-default-source", "other.monitor")
        let tone = try rig.writeSine(frequency: 441, seconds: 10)
        let player = try ChildProcess(
            "paplay", ["--device=other", tone], environment: rig.server.environment)
        defer { player.signal(SIGTERM) }
        let capture = try MonitorCapture(rig.server)
        let result = try rig.run("loop_through", arguments)
        let sound = capture.stop()
        result.expectSuccess()
        #expect((result.standardOutput.numbers.first ?? 0) > 48_000)
        return sound
    }

    /// The samples of a WAVE file with one channel of 16 bits.
    private func signed16(ofFile path: String, sampleRate: Int) throws -> Recording {
        let file = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let chunk = try #require(file.firstRange(of: Array("data".utf8)))
        let data = file[(chunk.lowerBound + 8)...]
        return Recording(
            sampleRate: sampleRate, channels: 1,
            samples: stride(from: data.startIndex, to: data.endIndex - 1, by: 2).map {
                Float(Int16(bitPattern: UInt16(data[$0]) | UInt16(data[$0 + 1]) << 8)) / 32_768
            })
    }
}

/// The line through points that has the least squares.
private struct Line {
    var slope: Double
    /// The largest vertical distance of a point.
    var largestDistance: Double

    init(_ points: [(x: Double, y: Double)]) {
        let count = Double(points.count)
        let middle = (
            x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count
        )
        let product = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.y - middle.y) }
        let square = points.reduce(0) { $0 + ($1.x - middle.x) * ($1.x - middle.x) }
        let slope = product / square
        self.slope = slope
        largestDistance =
            points.map { abs($0.y - middle.y - slope * ($0.x - middle.x)) }.max() ?? .infinity
    }
}

extension Recording {
    /// The amplitude of a frequency in the first channel.
    fileprivate func amplitude(of frequency: Double, in range: Range<Int>) -> Double {
        let range = range.clamped(to: 0..<frames)
        guard !range.isEmpty else { return 0 }
        var (real, imaginary) = (0.0, 0.0)
        for frame in range {
            let angle = 2 * Double.pi * frequency * Double(frame) / Double(sampleRate)
            let sample = Double(samples[frame * channels])
            real += sample * cos(angle)
            imaginary += sample * sin(angle)
        }
        return 2 * (real * real + imaginary * imaginary).squareRoot() / Double(range.count)
    }
}
