// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQFiles
import AQTestSupport
import Testing

@Suite("Tags of MPEG files")
struct MPEGTagTests {
    @Test(
        "reads the text of a tag around a picture of any size",
        arguments: [(2, 1000), (3, 1000), (4, 1000), (2, 3 << 20), (3, 3 << 20), (4, 3 << 20)])
    func picture(version: UInt8, pictureBytes: Int) throws {
        func field(_ name: String, _ contents: [UInt8]) -> [UInt8] {
            let size: [UInt8]
            switch version {
            case 2: size = big(contents.count, 3)
            case 3: size = big(contents.count, 4) + [0, 0]
            default: size = synchsafe(contents.count) + [0, 0]
            }
            return Array(name.utf8) + size + contents
        }
        let names = version == 2 ? ["TT2", "TP1", "TAL", "PIC"] : ["TIT2", "TPE1", "TALB", "APIC"]
        let album: [UInt8] = version == 4 ? [3] + "Albüm".utf8 : [0, 0x41, 0x6C, 0x62, 0xFC, 0x6D]
        var fields = field(names[0], [0] + "Song".utf8)
        fields += field(names[1], [1, 0xFF, 0xFE, 0x42, 0, 0xFC, 0, 0, 0])
        fields += field(names[3], [UInt8](repeating: 0, count: pictureBytes))
        fields += field(names[2], album)
        let size = synchsafe(fields.count)
        let saved = TemporaryFile([0x49, 0x44, 0x33, version, 0, 0] + size + fields + MPEGBytes.packets(4))
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.tags, AudioFileTags(title: "Song", artist: "Bü", album: "Albüm"))
        try expectEqual(file.countPackets(), 4)
    }

    @Test("reads title, artist and album of both tag versions")
    func text() throws {
        func field(_ name: String, _ text: String) -> [UInt8] {
            Array(name.utf8) + [0, 0, 0, UInt8(text.utf8.count + 1), 0, 0, 0] + Array(text.utf8)
        }
        let fields = field("TIT2", "Song") + field("TPE1", "Band")
        var old = [UInt8](repeating: 0, count: 128)
        old.replaceSubrange(0..<3, with: "TAG".utf8)
        old.replaceSubrange(63..<69, with: [0x41, 0x6C, 0x62, 0xFC, 0x6D, 0])
        let bytes =
            [0x49, 0x44, 0x33, 3, 0, 0, 0, 0, 0, UInt8(fields.count)] + fields + MPEGBytes.packets(4) + old
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.tags, AudioFileTags(title: "Song", artist: "Band", album: "Albüm"))
        try expectEqual(file.countPackets(), 4)
    }
}
#endif
