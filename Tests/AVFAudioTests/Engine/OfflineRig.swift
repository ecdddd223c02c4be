// SPDX-License-Identifier: MIT

import AQExpectations
import AVFAudio
import Foundation
import Testing

/// An engine that a test renders.
struct OfflineRig {
    let engine = AVAudioEngine()
    let format: AVAudioFormat

    init(sampleRate: Double = 48_000, channels: UInt32 = 2, maximumFrames: UInt32 = 512) throws {
        format = try #require(
            AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels))
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: maximumFrames)
    }

    /// Attaches a player and connects it to the main mixer.
    func player(sampleRate: Double? = nil, channels: UInt32? = nil) throws -> AVAudioPlayerNode {
        let player = AVAudioPlayerNode()
        engine.attach(player)
        let own = AVAudioFormat(
            standardFormatWithSampleRate: sampleRate ?? format.sampleRate,
            channels: channels ?? format.channelCount)
        engine.connect(player, to: engine.mainMixerNode, format: own)
        return player
    }

    /// Renders frames in slices, and returns the samples of each channel.
    func render(_ frames: Int, slice: Int = 512) throws -> [[Float]] {
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(slice)))
        var samples = [[Float]](repeating: [], count: Int(format.channelCount))
        var done = 0
        while done < frames {
            let count = min(slice, frames - done)
            try expectEqual(engine.renderOffline(UInt32(count), to: buffer), .success)
            let channels = unsafe try #require(unsafe buffer.floatChannelData)
            for channel in samples.indices {
                unsafe samples[channel] += Array(UnsafeBufferPointer(start: channels[channel], count: count))
            }
            done += count
        }
        return samples
    }

    /// Makes a buffer whose samples a function of frame and channel gives.
    static func buffer(
        _ frames: Int, sampleRate: Double = 48_000, channels: UInt32 = 2, _ sample: (Int, Int) -> Float
    ) throws -> AVAudioPCMBuffer {
        let format = try #require(
            AVAudioFormat(standardFormatWithSampleRate: sampleRate, channels: channels))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(frames)))
        buffer.frameLength = UInt32(frames)
        let data = unsafe try #require(unsafe buffer.floatChannelData)
        for channel in 0..<Int(channels) {
            for frame in 0..<frames { unsafe data[channel][frame] = sample(frame, channel) }
        }
        return buffer
    }

    /// Waits until a condition holds; returns whether it does.
    static func wait(_ seconds: Double = 15, until condition: () -> Bool) -> Bool {
        let end = Date() + seconds
        while !condition() {
            guard Date() < end else { return false }
            usleep(1_000)
        }
        return true
    }
}
