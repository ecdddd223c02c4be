// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import Testing

@testable import AQCodecs

@Suite("Encoders of libavcodec")
struct AVPacketEncoderTests {
    static let codecs = [
        kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4, kAudioFormatMPEGLayer3,
    ]

    private static func format(
        _ id: AudioFormatID, rate: Double = 44100, channels: Int = 2
    ) -> AudioStreamBasicDescription {
        .encoded(id, framesPerPacket: 0, channels: channels, sampleRate: rate)
    }

    private static func bytes(
        frames: Int, for encoder: any PacketEncoder
    ) -> [UInt8] {
        let samples = TestSound.samples(
            frames: frames, channels: Int(encoder.inputFormat.mChannelsPerFrame), sampleRate: 44100)
        return encoder.inputFormat.isFloat
            ? TestSound.floats(samples)
            : TestSound.integers(samples, bits: Int(encoder.inputFormat.mBitsPerChannel))
    }

    private static func failure(_ body: () throws -> Void) -> CodecError? {
        do { try body() } catch { return error as? CodecError }
        return nil
    }

    @Test("any number of frames is returned", arguments: codecs, [0, 1, 2, 63, 64, 65, 1023, 4097])
    func lengths(id: AudioFormatID, frames: Int) throws {
        let encoder = try makePacketEncoder(for: Self.format(id))
        let encoded = try EncodedSound(encoder, Self.bytes(frames: frames, for: encoder))
        if frames == 0 {
            #expect(encoded.packets.isEmpty)
            expectEqual(encoded.remainderFrames, 0)
        } else {
            expectEqual(encoded.frames, frames)
            try expectEqual(encoded.trimmed().count / encoded.bytesPerDecodedFrame(), frames)
        }
    }

    @Test("the sizes of the pieces do not change the packets", arguments: codecs)
    func pieces(id: AudioFormatID) throws {
        let whole = try makePacketEncoder(for: Self.format(id))
        let bytes = Self.bytes(frames: 9000, for: whole)
        let expected = try EncodedSound(whole, bytes, pieceFrames: 9000)
        for frames in [1, 7, 1024, 5000] {
            let encoder = try makePacketEncoder(for: Self.format(id))
            try expectEqual(EncodedSound(encoder, bytes, pieceFrames: frames).packets, expected.packets)
        }
    }

    @Test("a reset encoder starts again", arguments: codecs)
    func reset(id: AudioFormatID) throws {
        let encoder = try makePacketEncoder(for: Self.format(id))
        let bytes = Self.bytes(frames: 5000, for: encoder)
        let expected = try EncodedSound(encoder, bytes)
        try encoder.reset()
        try expectEqual(EncodedSound(encoder, bytes).packets, expected.packets)
        try encoder.reset()
        try unsafe bytes.withUnsafeBytes { try unsafe encoder.append($0) }
        try encoder.reset()
        expectEqual(encoder.remainderFrames, 0)
        let again = try EncodedSound(encoder, bytes)
        expectEqual(again.packets, expected.packets)
        expectEqual(again.remainderFrames, expected.remainderFrames)
    }

    @Test("an encoder that cannot be opened again has failed")
    func failedReset() throws {
        let settings = AVSettings(codec: .aac, sample: .float, sampleRate: 44100, channels: 2)
        var impossible = settings
        impossible.sampleRate = 12345
        let format = Self.format(kAudioFormatMPEG4AAC)
        let encoder = AVPacketEncoder(
            handle: try AVEncoderHandle(settings, encoding: format), settings: impossible,
            outputFormat: format, maximumPacketSize: 1536)
        let error = Self.failure { try encoder.reset() }
        expectEqual(error?.code, .encoderFailed)
        let bytes = Self.bytes(frames: 10, for: encoder)
        let later = Self.failure { try unsafe bytes.withUnsafeBytes { try unsafe encoder.append($0) } }
        expectEqual(later?.code, .encoderFailed)
    }

    @Test("a packet that does not fit is kept", arguments: codecs)
    func tooSmall(id: AudioFormatID) throws {
        let encoder = try makePacketEncoder(for: Self.format(id))
        let bytes = Self.bytes(frames: 9000, for: encoder)
        let expected = try EncodedSound(encoder, bytes)
        try encoder.reset()
        try unsafe bytes.withUnsafeBytes { try unsafe encoder.append($0) }
        var output = [UInt8](repeating: 0xA5, count: encoder.maximumPacketSize)
        for packet in expected.packets.prefix(2) {
            let refusal = Self.failure {
                _ = try unsafe output.withUnsafeMutableBytes {
                    try unsafe encoder.nextPacket(
                        into: UnsafeMutableRawBufferPointer(rebasing: $0[..<(packet.count - 1)]))
                }
            }
            expectEqual(refusal?.code, .outputTooSmall)
            let taken = try unsafe output.withUnsafeMutableBytes { try unsafe encoder.nextPacket(into: $0) }
            expectEqual(
                taken, EncodedPacket(bytes: packet.count, frames: Int(encoder.outputFormat.mFramesPerPacket)))
            #expect(output[..<packet.count].elementsEqual(packet))
        }
    }

