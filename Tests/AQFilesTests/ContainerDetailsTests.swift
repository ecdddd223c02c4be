// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import AQTestSupport
import Testing

@Suite("Metadata of WAVE, AIFF and similar files")
struct ContainerDetailsTests {
    @Test("AIFF: the audio's position, tags, and markers by their names")
    func aiff() throws {
        let common =
            big(1, 2) + big(4, 4) + big(16, 2) + [0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        let markers =
            big(2, 2) + big(1, 2) + big(0, 4) + [5] + Array("Begin".utf8) + big(2, 2) + big(3, 4) + [4]
            + Array("Last".utf8) + [0]
        let body =
            bigChunk("COMM", common) + bigChunk("NAME", Array("A song".utf8))
            + bigChunk("AUTH", Array("Someone".utf8)) + bigChunk("ANNO", Array("One".utf8))
            + bigChunk("ANNO", Array("Two".utf8)) + bigChunk("MARK", markers)
            + bigChunk("SSND", big(0, 8) + [UInt8](repeating: 0, count: 8))
        let made = TemporaryFile(Array("FORM".utf8) + big(body.count + 4, 4) + Array("AIFF".utf8) + body)
        let file = try AudioFile.open(path: made.path)
        expectEqual(
            file.chunks.map(\.type.description),
            [
                "'COMM'", "'NAME'", "'AUTH'", "'ANNO'", "'ANNO'", "'MARK'", "'SSND'",
            ])
        expectEqual(
            file.chunks.first,
            AudioFileChunk(type: FourCharacterCode(rawValue: 0x434F_4D4D), offset: 12, byteCount: 18))
        expectEqual(
            file.information,
            [
                AudioFileInformation("title", "A song"), AudioFileInformation("artist", "Someone"),
                AudioFileInformation("comments", "One"), AudioFileInformation("comments", "Two"),
            ])
        expectEqual(
            file.markers,
            [
                AudioFileMarker(framePosition: 0, name: "Begin", identifier: 1),
                AudioFileMarker(framePosition: 3, name: "Last", identifier: 2),
            ])
        let end = Int64(12 + body.count)
        expectEqual(file.dataRange, end - 8..<end)
        try expectEqual(file.byteOffset(ofPacket: 3), end - 2)
        try expectEqual(file.byteOffset(ofPacket: 4), nil)
        try expectEqual(file.byteOffset(ofPacket: .max), nil)
    }

    @Test("WAVE: a sampler's loop is a region with the name of its marker")
    func loop() throws {
        let loop = little(9, 4) + little(0, 4) + little(100, 4) + little(199, 4) + little(0, 8)
        let sampler = [UInt8](repeating: 0, count: 28) + little(1, 4) + little(0, 4) + loop
        let label = Array("adtl".utf8) + RIFFBytes.chunk("labl", little(9, 4) + Array("Sustain\0".utf8))
        let made = TemporaryFile(wave([("smpl", sampler), ("LIST", label)]))
        let file = try AudioFile.open(path: made.path)
        let region = try #require(file.regions.first)
        expectEqual(file.regions.count, 1)
        #expect((region.identifier, region.name, region.flags) == (9, "Sustain", 3))
        expectEqual(region.markers.map(\.framePosition), [100, 200])
    }

    @Test("the audio of RF64, Wave64 and AU is found")
    func others() throws {
        let sound = [UInt8](repeating: 0, count: 8)
        let format =
            little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2) + little(16, 2)
        let sizes = little(92, 8) + little(8, 8) + little(4, 8) + little(0, 4)
        let large =
            Array("RF64".utf8) + little(-1, 4) + Array("WAVE".utf8) + RIFFBytes.chunk("ds64", sizes)
            + RIFFBytes.chunk("fmt ", format) + Array("data".utf8) + little(-1, 4) + sound
        try expectSound(of: large, at: 80)
        let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
        let riff: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
        let wide =
            Array("riff".utf8) + riff + little(112, 8) + Array("wave".utf8) + tail + Array("fmt ".utf8) + tail
            + little(40, 8) + format + Array("data".utf8) + tail + little(32, 8) + sound
        try expectSound(of: wide, at: 104)
        let sun = Array(".snd".utf8) + big(24, 4) + big(8, 4) + big(3, 4) + big(8000, 4) + big(1, 4) + sound
        try expectSound(of: sun, at: 24)
    }

    @Test("a length that was never written means the rest of the file")
    func unfinished() throws {
        var bytes = wave([])
        bytes.replaceSubrange(4..<8, with: little(0, 4))
        bytes.replaceSubrange(40..<44, with: little(0, 4))
        try expectSound(of: bytes, at: 44)
    }

    @Test(
        "false counts and lengths return the existing data",
        arguments: [
            ("cue ", little(-1, 4) + [UInt8](repeating: 1, count: 30), 1, 0),
            ("cue ", [], 0, 0), ("cue ", little(5, 2), 0, 0),
            ("smpl", [UInt8](repeating: 0xFF, count: 60), 0, 1), ("smpl", little(1, 4), 0, 0),
        ])
    func lies(type: String, contents: [UInt8], markers: Int, regions: Int) throws {
        let made = TemporaryFile(wave([(type, contents), ("free", [UInt8](repeating: 1, count: 99))]))
        let file = try AudioFile.open(path: made.path)
        #expect((file.markers.count, file.regions.count) == (markers, regions))
    }

    @Test("nested lists, and chunks past the end, are limited")
    func nesting() throws {
        var list = Array("INFO".utf8)
        for _ in 0..<50 { list = Array("INFO".utf8) + RIFFBytes.chunk("LIST", list) }
        let bytes = wave([("LIST", list)]) + Array("junk".utf8) + little(-1, 4)
        let made = TemporaryFile(bytes)
        let file = try AudioFile.open(path: made.path)
        #expect(file.chunks.count < 10)
        expectEqual(file.dataRange, 44..<52)
        let many = wave((0..<6000).map { _ in ("free", []) })
        let crowded = TemporaryFile(many)
        try expectEqual(AudioFile.open(path: crowded.path).chunks.count, 4096)
    }

    private func expectSound(of bytes: [UInt8], at offset: Int64) throws {
        let made = TemporaryFile(bytes)
        let file = try AudioFile.open(path: made.path)
        expectEqual(file.dataRange, offset..<offset + 8, "\(file.containerName)")
        expectEqual(file.frameCount, 4)
    }
}

private func bigChunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
    Array(type.utf8) + big(contents.count, 4) + contents + [UInt8](repeating: 0, count: contents.count % 2)
}

/// Four frames of 16 bits, and chunks after them.
private func wave(_ more: [(String, [UInt8])]) -> [UInt8] { RIFFBytes.wave([0, 0, 0, 0], more: more) }
