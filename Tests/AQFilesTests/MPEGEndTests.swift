// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQFiles
import CoreAudioTypes
import AQMPEGAudio
import AQTestSupport
import Testing

@Suite("The end and the length of MPEG audio")
struct MPEGEndTests {
    private static let old = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)

    /// An APE tag of one item; the flags say whether it has a header.
    private static func ape(hasHeader: Bool) -> [UInt8] {
        let item =
            little(UInt32(4)) + little(UInt32(0)) + Array("Title".utf8) + [0]
            + Array("Song".utf8)
        func mark(_ flags: UInt32) -> [UInt8] {
            Array("APETAGEX".utf8) + little(UInt32(2000)) + little(UInt32(item.count + 32))
                + little(UInt32(1)) + little(flags) + [UInt8](repeating: 0, count: 8)
        }
        return (hasHeader ? mark(0xA000_0000) : []) + item + mark(hasHeader ? 0x8000_0000 : 0)
    }

    private static let lyrics: [UInt8] = {
        let fields = Array("LYRICSBEGININD0000200INF00005Words".utf8)
        return fields + Array("0000\(fields.count)LYRICS200".utf8)
    }()

    @Test("tags at the end are not garbage, and do not complete a truncated packet")
    func trailingTags() throws {
        for tag in [
            Self.old, Self.ape(hasHeader: true), Self.ape(hasHeader: false), Self.lyrics + Self.old,
            Self.ape(hasHeader: false) + Self.old, Self.ape(hasHeader: true) + Self.lyrics + Self.old,
        ] {
            let saved = TemporaryFile(MPEGBytes.packets(10) + tag)
            let file = try AudioFile.open(path: saved.path)
            try expectEqual(Contents(of: file).packets, 10)
            expectEqual(file.warnings, [])
            let piped = try FilledPipe(MPEGBytes.packets(10) + tag, pieceBytes: 999).open()
            try expectEqual(Contents(of: piped).packets, 10)
            expectEqual(piped.warnings, [])
            for missing in [20, 120, 400] {
                let bytes = [UInt8](MPEGBytes.packets(10).dropLast(missing)) + tag
                let cut = TemporaryFile(bytes)
                let file = try AudioFile.open(path: cut.path)
                try expectEqual(Contents(of: file).packets, 9)
                expectEqual(
                    file.warnings,
                    [
                        "the last packet, at byte 3753, is cut short: \(417 - missing) bytes of 417"
                    ])
                // Without a header, the start of a tag in a pipe is unknown.
                guard tag.starts(with: Self.ape(hasHeader: false).prefix(8)) == false else { continue }
                let piped = try FilledPipe(bytes, pieceBytes: 999).open()
                try expectEqual(Contents(of: piped).packets, 9)
                expectEqual(piped.warnings, file.warnings)
            }
        }
    }

    @Test("a frame with a VBRI tag is not audio, and its table gives offsets")
    func vbri() throws {
        var frame = MPEGBytes.packet()
        // Version, delay, quality, bytes, packets; four entries of two bytes for five packets each.
        let tag =
            Array("VBRI".utf8) + big(UInt16(1)) + big(UInt16(2257)) + big(UInt16(80))
            + big(UInt32(21 * 417)) + big(UInt32(20)) + big(UInt16(4))
            + big(UInt16(1)) + big(UInt16(2)) + big(UInt16(5))
            + [2085, 2085, 2085, 2085].flatMap { big(UInt16($0)) }
        frame.replaceSubrange(36..<36 + tag.count, with: tag)
        let stream = frame + MPEGBytes.packets(20)
        let saved = TemporaryFile(stream)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.frameCount, Int64(20 * 1152))
        try expectEqual(Contents(of: file).bytes, MPEGBytes.packets(20))
        #expect(file.warnings.isEmpty)
        let piped = try FilledPipe(stream, pieceBytes: 1000).open()
        try expectEqual(Contents(of: piped).bytes, MPEGBytes.packets(20))
        let header = try #require(MPEGFrameHeader(bits: 0xFFFB_9000))
        let found = unsafe frame.withUnsafeBytes { unsafe MPEGInfoTag(packet: $0.bytes, header: header) }
        let table = try #require(found?.tableOfContents)
        #expect(table.count == 100 && table[0] == 0 && table[50] == 128 && table[99] == 253)
    }

    @Test("a stream whose rate changes has the decoder's number of frames")
    func changingRate() throws {
        let faster = MPEGBytes.packet([0xFF, 0xFB, 0x94, 0x00], bytes: 384)
        let stream =
            MPEGBytes.packets(40) + (0..<150).flatMap { _ in faster } + MPEGBytes.packets(10)
            + (0..<70).flatMap { _ in faster }
        let decoder = try MPEGDecoder(sampleRate: 44_100, channels: 2, samplesPerFrame: 1152)
        var room = [Float](repeating: 0, count: 2 * decoder.maximumFramesPerPacket)
        let saved = TemporaryFile(stream)
        let piped = try FilledPipe(stream, pieceBytes: 1000).open()
        for file in [try AudioFile.open(path: saved.path), piped] {
            let contents = try Contents(of: file)
            decoder.reset()
            var decoded = 0
            var offset = 0
            for description in contents.descriptions {
                let end = offset + Int(description.mDataByteSize)
                decoded += try unsafe contents.bytes[offset..<end].withUnsafeBytes { packet in
                    try unsafe room.withUnsafeMutableBufferPointer {
                        try unsafe decoder.decode(packet, into: $0)
                    }
                }
                offset = end
            }
            expectEqual(contents.packets, 270)
            expectEqual(file.frameCount, Int64(decoded))
        }
    }

    @Test(
        "WAVE files have the packets that they contain, whatever they count",
        arguments: [0x55, 0x50] as [UInt16])
    func wave(tag: UInt16) throws {
        let packet = MPEGBytes.packet(tag == 0x55 ? [0xFF, 0xFB, 0x90, 0] : [0xFF, 0xFD, 0x80, 0])
        let stream = (0..<30).flatMap { _ in packet }
        var bytes = Header.wave(tag: tag, bits: 0, data: stream)
        let fact = Array("fact".utf8) + little(UInt32(4)) + little(UInt32(99_999))
        bytes.insert(contentsOf: fact, at: 36)
        bytes.replaceSubrange(4..<8, with: little(UInt32(bytes.count - 8)))
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.containerName, "WAVE")
        expectEqual(file.format.mFormatID, (tag == 0x55 ? kAudioFormatMPEGLayer3 : kAudioFormatMPEGLayer2))
        expectEqual(file.frameCount, Int64(30 * 1152))
        try expectEqual(Contents(of: file).bytes, stream)
        #expect(file.warnings.isEmpty)
        try expectEqual(FilledPipe(bytes, pieceBytes: 1000).open().frameCount, Int64(30 * 1152))
    }
}
#endif