    @Test("packets of one size are returned together")
    func together() throws {
        let encoder = try makePacketEncoder(for: Self.format(kAudioFormatAppleIMA4))
        let bytes = Self.bytes(frames: 640, for: encoder)
        let expected = try EncodedSound(encoder, bytes).packets
        try encoder.reset()
        try unsafe bytes.withUnsafeBytes { try unsafe encoder.append($0) }
        var output = [UInt8](repeating: 0, count: 68 * 7 + 67)
        let first = try unsafe output.withUnsafeMutableBytes { try unsafe encoder.nextPacket(into: $0) }
        expectEqual(first, EncodedPacket(bytes: 68 * 7, frames: 64 * 7))
        #expect(output[..<(68 * 7)].elementsEqual(expected[..<7].joined()))
        let rest = try unsafe output.withUnsafeMutableBytes { try unsafe encoder.nextPacket(into: $0) }
        expectEqual(rest, EncodedPacket(bytes: 68 * 3, frames: 64 * 3))
    }

    @Test("pieces of frames, and frames after the end, are refused", arguments: codecs)
    func misuse(id: AudioFormatID) throws {
        let encoder = try makePacketEncoder(for: Self.format(id))
        let bytes = Self.bytes(frames: 10, for: encoder)
        let odd = Self.failure {
            try unsafe bytes.dropLast().withUnsafeBytes { try unsafe encoder.append($0) }
        }
        expectEqual(odd?.code, .invalidFormat)
        try encoder.finish()
        try encoder.finish()
        let late = Self.failure { try unsafe bytes.withUnsafeBytes { try unsafe encoder.append($0) } }
        expectEqual(late?.code, .invalidFormat)
        expectEqual(late?.message.hasSuffix("frames after the end"), true)
    }

    @Test(
        "floats that are NaN, infinite or far above full scale do not trap",
        arguments: [Float.nan, .infinity, 1e30, -1e30])
    func wildFloats(value: Float) throws {
        for id in [kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3] {
            let encoder = try makePacketEncoder(for: Self.format(id))
            var samples = TestSound.samples(frames: 4000, channels: 2, sampleRate: 44100)
            for index in 2000..<2100 { samples[index] = Double(value) }
            let encoded = try EncodedSound(encoder, TestSound.floats(samples))
            expectEqual(encoded.frames, 4000)
            try expectEqual(encoded.decoded().damaged, 0)
        }
    }

    @Test("an illegal bit rate becomes the nearest legal one; an absurd one is refused")
    func bitRates() throws {
        func rate(
            _ id: AudioFormatID, _ asked: Int?, at sampleRate: Double = 44100, _ channels: Int = 2
        ) throws -> Int {
            try makePacketEncoder(
                for: Self.format(id, rate: sampleRate, channels: channels),
                settings: CodecSettings(bitRate: asked)
            ).bitRate
        }
        try expectEqual(rate(kAudioFormatMPEGLayer3, nil), 128_000)
        try expectEqual(rate(kAudioFormatMPEGLayer3, 100_000), 96_000)
        try expectEqual(rate(kAudioFormatMPEGLayer3, 1_000_000), 320_000)
        try expectEqual(rate(kAudioFormatMPEGLayer3, 1000), 32_000)
        try expectEqual(rate(kAudioFormatMPEGLayer3, 500_000, at: 22050), 160_000)
        try expectEqual(rate(kAudioFormatMPEGLayer3, 500_000, at: 8000), 64_000)
        try expectEqual(rate(kAudioFormatMPEG4AAC, nil), 128_000)
        try expectEqual(rate(kAudioFormatMPEG4AAC, 10_000_000), 529_200)
        try expectEqual(rate(kAudioFormatMPEG4AAC, nil, at: 8000, 1), 16_000)
        try expectEqual(rate(kAudioFormatAppleIMA4, nil, at: 64_000, 1), 272_000)
        try expectEqual(rate(kAudioFormatAppleLossless, 12), 0)
        for absurd in [Int.min, -1, 0, 999, 10_000_001, .max] {
            let refusal = Self.failure { _ = try rate(kAudioFormatMPEG4AAC, absurd) }
            expectEqual(refusal?.code, .unsupportedFormat)
            expectEqual(refusal?.message, "cannot encode AAC: bit rate of \(absurd) bit/s")
        }
    }

