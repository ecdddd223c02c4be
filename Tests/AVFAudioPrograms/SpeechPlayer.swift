// SPDX-License-Identifier: MIT

// swift-format-ignore-file
//
//  SpeechPlayer.swift
//
//  The playing end of a speech synthesizer: a queue of texts, of which each becomes several small buffers at 24 kHz.
//  Speech can be paused, resumed and stopped, and has a position.
//
//      SpeechPlayer text...
//
import AVFoundation

/// Makes tones instead of speech: 20 ms a character, whose code is the pitch.
struct ToneSynthesizer: Sendable {
    static let sampleRate = 24000.0
    static let framesPerCharacter = 480

    /// The samples of one word.
    func samples(of word: Substring) -> [Float] {
        word.unicodeScalars.flatMap { scalar in
            let step = 2 * Double.pi * (200 + 10 * Double(scalar.value)) / Self.sampleRate
            return (0..<Self.framesPerCharacter).map { Float(0.4 * cos(step * Double($0))) }
        }
    }

    /// One part for each word, as a service sends them.
    func parts(of text: String) -> AsyncStream<[Float]> {
        AsyncStream { continuation in
            for word in text.split(separator: " ") { continuation.yield(samples(of: word)) }
            continuation.finish()
        }
    }
}

enum SpeechError: Error { case noFormat }

actor SpeechPlayer {
    enum Event: Sendable, Equatable {
        case started(String)
        case finished(String)
        case stopped(String)
    }

    nonisolated let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let format: AVAudioFormat
    private let synthesizer = ToneSynthesizer()
    private var waiting: [String] = []
    private var current: String?
    /// Counts stops, so that buffers from before one are recognised.
    private var generation = 0

    init() throws {
        guard let format = AVAudioFormat(
            commonFormat: .pcmFormatFloat32, sampleRate: ToneSynthesizer.sampleRate, channels: 1, interleaved: false)
        else { throw SpeechError.noFormat }
        self.format = format
        (events, continuation) = AsyncStream.makeStream(of: Event.self)
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        engine.prepare()
        try engine.start()
        player.play()
    }

    // MARK: The queue

    func enqueue(_ text: String) async {
        waiting.append(text)
        if current == nil { await speakNext() }
    }

    private func speakNext() async {
        guard current == nil, !waiting.isEmpty else { return }
        let text = waiting.removeFirst()
        current = text
        let generation = generation
        continuation.yield(.started(text))
        // Each part is scheduled once the next one is known, since the last has the handler.
        var last: AVAudioPCMBuffer?
        for await samples in synthesizer.parts(of: text) {
            guard generation == self.generation else { return }
            if let last { player.scheduleBuffer(last, completionHandler: nil) }
            last = makeBuffer(samples)
        }
        guard generation == self.generation else { return }
        guard let last else { return await finish(text, generation) }
        player.scheduleBuffer(last, completionCallbackType: .dataPlayedBack) { [weak self] _ in
            Task { await self?.finish(text, generation) }
        }
    }

    private func finish(_ text: String, _ generation: Int) async {
        guard generation == self.generation else { return }
        current = nil
        continuation.yield(.finished(text))
        await speakNext()
    }

    private func makeBuffer(_ samples: [Float]) -> AVAudioPCMBuffer? {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(samples.count)),
            let channel = buffer.floatChannelData?[0]
        else { return nil }
        samples.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { channel.update(from: start, count: source.count) }
        }
        buffer.frameLength = AVAudioFrameCount(samples.count)
        return buffer
    }

    // MARK: Control

    func pause() { player.pause() }

    func resume() { player.play() }

    /// Stops at once, and forgets what waits.
    func stop() {
        generation += 1
        waiting = []
        player.stop()
        player.reset()
        if let text = current { continuation.yield(.stopped(text)) }
        current = nil
        player.play()
    }

    var isPlaying: Bool { player.isPlaying && current != nil }

    /// The seconds since the player was started, without pauses; nil unless it plays.
    var position: TimeInterval? {
        guard let nodeTime = player.lastRenderTime, let playerTime = player.playerTime(forNodeTime: nodeTime) else {
            return nil
        }
        return Double(playerTime.sampleTime) / playerTime.sampleRate
    }

    func shutDown() {
        engine.stop()
        continuation.finish()
    }
}

extension SpeechPlayer {
    /// Waits until the position is later than a time.
    func wait(past time: TimeInterval) async throws {
        while (position ?? 0) < time { try await Task.sleep(for: .milliseconds(5)) }
    }
}

@main
struct Program {
    static func main() async throws {
        let texts = Array(CommandLine.arguments.dropFirst())
        guard let first = texts.first else { return print("usage: SpeechPlayer TEXT...") }
        let player = try SpeechPlayer()
        let player2 = player
        let enqueuing = Task { for text in texts { await player2.enqueue(text) } }
        await enqueuing.value

        try await player.wait(past: 0.1)
        await player.pause()
        print("paused \(await player.isPlaying == false), position \(await player.position == nil)")
        try await Task.sleep(for: .milliseconds(300))
        await player.resume()

        var events = player.events.makeAsyncIterator()
        var left = texts.count
        while left > 0, let event = await events.next() {
            switch event {
            case .started(let text): print("started \(text)")
            case .stopped(let text): print("stopped \(text)")
            case .finished(let text):
                print("finished \(text)")
                left -= 1
            }
        }
        print(String(format: "spoken after %.2f s", await player.position ?? -1))

        // The second time it is interrupted.
        try await Task.sleep(for: .milliseconds(200))
        await player.stop()
        await player.enqueue(first)
        try await player.wait(past: 0.1)
        await player.stop()
        await player.shutDown()
        while let event = await events.next() { print("then \(event)") }
    }
}
