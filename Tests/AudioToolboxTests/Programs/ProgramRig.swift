// SPDX-License-Identifier: MIT

import Foundation
import AQSoundHarness
import Testing

/// Realistic programs, and a private server on which they run.
struct ProgramRig {
    let server: PulseServer

    /// The rate of most programs, so that no server converts it.
    init(sampleRate: Int = 44_100) throws {
        var options = PulseServer.Options()
        options.sampleRate = sampleRate
        server = try PulseServer(options)
    }

    /// Programs in C and C++ are built against the installed library, those in Swift by the package.
    static func executable(_ program: String) throws -> String {
        try program.first?.isLowercase == true
            ? InstalledToolbox.program(program) : ToolPaths.tool("aqprogram-\(program)")
    }

    /// Runs a program to its end.
    func run(
        _ program: String, _ arguments: [String] = [], standardInput: [UInt8] = [],
        deadlineSeconds: Double = 40
    ) throws -> ChildProcess.Result {
        try ChildProcess.run(
            Self.executable(program), arguments, environment: server.environment,
            standardInput: standardInput, deadlineSeconds: deadlineSeconds)
    }

    /// The output of a program that must succeed, and the audio from before its start until after its end.
    func hear(
        _ program: String, _ arguments: [String] = [], standardInput: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (output: String, sound: Recording) {
        let capture = try MonitorCapture(server)
        let result = try run(program, arguments, standardInput: standardInput)
        let sound = capture.stop()
        result.expectSuccess(sourceLocation: sourceLocation)
        return (result.standardOutput, sound)
    }

    /// A file in the server's folder, removed with it.
    func path(_ name: String) -> String { "\(server.folder)/\(name)" }

    /// Writes the signal whose frames encode their positions, as 16-bit WAVE, and returns the file's path.
    func writeSignal(frames: Int, from position: Int = 0, name: String = "signal.wav") throws -> String {
        let signal = TestSignal.make(
            sampleRate: server.options.sampleRate, frames: frames, from: position)
        try WaveFile.write(signal, as: .signed16, toPath: path(name))
        return path(name)
    }

    /// Writes a sine at half scale in both channels, or another one on the right, as 16-bit WAVE, and returns the
    /// file's path.
    func writeSine(frequency: Double, right rightFrequency: Double? = nil, seconds: Double) throws -> String {
        let sines = Recording.sines(
            [frequency, rightFrequency ?? frequency], sampleRate: server.options.sampleRate, seconds: seconds)
        try WaveFile.write(sines, as: .signed16, toPath: path("sine.wav"))
        return path("sine.wav")
    }

    /// Plays the signal with another program, for recorders, and returns once it is audible.
    func startSignal(seconds: Int) throws -> ChildProcess {
        try start(playing: writeSignal(frames: seconds * server.options.sampleRate))
    }

    /// Plays a file with another program, for recorders, and returns once it is audible.
    func start(playing path: String) throws -> ChildProcess {
        let capture = try MonitorCapture(server)
        let player = try ChildProcess("paplay", [path], environment: server.environment)
        try #require(capture.waitForSound(upToSeconds: 10), "\(player.standardError)")
        return player
    }

    /// The length of a file in seconds, as reported by the sample program.
    func duration(ofFile path: String) throws -> Double {
        let result = try run("file_info", [path])
        let text = result.standardOutput.firstMatch(of: /duration: ([0-9.]+) s/)
        return try #require((text?.output.1).flatMap { Double($0) }, "\(result.standardOutput)")
    }
}

extension ChildProcess.Result {
    func expectSuccess(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(!isTimedOut, sourceLocation: sourceLocation)
        #expect(exitStatus == 0, "\(standardOutput)\n\(standardError)", sourceLocation: sourceLocation)
        #expect(standardError == "", sourceLocation: sourceLocation)
    }
}

extension String {
    var numbers: [Double] { matches(of: /-?[0-9]+(?:\.[0-9]+)?/).compactMap { Double($0.output) } }
}

extension Recording {
    /// The recorded parts of the signal: the first frame and the length of each.
    var parts: [[Int]] { TestSignal.runs(in: self).map { [$0.position, $0.frames] } }

    /// Whether every frame of the signal is recorded, once and in order, in one or more parts.
    func isWhole(frames: Int, from start: Int = 0) -> Bool {
        var next = start
        for run in TestSignal.runs(in: self) {
            guard run.position == next else { return false }
            next += run.frames
        }
        return next == start + frames
    }

    /// The frequency of a tone, by its zero crossings in the first channel.
    var frequency: Double {
        let sound = trimmedToSound(threshold: 0.01)
        var crossings = 0
        var wasPositive: Bool?
        for frame in 0..<sound.frames where abs(sound.samples[frame * channels]) > 0.01 {
            let isPositive = sound.samples[frame * channels] > 0
            if let wasPositive, wasPositive != isPositive { crossings += 1 }
            wasPositive = isPositive
        }
        return sound.frames == 0 ? 0 : Double(crossings) / 2 / sound.seconds(ofFrames: sound.frames)
    }

    /// Sines at half scale, one a channel.
    static func sines(_ frequencies: [Double], sampleRate: Int, seconds: Double) -> Recording {
        let steps = frequencies.map { (frequency: Double) -> Double in
            2 * Double.pi * frequency / Double(sampleRate)
        }
        let samples = (0..<Int(seconds * Double(sampleRate))).flatMap { (frame: Int) -> [Float] in
            steps.map { (step: Double) -> Float in Float(0.5 * sin(step * Double(frame))) }
        }
        return Recording(sampleRate: sampleRate, channels: frequencies.count, samples: samples)
    }

    /// Expects sines at half scale, one a channel, possibly with partial ends.
    ///
    /// - Parameter peakTolerance: Of the highest amplitude, which includes an encoder's noise. The ends of a tone are
    ///   ignored.
    func expectSines(
        _ frequencies: [Double], peakTolerance: Float, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(channels == frequencies.count, sourceLocation: sourceLocation)
        let sound = trimmedToSound(threshold: 0.01)
        let edge = channels * sampleRate / 10
        let middle = Recording(
            sampleRate: sampleRate, channels: channels,
            samples: Array(sound.samples.dropFirst(edge).dropLast(edge)))
        for (index, frequency) in frequencies.enumerated() where index < channels {
            let tone = middle.channel(index)
            let facts = "channel \(index): \(tone.frequency) Hz, peak \(tone.peak), RMS \(tone.rms())"
            #expect(
                abs(tone.frequency - frequency) < frequency / 100, "\(facts)", sourceLocation: sourceLocation)
            #expect(abs(tone.peak - 0.5) < peakTolerance, "\(facts)", sourceLocation: sourceLocation)
            #expect(
                tone.rms().allSatisfy { abs($0 - 0.3536) < 0.01 }, "\(facts)", sourceLocation: sourceLocation)
        }
    }

    /// The frames at which the audio exceeds a threshold after a number of frames below it.
    func onsets(above threshold: Float, afterFrames quietFrames: Int) -> [Int] {
        var onsets: [Int] = []
        var lastLoudFrame = -quietFrames
        for frame in 0..<frames where abs(samples[frame * channels]) > threshold {
            if frame - lastLoudFrame >= quietFrames { onsets.append(frame) }
            lastLoudFrame = frame
        }
        return onsets
    }

    func channel(_ index: Int) -> Recording {
        Recording(
            sampleRate: sampleRate, channels: 1,
            samples: stride(from: index, to: samples.count, by: channels).map { samples[$0] })
    }
}
