// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  VoiceAgent.swift
//
//  The audio of a voice agent in full duplex: what is said goes out as 16-bit samples at 16 kHz, answers come back at
//  24 kHz, the echo is cancelled if the system can, and whoever speaks during an answer stops it.
//
//      VoiceAgent seconds answer-seconds
//
import AVFoundation

enum AgentError: Error { case noMicrophone, noFormat }

/// The microphone and the loudspeaker.
final class DuplexAudio: @unchecked Sendable {
    static let uplinkRate = 16000.0
    static let downlinkRate = 24000.0

    /// 16-bit samples, little-endian, as a socket takes them.
    let uplink: AsyncStream<Data>
    private(set) var isEchoCancelled = false

    private let uplinkContinuation: AsyncStream<Data>.Continuation
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let answerFormat: AVAudioFormat

    init() throws {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: Self.downlinkRate, channels: 1) else {
            throw AgentError.noFormat
        }
        answerFormat = format
        (uplink, uplinkContinuation) = AsyncStream.makeStream(of: Data.self)
    }

    func start() throws {
        #if !os(macOS)
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.defaultToSpeaker, .allowBluetooth])
        try session.setPreferredIOBufferDuration(0.02)
        try session.setActive(true)
        #endif
        do {
            try engine.inputNode.setVoiceProcessingEnabled(true)
            isEchoCancelled = true
        } catch {
            // Headphones are needed then.
            isEchoCancelled = false
        }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: answerFormat)
        try installTap()
        engine.prepare()
        do {
            try engine.start()
        } catch where isEchoCancelled {
            // Some systems refuse only when the devices are opened.
            engine.inputNode.removeTap(onBus: 0)
            try engine.inputNode.setVoiceProcessingEnabled(false)
            isEchoCancelled = false
            try installTap()
            try engine.start()
        }
        player.play()
    }

    func stop() {
        engine.inputNode.removeTap(onBus: 0)
        player.stop()
        engine.stop()
        uplinkContinuation.finish()
    }

    private func installTap() throws {
        let input = engine.inputNode
        let format = input.outputFormat(forBus: 0)
        guard format.sampleRate > 0 else { throw AgentError.noMicrophone }
        guard let speech = AVAudioFormat(
            commonFormat: .pcmFormatInt16, sampleRate: Self.uplinkRate, channels: 1, interleaved: true),
            let converter = AVAudioConverter(from: format, to: speech)
        else { throw AgentError.noFormat }
        if format.channelCount > 2 { converter.channelMap = [0] }
        let continuation = uplinkContinuation
        input.installTap(onBus: 0, bufferSize: AVAudioFrameCount(format.sampleRate / 50), format: format) { buffer, _ in
            guard let data = Self.convert(buffer, converter), !data.isEmpty else { return }
            continuation.yield(data)
        }
    }

    private static func convert(_ buffer: AVAudioPCMBuffer, _ converter: AVAudioConverter) -> Data? {
        let capacity = AVAudioFrameCount(Double(buffer.frameLength) * uplinkRate / buffer.format.sampleRate) + 32
        guard let output = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity) else { return nil }
        nonisolated(unsafe) var consumed = false
        nonisolated(unsafe) let source = buffer
        var error: NSError?
        converter.convert(to: output, error: &error) { _, status in
            if consumed {
                status.pointee = .noDataNow
                return nil
            }
            consumed = true
            status.pointee = .haveData
            return source
        }
        guard error == nil, let samples = output.int16ChannelData?[0] else { return nil }
        return Data(bytes: samples, count: Int(output.frameLength) * MemoryLayout<Int16>.size)
    }

    // MARK: Answers

    /// Plays a part of an answer after those before it. The handler is called when it was heard, or stopped.
    func play(_ samples: [Float], heard: (@Sendable () -> Void)?) {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: answerFormat, frameCapacity: AVAudioFrameCount(samples.count)),
            let channel = buffer.floatChannelData?[0]
        else { return }
        for (index, sample) in samples.enumerated() { channel[index] = sample }
        buffer.frameLength = buffer.frameCapacity
        if let heard {
            player.scheduleBuffer(buffer, completionCallbackType: .dataPlayedBack) { _ in heard() }
        } else {
            player.scheduleBuffer(buffer, completionHandler: nil)
        }
    }

    /// Silences an answer at once, and is ready for the next.
    func interrupt() {
        player.stop()
        player.play()
    }
}

