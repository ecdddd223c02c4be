// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

private typealias Format = AudioStreamBasicDescription

@Suite("Stream descriptions")
struct StreamDescriptionTests {
    @Test("constructors fill in what the published helper does")
    func constructors() {
        let pcm16 = Format.signedInteger(bits: 16, isBigEndian: false, channels: 2, sampleRate: 44100)
        expectEqual(pcm16.mFormatFlags, 0xC)
        #expect(pcm16.mBytesPerFrame == 4 && pcm16.mBytesPerPacket == 4 && pcm16.mFramesPerPacket == 1)
        expectEqual(
            Format.signedInteger(bits: 16, isBigEndian: true, channels: 1, sampleRate: 8000).mFormatFlags, 0xE
        )
        expectEqual(Format.float(channels: 2, sampleRate: 48000).mFormatFlags, 0x9)
        let planar = Format.float(isInterleaved: false, channels: 2, sampleRate: 48000)
        #expect(planar.mFormatFlags == 0x29 && planar.mBytesPerFrame == 4 && planar.sampleContainerBytes == 4)
        expectEqual(Format.unsignedInteger(bits: 8, channels: 3, sampleRate: 8000).mFormatFlags, 0x8)
        let high = Format.signedInteger(bits: 24, containerBytes: 4, channels: 2, sampleRate: 96000)
        #expect(high.mFormatFlags == 0x14 && high.isAlignedHigh && !high.isPacked && high.mBytesPerFrame == 8)
        expectEqual(Format.signedInteger(bits: 20, channels: 1, sampleRate: 96000).mBytesPerFrame, 3)
    }

    @Test("a format is printed as words")
    func summaries() {
        expectEqual(
            Format.signedInteger(bits: 16, isBigEndian: false, channels: 2, sampleRate: 44100).summary,
            "44100 Hz, 2 ch, 16-bit little-endian signed integer")
        expectEqual(
            Format.encoded(kAudioFormatMPEGLayer3, framesPerPacket: 1152, channels: 2, sampleRate: 44100)
                .summary, "44100 Hz, 2 ch, MPEG layer 3, 1152 frames/packet")
        expectEqual(
            Format.float(bits: 64, isBigEndian: true, isInterleaved: false, channels: 1, sampleRate: 11025.5)
                .summary, "11025.5 Hz, 1 ch, 64-bit big-endian float, non-interleaved")
        expectEqual(
            Format.signedInteger(bits: 24, containerBytes: 4, isBigEndian: false, channels: 2, sampleRate: 0)
                .summary, "any rate, 2 ch, 24-bit in 4 bytes, aligned high, little-endian signed integer")
        expectEqual(
            Format.unsignedInteger(bits: 8, channels: 1, sampleRate: 8000).encodingSummary,
            "8-bit unsigned integer")
        expectEqual(
            Format.encoded(
                kAudioFormatULaw, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000
            )
            .summary, "8000 Hz, 1 ch, G.711 µ-law")
        expectEqual(
            Format.encoded(
                kAudioFormatAppleIMA4, bytesPerPacket: 34, framesPerPacket: 64, channels: 1, sampleRate: 22050
            )
            .summary, "22050 Hz, 1 ch, IMA 4:1 ADPCM, 64 frames/packet, 34 bytes/packet")
        var alac = Format.encoded(
            kAudioFormatAppleLossless, framesPerPacket: 4096, channels: 2, sampleRate: 44100)
        alac.mFormatFlags = kAppleLosslessFormatFlag_24BitSourceData
        expectEqual(alac.encodingSummary, "Apple Lossless of 24-bit source")
        expectEqual(Format().summary, "any rate, any channels, 0x00000000")
    }

