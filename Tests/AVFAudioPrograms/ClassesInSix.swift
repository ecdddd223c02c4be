// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  ClassesInSix.swift
//
//  Files, buffers and conversion between tasks, in language mode 6.
//
//      ClassesInSix folder
//
import AVFoundation

enum MemoError: Error { case noBuffer, noConverter, failed(NSError?) }

actor MemoWriter {
    private var file: AVAudioFile?
    private(set) var frames: AVAudioFramePosition = 0

    init(url: URL, format: AVAudioFormat) throws {
        file = try AVAudioFile(
            forWriting: url, settings: format.settings, commonFormat: format.commonFormat, interleaved: format.isInterleaved)
    }

    func append(_ samples: [Float]) throws {
        guard let file, let buffer = AVAudioPCMBuffer(
            pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(samples.count)),
            let channel = buffer.floatChannelData?[0]
        else { throw MemoError.noBuffer }
        for (index, sample) in samples.enumerated() { channel[index] = sample }
        buffer.frameLength = AVAudioFrameCount(samples.count)
        try file.write(from: buffer)
        frames = file.length
    }

    func finish() { file = nil }
}

struct Resampler: Sendable {
    let converter: AVAudioConverter

    init(from input: AVAudioFormat, to output: AVAudioFormat) throws {
        guard let made = AVAudioConverter(from: input, to: output) else { throw MemoError.noConverter }
        made.sampleRateConverterQuality = AVAudioQuality.max.rawValue
        converter = made
    }

    func resample(_ input: AVAudioPCMBuffer) throws -> AVAudioPCMBuffer {
        let ratio = converter.outputFormat.sampleRate / converter.inputFormat.sampleRate
        let capacity = AVAudioFrameCount((Double(input.frameLength) * ratio).rounded(.up)) + 32
        guard let output = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity) else {
            throw MemoError.noBuffer
        }
        nonisolated(unsafe) var given = false
        nonisolated(unsafe) let source = input
        var error: NSError?
        let status = converter.convert(to: output, error: &error) { @Sendable _, outStatus in
            if given {
                outStatus.pointee = .endOfStream
                return nil
            }
            given = true
            outStatus.pointee = .haveData
            return source
        }
        guard status != .error else { throw MemoError.failed(error) }
        return output
    }
}

final class Ends: NSObject, AVAudioPlayerDelegate, AVAudioRecorderDelegate, Sendable {
    let stream: AsyncStream<Bool>
    private let continuation: AsyncStream<Bool>.Continuation

    override init() {
        (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
        super.init()
    }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { continuation.yield(flag) }
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) { continuation.yield(flag) }
}

@main
struct Program {
    static func main() async throws {
        let folder = URL(fileURLWithPath: CommandLine.arguments[1])
        let url = folder.appendingPathComponent("tone.wav")
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1),
            let low = AVAudioFormat(commonFormat: .pcmFormatFloat32, sampleRate: 24_000, channels: 1, interleaved: false)
        else { return }
        let writer = try MemoWriter(url: url, format: format)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for block in 0..<10 {
                    try await writer.append((0..<2400).map { sin(Float(block * 2400 + $0) * 0.05) * 0.5 })
                }
            }
            try await group.waitForAll()
        }
        await writer.finish()

        let duration = try await AVURLAsset(url: url).load(.duration)
        let track = try await AVURLAsset(url: url).loadTracks(withMediaType: .audio).first
        print("duration \(duration.seconds), rate \(track?.naturalTimeScale ?? 0)")

        let file = try AVAudioFile(forReading: url)
        guard let all = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: AVAudioFrameCount(file.length)) else { return }
        try file.read(into: all)
        let half = try Resampler(from: format, to: low).resample(all)
        print("resampled \(half.frameLength)")

        #if !os(macOS)
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playAndRecord, mode: .measurement, options: .mixWithOthers)
        try session.setActive(true)
        #endif
        guard await AVAudioApplication.requestRecordPermission(), await AVCaptureDevice.requestAccess(for: .audio) else { return }

        let ends = Ends()
        var iterator = ends.stream.makeAsyncIterator()
        let player = try AVAudioPlayer(contentsOf: url)
        player.delegate = ends
        guard player.play() else { throw MemoError.failed(nil) }
        print("played \(await iterator.next() ?? false)")

        let recording = folder.appendingPathComponent("recording.opus")
        let recorder = try AVAudioRecorder(
            url: recording,
            settings: [
                AVFormatIDKey: kAudioFormatOpus, AVSampleRateKey: 24_000, AVNumberOfChannelsKey: 1,
                AVEncoderBitRateKey: 32_000,
            ])
        recorder.delegate = ends
        recorder.record(forDuration: 0.25)
        print("recorded \(await iterator.next() ?? false), \(try AVAudioFile(forReading: recording).length) frames")
    }
}
