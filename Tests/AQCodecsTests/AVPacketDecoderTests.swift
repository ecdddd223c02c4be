// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import AQCodecs
import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import AQTestSupport
import Testing

@Suite("Decoders of libavcodec")
struct AVPacketDecoderTests {
    private static func sound(
        _ id: AudioFormatID, rate: Int = 44100, channels: Int = 2, bits: Int? = nil, packets: Int = 8
    ) throws -> EncodedSound {
        let encoder = try makePacketEncoder(
            for: .encoded(id, framesPerPacket: 0, channels: channels, sampleRate: Double(rate)),
            settings: CodecSettings(bitDepth: bits))
        let samples = TestSound.samples(
            frames: packets * Int(encoder.outputFormat.mFramesPerPacket), channels: channels,
            sampleRate: Double(rate))
        let bytes =
            encoder.inputFormat.isFloat
            ? TestSound.floats(samples)
            : TestSound.integers(samples, bits: Int(encoder.inputFormat.mBitsPerChannel))
        return try EncodedSound(encoder, bytes)
    }

    private static func code(_ body: () throws -> Void) -> CodecError.Code? {
        do { try body() } catch { return (error as? CodecError)?.code }
        return nil
    }

    private static func message(_ body: () throws -> Void) -> String {
        do { try body() } catch { return "\(error)" }
        return ""
    }

    @Test("AAC accepts its cookie in each form, and needs none")
    func aacCookies() throws {
        let encoded = try Self.sound(kAudioFormatMPEG4AAC)
        let expected = try encoded.decoded().bytes
        let config = try AACCookie.audioSpecificConfig(inCookie: encoded.cookie)
        for cookie in [config.bytes, [0, 0, 0, 0] + encoded.cookie, []] {
            var other = encoded
            other.cookie = cookie
            try expectEqual(other.decoded().bytes, expected)
        }
        var open = encoded
        open.format.mFramesPerPacket = 0
        try expectEqual(open.decoded().bytes, expected)
    }

    @Test("Apple Lossless accepts its cookie in each form, and needs none", arguments: [16, 24])
    func alacCookies(bits: Int) throws {
        let encoded = try Self.sound(kAudioFormatAppleLossless, bits: bits)
        let expected = try encoded.decoded().bytes
        let atoms =
            [0, 0, 0, 12] + Array("frmaalac".utf8) + [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0]
        for cookie in [atoms + encoded.cookie + [0, 0, 0, 8, 0, 0, 0, 0], []] {
            var other = encoded
            other.cookie = cookie
            try expectEqual(other.decoded().bytes, expected)
        }
    }

    @Test("a cookie of another stream is refused; the reason names both")
    func otherCookie() throws {
        let aac = try AudioSpecificConfig(sampleRate: 44100, channels: 2)
        let alac = try ALACSpecificConfig(sampleRate: 44100, channels: 2, bitDepth: 16)
        for (cookie, change) in [
            (AACCookie.cookie(for: aac), aac.format), (alac.bytes, alac.format),
        ] {
            _ = try makePacketDecoder(for: change, magicCookie: cookie)
            for field in 0..<3 {
                var format = change
                switch field {
                case 0: format.mSampleRate = 48000
                case 1: format.mChannelsPerFrame = 1
                default: format.mFramesPerPacket = 960
                }
                let attempt = { _ = try makePacketDecoder(for: format, magicCookie: cookie) }
                expectEqual(Self.code(attempt), .invalidCookie)
                #expect(Self.message(attempt).contains("the cookie describes 44100 Hz, 2 ch"))
            }
        }
    }

    @Test("a damaged cookie is refused with a reason", arguments: 0..<200)
    func damagedCookie(seed: Int) throws {
        var noise = SplitMix(UInt64(seed))
        for id in [kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatAppleLossless] {
            let format = AudioStreamBasicDescription.encoded(
                id, framesPerPacket: 0, channels: 2, sampleRate: 44100)
            var cookie = noise.bytes(1 + seed % 60)
            // The first decoded frames are skipped: a few could match by chance.
            if id != kAudioFormatAppleLossless { cookie[0] = 0xF8 }
            let attempt = { _ = try makePacketDecoder(for: format, magicCookie: cookie) }
            expectEqual(Self.code(attempt), .invalidCookie)
            #expect(Self.message(attempt).hasPrefix("cannot decode \(format.encodingSummary): "))
        }
    }

