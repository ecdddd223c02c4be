// SPDX-License-Identifier: MIT

//  Mixes audio files into one WAV file, faster than they could be played.
//
//      OfflineMixdown mix.wav drums.wav bass.mp3 voice.m4a

import AVFoundation

/// Mixes files at equal loudness, each from the beginning, until the longest ends. Returns the number of frames.
func mix(_ sources: [AVAudioFile], to url: URL) throws -> AVAudioFramePosition {
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else { return 0 }
    let engine = AVAudioEngine()
    // Before the engine connects anything to the hardware, which is not needed.
    try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 4_096)
    let players = sources.map { source in
        let player = AVAudioPlayerNode()
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: source.processingFormat)
        player.volume = 1 / Float(sources.count)
        player.scheduleFile(source, at: nil, completionHandler: nil)
        return player
    }
    try engine.start()
    for player in players { player.play() }

    let output = try AVAudioFile(
        forWriting: url,
        settings: [
            AVFormatIDKey: kAudioFormatLinearPCM, AVLinearPCMBitDepthKey: 24, AVLinearPCMIsFloatKey: false,
            AVSampleRateKey: format.sampleRate, AVNumberOfChannelsKey: format.channelCount,
        ])
    guard
        let buffer = AVAudioPCMBuffer(
            pcmFormat: engine.manualRenderingFormat, frameCapacity: engine.manualRenderingMaximumFrameCount)
    else { return 0 }
    let seconds = sources.map { Double($0.length) / $0.processingFormat.sampleRate }.max() ?? 0
    let frames = AVAudioFramePosition((seconds * format.sampleRate).rounded(.up))
    while engine.manualRenderingSampleTime < frames {
        let left = frames - engine.manualRenderingSampleTime
        let status = try engine.renderOffline(
            min(buffer.frameCapacity, AVAudioFrameCount(left)), to: buffer)
        // Players are ready whenever they are asked, so there is no other result than success.
        guard status == .success else { break }
        try output.write(from: buffer)
    }
    engine.stop()
    return output.length
}

let names = CommandLine.arguments.dropFirst()
guard names.count >= 2, let result = names.first else {
    FileHandle.standardError.write(Data("usage: OfflineMixdown RESULT FILE...\n".utf8))
    exit(64)
}
do {
    let sources = try names.dropFirst().map { try AVAudioFile(forReading: URL(fileURLWithPath: $0)) }
    print("\(try mix(sources, to: URL(fileURLWithPath: result))) frames")
} catch {
    FileHandle.standardError.write(Data("OfflineMixdown: \(error.localizedDescription)\n".utf8))
    exit(1)
}
