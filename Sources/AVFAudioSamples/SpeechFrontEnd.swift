// SPDX-License-Identifier: MIT

//  The front end of a speech recogniser: captures at the rate of the hardware, converts to 16 kHz mono, and prints the
//  level of each part.
//
//      SpeechFrontEnd 5

import AVFoundation

enum FrontEndError: Error, CustomStringConvertible {
    case noMicrophone

    var description: String { "there is no microphone" }
}

/// Captures the microphone for a recogniser.
final class FrontEnd {
    static let sampleRate = 16_000.0

    /// The samples in one channel, about a tenth of a second at a time.
    let parts: AsyncStream<[Float]>
    private let engine = AVAudioEngine()

    init() throws {
        let input = engine.inputNode
        let hardware = input.outputFormat(forBus: 0)
        guard hardware.sampleRate > 0,
            let speech = AVAudioFormat(standardFormatWithSampleRate: FrontEnd.sampleRate, channels: 1),
            let converter = AVAudioConverter(from: hardware, to: speech)
        else { throw FrontEndError.noMicrophone }

        let (parts, continuation) = AsyncStream.makeStream(of: [Float].self)
        self.parts = parts
        // The tap's block is called on a queue of the engine, one buffer after the other.
        let bufferSize = AVAudioFrameCount(hardware.sampleRate / 10)
        input.installTap(onBus: 0, bufferSize: bufferSize, format: hardware) { buffer, _ in
            continuation.yield(FrontEnd.convert(buffer, with: converter))
        }
        try engine.start()
    }

    func stop() {
        engine.inputNode.removeTap(onBus: 0)
        engine.stop()
    }

    /// Converts the next buffer of a stream. The last samples stay in the converter's filter until the buffer after it.
    private static func convert(_ buffer: AVAudioPCMBuffer, with converter: AVAudioConverter) -> [Float] {
        let ratio = converter.outputFormat.sampleRate / converter.inputFormat.sampleRate
        let capacity = AVAudioFrameCount(Double(buffer.frameLength) * ratio) + 64
        guard let output = AVAudioPCMBuffer(pcmFormat: converter.outputFormat, frameCapacity: capacity) else {
            return []
        }
        // The block is called by `convert`, before it returns.
        nonisolated(unsafe) var next: AVAudioPCMBuffer? = buffer
        converter.convert(to: output, error: nil) { _, status in
            defer { next = nil }
            status.pointee = next == nil ? .noDataNow : .haveData
            return next
        }
        guard let samples = output.floatChannelData?[0] else { return [] }
        return Array(UnsafeBufferPointer(start: samples, count: Int(output.frameLength)))
    }
}

/// The root mean square in dB; -120 for silence.
func level(of samples: [Float]) -> Float {
    let sum = samples.reduce(0) { $0 + $1 * $1 }
    return 10 * log10(max(sum / Float(max(1, samples.count)), 1e-12))
}

let seconds = CommandLine.arguments.count == 2 ? Double(CommandLine.arguments[1]) ?? 5 : 5
do {
    let frontEnd = try FrontEnd()
    var frames = 0
    for await samples in frontEnd.parts {
        frames += samples.count
        print("\(samples.count) frames, \(Int(level(of: samples).rounded())) dB")
        if Double(frames) >= seconds * FrontEnd.sampleRate { break }
    }
    frontEnd.stop()
    print("\(frames) frames at 16 kHz")
} catch {
    FileHandle.standardError.write(Data("SpeechFrontEnd: \(error)\n".utf8))
    exit(1)
}
