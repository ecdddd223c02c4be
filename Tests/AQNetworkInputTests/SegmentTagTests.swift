// SPDX-License-Identifier: MIT

import AQExpectations
import AQNetworkInput
import Testing
import AQTestSupport

@Suite("SegmentTag")
struct SegmentTagTests {
    /// A tag of version 2.4.
    static func tag(_ frames: [UInt8], flags: UInt8 = 0, stated: Int? = nil) -> [UInt8] {
        let size = stated ?? frames.count
        return Array("ID3".utf8) + [4, 0, flags] + (0..<4).reversed().map { UInt8(size >> ($0 * 7) & 0x7F) }
            + frames
    }

    static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, 0, UInt8(body.count), 0, 0] + body
    }

    private static let time = tag(
        frame(
            "PRIV", Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0, 0, 0, 0, 0, 1, 2, 3, 4]))
    private static let song = tag(frame("TIT2", [3] + "Söng".utf8) + frame("TPE1", [0, 0x41, 0xFC, 0x1B]))

    @Test("its size is skipped, its title and artist are read")
    func read() throws {
        let tag = try #require(SegmentTag((Self.time + [0xFF, 0xF1])[...]))
        expectEqual(tag.byteCount, Self.time.count)
        expectEqual(tag.title, nil)
        let titled = try #require(SegmentTag((Self.time + Self.song + [0xFF, 0xF1])[...]))
        expectEqual(titled.byteCount, Self.time.count + Self.song.count)
        expectEqual(titled.title, "Söng")
        expectEqual(titled.artist, "Aü")
    }

    @Test("a footer counts")
    func footer() {
        let bytes = Self.tag([], flags: 0x10) + [UInt8](repeating: 0, count: 10) + [0xFF]
        expectEqual(SegmentTag(bytes[...])?.byteCount, 20)
    }

    @Test("a slice of a larger array is read by its own indices")
    func slice() {
        let bytes = [0, 0, 0] + Self.song + [1]
        expectEqual(SegmentTag(bytes[3...])?.title, "Söng")
        expectEqual(SegmentTag(bytes[...]), nil)
    }

    @Test("what is too short or invalid is no tag")
    func none() {
        expectEqual(SegmentTag([]), nil)
        expectEqual(SegmentTag(Self.song[..<9]), nil)
        expectEqual(SegmentTag([0x49, 0x44, 0x33, 4, 0, 0, 0x80, 0, 0, 0]), nil)
        expectEqual(SegmentTag([0x49, 0x44, 0x33, 9, 0, 0, 0, 0, 0, 0]), nil)
    }

    @Test("a size beyond the bytes is stated, and nothing is allocated for it")
    func huge() {
        let bytes = Self.tag(Self.frame("TIT2", [3, 0x41]), stated: 1 << 28 - 1)
        let tag = SegmentTag(bytes[...])
        #expect(tag?.byteCount == 1 << 28 + 9)
        expectEqual(tag?.title, nil)
        let cut = Self.tag(Self.frame("TIT2", [3, 0x41]), stated: 1000)
        expectEqual(SegmentTag(cut[...])?.title, "A")
    }

    @Test("at most eight tags are read")
    func many() {
        let bytes = Array(repeatElement(Self.tag([]), count: 20).joined())
        expectEqual(SegmentTag(bytes[...])?.byteCount, 80)
    }
}