    @Test("bytes and frames are converted, and impossible conversions are reported")
    func sizes() {
        let format = Format.signedInteger(bits: 24, channels: 2, sampleRate: 48000)
        expectEqual(format.byteCount(ofFrames: 10), 60)
        expectEqual(format.frameCount(inBytes: 65), 10)
        expectEqual(format.byteCount(ofFrames: .max), nil)
        expectEqual(format.byteCount(ofFrames: -1), nil)
        expectEqual(format.frameCount(inBytes: -1), nil)
        let ima = Format.encoded(
            kAudioFormatAppleIMA4, bytesPerPacket: 34, framesPerPacket: 64, channels: 1, sampleRate: 1)
        expectEqual(ima.byteCount(ofFrames: 128), 68)
        expectEqual(ima.byteCount(ofFrames: 100), nil)
        expectEqual(Format().frameCount(inBytes: 100), nil)
        expectEqual(Format.bytesPerPacket(channels: 6, containerBytes: 3), 18)
        expectEqual(Format.bytesPerPacket(channels: 6, containerBytes: 3, isInterleaved: false), 3)
        expectEqual(Format.bytesPerPacket(channels: .max, containerBytes: 3), nil)
        expectEqual(Format.bytesPerPacket(channels: -1, containerBytes: 3), nil)
    }

    @Test("sound descriptions are valid", arguments: 1...32)
    func valid(bits: Int) {
        for bytes in (bits + 7) / 8...4 {
            for format in [
                Format.signedInteger(bits: bits, containerBytes: bytes, channels: 2, sampleRate: 44100),
                Format.unsignedInteger(
                    bits: bits, containerBytes: bytes, isBigEndian: true, isInterleaved: false, channels: 7,
                    sampleRate: 8000),
            ] {
                expectEqual(format.validationFailure, nil)
            }
        }
    }

    private static func changed(_ change: (inout Format) -> Void) -> Format {
        var format = Format.signedInteger(bits: 16, channels: 2, sampleRate: 44100)
        change(&format)
        return format
    }

    @Test(
        "invalid descriptions are recognised, without a trap",
        arguments: [
            changed { $0.mSampleRate = 0 }, changed { $0.mSampleRate = -1 },
            changed { $0.mSampleRate = .nan },
            changed { $0.mSampleRate = .infinity }, changed { $0.mSampleRate = 1e9 },
            changed { $0.mChannelsPerFrame = 0 }, changed { $0.mChannelsPerFrame = .max },
            changed { $0.mChannelsPerFrame = 3 }, changed { $0.mBytesPerFrame = 0 },
            changed { $0.mBytesPerPacket = .max }, changed { $0.mBytesPerPacket = 8 },
            changed { $0.mFramesPerPacket = 0 }, changed { $0.mFramesPerPacket = .max },
            changed { $0.mBitsPerChannel = 0 }, changed { $0.mBitsPerChannel = 17 },
            changed { $0.mBitsPerChannel = .max }, changed { $0.mBitsPerChannel = 12 },
            changed { $0.mFormatFlags |= kAudioFormatFlagIsFloat },
            changed { $0.mFormatFlags |= kLinearPCMFormatFlagsSampleFractionMask },
            changed { $0.mFormatID = kAudioFormatALaw },
            Format.signedInteger(bits: .max, channels: .max, sampleRate: 44100),
            Format.signedInteger(bits: .min, containerBytes: .min, channels: .min, sampleRate: 44100),
            Format.float(bits: 16, channels: 1, sampleRate: 44100),
            Format.signedInteger(bits: 64, channels: 1, sampleRate: 44100),
            Format.encoded(kAudioFormatMPEGLayer3, framesPerPacket: .max, channels: 2, sampleRate: 44100),
        ])
    func invalid(format: AudioStreamBasicDescription) {
        #expect(format.validationFailure != nil)
        #expect(!format.summary.isEmpty)
        _ = format.sampleContainerBytes
        _ = format.byteCount(ofFrames: .max)
        _ = format.frameCount(inBytes: .max)
    }

    @Test("descriptions differ in any field that matters")
    func sameness() {
        let format = Format.signedInteger(bits: 16, channels: 2, sampleRate: 44100)
        #expect(format.isSame(as: Self.changed { $0.mReserved = 1 }))
        #expect(!format.isSame(as: Self.changed { $0.mSampleRate = 44101 }))
        #expect(!format.isSame(as: Self.changed { $0.mFormatFlags ^= kAudioFormatFlagIsBigEndian }))
        #expect(!format.isSame(as: Self.changed { $0.mBitsPerChannel = 15 }))
    }
}
