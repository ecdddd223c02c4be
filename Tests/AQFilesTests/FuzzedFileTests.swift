// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

/// Inputs found by `make fuzz`.
@Suite("Files that fuzzing made")
struct FuzzedFileTests {
    @Test("need no more memory for a packet than the file has bytes, whatever the table says")
    func clippedTable() throws {
        let bytes =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac) + CAFBytes.table([100, 100, 4_000_000])
            + CAFBytes.data(noise(count: 250))
        let temporary = TemporaryFile(bytes)
        let file = try AudioFile.open(path: temporary.path)
        try expectEqual(file.countPackets(), 2)
        #expect(file.packetSizeUpperBound <= 250)
    }

    @Test("need no more memory for a packet of a stream than is collected of it")
    func hugeStreamPacket() throws {
        let bytes =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac) + CAFBytes.table([1 << 30])
            + CAFBytes.data([1, 2, 3], promised: 4 + 1 << 30)
        let recorder = StreamRecorder()
        try? recorder.parse(bytes)
        #expect(recorder.stream.isReadyToProducePackets)
        #expect(recorder.finished.upperBound == 16 << 20)
    }

    @Test("contain their audio, even if they end before it", arguments: 0..<4)
    func cutEditCount(bytes: Int) throws {
        let start =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac) + CAFBytes.table([])
            + CAFBytes.chunk("data", [], bytes: 99)
        let temporary = TemporaryFile(start + [UInt8](repeating: 0, count: bytes))
        let file = try AudioFile.open(path: temporary.path)
        let end = Int64(start.count + bytes)
        expectEqual(file.dataRange, end..<end)
        expectEqual(file.chunks.last?.byteCount, Int64(bytes))
    }

    @Test(
        "of Wave64 are opened in limited time, whatever the lengths of chunks around the audio",
        .timeLimit(.minutes(20)), arguments: [false, true])
    func backwardChunkOfWave64(isPiped: Bool) throws {
        let begun = ContinuousClock.now
        defer { expectWithinMinute(since: begun) }
        let folder = ScratchFolder()
        let path = folder.file("sound.w64")
        let writer = try AudioFileWriter.create(
            path: path, type: .wave64, format: .signedInteger(bits: 16, channels: 1, sampleRate: 8000))
        try unsafe [UInt8](repeating: 1, count: 800).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        let whole = AQFilesTests.bytes(ofFile: path, atMost: 1 << 16)
        // Shorter than its own header, so reading would restart at its beginning.
        let chunk =
            [UInt8](repeating: 7, count: 16) + little(UInt64(1)) + [UInt8](repeating: 0, count: 8)
        let behind = whole + chunk + chunk
        let before = Array(whole[..<40]) + chunk + whole[40...]
        if isPiped {
            try expectEqual(Contents(of: FilledPipe(behind, pieceBytes: 100).open()).packets, 400)
            #expect(throws: AudioFileError.self) { try FilledPipe(before, pieceBytes: 100).open() }
        } else {
            let (long, damaged) = (TemporaryFile(behind), TemporaryFile(before))
            try expectEqual(Contents(of: AudioFile.open(path: long.path)).packets, 400)
            let error = #expect(throws: AudioFileError.self) { try AudioFile.open(path: damaged.path) }
            withExtendedLifetime((long, damaged)) {}
            expectEqual(error?.description.contains("an impossible length"), true)
        }
    }

    @Test("of Wave64 with endless audio are played to the end; a negative length is refused")
    func audioLengthOfWave64() throws {
        let format = Header.wave(data: noise(count: 800))
        for (length, packets) in [(UInt64.max, 200), (23, nil), (0, nil)] as [(UInt64, Int?)] {
            let grammar = ChunkGrammar.wave64
            var bytes = Array("riff".utf8) + Wave64Container.riffTail + little(UInt64(904))
            bytes += Array("wave".utf8) + Wave64Container.chunkTail
            bytes += grammar.bytes(of: [AudioFileChunkContents("fmt ", Array(format[20..<36]))])
            bytes += grammar.typeField(grammar.sound) + little(length)
            bytes += format[44...]
            let saved = TemporaryFile(bytes)
            let opens: [() throws -> AudioFile] = [
                { try AudioFile.open(path: saved.path) }, { try FilledPipe(bytes, pieceBytes: 100).open() },
            ]
            for open in opens {
                if let packets {
                    try expectEqual(Contents(of: open()).packets, packets)
                } else {
                    #expect(throws: AudioFileError.self) { try open() }
                }
            }
        }
    }

    /// A list, or one that libsndfile finds where a reader that follows the lengths does not.
    @Test(
        "are refused or opened in limited time if libsndfile follows a list backwards",
        .timeLimit(.minutes(20)), arguments: ["sizes", "no padding", "no type"])
    func backwardListOfLarge(form: String) throws {
        let begun = ContinuousClock.now
        defer { expectWithinMinute(since: begun) }
        let item = Array("IART".utf8) + little(UInt32(4)) + Array("Who\0".utf8)
        let trap = Array("trap".utf8) + little(UInt32.max - 7)
        let contents = Array("INFO".utf8) + item + trap + [UInt8](repeating: 1, count: 16)
        let list = Array("LIST".utf8) + little(UInt32(contents.count)) + contents
        var bytes = Header.rf64(data: noise(count: 400), dataBytes: 400, frames: 100)
        switch form {
        case "sizes":
            // The size chunk ends after the type and the length of the format.
            bytes.replaceSubrange(16..<20, with: little(UInt32(36)))
            bytes.insert(contentsOf: list, at: 72)
        case "no padding":
            bytes.insert(contentsOf: Array("odd ".utf8) + little(UInt32(1)) + [0] + list, at: 72)
        default:
            // Of no type, at an odd offset: the search for the next type begins three bytes after it.
            let odd = Array("odd ".utf8) + little(UInt32(1)) + [0]
            bytes.insert(contentsOf: odd + [1, 1, 1, 1, 1] + list, at: 72)
        }
        let temporary = TemporaryFile(bytes)
        if let file = try? AudioFile.open(path: temporary.path) { _ = try? Contents(of: file) }
    }

    @Test(
        "open and play although a list makes libsndfile go back",
        arguments: [(false, 0), (true, 0), (false, 20)])
    func backwardList(isPiped: Bool, tagBytes: Int) throws {
        let sound = noise(count: 512)
        let text = Array("IART".utf8) + little(UInt32(4)) + Array("Who\0".utf8)
        // Eight bytes less than zero: back to its own offset.
        let trap = Array("trap".utf8) + little(UInt32.max - 7)
        let list = Array("INFO".utf8) + text + trap + [UInt8](repeating: 1, count: 16)
        let chunk = Array("LIST".utf8) + little(UInt32(list.count)) + list
        // IMA ADPCM, which is decoded by libsndfile from a pipe too.
        var bytes = Header.wave(tag: 0x11, channels: 1, rate: 8000, bits: 4, data: sound)
        bytes.replaceSubrange(16..<36, with: little(UInt32(20)) + adpcm)
        bytes.insert(contentsOf: adpcmEnd + chunk, at: 36)
        bytes.replaceSubrange(4..<8, with: little(UInt32(bytes.count - 8)))
        if tagBytes > 0 {
            let contents = [UInt8](repeating: 0, count: tagBytes - 10)
            bytes = Array("ID3\u{3}\0\0\0\0\0".utf8) + [UInt8(contents.count)] + contents + bytes
        }
        let temporary = TemporaryFile(bytes)
        let file =
            try isPiped ? FilledPipe(bytes, pieceBytes: 100).open() : AudioFile.open(path: temporary.path)
        try expectEqual(Contents(of: file).packets, 2 * 505)
        #expect(isPiped || file.tags.artist == "Who")
    }

    @Test("are not streams if two packets follow more bytes than they have, in pieces of any size")
    func fewPackets() throws {
        // MPEG-2 layer III, 64 kbit/s, 22.05 kHz, one channel.
        let packet = big(0xFFF3_80C0 as UInt32) + [UInt8](repeating: 0, count: 204)
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        for (junk, isStream) in [(400, true), (480, false)] {
            let bytes = [UInt8](repeating: 1, count: junk) + packet + packet + tag
            let whole = StreamRecord(bytes, pieceBytes: .max)
            expectEqual((whole.failure == nil), isStream)
            expectEqual(StreamRecord(bytes, pieceBytes: 7).difference(from: whole), nil)
        }
    }

    @Test(
        "have a tag or none between their packets, in pieces of any size",
        arguments: ["xxxxxxxxAPETAGEXxxxIxxx", "APETAGEXxxxxxxIxxxxx", "xxxxxxxxAPETAGE"])
    func tagInPieces(text: String) throws {
        let bytes = try ADTSBytes.stream(0..<3) + text.utf8 + ADTSBytes.stream(3..<6)
        let whole = StreamRecord(bytes, pieceBytes: .max)
        expectEqual(whole.sizes.count, 6)
        expectEqual(whole.warnings.isEmpty, text.contains("APETAGEX"))
        expectEqual((1...40).filter { StreamRecord(bytes, pieceBytes: $0) != whole }, [])
    }

    @Test("have the named channels if all are named, else the usual ones", arguments: [2, 4, 17])
    func layout(channels: Int) throws {
        let layout = big(UInt32(0x65 << 16 | 2)) + [UInt8](repeating: 0, count: 28)
        var bytes = Header.aiff(channels: UInt16(channels), data: noise(count: 20 * channels))
        bytes.insert(contentsOf: Array("CHAN".utf8) + big(UInt32(layout.count)) + layout, at: 38)
        bytes.replaceSubrange(4..<8, with: big(UInt32(bytes.count - 8)))
        let temporary = TemporaryFile(bytes)
        let file = try AudioFile.open(path: temporary.path)
        // libsndfile read on after the two, and named the others by arbitrary memory.
        expectEqual(file.channelLabels, ChannelLabels.defaults(channels: channels))
    }

    @Test("return no packet after the end of a stream, even if it has no bytes")
    func emptyPacketBehindEnd() throws {
        var file = MP4File()
        file.packets = [[], [], []]
        let start = Array(file.bytes.dropLast(8))
        let recorder = StreamRecorder()
        try? recorder.parse(start)
        #expect(recorder.stream.isReadyToProducePackets)
        expectEqual(recorder.record.packets, 0)
    }

    #if HAVE_MPEG_AUDIO
    @Test("return no empty packets of free format for frames that differ only by padding")
    func emptyFrames() throws {
        let padded: [UInt8] = [0xFF, 0xFF, 0x02, 0x00]
        let plain: [UInt8] = [0xFF, 0xFF, 0x00, 0x00]
        let recorder = StreamRecorder()
        try? recorder.parse(padded + (0..<2000).flatMap { _ in plain })
        #expect(recorder.record.packets <= 2001)
    }

    @Test(
        "end at a tag's mark only in the last packet, in pieces of any size",
        arguments: [
            ("APETAGEX", 100, false), ("APETAGEX", 409, false), ("ID3\u{3}\0\0\0\0\0\u{9}", 400, false),
            ("APETAGE", 410, false), ("LYRICSBEGINxxxx", 412, true), ("APETAGEXxxxx", 414, true),
        ])
    func markInPacket(mark: String, place: Int, isLast: Bool) {
        // More than is available when the stream's type is found.
        let end = isLast ? [UInt8](repeating: 0, count: 100) : MPEGBytes.packets(3)
        var bytes = MPEGBytes.packets(30) + end
        let start = 29 * 417 + place
        bytes.replaceSubrange(start..<start + mark.utf8.count, with: mark.utf8)
        let whole = StreamRecord(bytes, pieceBytes: .max)
        #expect(whole.warnings.isEmpty != isLast)
        let pieces = [1, 2, 3, 4, 5, 7, 12, 100, 416, 417, 418, 421, 834, 835]
        expectEqual(pieces.filter { StreamRecord(bytes, pieceBytes: $0) != whole }, [])
    }

    @Test("report no offset for the last possible packet, with a table of two")
    func packetPastContents() throws {
        var tag = MPEGBytes.packet()
        let fields = Array("Xing".utf8) + [0, 0, 0, 7] + big(UInt32(2)) + big(UInt32(3 * 417))
        tag.replaceSubrange(36..<36 + fields.count + 100, with: fields + (0..<100).map { $0 * 2 })
        let recorder = StreamRecorder()
        try recorder.parse(tag + MPEGBytes.packets(5))
        #expect(recorder.record.packets > 2)
        #expect(try recorder.stream.byteOffset(ofPacket: 1).isEstimated)
        try expectEqual(recorder.stream.byteOffset(ofPacket: 3).byteOffset, 3 * 417)
        #expect(throws: AudioFileStreamError.self) { try recorder.stream.byteOffset(ofPacket: .max) }
    }
    #endif
}

/// The format of IMA ADPCM in blocks of 256 bytes, up to the bits per sample, and what follows them.
private let adpcm: [UInt8] =
    little(UInt16(0x11)) + little(UInt16(1)) + little(UInt32(8000))
    + little(UInt32(4055)) + little(UInt16(256)) + little(UInt16(4))
private let adpcmEnd: [UInt8] = little(UInt16(2)) + little(UInt16(505))
