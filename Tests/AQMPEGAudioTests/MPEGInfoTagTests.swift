// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import Testing

@testable import AQMPEGAudio

@Suite("Information tag")
struct MPEGInfoTagTests {
    private func read(_ packet: [UInt8]) -> MPEGInfoTag? {
        guard let header = unsafe MPEGFrameHeader(packet.span.bytes) else { return nil }
        return unsafe MPEGInfoTag(packet: packet.span.bytes, header: header)
    }

    @Test("reads every field of LAME's tag")
    func lame() throws {
        let tag = try #require(
            read(SilentStream.infoPacket(packets: 305, bytes: 191_842, delay: 576, padding: 1630)))
        expectEqual(tag.kind, .info)
        expectEqual(tag.packets, 305)
        expectEqual(tag.bytes, 191_842)
        expectEqual(tag.tableOfContents.count, 100)
        expectEqual(tag.encoder, "LAME3.100")
        expectEqual(tag.delayFrames, 576)
        expectEqual(tag.paddingFrames, 1630)
    }

    @Test("reads a tag whose fields are absent, and no trims without an encoder's name")
    func bare() throws {
        var packet = SilentStream.packet()
        packet.replaceSubrange(36..<40, with: "Xing".utf8)
        let tag = try #require(read(packet))
        expectEqual(tag.kind, .xing)
        expectEqual(tag.packets, nil)
        expectEqual(tag.delayFrames, nil)
    }

    @Test("finds a tag after a checksum")
    func checksum() {
        var packet = SilentStream.packet(SilentStream.layer3 & ~0x1_0000)
        packet.replaceSubrange(38..<42, with: "Info".utf8)
        expectEqual(read(packet)?.kind, .info)
    }

    @Test("reads Fraunhofer's tag")
    func fraunhofer() throws {
        var packet = SilentStream.packet()
        packet.replaceSubrange(36..<40, with: "VBRI".utf8)
        packet.replaceSubrange(46..<54, with: [0, 0, 0x10, 0, 0, 0, 1, 2])
        let tag = try #require(read(packet))
        expectEqual(tag.kind, .vbri)
        expectEqual(tag.bytes, 4096)
        expectEqual(tag.packets, 258)
    }

    @Test("survives a packet cut at any byte")
    func truncated() {
        let packet = SilentStream.infoPacket(packets: 1, bytes: 2, delay: 3, padding: 4)
        for count in 4..<packet.count {
            let found = read([UInt8](packet.prefix(count)))
            expectEqual((found == nil), (count < 40))
        }
    }

    @Test("does not take audio for a tag")
    func audio() {
        expectEqual(read(SilentStream.packet()), nil)
        expectEqual(read(SilentStream.packet(SilentStream.layer2)), nil)
    }
}
#endif
