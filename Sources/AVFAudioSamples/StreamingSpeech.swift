// SPDX-License-Identifier: MIT

//  Plays speech while it is made: 16-bit samples at 24 kHz in one channel, from standard input.
//
//      synthesizer "Good morning" | StreamingSpeech

import AVFoundation

/// Takes whole samples from the front of `data`, as a buffer.
func takeBuffer(from data: inout Data, format: AVAudioFormat) -> AVAudioPCMBuffer? {
    let frames = data.count / MemoryLayout<Int16>.size
    guard frames > 0,
        let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)),
        let samples = buffer.floatChannelData?[0]
    else { return nil }
    data.withUnsafeBytes { bytes in
        for frame in 0..<frames {
            let sample = bytes.loadUnaligned(fromByteOffset: 2 * frame, as: Int16.self)
            samples[frame] = Float(Int16(littleEndian: sample)) / 32_768
        }
    }
    buffer.frameLength = AVAudioFrameCount(frames)
    data = Data(data.dropFirst(2 * frames))
    return buffer
}

/// Plays what arrives, and returns when the last of it was heard.
func play(_ input: FileHandle) throws {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1) else { return }
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    try engine.start()
    player.play()

    let unheard = DispatchGroup()
    var data = Data()
    while case let arrived = input.availableData, !arrived.isEmpty {
        data.append(arrived)
        guard let buffer = takeBuffer(from: &data, format: format) else { continue }
        unheard.enter()
        player.scheduleBuffer(buffer, completionCallbackType: .dataPlayedBack) { _ in unheard.leave() }
    }
    unheard.wait()
    engine.stop()
}

do {
    try play(.standardInput)
} catch {
    FileHandle.standardError.write(Data("StreamingSpeech: \(error.localizedDescription)\n".utf8))
    exit(1)
}