    @Test("an invalid packet becomes silence of a packet's length and is counted; the next ones are decoded")
    func damagedPackets() throws {
        for id in [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless] {
            let encoded = try Self.sound(id)
            let expected = try encoded.decoded().bytes
            let decoder = try makePacketDecoder(for: encoded.format, magicCookie: encoded.cookie)
            let bytes = decoder.maximumFramesPerPacket * Int(decoder.outputFormat.mBytesPerFrame)
            let ones = [UInt8](repeating: 0xFF, count: 100)
            for (index, packet) in [[], ones, [0xFF], [UInt8](repeating: 0, count: 1 << 20)].enumerated() {
                try expectEqual(decoder.decoded(packet), [UInt8](repeating: 0, count: bytes))
                expectEqual(decoder.damagedPackets, index + 1)
            }
            decoder.reset()
            var after: [UInt8] = []
            for packet in encoded.packets { after += try decoder.decoded(packet) }
            expectEqual(after, expected)
            expectEqual(decoder.damagedPackets, 4)
        }
    }

    @Test("a packet that announces another stream does not change the current one")
    func headerInPacket() throws {
        let encoded = try Self.sound(kAudioFormatMPEG4AAC)
        let other = try Self.sound(kAudioFormatMPEG4AAC, rate: 22050, channels: 1)
        let decoder = try makePacketDecoder(for: encoded.format, magicCookie: encoded.cookie)
        let config = try AudioSpecificConfig(sampleRate: 22050, channels: 1)
        _ = try decoder.decoded(encoded.packets[0])
        for packet in other.packets {
            let header = try ADTSHeader.bytes(for: config, packetBytes: packet.count)
            #expect(try decoder.decoded(header + packet).allSatisfy { $0 == 0 })
        }
        expectEqual(decoder.damagedPackets, other.packets.count)
        for packet in encoded.packets { #expect(try decoder.decoded(packet).contains { $0 != 0 }) }
        expectEqual(decoder.damagedPackets, other.packets.count)
    }

    @Test("a reset discards earlier packets")
    func reset() throws {
        for id in [kAudioFormatMPEG4AAC, kAudioFormatAppleIMA4, kAudioFormatAppleLossless] {
            let encoded = try Self.sound(id)
            let decoder = try makePacketDecoder(for: encoded.format, magicCookie: encoded.cookie)
            let first = try encoded.packets.prefix(3).map { try decoder.decoded($0) }
            decoder.reset()
            try expectEqual(encoded.packets.prefix(3).map { try decoder.decoded($0) }, first)
        }
    }

    @Test("HE-AAC is decoded as its core alone if the format requests that, and both rates share one core")
    func bandReplication() throws {
        let core = try Self.sound(kAudioFormatMPEG4AAC, rate: 22050, channels: 1)
        var config = try AACCookie.audioSpecificConfig(inCookie: core.cookie)
        config.extensionObjectType = 5
        config.extensionSampleRate = 44100
        var extended = core
        extended.cookie = AACCookie.cookie(for: config)
        try expectEqual(extended.decoded().bytes, core.decoded().bytes)
        // No HE-AAC encoder is available, so a core without replication data is doubled in rate.
        extended.format = config.format
        expectEqual(extended.format.mFormatID, kAudioFormatMPEG4AAC_HE)
        let decoded = try extended.decoded()
        expectEqual(decoded.damaged, 0)
        #expect(decoded.format.isSame(as: .float(channels: 1, sampleRate: 44100)))
        expectEqual(decoded.bytes.count, core.packets.count * 2048 * 4)
        #expect(decoded.bytes.contains { $0 != 0 })
        extended.cookie = []
        try expectEqual(extended.decoded().bytes, decoded.bytes)
        extended.format.mFormatID = kAudioFormatMPEG4AAC_HE_V2
        extended.format.mChannelsPerFrame = 2
        let stereo = try extended.decoded()
        expectEqual(stereo.damaged, 0)
        expectEqual(stereo.bytes.count, core.packets.count * 2048 * 8)
    }

    @Test("many packets of IMA 4:1 are decoded at once, and an incomplete one is counted")
    func manyPackets() throws {
        let encoded = try Self.sound(kAudioFormatAppleIMA4)
        let expected = try encoded.decoded().bytes
        let decoder = try makePacketDecoder(for: encoded.format)
        let all = Array(encoded.packets.joined()) + [1, 2, 3]
        var output = [UInt8](repeating: 0xA5, count: expected.count)
        let frames = try unsafe all.withUnsafeBytes { packets in
            try unsafe output.withUnsafeMutableBytes { try unsafe decoder.decode(packets, into: $0) }
        }
        expectEqual(frames, encoded.packets.count * 64)
        expectEqual(output, expected)
        expectEqual(decoder.damagedPackets, 1)
    }

    @Test("an output that is too small is refused and unchanged, at any alignment")
    func tooSmall() throws {
        for id in [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4] {
            let encoded = try Self.sound(id)
            let expected = try encoded.decoded().bytes
            let decoder = try makePacketDecoder(for: encoded.format, magicCookie: encoded.cookie)
            let bytes = decoder.maximumFramesPerPacket * Int(decoder.outputFormat.mBytesPerFrame)
            for (offset, room) in [(0, bytes - 1), (1, bytes), (3, bytes)] {
                decoder.reset()
                var output = [UInt8](repeating: 0xA5, count: offset + bytes + 8)
                let result = Self.code {
                    _ = try unsafe encoded.packets[0].withUnsafeBytes { packet in
                        try unsafe output.withUnsafeMutableBytes { output in
                            try unsafe decoder.decode(
                                packet,
                                into: UnsafeMutableRawBufferPointer(rebasing: output[offset..<offset + room]))
                        }
                    }
                }
                expectEqual(result, (room < bytes ? .outputTooSmall : nil))
                let isWhole = output[offset..<offset + bytes].elementsEqual(expected[..<bytes])
                expectEqual(isWhole, (room == bytes))
                #expect(output[..<offset].allSatisfy { $0 == 0xA5 })
                #expect(output[(offset + room)...].allSatisfy { $0 == 0xA5 })
            }
        }
    }

    @Test("a format that cannot be decoded is refused with the reason")
    func refused() throws {
        func reason(_ id: AudioFormatID, _ channels: Int, _ rate: Double, _ cookie: [UInt8] = []) -> String {
            Self.message {
                _ = try makePacketDecoder(
                    for: .encoded(id, framesPerPacket: 0, channels: channels, sampleRate: rate),
                    magicCookie: cookie)
            }
        }
        #expect(reason(kAudioFormatAppleIMA4, 3, 44100).contains("3 channels, libavcodec takes 1 or 2"))
        #expect(reason(kAudioFormatMPEG4AAC, 9, 44100).contains("1 to 8 channels, not 9"))
        #expect(reason(kAudioFormatMPEG4AAC, 2, 44100.5).contains("sample rate of 44100.5 Hz"))
        #expect(reason(kAudioFormatAppleLossless, 9, 44100).contains("9 channels"))
        #expect(reason(kAudioFormatMPEG4AAC, 2, 44100, [0x1A, 0x10]).contains("scalable sampling rate"))
        #expect(reason(kAudioFormatFLAC, 2, 48000).contains("no decoder for it"))
    }

    @Test("noise in packets of any length takes little time and does not trap", .timeLimit(.minutes(20)))
    func hostile() throws {
        let begun = ContinuousClock.now
        defer { expectWithinMinute(since: begun) }
        var noise = SplitMix(99)
        for (id, rate, channels) in [
            (kAudioFormatMPEG4AAC, 44100, 2), (kAudioFormatMPEG4AAC, 48000, 6),
            (kAudioFormatAppleLossless, 44100, 2), (kAudioFormatAppleLossless, 44100, 8),
            (kAudioFormatAppleIMA4, 44100, 1),
        ] {
            let encoded = try Self.sound(id, rate: rate, channels: channels, packets: 3)
            let decoder = try makePacketDecoder(for: encoded.format, magicCookie: encoded.cookie)
            let frameBytes = Int(decoder.outputFormat.mBytesPerFrame)
            let packetBytes = decoder.maximumFramesPerPacket * frameBytes
            for round in 0..<150 {
                var packet = encoded.packets[round % encoded.packets.count]
                if id != kAudioFormatAppleIMA4, round % 3 == 0 {
                    packet = noise.bytes(Int.random(in: 0..<3000, using: &noise))
                }
                for _ in 0..<(round % 7) where !packet.isEmpty {
                    packet[Int.random(in: 0..<packet.count, using: &noise)] = .random(
                        in: 0...255, using: &noise)
                }
                if id != kAudioFormatAppleIMA4, round % 5 == 0 { packet.removeLast(packet.count / 3) }
                let count = try decoder.decoded(packet).count
                // A packet of Apple Lossless may contain fewer frames.
                let isShort =
                    id == kAudioFormatAppleLossless && count > 0 && count < packetBytes
                    && count % frameBytes == 0
                #expect(count == packetBytes || isShort)
            }
        }
    }
}
#endif
