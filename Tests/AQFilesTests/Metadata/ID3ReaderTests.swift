// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("ID3 tags of other writers and invalid ones")
struct ID3ReaderTests {
    private func tag(version: UInt8 = 4, flags: UInt8 = 0, _ frames: [UInt8], claimed: Int? = nil) -> [UInt8]
    {
        Array("ID3".utf8) + [version, 0, flags] + synchsafe(claimed ?? frames.count) + frames
    }

    private func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }

    private func frame(_ name: String, _ contents: [UInt8], version: UInt8 = 4, flags: UInt8 = 0) -> [UInt8] {
        let count = contents.count
        let length =
            switch version {
            case 2: [UInt8(count >> 16), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
            case 3: big(UInt32(count)) + [0, flags]
            default: synchsafe(count) + [0, flags]
            }
        return Array(name.utf8) + length + contents
    }

    private func utf16(_ text: String, isBig: Bool) -> [UInt8] {
        text.utf16.flatMap { isBig ? big($0) : little($0) }
    }

    private func read(_ bytes: [UInt8]) -> [String] {
        ID3Reader.metadata(in: TagBytes(bytes)).information.map { "\($0.key)=\($0.value)" }
    }

    @Test("text in each of the four encodings, with and without marks and ends")
    func encodings() {
        let text = "Ωb"
        let forms: [[UInt8]] = [
            [3] + Array(text.utf8), [3] + Array(text.utf8) + [0],
            [1, 0xFF, 0xFE] + utf16(text, isBig: false),
            [1, 0xFE, 0xFF] + utf16(text, isBig: true) + [0, 0],
            [1] + utf16(text, isBig: false), [2] + utf16(text, isBig: true),
            // Half a character is left at the end.
            [1, 0xFF, 0xFE] + utf16(text, isBig: false) + [0x41],
        ]
        for form in forms { expectEqual(read(tag(frame("TIT2", form))), ["title=Ωb"]) }
        expectEqual(read(tag(frame("TIT2", [0, 0xDC, 0x62]))), ["title=Üb"])
        expectEqual(read(tag(frame("TPE1", [3] + Array("A\0B\0".utf8)))), ["artist=A", "artist=B"])
    }

    @Test("versions 2.2 and 2.3, and their names of frames")
    func versions() {
        let old =
            frame("TT2", Array("\0Old".utf8), version: 2) + frame("TYE", Array("\u{0}1999".utf8), version: 2)
            + frame("COM", Array("\0eng\0Hm".utf8), version: 2)
            + frame("TCO", Array("\0(17)".utf8), version: 2)
        expectEqual(read(tag(version: 2, old)), ["title=Old", "year=1999", "comments=Hm", "genre=Rock"])
        let dated =
            frame("TYER", Array("\u{0}1999".utf8), version: 3)
            + frame("TDAT", Array("\u{0}2412".utf8), version: 3)
        expectEqual(read(tag(version: 3, dated)), ["recorded date=1999-12-24"])
        expectEqual(read(tag(version: 5, frame("TIT2", Array("\0X".utf8)))), [])
    }

    @Test("user-defined names, and frames that only programs read")
    func ownNames() {
        let frames =
            frame("TXXX", Array("\u{3}mood\0calm".utf8)) + frame("TXXX", Array("\u{3}Comment\0C".utf8))
            + frame("COMM", Array("\u{3}engiTunNORM\u{0}0001".utf8)) + frame("TLEN", Array("\u{3}1234".utf8))
            + frame("TSOP", Array("\u{3}Sorted".utf8)) + frame("PRIV", [1, 2, 3])
        expectEqual(read(tag(frames)), ["mood=calm", "comments=C", "TSOP=Sorted"])
    }

    @Test("an extended header, groups, and repeated lengths are skipped")
    func flags() {
        let title = frame("TIT2", [0x80] + big(UInt32(3)) + Array("\u{3}AB".utf8), flags: 0x41)
        expectEqual(read(tag(flags: 0x40, [0, 0, 0, 6, 1, 0] + title)), ["title=AB"])
        let third = frame("TIT2", Array("\0AB".utf8), version: 3)
        expectEqual(
            read(tag(version: 3, flags: 0x40, big(UInt32(6)) + [0, 0, 0, 0, 0, 0] + third)),
            [
                "title=AB"
            ])
        // Compressed and encrypted frames are skipped, and the next ones are read.
        let rest = frame("TALB", Array("\u{3}R".utf8))
        for flag: UInt8 in [0x08, 0x04] {
            expectEqual(read(tag(frame("TIT2", [9, 9, 9], flags: flag) + rest)), ["album=R"])
        }
    }

    @Test("unsynchronisation is reversed, of a whole tag and of a frame")
    func unsynchronised() {
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0xFF, 0x00, 0xFF]
        let written: [UInt8] = [0xFF, 0x00, 0xD8, 0xFF, 0x00, 0xE0, 0xFF, 0x00, 0x00, 0xFF, 0x00]
        let lead = Array("\0image/jpeg\0\u{3}\0".utf8)
        let newer = tag(frame("APIC", lead + written, flags: 0x02))
        expectEqual(ID3Reader.metadata(in: TagBytes(newer)).artwork?.bytes, picture)
        // In 2.3 the length of the frame is that of the original.
        let length = big(UInt32(lead.count + picture.count))
        let older = tag(version: 3, flags: 0x80, Array("APIC".utf8) + length + [0, 0] + lead + written)
        expectEqual(ID3Reader.metadata(in: TagBytes(older)).artwork?.bytes, picture)
    }

    @Test("the front cover is used of several pictures, and no picture address")
    func pictures() {
        func picture(_ type: UInt8, _ byte: UInt8, mimeType: String = "image/png") -> [UInt8] {
            frame("APIC", [3] + Array(mimeType.utf8) + [0, type] + Array("Türe\0".utf8) + [byte])
        }
        func read(_ frames: [UInt8]) -> AudioFileArtwork? {
            ID3Reader.metadata(in: TagBytes(tag(frames))).artwork
        }
        expectEqual(
            read(picture(4, 1) + picture(3, 2) + picture(3, 5)),
            AudioFileArtwork(bytes: [2], mimeType: "image/png"))
        expectEqual(read(picture(4, 1) + picture(0, 2))?.bytes, [1])
        expectEqual(read(picture(3, 1, mimeType: "-->")), nil)
        let old = frame("PIC", [0] + Array("JPG".utf8) + [3, 0, 7], version: 2)
        expectEqual(
            ID3Reader.metadata(in: TagBytes(tag(version: 2, old))).artwork,
            AudioFileArtwork(bytes: [7], mimeType: "image/jpg"))
        let wide = frame("APIC", [1] + Array("image/png\0\u{3}".utf8) + [0xFF, 0xFE, 0x41, 0, 0, 0, 9])
        expectEqual(read(wide)?.bytes, [9])
    }

    @Test("plain lengths in 2.4 are used if only they lead to a frame")
    func plainLengths() {
        let long = [3] + [UInt8](repeating: 0x61, count: 199)
        let wrong = Array("TIT2".utf8) + big(UInt32(200)) + [0, 0] + long
        expectEqual(read(tag(wrong + frame("TALB", Array("\u{3}R".utf8)))).last, "album=R")
        let synchsafe = frame("TIT2", long)
        expectEqual(read(tag(synchsafe + frame("TALB", Array("\u{3}R".utf8)))).last, "album=R")
    }

    @Test("lengths beyond the frame, the tag or the file end the reading, and nothing else")
    func lies() {
        let good = frame("TIT2", Array("\u{3}T".utf8))
        expectEqual(
            read(tag(good + Array("TALB".utf8) + [0x7F, 0x7F, 0x7F, 0x7F, 0, 0, 3, 0x41])), ["title=T"])
        expectEqual(read(tag(good, claimed: 1 << 27)), ["title=T"])
        expectEqual(read(tag(good + frame("TALB", Array("\u{3}cut".utf8)), claimed: good.count)), ["title=T"])
        expectEqual(read(tag(flags: 0x40, [0x7F, 0x7F, 0x7F, 0x7F] + good)), [])
        expectEqual(read(tag(frame("TIT2", [])) + tag(good)), [])
        for count in 0..<40 { _ = read(Array(tag(good + good).prefix(count))) }
        // Every byte changed, one at a time.
        let whole = tag(
            frame("APIC", Array("\u{1}image/png\0\u{3}\0\0\u{5}".utf8))
                + frame("COMM", Array("\u{1}eng\0\0a".utf8))
                + frame("TXXX", Array("\u{2}\0a\0\0b".utf8)))
        for place in whole.indices {
            for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
                var changed = whole
                changed[place] = byte
                _ = read(changed)
            }
        }
    }

    @Test("ID3v1 at the end of a file adds fields that ID3v2 lacks")
    func trailing() throws {
        func field(_ text: String, _ count: Int) -> [UInt8] {
            Array(text.utf8) + [UInt8](repeating: 0x20, count: count - text.utf8.count)
        }
        let trailer =
            Array("TAG".utf8) + field("Old", 30) + field("Artist", 30) + field("", 30) + field("1999", 4)
            + field("Note", 28) + [0, 7, 17]
        #if HAVE_MPEG_AUDIO
        let made = TemporaryFile(tag(frame("TIT2", Array("\u{3}New".utf8))) + MPEGBytes.packets(20) + trailer)
        let file = try AudioFile.open(path: made.path)
        expectEqual(
            file.information.map { "\($0.key)=\($0.value)" },
            [
                "title=New", "artist=Artist", "year=1999", "comments=Note", "track number=7", "genre=Rock",
            ])
        #expect(file.warnings.isEmpty)
        #endif
        #expect(ID3TrailingTag.metadata(in: Array(trailer.dropLast())).information.isEmpty)
    }

    @Test("a tag inside WAVE and AIFF adds to the file's own chunks")
    func insideContainers() throws {
        let title = tag(frame("TIT2", Array("\u{3}T".utf8)) + frame("TSRC", Array("\u{3}I".utf8)))
        let wave =
            Header.wave(data: [1, 2, 3, 4]) + Array("id3 ".utf8) + little(UInt32(title.count)) + title
        let aiff =
            Header.aiff(data: [1, 2, 3, 4]) + Array("ID3 ".utf8) + big(UInt32(title.count)) + title
        for bytes in [wave, aiff] {
            let made = TemporaryFile(bytes)
            let tags = try AudioFile.open(path: made.path).information
            expectEqual(tags.map { "\($0.key)=\($0.value)" }, ["title=T", "ISRC=I"])
        }
    }
}
