// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("Vorbis comments, in FLAC and in Ogg")
struct VorbisCommentTests {
    private func comments(_ tags: [String], count: Int? = nil) -> [UInt8] {
        func text(_ text: String) -> [UInt8] { little(UInt32(text.utf8.count)) + Array(text.utf8) }
        return text("vendor") + little(UInt32(count ?? tags.count)) + tags.flatMap(text)
    }

    /// Pages of one logical stream, each with one packet or a part of one.
    private func page(_ body: [UInt8], serial: UInt8 = 1, isCut: Bool = false) -> [UInt8] {
        var table = [UInt8](repeating: 255, count: body.count / 255)
        if !isCut { table.append(UInt8(body.count % 255)) }
        return Array("OggS".utf8) + [UInt8](repeating: 0, count: 10) + [serial, 0, 0, 0]
            + [UInt8](repeating: 0, count: 8) + [UInt8(table.count)] + table + body
    }

    private func read(_ bytes: [UInt8]) -> [String] {
        OggComments.metadata(in: TagBytes(bytes)).information.map { "\($0.key)=\($0.value)" }
    }

    @Test("names in any case, separate totals, dates and years")
    func names() {
        let tags = ["Title=T", "TRACKNUMBER=3", "tracktotal=12", "DATE=1999", "MY OWN=x", "=y", "none"]
        let read = VorbisComments.metadata(comments(tags)[...]).information
        expectEqual(
            read.map { "\($0.key)=\($0.value)" }, ["title=T", "track number=3/12", "year=1999", "my own=x"])
    }

    @Test("false counts and lengths return the existing data")
    func lies() {
        let whole = comments(["TITLE=T", "ARTIST=A"], count: 1 << 31)
        expectEqual(VorbisComments.metadata(whole[...]).information.count, 2)
        for count in whole.indices { _ = VorbisComments.metadata(whole[..<count]) }
        expectEqual(VorbisComments.metadata(whole.dropLast()).information.count, 1)
    }

    @Test("Ogg: the second packet of the first stream, across any pages")
    func ogg() {
        let first = page([1] + Array("vorbis".utf8)) + page([9], serial: 2)
        let packet = [3] + Array("vorbis".utf8) + comments(["TITLE=" + String(repeating: "t", count: 900)])
        let cut =
            page(Array(packet[..<510]), isCut: true) + page([8], serial: 2) + page(Array(packet[510...]))
        for bytes in [first + page(packet), first + cut] {
            expectEqual(read(bytes), ["title=" + String(repeating: "t", count: 900)])
            for count in stride(from: 0, to: bytes.count, by: 7) { _ = read(Array(bytes.prefix(count))) }
        }
        let opus = page(Array("OpusHead".utf8)) + page(Array("OpusTags".utf8) + comments(["ARTIST=A"]))
        expectEqual(read(opus), ["artist=A"])
        expectEqual(read(page(Array("OpusHead".utf8))), [])
    }

    @Test("a picture in a comment, and in a block of FLAC")
    func pictures() {
        let picture = SomeMetadata.picture(bytes: 1000)
        let block = FLACPicture.bytes(of: picture)
        expectEqual(FLACPicture.artwork(block[...]), picture)
        for count in block.indices { expectEqual(FLACPicture.artwork(block[..<count]), nil) }
        expectEqual(Base64.decode(Array("TWFuTQ==".utf8)[...]), Array("ManM".utf8))
        expectEqual(Base64.decode(Array("T-Fu".utf8)[...]), nil)
    }
}
