// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import AQCodecs
import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

/// Encodes linear PCM and decodes the packets.
@Suite("Audio converter, codecs", .serialized)
struct AudioConverterCodecTests {
    /// A tone for each channel, as integers in the high bits of 32.
    private static func tones(channels: Int, frames: Int, rate: Double) -> [Int32] {
        (0..<frames).flatMap { frame in
            (0..<channels).map { channel in
                // The fourth channel is LFE for codecs, so its tone is low.
                let hertz = channel == 3 ? 60 : 200.0 * Double(channel + 1)
                return Int32(0.4 * sin(2 * .pi * hertz * Double(frame) / rate) * 0x1p31)
            }
        }
    }

    private static func bytes(_ samples: [Int32], as format: Format) throws -> [UInt8] {
        let wide = Format.signedInteger(
            bits: 32, channels: Int(format.mChannelsPerFrame), sampleRate: format.mSampleRate)
        return try AudioConverter(from: wide, to: format).convertAll(
            PacketFeed(
                rawBytes(of: samples), bytesPerPacket: Int(wide.mBytesPerPacket), turns: [.packets(9999)])
        ).bytes
    }

    /// Encodes `input` of `format` as `encoded` and decodes it, trimmed.
    private static func roundTrip(
        _ input: [UInt8], _ format: Format, by encoded: Format, settings: CodecSettings = CodecSettings(),
        piece: Int = 1000
    ) throws -> [UInt8] {
        let there = try AudioConverter(from: format, to: encoded, settings: settings)
        let bytesPerFrame = Int(format.mBytesPerPacket)
        let packets = try there.convertAll(
            PacketFeed(input, bytesPerPacket: bytesPerFrame, turns: [.packets(piece)]), packetsPerCall: 7)
        let back = try AudioConverter(
            from: there.outputFormat, to: format, magicCookie: there.magicCookie)
        let valid = Int64(input.count / bytesPerFrame)
        back.inputTrim = FrameTrim(priming: Int64(there.primingFrames), valid: valid)
        let isDescribed = !there.outputFormat.hasConstantPacketSize
        let feed = PacketFeed(
            packets.bytes, sizes: packets.packetSizes, isDescribed: isDescribed, turns: [.packets(3)])
        let output = try back.convertAll(feed, packetsPerCall: piece).bytes
        if !packets.packetSizes.isEmpty {
            let frames = packets.packetSizes.count * Int(there.outputFormat.mFramesPerPacket)
            expectEqual(frames, there.primingFrames + Int(valid) + there.remainderFrames)
        }
        return output
    }

    @Test("Apple Lossless keeps every bit", arguments: [16, 24], [1, 2, 6])
    func lossless(bits: Int, channels: Int) throws {
        let format = Format.signedInteger(
            bits: bits, isBigEndian: channels == 2, channels: channels, sampleRate: 44100)
        let input = try Self.bytes(Self.tones(channels: channels, frames: 10_001, rate: 44100), as: format)
        let alac = Format.encoded(
            kAudioFormatAppleLossless, framesPerPacket: 0, channels: 0, sampleRate: 0)
        try expectEqual(Self.roundTrip(input, format, by: alac), input)
    }

    @Test(
        "Apple Lossless ends with its last frame, even if no trim gives the number",
        arguments: [1, 5000])
    func losslessEnd(frames: Int) throws {
        let format = Format.signedInteger(bits: 16, channels: 2, sampleRate: 44100)
        let input = try Self.bytes(Self.tones(channels: 2, frames: frames, rate: 44100), as: format)
        let there = try AudioConverter(
            from: format,
            to: .encoded(kAudioFormatAppleLossless, framesPerPacket: 0, channels: 0, sampleRate: 0))
        let packets = try there.convertAll(PacketFeed(input, bytesPerPacket: 4, turns: [.packets(999)]))
        let back = try AudioConverter(from: there.outputFormat, to: format, magicCookie: there.magicCookie)
        for _ in 0..<2 {
            let feed = PacketFeed(packets.bytes, sizes: packets.packetSizes, turns: [.packets(1)])
            try expectEqual(back.convertAll(feed, packetsPerCall: 100).bytes, input)
            try back.reset()
        }
    }

