// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// A decoder that converts linear PCM of every layout to the nearest native encoding.
final class LinearPCMDecoder: PacketDecoder {
    let inputFormat: AudioStreamBasicDescription
    let outputFormat: AudioStreamBasicDescription
    let maximumFramesPerPacket = 1
    private(set) var damagedPackets = 0
    private let converter: LinearPCMConverter

    init(inputFormat: AudioStreamBasicDescription) throws(CodecError) {
        guard inputFormat.isContiguous else {
            throw CodecError(
                .unsupportedFormat, cannot: "decode", inputFormat,
                "a packet cannot hold non-interleaved channels")
        }
        self.inputFormat = inputFormat
        outputFormat = Self.nearestNativeFormat(of: inputFormat)
        converter = try LinearPCMConverter(from: inputFormat, to: outputFormat)
    }

    /// Decodes the whole frames in `packet`. A truncated frame at the end counts as damaged.
    func decode(
        _ packet: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) throws(CodecError) -> Int {
        let whole = packet.count - packet.count % Int(inputFormat.mBytesPerFrame)
        let frames = try unsafe converter.convert(
            UnsafeRawBufferPointer(rebasing: packet[..<whole]), into: output)
        if whole < packet.count { damagedPackets += 1 }
        return frames
    }

    func reset() {}

    static func nearestNativeFormat(of format: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
        let channels = Int(format.mChannelsPerFrame)
        if format.isFloat { return .float(channels: channels, sampleRate: format.mSampleRate) }
        let bits = Int(format.mBitsPerChannel)
        if bits <= 8, !format.isSignedInteger {
            return .unsignedInteger(bits: 8, channels: channels, sampleRate: format.mSampleRate)
        }
        return .signedInteger(
            bits: bits <= 16 ? 16 : bits <= 24 ? 24 : 32, channels: channels, sampleRate: format.mSampleRate)
    }
}