/// Finds speech in the uplink by its level.
struct SpeechDetector {
    enum Change { case began, ended }

    var threshold = 0.02
    private(set) var isSpeaking = false
    private var seconds = 0.0

    /// Returns a change, once it has lasted long enough.
    mutating func change(in data: Data) -> Change? {
        let count = data.count / 2
        guard count > 0 else { return nil }
        var sum = 0.0
        data.withUnsafeBytes { bytes in
            for index in 0..<count {
                let sample = Double(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Int16.self)) / 32768
                sum += sample * sample
            }
        }
        let isLoud = (sum / Double(count)).squareRoot() > threshold
        seconds = isLoud == isSpeaking ? 0 : seconds + Double(count) / DuplexAudio.uplinkRate
        guard seconds >= (isSpeaking ? 0.25 : 0.04) else { return nil }
        isSpeaking.toggle()
        seconds = 0
        return isSpeaking ? .began : .ended
    }
}

actor VoiceAgent {
    private let audio: DuplexAudio
    private let answerSeconds: Double
    private var detector = SpeechDetector()
    private var answer = 0
    private var isAnswering = false
    private(set) var bytesSent = 0
    private(set) var heardAnswers = 0
    private(set) var interruptions = 0

    init(_ audio: DuplexAudio, answerSeconds: Double) {
        self.audio = audio
        self.answerSeconds = answerSeconds
    }

    /// Listens for so many seconds of sound.
    func run(seconds: Double) async {
        for await data in audio.uplink {
            bytesSent += data.count
            switch detector.change(in: data) {
            case .began?:
                if isAnswering { bargeIn() }
            case .ended?:
                reply()
            case nil:
                break
            }
            if Double(bytesSent) / 2 / DuplexAudio.uplinkRate >= seconds { break }
        }
        // An answer that the end of the audio stops was not heard.
        isAnswering = false
    }

    /// Answers in parts of 50 ms, as a model sends them.
    private func reply() {
        answer += 1
        isAnswering = true
        print("answer \(answer) begins")
        let number = answer
        let parts = max(1, Int(answerSeconds * 20))
        let frames = Int(DuplexAudio.downlinkRate / 20)
        for part in 0..<parts {
            let samples = (0..<frames).map { frame in
                Float(0.3 * cos(2 * Double.pi * 600 * Double(part * frames + frame) / DuplexAudio.downlinkRate))
            }
            if part < parts - 1 {
                audio.play(samples, heard: nil)
            } else {
                audio.play(samples) { [weak self] in Task { await self?.heard(number) } }
            }
        }
    }

    private func heard(_ number: Int) {
        guard isAnswering, number == answer else { return }
        isAnswering = false
        heardAnswers += 1
        print("answer \(number) was heard")
    }

    private func bargeIn() {
        isAnswering = false
        interruptions += 1
        print("answer \(answer) is interrupted")
        audio.interrupt()
    }
}

@main
struct Program {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let seconds = Double(arguments[1]), let answerSeconds = Double(arguments[2]) else {
            print("usage: VoiceAgent SECONDS ANSWER-SECONDS")
            exit(64)
        }
        guard await AVAudioApplication.requestRecordPermission() else { exit(1) }
        let audio = try DuplexAudio()
        do {
            try audio.start()
        } catch {
            print("cannot start: \(error)")
            exit(1)
        }
        print("echo cancelling \(audio.isEchoCancelled)")
        let agent = VoiceAgent(audio, answerSeconds: answerSeconds)
        await agent.run(seconds: seconds)
        audio.stop()
        print("sent \(await agent.bytesSent / 2), heard \(await agent.heardAnswers), interrupted \(await agent.interruptions)")
    }
}
