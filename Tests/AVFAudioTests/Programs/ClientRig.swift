// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import AQSoundHarness
import AQTestSupport
import Testing

/// Sample programs and programs of clients, and a private server on which they run.
struct ClientRig {
    let server: PulseServer
    private let folder = ScratchFolder()

    init(sampleRate: Int = 48_000) throws {
        var options = PulseServer.Options()
        options.sampleRate = sampleRate
        server = try PulseServer(options)
    }

    /// A file of the test, removed with the rig.
    func path(_ name: String) -> String { folder.file(name) }

    // MARK: Running

    /// Runs a program that must succeed, and returns the lines of its output.
    func run(
        _ program: String, _ arguments: [String] = [], standardInput: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let result = try ChildProcess.run(
            ToolPaths.tool(program), arguments, environment: server.environment,
            standardInput: standardInput, deadlineSeconds: 30)
        #expect(
            result.exitStatus == 0 && !result.isTimedOut && result.standardError.isEmpty,
            "\(result.standardOutput)\n\(result.standardError)", sourceLocation: sourceLocation)
        return result.standardOutput.split(separator: "\n").map(String.init)
    }

    /// The lines of a program that must succeed, and the audio from before its start until after its end.
    func hear(
        _ program: String, _ arguments: [String] = [], standardInput: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> (lines: [String], sound: Recording) {
        let capture = try MonitorCapture(server)
        let lines = try run(
            program, arguments, standardInput: standardInput, sourceLocation: sourceLocation)
        return (lines, capture.stop())
    }

    /// Plays a file with another program, and returns once it is audible at the first sink.
    func start(playing path: String) throws -> ChildProcess {
        let capture = try MonitorCapture(server)
        let player = try ChildProcess("paplay", [path], environment: server.environment)
        try #require(capture.waitForSound(upToSeconds: 10), "\(player.standardError)")
        return player
    }

    // MARK: Files

    /// Writes the signal whose frames encode their positions, as 16-bit WAVE, and returns the file's path.
    func writeSignal(frames: Int, name: String = "signal.wav") throws -> String {
        try write(
            TestSignal.make(sampleRate: server.options.sampleRate, frames: frames), name: name)
    }

    /// Writes 16-bit WAVE and returns the file's path.
    func write(_ sound: Recording, name: String) throws -> String {
        try WaveFile.write(sound, as: .signed16, toPath: path(name))
        return path(name)
    }

    /// A sine at half scale in both channels between times of silence.
    func sine(_ frequency: Double, seconds: [(silence: Double, sound: Double)]) -> Recording {
        let sampleRate = Double(server.options.sampleRate)
        var samples: [Float] = []
        for part in seconds {
            samples += [Float](repeating: 0, count: 2 * Int(part.silence * sampleRate))
            for frame in 0..<Int(part.sound * sampleRate) {
                let sample = Float(0.5 * sin(2 * Double.pi * frequency * Double(frame) / sampleRate))
                samples += [sample, sample]
            }
        }
        return Recording(sampleRate: server.options.sampleRate, channels: 2, samples: samples)
    }

    /// Reads a whole file.
    func read(_ path: String) throws -> Recording {
        let file = try AVAudioFile(forReading: URL(fileURLWithPath: path))
        let channels = Int(file.processingFormat.channelCount)
        let buffer = try #require(
            AVAudioPCMBuffer(
                pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)))
        try file.read(into: buffer)
        guard let data = unsafe buffer.floatChannelData else { throw HarnessError("\(path) is not floats") }
        var samples: [Float] = []
        for frame in 0..<Int(buffer.frameLength) {
            for channel in 0..<channels { unsafe samples.append(data[channel][frame]) }
        }
        return Recording(
            sampleRate: Int(file.processingFormat.sampleRate), channels: channels, samples: samples)
    }
}

extension String {
    /// The numbers that a line contains.
    var numbers: [Double] { matches(of: /-?[0-9]+(?:\.[0-9]+)?/).compactMap { Double($0.output) } }
}

extension Recording {
    var shape: [Int] { [sampleRate, channels, frames] }

    /// The recorded parts of the signal: the first frame and the length of each.
    var parts: [[Int]] { TestSignal.runs(in: self).map { [$0.position, $0.frames] } }

    /// The samples of one channel.
    func channel(_ index: Int) -> [Float] {
        stride(from: index, to: samples.count, by: channels).map { samples[$0] }
    }

    /// The frames at which a channel exceeds a threshold after a number of frames below it.
    func onsets(in channel: Int = 0, above threshold: Float, afterFrames quietFrames: Int) -> [Int] {
        var onsets: [Int] = []
        var lastLoudFrame = -quietFrames
        for (frame, sample) in self.channel(channel).enumerated() where abs(sample) > threshold {
            if frame - lastLoudFrame >= quietFrames { onsets.append(frame) }
            lastLoudFrame = frame
        }
        return onsets
    }

    /// The frequency of a tone, by the rising zero crossings of the first channel in a range of frames.
    func frequency(in range: Range<Int>) -> Double {
        let samples = channel(0)[range.clamped(to: 0..<frames)]
        let rising = zip(samples.indices, samples.indices.dropFirst()).filter { (here, next) in
            samples[here] < 0 && samples[next] >= 0
        }
        guard let first = rising.first, let last = rising.last, last.0 > first.0 else { return 0 }
        return Double(rising.count - 1) * Double(sampleRate) / Double(last.0 - first.0)
    }
}
