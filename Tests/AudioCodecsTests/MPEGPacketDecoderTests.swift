#if HAVE_MPEG_AUDIO
import AudioCodecs
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
            #expect(result.frames == 1152)
            #expect(result.bytes[..<(1152 * 8)].allSatisfy { $0 == 0 || $0 == 0x80 })
            #expect(result.bytes[(1152 * 8)...].allSatisfy { $0 == 0xA5 })
        }
        #expect(decoder.damagedPackets == 0)
    }

    @Test("a damaged packet becomes silence of its length and is counted", arguments: [0, 3, 4, 100, 417])
    func damaged(byteCount: Int) throws {
        let decoder = try makePacketDecoder(for: Self.format())
        let result = try decode([UInt8](repeating: 0x55, count: byteCount), with: decoder)
        #expect(result.frames == 1152)
        #expect(result.bytes[..<(1152 * 8)].allSatisfy { $0 == 0 })
        #expect(decoder.damagedPackets == 1)
        decoder.reset()
        #expect(try decode(Self.silence, with: decoder).frames == 1152)
        #expect(decoder.damagedPackets == 1)
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
