// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("Packet decoders")
struct PacketDecoderTests {
    private func decode(
        _ bytes: [UInt8], with decoder: any PacketDecoder, frames: Int, misalignedBy offset: Int = 0
    ) throws -> [UInt8] {
        let frameBytes = Int(decoder.outputFormat.mBytesPerFrame)
        let source = [UInt8](repeating: 0, count: offset) + bytes
        var target = [UInt8](repeating: 0xA5, count: offset + frames * frameBytes)
        let written = try unsafe source.withUnsafeBytes { source in
            try unsafe target.withUnsafeMutableBytes { target in
                try unsafe decoder.decode(
                    UnsafeRawBufferPointer(rebasing: source[offset...]),
                    into: UnsafeMutableRawBufferPointer(rebasing: target[offset...]))
            }
        }
        return Array(target[offset..<(offset + written * frameBytes)])
    }

    @Test(
        "linear PCM is decoded to the smallest native encoding that keeps its bits",
        arguments: [
            (Format.unsignedInteger(bits: 8, channels: 2, sampleRate: 8000), 8, kAudioFormatFlagIsPacked),
            (.unsignedInteger(bits: 5, channels: 2, sampleRate: 8000), 8, kAudioFormatFlagIsPacked),
            (.signedInteger(bits: 8, channels: 2, sampleRate: 8000), 16, 0xC),
            (.signedInteger(bits: 12, channels: 2, sampleRate: 8000), 16, 0xC),
            (.unsignedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: 8000), 16, 0xC),
            (.signedInteger(bits: 20, channels: 2, sampleRate: 8000), 24, 0xC),
            (
                .signedInteger(bits: 24, containerBytes: 4, isBigEndian: true, channels: 2, sampleRate: 8000),
                24, 0xC
            ),
            (.signedInteger(bits: 25, channels: 2, sampleRate: 8000), 32, 0xC),
            (.float(isBigEndian: true, channels: 2, sampleRate: 8000), 32, 0x9),
            (.float(bits: 64, channels: 2, sampleRate: 8000), 32, 0x9),
            (.float(isInterleaved: false, channels: 1, sampleRate: 8000), 32, 0x9),
        ])
    func nearest(input: AudioStreamBasicDescription, bits: Int, flags: AudioFormatFlags) throws {
        let decoder = try makePacketDecoder(for: input, magicCookie: [])
        let output = decoder.outputFormat
        expectEqual(Int(output.mBitsPerChannel), bits)
        expectEqual(output.mFormatFlags, flags | kAudioFormatFlagsNativeEndian)
        #expect(
            output.mChannelsPerFrame == input.mChannelsPerFrame && output.mSampleRate == input.mSampleRate)
        #expect(output.isPacked && output.isInterleaved && output.validationFailure == nil)
        expectEqual(decoder.maximumFramesPerPacket, 1)
        #expect(decoder.inputFormat.isSame(as: input))
    }

    @Test("one call takes many packets of constant size")
    func manyPackets() throws {
        let decoder = try makePacketDecoder(
            for: .signedInteger(bits: 16, isBigEndian: true, channels: 2, sampleRate: 44100))
        try expectEqual(
            decode([1, 2, 3, 4, 5, 6, 7, 8], with: decoder, frames: 2, misalignedBy: 1),
            [2, 1, 4, 3, 6, 5, 8, 7])
        try expectEqual(decode([], with: decoder, frames: 0), [])
    }

    @Test("an incomplete frame at the end of a packet is counted, and the frames before it are decoded")
    func cutFrame() throws {
        for format in [
            Format.signedInteger(bits: 16, channels: 2, sampleRate: 8000),
            .encoded(kAudioFormatALaw, bytesPerPacket: 2, framesPerPacket: 1, channels: 2, sampleRate: 8000),
        ] {
            let decoder = try makePacketDecoder(for: format)
            let bytes = [UInt8](repeating: 0, count: Int(format.mBytesPerPacket) + 1)
            try expectEqual(decode(bytes, with: decoder, frames: 2).count, 4)
            expectEqual(decoder.damagedPackets, 1)
            decoder.reset()
            expectEqual(decoder.damagedPackets, 1)
        }
    }

    @Test("output that is too small is refused")
    func tooSmall() throws {
        for format in [
            Format.signedInteger(bits: 16, channels: 2, sampleRate: 8000),
            .encoded(kAudioFormatULaw, bytesPerPacket: 2, framesPerPacket: 1, channels: 2, sampleRate: 8000),
        ] {
            let decoder = try makePacketDecoder(for: format)
            #expect(throws: CodecError.self) {
                try decode([UInt8](repeating: 0, count: 64), with: decoder, frames: 3)
            }
        }
    }

    @Test(
        "formats without a decoder and invalid formats are refused with a reason",
        arguments: [
            (
                Format.encoded(kAudioFormatFLAC, framesPerPacket: 960, channels: 2, sampleRate: 48000),
                .unsupportedFormat
            ),
            (.float(isInterleaved: false, channels: 2, sampleRate: 44100), .unsupportedFormat),
            (Format(), .invalidFormat),
            (.signedInteger(bits: 16, channels: 0, sampleRate: 44100), .invalidFormat),
            (.signedInteger(bits: 16, channels: .max, sampleRate: 44100), .invalidFormat),
            (.signedInteger(bits: 16, channels: 2, sampleRate: .nan), .invalidFormat),
            (.signedInteger(bits: 16, channels: 2, sampleRate: 1e9), .invalidFormat),
            (
                .encoded(
                    kAudioFormatALaw, bytesPerPacket: 0, framesPerPacket: 0, channels: 2, sampleRate: 8000),
                .invalidFormat
            ),
            (
                .encoded(
                    kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 2, sampleRate: 8000),
                .invalidFormat
            ),
        ] as [(AudioStreamBasicDescription, CodecError.Code)])
    func refused(format: AudioStreamBasicDescription, code: CodecError.Code) {
        do throws(CodecError) {
            _ = try makePacketDecoder(for: format, magicCookie: [1, 2, 3])
            Issue.record("accepted \(format.summary)")
        } catch {
            expectEqual(error.code, code)
            #expect(error.message.hasPrefix("cannot decode ") && !error.message.hasSuffix("."))
        }
    }
}
