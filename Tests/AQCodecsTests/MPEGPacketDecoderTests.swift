// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("MPEG packet decoder")
struct MPEGPacketDecoderTests {
    private static func format(
        channels: Int = 2, frames: Int = 1152, sampleRate: Double = 44100
    )
        -> AudioStreamBasicDescription
    {
        .encoded(kAudioFormatMPEGLayer3, framesPerPacket: frames, channels: channels, sampleRate: sampleRate)
    }

    /// A silent packet: MPEG-1 layer III, 128 kbit/s, 44.1 kHz, stereo, nothing coded.
    private static let silence: [UInt8] = [0xFF, 0xFB, 0x90, 0x00] + [UInt8](repeating: 0, count: 413)

    /// MPEG-2.5 layer III at 16 kbit/s, 8 kHz, mono: all packets have 144 bytes.
    private static let constant = AudioStreamBasicDescription.encoded(
        kAudioFormatMPEGLayer3, bytesPerPacket: 144, framesPerPacket: 576, channels: 1, sampleRate: 8000)

    /// A packet of ``constant``, nothing coded.
    private static let constantSilence: [UInt8] =
        [0xFF, 0xE3, 0x28, 0xC0] + [UInt8](repeating: 0, count: 140)

    private func decode(
        _ packet: [UInt8], with decoder: any PacketDecoder, bytes: Int? = nil, misalignedBy offset: Int = 0
    ) throws -> (frames: Int, bytes: [UInt8]) {
        let room = bytes ?? decoder.maximumFramesPerPacket * Int(decoder.outputFormat.mBytesPerFrame)
        var target = [UInt8](repeating: 0xA5, count: offset + room + 8)
        let frames = try unsafe packet.withUnsafeBytes { packet in
            try unsafe target.withUnsafeMutableBytes { target in
                try unsafe decoder.decode(
                    packet, into: UnsafeMutableRawBufferPointer(rebasing: target[offset..<(offset + room)]))
            }
        }
        return (frames, Array(target[offset...]))
    }

    @Test("a packet returns its frames at once, as float, at any alignment", arguments: 0..<4)
    func silent(offset: Int) throws {
        let decoder = try makePacketDecoder(for: Self.format())
        #expect(decoder.outputFormat.isSame(as: .float(channels: 2, sampleRate: 44100)))
        for _ in 0..<3 {
            let result = try decode(Self.silence, with: decoder, misalignedBy: offset)
            expectEqual(result.frames, 1152)
            #expect(result.bytes[..<(1152 * 8)].allSatisfy { $0 == 0 || $0 == 0x80 })
            #expect(result.bytes[(1152 * 8)...].allSatisfy { $0 == 0xA5 })
        }
        expectEqual(decoder.damagedPackets, 0)
    }

    @Test("a damaged packet becomes silence of its length and is counted", arguments: [0, 3, 4, 100, 417])
    func damaged(byteCount: Int) throws {
        let decoder = try makePacketDecoder(for: Self.format())
        let result = try decode([UInt8](repeating: 0x55, count: byteCount), with: decoder)
        expectEqual(result.frames, 1152)
        #expect(result.bytes[..<(1152 * 8)].allSatisfy { $0 == 0 })
        expectEqual(decoder.damagedPackets, 1)
        decoder.reset()
        try expectEqual(decode(Self.silence, with: decoder).frames, 1152)
        expectEqual(decoder.damagedPackets, 1)
    }

    @Test("output that is too small is refused and not overrun", arguments: [0, 1, 1152 * 8 - 1], [0, 1])
    func tooSmall(bytes: Int, offset: Int) throws {
        let decoder = try makePacketDecoder(for: Self.format())
        #expect {
            try decode(Self.silence, with: decoder, bytes: bytes, misalignedBy: offset)
        } throws: {
            ($0 as? CodecError)?.code == .outputTooSmall
        }
    }

    @Test("packets of one size are decoded together, at any alignment", arguments: 0..<4)
    func together(offset: Int) throws {
        let decoder = try makePacketDecoder(for: Self.constant)
        let room = 3 * decoder.maximumFramesPerPacket * 4
        func decode(_ packets: [UInt8]) throws -> Int {
            try self.decode(packets, with: decoder, bytes: room, misalignedBy: offset).frames
        }
        let silence = Self.constantSilence
        try expectEqual(decode(silence + silence + silence), 3 * 576)
        expectEqual(decoder.damagedPackets, 0)
        let damaged = [UInt8](repeating: 0x55, count: 144)
        try expectEqual(decode(silence + damaged + silence), 3 * 576)
        expectEqual(decoder.damagedPackets, 1)
        // Neither an incomplete packet nor an empty buffer gives frames.
        try expectEqual(decode(silence + silence + silence[..<100]), 2 * 576)
        expectEqual(decoder.damagedPackets, 2)
        try expectEqual(decode([]), 0)
        expectEqual(decoder.damagedPackets, 3)
    }

    @Test("packets of one size are not decoded if they do not all fit", arguments: [0, 1])
    func togetherTooSmall(offset: Int) throws {
        let decoder = try makePacketDecoder(for: Self.constant)
        let packets = [UInt8]((0..<3).map { _ in Self.constantSilence }.joined())
        var output = [UInt8](repeating: 0xA5, count: offset + 3 * decoder.maximumFramesPerPacket * 4 - 1)
        let error = #expect(throws: CodecError.self) {
            try unsafe packets.withUnsafeBytes { packets in
                try unsafe output.withUnsafeMutableBytes { output in
                    try unsafe decoder.decode(
                        packets, into: UnsafeMutableRawBufferPointer(rebasing: output[offset...]))
                }
            }
        }
        expectEqual(error?.code, .outputTooSmall)
        #expect(output.allSatisfy { $0 == 0xA5 })
    }

    @Test("a converter decodes all packets of one size", arguments: [8000, 11025, 12000, 16000] as [Double])
    func convertedTogether(sampleRate: Double) throws {
        var format = Self.constant
        format.mSampleRate = sampleRate
        // The sample rate is in the header; the size of a packet is that of its bit rate.
        let (bits, bytes): (UInt8, Int) =
            switch sampleRate {
            case 8000: (0b10, 144)
            case 11025: (0b00, 104)
            case 12000: (0b01, 96)
            default: (0b10, 72)
            }
        format.mBytesPerPacket = UInt32(bytes)
        let version: UInt8 = sampleRate == 16000 ? 0xF3 : 0xE3
        let packet = [0xFF, version, 0x20 | bits << 2, 0xC0] + [UInt8](repeating: 0, count: bytes - 4)
        let converter = try AudioConverter(from: format, to: .float(channels: 1, sampleRate: sampleRate))
        let feed = PacketFeed(
            [UInt8]((0..<20).map { _ in packet }.joined()), bytesPerPacket: bytes, turns: [.packets(20)])
        try expectEqual(converter.convertAll(feed).bytes.count, 20 * 576 * 4)
        expectEqual(converter.damagedPackets, 0)
    }

    @Test(
        "invalid formats of MPEG audio are refused",
        arguments: [
            format(channels: 3), format(frames: 0), format(frames: 1000), format(sampleRate: 44100.5),
            format(sampleRate: 96000),
        ])
    func refused(format: AudioStreamBasicDescription) {
        #expect {
            try makePacketDecoder(for: format)
        } throws: {
            ($0 as? CodecError)?.code == .unsupportedFormat
        }
    }
}
#endif
