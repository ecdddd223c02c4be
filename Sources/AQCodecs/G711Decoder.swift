// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A decoder of A-law and µ-law, one byte a sample, to 16-bit integers.
final class G711Decoder: PacketDecoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let maximumFramesPerPacket = 1
    private(set) var damagedPackets = 0
    private let samples: [Int16]

    /// - Parameter inputFormat: A valid format of G.711.
    init(inputFormat: AudioStreamBasicDescription) {
        samples = inputFormat.mFormatID == kAudioFormatALaw ? G711.alawSamples : G711.ulawSamples
        self.inputFormat = inputFormat
        outputFormat = .signedInteger(
            bits: 16, channels: Int(inputFormat.mChannelsPerFrame), sampleRate: inputFormat.mSampleRate)
    }

    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        let channels = Int(inputFormat.mChannelsPerFrame)
        let frames = packet.count / channels
        guard output.count / 2 / channels >= frames else {
            throw CodecError(
                .outputTooSmall, cannot: "decode", inputFormat,
                "\(frames) frames do not fit \(output.count) bytes")
        }
        if packet.count % channels > 0 { damagedPackets += 1 }
        guard frames > 0, let from = packet.baseAddress, let to = output.baseAddress else { return 0 }
        // SAFETY: both buffers hold `frames` frames, and every byte is an index of the 256 samples.
        unsafe samples.withUnsafeBufferPointer { samples in
            for index in 0..<frames * channels {
                let code = unsafe from.load(fromByteOffset: index, as: UInt8.self)
                unsafe to.storeBytes(of: samples[Int(code)], toByteOffset: index * 2, as: Int16.self)
            }
        }
        return frames
    }

    func reset() {}
}
