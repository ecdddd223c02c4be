// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQTestSupport
import Testing

@testable import AQMPEGAudio

@Suite("MPEG decoder")
struct MPEGDecoderTests {
    /// Decodes one packet into memory with known contents.
    private func decode(
        _ packet: [UInt8], with decoder: MPEGDecoder, room: Int? = nil
    ) throws -> (frames: Int, samples: [Float]) {
        let count = room ?? decoder.maximumFramesPerPacket * decoder.channels
        var samples = [Float](repeating: 7, count: count)
        let frames = try unsafe packet.withUnsafeBytes { packet in
            try unsafe samples.withUnsafeMutableBufferPointer { try unsafe decoder.decode(packet, into: $0) }
        }
        return (frames, samples)
    }

    @Test(
        "returns each complete packet, from the first on",
        arguments: [
            (SilentStream.layer3, 44100, 2, 1152), (SilentStream.lowRate, 22050, 1, 576),
            (SilentStream.layer2, 44100, 2, 1152), (SilentStream.layer1, 44100, 2, 384),
        ])
    func whole(bits: UInt32, sampleRate: Int, channels: Int, samplesPerFrame: Int) throws {
        let decoder = try MPEGDecoder(
            sampleRate: sampleRate, channels: channels, samplesPerFrame: samplesPerFrame)
        for _ in 0..<5 {
            let (frames, samples) = try decode(SilentStream.packet(bits), with: decoder)
            expectEqual(frames, samplesPerFrame)
            #expect(samples.prefix(frames * channels).allSatisfy { $0 == 0 })
            expectEqual(samples[frames * channels], 7)
        }
        expectEqual(decoder.damagedPackets, 0)
    }

    @Test(
        "replaces a damaged packet by silence of its length and continues",
        arguments: [
            [], [0xFF], [UInt8](repeating: 0x20, count: 417), [UInt8](SilentStream.packet().prefix(300)),
            [0xFF, 0xFB, 0x90, 0x00], [0xFF, 0xFB, 0x00, 0x00], [0xFF, 0xFB, 0x02, 0x00],
        ] as [[UInt8]])
    func damaged(packet: [UInt8]) throws {
        let decoder = try MPEGDecoder(sampleRate: 44100, channels: 2, samplesPerFrame: 1152)
        _ = try decode(SilentStream.packet(), with: decoder)
        let (frames, samples) = try decode(packet, with: decoder)
        expectEqual(frames, 1152)
        #expect(samples.prefix(2304).allSatisfy { $0 == 0 })
        expectEqual(decoder.damagedPackets, 1)
        try expectEqual(decode(SilentStream.packet(), with: decoder).frames, 1152)
        expectEqual(decoder.damagedPackets, 1)
    }

    @Test("decodes layer II of free format like a rate of the table", arguments: [0, 1, 2] as [UInt32])
    func freeFormatLayer2(rateIndex: UInt32) throws {
        let bits: UInt32 = 0xFFFD_A000 | rateIndex << 10
        var packet = SilentStream.packet(bits)
        var generator = SplitMix(11)
        // The lowest allocation for eleven subbands of both channels, none for the others.
        for place in 4..<15 { packet[place] = 0x11 }
        for place in 28..<packet.count { packet[place] = UInt8.random(in: 0...255, using: &generator) }
        var free = packet
        free[2] &= 0x0F
        let decoder = try MPEGDecoder(
            sampleRate: try #require(MPEGFrameHeader(bits: bits)).sampleRate, channels: 2,
            samplesPerFrame: 1152)
        func decoded(_ packet: [UInt8]) throws -> [Float] {
            decoder.reset()
            let (frames, samples) = try decode(packet, with: decoder)
            return Array(samples.prefix(frames * 2))
        }
        let expected = try decoded(packet)
        #expect(expected.contains { abs($0) > 0.01 })
        try expectEqual(decoded(free), expected)
        expectEqual(decoder.damagedPackets, 0)
    }

    @Test("survives any bytes after a header")
    func noise() throws {
        let decoder = try MPEGDecoder(sampleRate: 44100, channels: 2, samplesPerFrame: 1152)
        var generator = SplitMix(7)
        for _ in 0..<300 {
            var packet = SilentStream.packet()
            for place in 4..<packet.count { packet[place] = UInt8.random(in: 0...255, using: &generator) }
            try expectEqual(decode(packet, with: decoder).frames, 1152)
        }
    }

    @Test("converts packets of another rate and channel count to the stream's")
    func conversion() throws {
        let decoder = try MPEGDecoder(sampleRate: 44100, channels: 2, samplesPerFrame: 1152)
        _ = try decode(SilentStream.packet(), with: decoder)
        let frames = try (0..<10).map { _ in
            try decode(SilentStream.packet(SilentStream.lowRate), with: decoder).frames
        }
        #expect(frames.allSatisfy { 1150...1154 ~= $0 })
        let faster = try (0..<10).map { _ in
            try decode(SilentStream.packet(SilentStream.layer3At48), with: decoder).frames
        }
        #expect(faster.allSatisfy { 1057...1060 ~= $0 })
        expectEqual(decoder.damagedPackets, 0)
    }

    @Test("refuses to write past the output")
    func outputTooSmall() throws {
        let decoder = try MPEGDecoder(sampleRate: 44100, channels: 2, samplesPerFrame: 1152)
        let error = try #require(throws: MPEGAudioError.self) {
            try decode(SilentStream.packet(), with: decoder, room: 2303)
        }
        expectEqual(error.code, .outputTooSmall)
        #expect(throws: MPEGAudioError.self) { try decode([], with: decoder, room: 2303) }
    }

    @Test(
        "refuses formats that MPEG audio does not have",
        arguments: [(44100, 3, 1152), (44100, 0, 1152), (96000, 2, 1152), (0, 2, 1152), (44100, 2, 1024)])
    func impossible(sampleRate: Int, channels: Int, samplesPerFrame: Int) throws {
        let error = try #require(throws: MPEGAudioError.self) {
            try MPEGDecoder(sampleRate: sampleRate, channels: channels, samplesPerFrame: samplesPerFrame)
        }
        expectEqual(error.code, .unsupportedFormat)
    }
}
#endif