    @Test(
        "lossy codecs keep the length, the channels and the audio",
        arguments: [
            (kAudioFormatMPEG4AAC, 1, 30.0), (kAudioFormatMPEG4AAC, 2, 30), (kAudioFormatMPEG4AAC, 6, 25),
            (kAudioFormatAppleIMA4, 1, 25), (kAudioFormatAppleIMA4, 2, 25), (kAudioFormatMPEGLayer3, 2, 25),
        ] as [(AudioFormatID, Int, Double)])
    func lossy(id: AudioFormatID, channels: Int, limit: Double) throws {
        let format = Format.float(channels: channels, sampleRate: 44100)
        let tones = Self.tones(channels: channels, frames: 30_001, rate: 44100)
        let input = try Self.bytes(tones, as: format)
        let encoded = Format.encoded(id, framesPerPacket: 0, channels: 0, sampleRate: 0)
        let output = try Self.roundTrip(
            input, format, by: encoded, settings: CodecSettings(bitRate: 96000 * channels))
        let floats = samples(Float.self, of: output)
        guard floats.count == tones.count else {
            Issue.record("\(floats.count) samples of \(tones.count)")
            return
        }
        for channel in 0..<channels {
            var (signal, noise) = (0.0, 0.0)
            for frame in 5000..<25_000 {
                let wanted = Double(tones[frame * channels + channel]) * 0x1p-31
                let error = Double(floats[frame * channels + channel]) - wanted
                signal += wanted * wanted
                noise += error * error
            }
            let decibels = 10 * log10(signal / noise)
            #expect(decibels > limit, "channel \(channel): \(decibels) dB")
        }
    }

    @Test(
        "the estimate of the output's size is not too small for packets that vary in size",
        arguments: [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatMPEGLayer3])
    func outputEstimate(id: AudioFormatID) throws {
        let format = Format.signedInteger(bits: 16, channels: 2, sampleRate: 44100)
        let input = try Self.bytes(Self.tones(channels: 2, frames: 30_000, rate: 44100), as: format)
        let there = try AudioConverter(
            from: format, to: .encoded(id, framesPerPacket: 0, channels: 0, sampleRate: 0))
        let packets = try there.convertAll(PacketFeed(input, bytesPerPacket: 4, turns: [.packets(999)]))
        let back = try AudioConverter(from: there.outputFormat, to: format, magicCookie: there.magicCookie)
        let feed = PacketFeed(packets.bytes, sizes: packets.packetSizes, turns: [.packets(3)])
        let decoded = try back.convertAll(feed).bytes.count
        let estimate = back.outputBytes(forInput: packets.bytes.count)
        #expect(decoded..<100 * decoded ~= estimate)
        let packetFrames = Int(there.outputFormat.mFramesPerPacket)
        expectEqual(back.outputBytes(forInput: 1), packetFrames * 4)
        expectEqual(back.outputBytes(forInput: 0), 4)
    }

    @Test("rate, channels and codec change at once")
    func everything() throws {
        let format = Format.signedInteger(bits: 24, channels: 6, sampleRate: 48000)
        let input = try Self.bytes(Self.tones(channels: 6, frames: 9600, rate: 48000), as: format)
        let aac = Format.encoded(kAudioFormatMPEG4AAC, framesPerPacket: 0, channels: 2, sampleRate: 44100)
        let converter = try AudioConverter(from: format, to: aac)
        let feed = PacketFeed(input, bytesPerPacket: 18, turns: [.packets(501)])
        let packets = try converter.convertAll(feed, packetsPerCall: 2).packetSizes.count
        expectEqual(packets * 1024, converter.primingFrames + 8820 + converter.remainderFrames)
        expectEqual(converter.outputFrames(forInput: 9600), 8820)
    }

    @Test("a file without frames becomes packets that decode to none")
    func empty() throws {
        for id in [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4] {
            let format = Format.signedInteger(bits: 16, channels: 2, sampleRate: 48000)
            let encoded = Format.encoded(id, framesPerPacket: 0, channels: 0, sampleRate: 0)
            #expect(try Self.roundTrip([], format, by: encoded).isEmpty)
        }
    }
}
#endif