    @Test("the requested bit rate is reached", arguments: [64_000, 128_000, 256_000])
    func averageBitRate(bitRate: Int) throws {
        for id in [kAudioFormatMPEG4AAC, kAudioFormatMPEGLayer3] {
            let encoder = try makePacketEncoder(
                for: Self.format(id), settings: CodecSettings(bitRate: bitRate))
            let encoded = try EncodedSound(encoder, Self.bytes(frames: 88_200, for: encoder))
            let bits = Double(encoded.packets.reduce(0) { $0 + $1.count } * 8)
            let average = bits * 44100 / Double(encoded.packets.count * Int(encoded.format.mFramesPerPacket))
            #expect(abs(average / Double(bitRate) - 1) < 0.15, "\(average)")
        }
    }

    @Test(
        "every effort works, and the cookie has the requested settings", arguments: codecs,
        CodecSettings.Quality.allCases)
    func qualities(id: AudioFormatID, quality: CodecSettings.Quality) throws {
        let encoder = try makePacketEncoder(for: Self.format(id), settings: CodecSettings(quality: quality))
        let bytes = Self.bytes(frames: 6000, for: encoder)
        let encoded = try EncodedSound(encoder, bytes)
        expectEqual(encoded.frames, 6000)
        if id == kAudioFormatAppleLossless { try expectEqual(encoded.trimmed(), bytes) }
        if id == kAudioFormatMPEG4AAC {
            let descriptor = try ElementaryStreamDescriptor(bytes: encoded.cookie)
            expectEqual(descriptor.averageBitRate, 128_000)
            expectEqual(descriptor.bufferBytes, encoder.maximumPacketSize)
            expectEqual(descriptor.decoderSpecificInfo, [0x12, 0x10])
        }
    }

    @Test("the channel order of Apple Lossless packets is in the cookie")
    func layout() throws {
        let encoder = try makePacketEncoder(for: Self.format(kAudioFormatAppleLossless, channels: 6))
        let config = try ALACSpecificConfig(bytes: encoder.magicCookie)
        expectEqual(config.channelLayoutTag, kAudioChannelLayoutTag_MPEG_5_1_D)
        expectEqual(
            DecodedChannelOrder.labels(of: encoder.outputFormat, magicCookie: encoder.magicCookie),
            ChannelLayoutTags.labels(of: kAudioChannelLayoutTag_MPEG_5_1_A))
    }

    @Test("a refused format is reported with those that can be encoded")
    func refused() throws {
        func reason(
            _ id: AudioFormatID, _ rate: Double, _ channels: Int, bits: Int? = nil,
            _ change: (inout AudioStreamBasicDescription) -> Void = { _ in }
        ) -> String {
            var format = Self.format(id, rate: rate, channels: channels)
            change(&format)
            let failure = Self.failure {
                _ = try makePacketEncoder(for: format, settings: CodecSettings(bitDepth: bits))
            }
            expectEqual(failure?.code, .unsupportedFormat)
            return failure?.message ?? ""
        }
        #expect(reason(kAudioFormatMPEG4AAC, 192_000, 2).contains("supports 96000, 88200, 64000, 48000"))
        #expect(reason(kAudioFormatMPEG4AAC, 44100, 7).contains("encoder supports 1, 2, 3, 4, 5, 6, 8"))
        #expect(reason(kAudioFormatMPEGLayer3, 96_000, 2).contains("supports 48000, 44100, 32000"))
        #expect(reason(kAudioFormatMPEGLayer3, 44100, 3).contains("encoder supports 1, 2"))
        #expect(reason(kAudioFormatAppleIMA4, 44100, 6).contains("libavcodec takes 1 or 2"))
        #expect(reason(kAudioFormatAppleLossless, 44100, 2, bits: 32).contains("libavcodec takes 16 or 24"))
        #expect(reason(kAudioFormatAppleLossless, 44100, 9).contains("9 channels"))
        #expect(
            reason(kAudioFormatAppleLossless, 44100, 2) { $0.mFormatFlags = 2 }.contains("20 bits a sample"))
        #expect(
            reason(kAudioFormatMPEG4AAC, 44100, 2) { $0.mFramesPerPacket = 960 }
                .contains("packets of 960 frames; the encoder has 1024"))
        #expect(reason(kAudioFormatMPEG4AAC_HE, 44100, 2).contains("only without band replication"))
        #expect(reason(kAudioFormatOpus, 48000, 2).contains("no encoder for it"))
    }

    @Test("the available codecs are reported")
    func availability() {
        for id in Self.codecs { #expect(CodecAvailability.encoder(of: id).isAvailable) }
        #expect(CodecAvailability.encoder(of: kAudioFormatLinearPCM).isAvailable)
        #expect(!CodecAvailability.encoder(of: kAudioFormatMPEG4AAC_HE).isAvailable)
        #expect(CodecAvailability.decoder(of: kAudioFormatMPEG4AAC_HE).isAvailable)
        #expect(CodecAvailability.decoder(of: kAudioFormatFLAC).reason == "no decoder for it")
        #expect(CodecAvailability.encodableFormats().contains(kAudioFormatMPEGLayer3))
        #expect(CodecAvailability.decodableFormats().contains(kAudioFormatMPEG4AAC_HE_V2))
    }
}
#endif
