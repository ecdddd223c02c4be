// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

@testable import AQFiles

/// The effects of an announced packet count on a writer.
@Suite("Writing the expected number of packets, or another")
struct ExpectedPacketsTests {
    private static let packets = 500
    private static let made = MadePackets(sizes: CAFBytes.sizes(packets).map { $0 * 13 + 1 })

    private func write(
        _ folder: ScratchFolder, _ type: AudioFileType, expecting expected: Int64?,
        options: AudioFileWriter.Options = []
    ) throws -> AudioFile {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
        let writer = try AudioFileWriter.create(
            path: folder.file("new"), type: type, format: format, options: options, expectedPackets: expected)
        try writer.setPacketTable(PacketTable(primingFrames: 1024, validFrames: 0, remainderFrames: 0))
        try writer.setInformation([AudioFileInformation("title", "Übung")])
        for start in stride(from: 0, to: Self.packets, by: 9) {
            try Self.made.append(start..<min(start + 9, Self.packets), to: writer)
            #expect(
                (writer.frameCount == 0) == (options.contains(.wholeOrNothing) && type == .m4a) || start < 60)
        }
        let table = PacketTable(
            primingFrames: 1024, validFrames: Int64(Self.packets * 1024 - 2000), remainderFrames: 976)
        try writer.setPacketTable(table)
        try writer.close()
        expectEqual(writer.frameCount, table.validFrames)
        expectEqual(fileBytes(writer.path.description), writer.byteCount)
        let file = try AudioFile.open(path: writer.path)
        #expect(file.warnings.isEmpty)
        expectEqual(file.packetTable, table)
        expectEqual(file.information, [AudioFileInformation("title", "Übung")])
        let contents = try Contents(of: file, roomBytes: 6000)
        #expect(contents.packets == Self.packets && contents.bytes == Self.made.bytes)
        return file
    }

    private func fileBytes(_ path: String) -> Int64 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? Int64(status.st_size) : -1
    }

    private func order(_ file: AudioFile) -> String {
        file.chunks.filter { $0.depth == 0 }.map { String($0.type.description.dropFirst().dropLast()) }
            .joined(separator: " ")
    }

    /// The bytes of the chunk or box that fills unused room.
    private func spareBytes(_ file: AudioFile) -> Int64 {
        file.chunks.filter { $0.type.description == "'free'" }.reduce(0) { $0 + $1.byteCount }
    }

    @Test(
        "the table comes before the audio if it fits, else after it",
        arguments: [
            (nil, false), (-1, false), (0, false), (1, false), (200, false), (490, true), (500, true),
            (900, true),
            (1 << 20, true), (1 << 21, false), (.max, false), (.min, false),
        ] as [(Int64?, Bool)])
    func order(expected: Int64?, isFirst: Bool) throws {
        let isUsed = expected.map { 1...1 << 20 ~= $0 } ?? false
        let folder = ScratchFolder()
        let caf = try write(folder, .caf, expecting: expected)
        expectEqual(
            order(caf),
            (isFirst
                ? "desc info pakt free data"
                : isUsed ? "desc info free data pakt" : "desc info data pakt"))
        let other = ScratchFolder()
        let mpeg4 = try write(other, .m4a, expecting: expected, options: .wholeOrNothing)
        expectEqual(
            order(mpeg4),
            (isFirst ? "ftyp moov free mdat" : isUsed ? "ftyp free mdat moov" : "ftyp mdat moov"))
        if expected == 500 {
            #expect(spareBytes(caf) < 600 && spareBytes(mpeg4) < 1400)
        }
        // Even if it was wrong.
        #expect(spareBytes(caf) < 5 << 20 && spareBytes(mpeg4) < 6 << 20)
    }

    @Test("a file whose table stands first is played as it arrives", arguments: [AudioFileType.caf, .m4a])
    func piped(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let path = try write(folder, type, expecting: 500, options: .wholeOrNothing).path
        let file = try FilledPipe(bytes(ofFile: path.description, atMost: 1 << 25), pieceBytes: 1000).open()
        expectEqual(file.frameCount, Int64(Self.packets * 1024 - 2000))
        try expectEqual(Contents(of: file, roomBytes: 6000).bytes, Self.made.bytes)
    }

    @Test("MPEG-4 without readers before its close has no fragments; with a reader it has")
    func fragments() throws {
        for (options, isPlain) in [(AudioFileWriter.Options.wholeOrNothing, true), ([], false)] {
            let folder = ScratchFolder()
            _ = try write(folder, .m4a, expecting: 500, options: options)
            let bytes = bytes(ofFile: folder.file("new"), atMost: 1 << 25)
            expectEqual(offsets(of: "moof", in: bytes).isEmpty, isPlain)
        }
    }

    @Test("MPEG-4 past 4 GiB has its long forms, and they fit the reserved room")
    func large() throws {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
        let track = try MP4WrittenTrack(format)
        var samples = MP4WrittenSamples()
        for chunk in 0..<100 { samples.append([UInt32](repeating: 6, count: 18), at: Int64(chunk) << 26) }
        let index = track.index(
            of: samples, primingFrames: 1024, lastPacketFrames: 1024, remainderFrames: 0,
            metadata: FileMetadata())
        #expect(!offsets(of: "co64", in: index).isEmpty)
        let roomBytes = track.indexBytes(packets: 1800, chunks: 100, metadata: FileMetadata())
        expectEqual(track.fitted(index, roomBytes: roomBytes)?.count, roomBytes)
        expectEqual(track.fitted(index, roomBytes: index.count), index)
        for spareBytes in [-1, 1, 7] {
            expectEqual(track.fitted(index, roomBytes: index.count + spareBytes), nil)
        }
        let header = track.dataHeader(end: 1 << 34, roomBytes: 100)
        expectEqual(header, [0, 0, 0, 1] + Array("mdat".utf8) + big(Int64(1 << 34 - 132)))
    }

    @Test("packets of one size have their table first, which is updated as they are written")
    func constantPackets() throws {
        let folder = ScratchFolder()
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleIMA4, bytesPerPacket: 68, framesPerPacket: 64, channels: 2, sampleRate: 44100)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .caf, format: format)
        for packets in 1...3 {
            try writer.append(noise(count: 680))
            let file = try AudioFile.open(path: writer.path)
            #expect(order(file) == "desc pakt data" && file.warnings.isEmpty)
            expectEqual(
                file.packetTable,
                PacketTable(primingFrames: 0, validFrames: Int64(packets * 640), remainderFrames: 0))
        }
        let table = PacketTable(primingFrames: 0, validFrames: 1900, remainderFrames: 20)
        try writer.setPacketTable(table)
        try expectEqual(AudioFile.open(path: writer.path).packetTable, table)
        try writer.append(noise(count: 68))
        try writer.close()
        let file = try AudioFile.open(path: writer.path)
        expectEqual(file.packetTable, PacketTable(primingFrames: 0, validFrames: 1964, remainderFrames: 20))
        #expect(order(file) == "desc pakt data" && file.warnings.isEmpty)
        expectEqual(file.dataRange?.upperBound, writer.byteCount)
    }

    /// One write of them is atomic, whatever precedes.
    @Test("the fields that change are within a page", arguments: [nil, 0, 1, 5000])
    func pages(roomBytes: Int?) throws {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleIMA4, bytesPerPacket: 34, framesPerPacket: 64, channels: 1, sampleRate: 44100)
        for textBytes in 3900..<4100 {
            var contents = CAFFileHeader(format, channelLabels: nil)
            contents.tableRoomBytes = roomBytes
            _ = try contents.set(
                .information([AudioFileInformation("x", String(repeating: "y", count: textBytes))]))
            let header = try contents.laidOut()
            func page(_ place: Int) -> Int { place / 4096 }
            expectEqual(page(header.lengthOffset), page(header.lengthOffset + 7))
            guard let table = header.table else { continue }
            expectEqual(table.count, 36 + (roomBytes ?? 0))
            expectEqual(page(table.lowerBound), page(table.lowerBound + 35))
            if roomBytes == 0 { expectEqual(page(table.lowerBound), page(header.lengthOffset + 7)) }
        }
    }
}
