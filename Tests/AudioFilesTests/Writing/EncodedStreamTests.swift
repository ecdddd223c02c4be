import CoreAudioTypes
import Testing

@testable import AudioFiles

#if HAVE_MPEG_AUDIO
import MPEGAudio
#endif

@Suite("Headers of encoded streams")
struct EncodedStreamTests {
    @Test("reads the length of a FLAC frame in each of its forms")
    func blockFrames() {
        func frames(_ bytes: [UInt8]) -> Int64? {
            unsafe bytes.withUnsafeBytes { unsafe FLACFrameHeader.blockFrames($0) }
        }
        let rest: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
        #expect(frames([0xFF, 0xF8, 0x19, 0] + rest) == 192)
        #expect(frames([0xFF, 0xF8, 0x29, 0] + rest) == 576)
        #expect(frames([0xFF, 0xF8, 0x59, 0] + rest) == 4608)
        #expect(frames([0xFF, 0xF8, 0x89, 0] + rest) == 256)
        #expect(frames([0xFF, 0xF8, 0xC9, 0] + rest) == 4096)
        #expect(frames([0xFF, 0xF9, 0xF9, 0] + rest) == 32768)
        #expect(frames([0xFF, 0xF8, 0x69, 0, 0x7F, 0xFE, 0]) == 255)
        #expect(frames([0xFF, 0xF8, 0x79, 0, 0x7F, 0x0F, 0xFF, 0]) == 4096)
        // A coded number of 2, 6 and 7 bytes in front.
        #expect(frames([0xFF, 0xF8, 0x69, 0, 0xC2, 0x80, 9, 0]) == 10)
        #expect(frames([0xFF, 0xF8, 0x79, 0, 0xFC, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0]) == 257)
        #expect(frames([0xFF, 0xF8, 0x69, 0, 0xFE, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 4, 0]) == 5)
        // None: reserved, no sync, cut off.
        #expect(frames([0xFF, 0xF8, 0x09, 0] + rest) == nil)
        #expect(frames([0xFF, 0xE8, 0x19, 0] + rest) == nil)
        #expect(frames([0xFF, 0xF8, 0x79, 0, 0xFE, 0x80]) == nil)
        #expect(frames([]) == nil)
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
    @Test("makes tags that readers understand", arguments: [1, 2])
    func tag(channels: Int) throws {
        var packet = [UInt8](repeating: 0, count: 417)
        packet.replaceSubrange(0..<4, with: [0xFF, 0xFB, 0x90, channels == 1 ? 0xC0 : 0])
        let tag = MP3TagWriter(coding: .variable)
        #expect(tag.fits(packet))
        let header = try #require(unsafe MPEGFrameHeader(packet.span.bytes))
        func read(_ mark: StreamMark?, padding: Int64) throws -> MPEGInfoTag {
            let bytes = tag.packet(replacing: packet, mark: mark, paddingFrames: padding)
            #expect(bytes.count == packet.count && bytes.prefix(4) == packet.prefix(4))
            return try #require(unsafe MPEGInfoTag(packet: bytes.span.bytes, header: header))
        }
        let usual = try read(StreamMark(bytes: 5000, packets: 10, frames: 0), padding: 529)
        #expect(usual.kind == .xing && usual.packets == 10 && usual.bytes == 5000)
        #expect(usual.delayFrames == 576 && usual.paddingFrames == 529 && usual.encoder.hasPrefix("LAME"))
        let open = try read(nil, padding: 0)
        #expect(open.packets == nil && open.bytes == nil && open.delayFrames == 576)
        // More than 4 GiB, and more packets than 2^31.
        let long = try read(StreamMark(bytes: 1 << 33, packets: 3_000_000_000, frames: 0), padding: 5000)
        #expect(long.packets == 3_000_000_000 && long.bytes == nil && long.paddingFrames == 4095)
        #expect(try read(StreamMark(), padding: -3).paddingFrames == 0)
        // Sound is no place for a tag.
        packet[300] = 1
        #expect(!tag.fits(packet))
    }

    @Test("follows MP3 packets wherever the writes cut them", arguments: [1, 3, 100, 416, 417, 418, 2000])
    func cuts(step: Int) {
        var bytes: [UInt8] = []
        for _ in 0..<4 { bytes += [0xFF, 0xFB, 0x90, 0] + [UInt8](repeating: 0, count: 413) }
        var stream = MP3Stream(coding: .variable)
        var marks: [StreamMark] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            let part = Array(bytes[start..<min(start + step, bytes.count)])
            unsafe part.withUnsafeBytes { unsafe stream.take($0, marks: &marks) }
        }
        #expect(marks.map(\.bytes) == [417, 834, 1251, 1668])
        #expect(marks.map(\.packets) == [0, 1, 2, 3])
        #expect(marks.map(\.frames) == [0, 47, 1199, 2351])
        #expect(stream.header(upTo: marks[1], ofFrames: 5000)?.bytes.count == 417)
    }
    #endif
}
