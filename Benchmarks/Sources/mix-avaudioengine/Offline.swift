// SPDX-License-Identifier: MIT

import AVFoundation
import PeerKit

/// Renders the mix of the files, with an equalizer of eight bands and another rate, without a device.
enum Offline {
    private static let rate: Float = 1.1
    private static let bandCount = 8

    /// Renders --seconds of audio, and prints a hash of all samples: it is the same in each run.
    static func render(_ options: Options) throws {
        guard
            let format = AVAudioFormat(standardFormatWithSampleRate: options.rate, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 4_096)
        else { fail("cannot render", "no format") }
        let engine = AVAudioEngine()
        try engine.enableManualRenderingMode(
            .offline, format: format, maximumFrameCount: buffer.frameCapacity)
        let mixer = AVAudioMixerNode()
        let (equalizer, timePitch) = (makeEqualizer(), AVAudioUnitTimePitch())
        timePitch.rate = rate
        for node in [mixer, equalizer, timePitch] { engine.attach(node) }
        engine.connect(mixer, to: equalizer, format: format)
        engine.connect(equalizer, to: timePitch, format: format)
        engine.connect(timePitch, to: engine.mainMixerNode, format: format)
        let players = try Players(options, on: engine, to: mixer)
        try engine.start()
        players.play()
        let frames = AVAudioFramePosition(options.seconds * options.rate)
        var hash = SampleHash()
        while engine.manualRenderingSampleTime < frames {
            let left = frames - engine.manualRenderingSampleTime
            let count = AVAudioFrameCount(min(AVAudioFramePosition(buffer.frameCapacity), left))
            guard try engine.renderOffline(count, to: buffer) == .success else {
                fail("cannot render", "frames are missing")
            }
            hash.add(buffer)
        }
        engine.stop()
        guard hash.loudest > 0.05 else { fail("cannot render", "the mix is silent") }
        print(String(hash.value, radix: 16))
    }

    private static func makeEqualizer() -> AVAudioUnitEQ {
        let equalizer = AVAudioUnitEQ(numberOfBands: bandCount)
        for (number, band) in equalizer.bands.enumerated() {
            band.filterType = .parametric
            band.frequency = 60 * Float(1 << number)
            band.gain = number % 2 == 0 ? 3 : -3
            band.bypass = false
        }
        return equalizer
    }
}

/// A hash of samples (FNV-1a, by sample), and the largest of them.
private struct SampleHash {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private(set) var loudest: Float = 0

    mutating func add(_ buffer: AVAudioPCMBuffer) {
        guard let channels = unsafe buffer.floatChannelData else { return }
        for channel in 0..<Int(buffer.format.channelCount) {
            for frame in 0..<Int(buffer.frameLength) {
                let sample = unsafe channels[channel][frame]
                value = (value ^ UInt64(sample.bitPattern)) &* 0x100_0000_01b3
                loudest = max(loudest, abs(sample))
            }
        }
    }
}
