// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  Dictation.swift
//
//  Records what is said as 16 kHz WAV for a recogniser, shows a level meter, and stops when nothing is said any more.
//
//      Dictation out.wav most-seconds silence-seconds
//
import AVFoundation

enum DictationError: LocalizedError {
    case noMicrophone
    case unsupportedFormat(AVAudioFormat)

    var errorDescription: String? {
        switch self {
        case .noMicrophone: "There is no microphone."
        case .unsupportedFormat(let format): "The format \(format) cannot be converted."
        }
    }
}

/// What the tap reports for each buffer.
struct AudioLevel: Sendable {
    var decibels: Float
    var seconds: TimeInterval
}

/// Converts captured buffers, and writes them. The tap's queue appends, the main actor finishes.
final class SpeechFile: @unchecked Sendable {
    private let lock = NSLock()
    private let converter: AVAudioConverter
    private var file: AVAudioFile?
    private(set) var framesCaptured: AVAudioFramePosition = 0
    private(set) var framesWritten: AVAudioFramePosition = 0

    init(url: URL, inputFormat: AVAudioFormat) throws {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM,
            AVSampleRateKey: 16000.0,
            AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16,
            AVLinearPCMIsFloatKey: false,
            AVLinearPCMIsBigEndianKey: false,
        ]
        let file = try AVAudioFile(forWriting: url, settings: settings, commonFormat: .pcmFormatInt16, interleaved: true)
        guard let converter = AVAudioConverter(from: inputFormat, to: file.processingFormat) else {
            throw DictationError.unsupportedFormat(inputFormat)
        }
        self.file = file
        self.converter = converter
    }

    func append(_ buffer: AVAudioPCMBuffer) throws {
        lock.lock()
        defer { lock.unlock() }
        guard file != nil else { return }
        framesCaptured += AVAudioFramePosition(buffer.frameLength)
        try convert(buffer)
    }

    /// Writes what the converter still holds, and closes the file.
    func finish() throws {
        lock.lock()
        defer { lock.unlock() }
        guard file != nil else { return }
        try convert(nil)
        file = nil
    }

    private func convert(_ buffer: AVAudioPCMBuffer?) throws {
        let ratio = converter.outputFormat.sampleRate / converter.inputFormat.sampleRate
        let capacity = AVAudioFrameCount((Double(buffer?.frameLength ?? 4096) * ratio).rounded(.up)) + 64
        guard let output = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity) else { return }
        nonisolated(unsafe) var pending = buffer
        let isEnd = buffer == nil
        var error: NSError?
        let status = converter.convert(to: output, error: &error) { _, outStatus in
            guard let buffer = pending else {
                outStatus.pointee = isEnd ? .endOfStream : .noDataNow
                return nil
            }
            pending = nil
            outStatus.pointee = .haveData
            return buffer
        }
        if status == .error, let error { throw error }
        if output.frameLength > 0 {
            try file?.write(from: output)
            framesWritten += AVAudioFramePosition(output.frameLength)
        }
    }
}

/// Decides when somebody has spoken and stopped.
struct SilenceDetector {
    var threshold: Float = -45
    let limit: TimeInterval
    private(set) var hasSpoken = false
    private var quiet: TimeInterval = 0

    init(limit: TimeInterval) { self.limit = limit }

    mutating func hearsTheEnd(in level: AudioLevel) -> Bool {
        if level.decibels > threshold {
            hasSpoken = true
            quiet = 0
        } else {
            quiet += level.seconds
        }
        return hasSpoken && quiet >= limit
    }
}

@MainActor
final class Dictation {
    private let engine = AVAudioEngine()
    private var file: SpeechFile?
    private var continuation: AsyncThrowingStream<AudioLevel, Error>.Continuation?

    var isRecording: Bool { engine.isRunning }

    func start(url: URL) throws -> AsyncThrowingStream<AudioLevel, Error> {
        #if !os(macOS)
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.record, mode: .measurement, options: .duckOthers)
        try session.setActive(true, options: .notifyOthersOnDeactivation)
        #endif
        let format = engine.inputNode.outputFormat(forBus: 0)
        guard format.sampleRate > 0, format.channelCount > 0 else { throw DictationError.noMicrophone }
        let file = try SpeechFile(url: url, inputFormat: format)
        self.file = file
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: AudioLevel.self)
        self.continuation = continuation
        engine.inputNode.installTap(
            onBus: 0, bufferSize: 1024, format: format, block: Self.makeTap(file, continuation))
        engine.prepare()
        try engine.start()
        return stream
    }

    /// Removes the tap, and returns the captured and the written frames.
    func stop() throws -> (captured: AVAudioFramePosition, written: AVAudioFramePosition) {
        engine.inputNode.removeTap(onBus: 0)
        engine.stop()
        continuation?.finish()
        try file?.finish()
        #if !os(macOS)
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
        #endif
        return (file?.framesCaptured ?? 0, file?.framesWritten ?? 0)
    }

    /// Made outside the main actor, since the tap is called elsewhere.
    nonisolated private static func makeTap(
        _ file: SpeechFile, _ continuation: AsyncThrowingStream<AudioLevel, Error>.Continuation
    ) -> AVAudioNodeTapBlock {
        { buffer, _ in
            do {
                try file.append(buffer)
                let seconds = Double(buffer.frameLength) / buffer.format.sampleRate
                continuation.yield(AudioLevel(decibels: buffer.decibels, seconds: seconds))
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }
}

extension AVAudioPCMBuffer {
    /// The root mean square of the first channel.
    var decibels: Float {
        guard let samples = floatChannelData?[0], frameLength > 0 else { return -160 }
        var sum: Float = 0
        for frame in 0..<Int(frameLength) { sum += samples[frame] * samples[frame] }
        return max(-160, 20 * log10(sqrt(sum / Float(frameLength))))
    }
}

@main
@MainActor
struct Program {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let most = Double(arguments[2]), let silence = Double(arguments[3]) else {
            print("usage: Dictation FILE MOST-SECONDS SILENCE-SECONDS")
            exit(64)
        }
        guard await AVCaptureDevice.requestAccess(for: .audio) else {
            print("not permitted")
            exit(1)
        }
        do {
            try await dictate(URL(fileURLWithPath: arguments[1]), most, silence)
        } catch {
            print("error: \(error.localizedDescription)")
            exit(1)
        }
    }

    static func dictate(_ url: URL, _ most: TimeInterval, _ silence: TimeInterval) async throws {
        let dictation = Dictation()
        var detector = SilenceDetector(limit: silence)
        var reason = "the end"
        var seconds: TimeInterval = 0
        var meter = 0.0
        for try await level in try dictation.start(url: url) {
            seconds += level.seconds
            // A meter that is shown ten times a second.
            if seconds >= meter {
                meter += 0.1
                let bar = String(repeating: "|", count: Int(max(0, level.decibels + 60) / 2))
                print("level \(bar) \(Int(level.decibels)) dB")
            }
            if detector.hearsTheEnd(in: level) {
                reason = "silence"
                break
            }
            if seconds >= most {
                reason = "the time"
                break
            }
        }
        let frames = try dictation.stop()
        print("captured \(frames.captured), wrote \(frames.written), stopped by \(reason), spoken \(detector.hasSpoken)")
    }
}
