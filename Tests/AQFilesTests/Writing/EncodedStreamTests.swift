// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

#if HAVE_MPEG_AUDIO
import AQMPEGAudio
#endif

@Suite("Headers of encoded streams")
struct EncodedStreamTests {
    @Test("reads the length of a FLAC frame in each of its forms")
    func blockFrames() {
        func frames(_ bytes: [UInt8]) -> Int64? {
            unsafe bytes.withUnsafeBytes { unsafe FLACFrameHeader.blockFrames($0) }
        }
        let rest: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        expectEqual(frames([0xFF, 0xF8, 0x19, 0] + rest), 192)
        expectEqual(frames([0xFF, 0xF8, 0x29, 0] + rest), 576)
        expectEqual(frames([0xFF, 0xF8, 0x59, 0] + rest), 4608)
        expectEqual(frames([0xFF, 0xF8, 0x89, 0] + rest), 256)
        expectEqual(frames([0xFF, 0xF8, 0xC9, 0] + rest), 4096)
        expectEqual(frames([0xFF, 0xF9, 0xF9, 0] + rest), 32768)
        expectEqual(frames([0xFF, 0xF8, 0x69, 0, 0x7F, 0xFE, 0]), 255)
        expectEqual(frames([0xFF, 0xF8, 0x79, 0, 0x7F, 0x0F, 0xFF, 0]), 4096)
        // A coded number of 2, 6 and 7 bytes at the start.
        expectEqual(frames([0xFF, 0xF8, 0x69, 0, 0xC2, 0x80, 9, 0]), 10)
        expectEqual(frames([0xFF, 0xF8, 0x79, 0, 0xFC, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0]), 257)
        expectEqual(frames([0xFF, 0xF8, 0x69, 0, 0xFE, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 4, 0]), 5)
        // Invalid: reserved, no sync, truncated.
        expectEqual(frames([0xFF, 0xF8, 0x09, 0] + rest), nil)
        expectEqual(frames([0xFF, 0xE8, 0x19, 0] + rest), nil)
        expectEqual(frames([0xFF, 0xF8, 0x79, 0, 0xFE, 0x80]), nil)
        expectEqual(frames([]), nil)
    }

    @Test("counts FLAC frames past 32 bits")
    func longFLAC() throws {
        let info = try FLACEncoder(sampleRate: 44_100, channels: 2, bits: 16).streamInfo
        let bytes = FLACHeader.streamInfo(info, frames: 0xF_1234_5678)
        #expect(bytes.count == 34 && bytes.starts(with: [0x10, 0, 0x10, 0, 0, 0, 0, 0, 0, 0]))
        // 20 bits of rate, 3 of channels, 5 of depth, 36 of frames.
        #expect(bytes[10..<18].elementsEqual([0x0A, 0xC4, 0x42, 0xFF, 0x12, 0x34, 0x56, 0x78]))
    }

    #if HAVE_MPEG_AUDIO
    @Test("names the encoder of MP3 as others do, and no other")
    func encoderName() throws {
        let folder = ScratchFolder()
        let path = folder.file("new.mp3")
        let format = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 44_100)
        let writer = try AudioFileWriter.create(path: path, type: .mp3, format: format)
        try writer.write(noise(count: 40_000))
        try writer.close()
        let name = try AudioFile.open(path: path).information.first { $0.key == "source encoder" }?.value
        // The tag has room for nine bytes.
        #expect(name?.wholeMatch(of: /LAME\d\.\d{1,3}/) != nil, "\(name ?? "no name")")
    }

    @Test("writes tags that readers accept", arguments: [1, 2])
    func tag(channels: Int) throws {
        var packet = [UInt8](repeating: 0, count: 417)
        packet.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, channels == 1 ? 0xC0 : 0])
        let header = try #require(unsafe MPEGFrameHeader(packet.span.bytes))
        func read(bytes: Int64?, packets: Int64?, padding: Int64) throws -> MPEGInfoTag {
            let bytes = LAMETag(
                coding: .variable, packets: packets, bytes: bytes,
                trims: LAMETag.Trims(delayFrames: 576, paddingFrames: padding), encoderName: "LAME3.100"
            ).packet(replacing: packet)
            #expect(bytes.count == packet.count && bytes.prefix(4) == packet.prefix(4))
            return try #require(unsafe MPEGInfoTag(packet: bytes.span.bytes, header: header))
        }
        let usual = try read(bytes: 5000, packets: 10, padding: 529)
        #expect(usual.kind == .xing && usual.packets == 10 && usual.bytes == 5000)
        #expect(usual.delayFrames == 576 && usual.paddingFrames == 529 && usual.encoder == "LAME3.100")
        let open = try read(bytes: nil, packets: nil, padding: 0)
        #expect(open.packets == nil && open.bytes == nil && open.delayFrames == 576)
        // More than 4 GiB, and more packets than 2^31.
        let long = try read(bytes: 1 << 33, packets: 3_000_000_000, padding: 5000)
        #expect(long.packets == 3_000_000_000 && long.bytes == nil && long.paddingFrames == 4095)
        try expectEqual(read(bytes: 0, packets: 0, padding: -3).paddingFrames, 0)
    }

    @Test(
        "divides LAME's output into packets, at every length of appends", arguments: [1, 500, 1152, 20_000])
    func packets(step: Int) throws {
        let tones = Tones(sampleRate: 44_100, channels: 2, frames: 20_000).samples
        let encoder = try LAMEEncoder(sampleRate: 44_100, channels: 2, bitRate: 128_000)
        var packets: [[UInt8]] = []
        for start in stride(from: 0, to: 20_000, by: step) {
            let frames = min(step, 20_000 - start)
            packets += try encoder.encode(Array(tones[2 * start..<2 * (start + frames)]), frames: frames)
        }
        packets += try encoder.finish()
        #expect(packets.allSatisfy { [417, 418].contains($0.count) })
        // The delays of the encoder and of a decoder, and the padding up to a whole packet.
        #expect((21_105..<21_105 + 2 * 1152).contains(packets.count * 1152))
        expectEqual(encoder.delayFrames, 576)
    }
    #endif
}
