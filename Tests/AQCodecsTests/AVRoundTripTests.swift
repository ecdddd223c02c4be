// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import AQCodecs
import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import AQTestSupport
import Testing

@Suite("Encoders and decoders of libavcodec in sequence")
struct AVRoundTripTests {
    private static func format(
        _ id: AudioFormatID, _ rate: Int, _ channels: Int
    )
        -> AudioStreamBasicDescription
    {
        .encoded(id, framesPerPacket: 0, channels: channels, sampleRate: Double(rate))
    }

    /// Not a multiple of the packet length of any codec.
    private static let frames = 10_007

    @Test(
        "Apple Lossless returns every bit and the same number of frames",
        arguments: [8000, 44100, 48000, 96000, 192_000],
        [(1, 16), (2, 16), (2, 20), (2, 24), (6, 16), (8, 24)])
    func alac(rate: Int, kind: (channels: Int, bits: Int)) throws {
        let bits = kind.bits == 16 ? 16 : 24
        let sound = TestSound.integers(
            TestSound.samples(frames: Self.frames, channels: kind.channels, sampleRate: Double(rate)),
            bits: bits)
        let encoder = try makePacketEncoder(
            for: Self.format(kAudioFormatAppleLossless, rate, kind.channels),
            settings: CodecSettings(bitDepth: kind.bits))
        expectEqual(Int(encoder.inputFormat.mBitsPerChannel), bits)
        let encoded = try EncodedSound(encoder, sound)
        expectEqual(encoded.format.mFormatFlags, (bits == 16 ? 1 : 3))
        expectEqual(encoded.primingFrames, 0)
        expectEqual(encoded.frames, Self.frames)
        expectEqual(encoded.cookie.count, (kind.channels > 2 ? 48 : 24))
        let config = try ALACSpecificConfig(bytes: encoded.cookie)
        #expect(config.format.isSame(as: encoded.format))
        let decoded = try encoded.decoded()
        expectEqual(Int(decoded.format.mBitsPerChannel), bits)
        expectEqual(decoded.damaged, 0)
        // Without trims: the last packet contains its own length.
        expectEqual(decoded.bytes, sound)
    }

    @Test("Apple Lossless stores noise in packets of the size it announces", arguments: [16, 24], 1...8)
    func alacNoise(bits: Int, channels: Int) throws {
        var noise = SplitMix(UInt64(bits + channels))
        let sound = noise.bytes(4096 * 2 * channels * bits / 8 + channels * bits / 8)
        let encoder = try makePacketEncoder(
            for: Self.format(kAudioFormatAppleLossless, 44100, channels),
            settings: CodecSettings(bitDepth: bits))
        let encoded = try EncodedSound(encoder, sound)
        expectEqual(encoded.packets.count, 3)
        try expectEqual(encoded.decoded().bytes, sound)
    }

    @Test(
        "AAC returns the audio at its position, with the same number of frames",
        arguments: [8000, 11025, 16000, 22050, 32000, 44100, 48000, 96000], [1, 2, 6])
    func aac(rate: Int, channels: Int) throws {
        let sound = TestSound.samples(frames: Self.frames, channels: channels, sampleRate: Double(rate))
        let encoder = try makePacketEncoder(
            for: Self.format(kAudioFormatMPEG4AAC, rate, channels),
            settings: CodecSettings(bitRate: 4 * rate * channels))
        let encoded = try EncodedSound(encoder, TestSound.floats(sound))
        expectEqual(encoded.format.mFramesPerPacket, 1024)
        expectEqual(encoded.primingFrames, 1024)
        expectEqual(encoded.frames, Self.frames)
        let config = try AACCookie.audioSpecificConfig(inCookie: encoded.cookie)
        #expect(config.format.isSame(as: encoded.format))
        #expect(config.channelConfiguration == channels)
        try expectEqual(encoded.decoded().damaged, 0)
        let decoded = TestSound.doubles(try encoded.trimmed(), .float(channels: channels, sampleRate: 1))
        expectEqual(decoded.count, sound.count)
        #expect(Likeness.decibels(sound, decoded) > 15)
        expectEqual(Likeness.bestShift(sound, decoded, channels: channels), 0)
    }

    @Test("AAC keeps each of eight channels", arguments: [3, 4, 5, 6, 8])
    func aacChannels(channels: Int) throws {
        let sound = TestSound.samples(frames: 8192, channels: channels, sampleRate: 48000)
        let encoder = try makePacketEncoder(
            for: Self.format(kAudioFormatMPEG4AAC, 48000, channels),
            settings: CodecSettings(bitRate: 192_000 * channels))
        let encoded = try EncodedSound(encoder, TestSound.floats(sound))
        let decoded = TestSound.doubles(try encoded.trimmed(), .float(channels: channels, sampleRate: 1))
        for channel in 0..<channels {
            let pick = { (all: [Double]) in
                stride(from: channel, to: all.count, by: channels).map { all[$0] }
            }
            #expect(Likeness.decibels(pick(sound), pick(decoded)) > 15, "channel \(channel)")
        }
    }

    @Test(
        "IMA 4:1 returns the audio at its position, with the same number of frames",
        arguments: [8000, 22050, 44100, 48000, 96000], [1, 2])
    func ima4(rate: Int, channels: Int) throws {
        let sound = TestSound.samples(frames: Self.frames, channels: channels, sampleRate: Double(rate))
        let encoder = try makePacketEncoder(for: Self.format(kAudioFormatAppleIMA4, rate, channels))
        expectEqual(encoder.maximumPacketSize, 34 * channels)
        let encoded = try EncodedSound(encoder, TestSound.integers(sound, bits: 16))
        #expect(encoded.packets.allSatisfy { $0.count == 34 * channels })
        expectEqual(encoded.primingFrames, 0)
        expectEqual(encoded.frames, Self.frames)
        let decoded = TestSound.doubles(
            try encoded.trimmed(), .signedInteger(bits: 16, channels: channels, sampleRate: 1))
        expectEqual(decoded.count, sound.count)
        #expect(Likeness.decibels(sound, decoded) > 20)
        expectEqual(Likeness.bestShift(sound, decoded, channels: channels), 0)
    }

    #if HAVE_MPEG_AUDIO
    @Test(
        "MP3 returns the audio at its position, with the same number of frames",
        arguments: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000], [1, 2])
    func mp3(rate: Int, channels: Int) throws {
        let sound = TestSound.samples(frames: Self.frames, channels: channels, sampleRate: Double(rate))
        let encoder = try makePacketEncoder(for: Self.format(kAudioFormatMPEGLayer3, rate, channels))
        let encoded = try EncodedSound(encoder, TestSound.floats(sound))
        expectEqual(encoded.format.mFramesPerPacket, (rate >= 32000 ? 1152 : 576))
        expectEqual(encoded.primingFrames, 1105)
        expectEqual(encoded.frames, Self.frames)
        try expectEqual(encoded.decoded().damaged, 0)
        let decoded = TestSound.doubles(try encoded.trimmed(), .float(channels: channels, sampleRate: 1))
        expectEqual(decoded.count, sound.count)
        #expect(Likeness.decibels(sound, decoded) > 10)
        expectEqual(Likeness.bestShift(sound, decoded, channels: channels), 0)
    }
    #endif
}
#endif
