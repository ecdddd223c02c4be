// SPDX-License-Identifier: MIT

//  A metronome that is exact to the frame: each beat is scheduled at its own sample time, so that no error adds up.
//
//      Metronome 132.5 16
//
//  The arguments are beats per minute, and the number of beats.

import AVFoundation

/// A click that begins with its loudest sample and fades.
func makeClick(frequency: Double, format: AVAudioFormat) -> AVAudioPCMBuffer? {
    let frames = Int(format.sampleRate * 0.03)
    guard let click = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(frames)),
        let samples = click.floatChannelData?[0]
    else { return nil }
    for frame in 0..<frames {
        let phase = 2 * Double.pi * frequency * Double(frame) / format.sampleRate
        let fade = pow(1 - Double(frame) / Double(frames), 3)
        samples[frame] = Float(0.5 * fade * cos(phase))
    }
    click.frameLength = AVAudioFrameCount(frames)
    return click
}

/// Plays beats, of which every fourth is accented, and returns when the last was heard.
func play(beatsPerMinute: Double, beats: Int) throws {
    let engine = AVAudioEngine()
    let player = AVAudioPlayerNode()
    // The rate of the hardware, so that nothing is converted.
    let sampleRate = engine.outputNode.outputFormat(forBus: 0).sampleRate
    guard let format = AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: 1),
        let accent = makeClick(frequency: 1_600, format: format),
        let click = makeClick(frequency: 1_000, format: format)
    else { return }
    engine.attach(player)
    engine.connect(player, to: engine.mainMixerNode, format: format)
    try engine.start()
    player.play()

    let framesPerBeat = 60 / beatsPerMinute * sampleRate
    let ahead = DispatchSemaphore(value: 8)  // at most so many beats wait in the player
    let unheard = DispatchGroup()
    for beat in 0..<beats {
        ahead.wait()
        unheard.enter()
        let frame = AVAudioFramePosition((Double(beat) * framesPerBeat).rounded())
        player.scheduleBuffer(
            beat % 4 == 0 ? accent : click, at: AVAudioTime(sampleTime: frame, atRate: sampleRate),
            options: [], completionCallbackType: .dataPlayedBack
        ) { _ in
            ahead.signal()
            unheard.leave()
        }
    }
    unheard.wait()
    engine.stop()
}

let arguments = CommandLine.arguments.dropFirst().compactMap(Double.init)
guard arguments.count == 2, arguments[0] > 0, arguments[1] >= 0 else {
    FileHandle.standardError.write(Data("usage: Metronome BEATS-PER-MINUTE BEATS\n".utf8))
    exit(64)
}
do {
    try play(beatsPerMinute: arguments[0], beats: Int(arguments[1]))
} catch {
    FileHandle.standardError.write(Data("Metronome: \(error.localizedDescription)\n".utf8))
    exit(1)
}
