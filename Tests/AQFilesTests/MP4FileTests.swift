// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing

@testable import AQFiles

@Suite("MPEG-4 files")
struct MP4FileTests {
    @Test("have the channels to which their AAC is decoded", arguments: [(0x58, 7), (0x38, 8)])
    func channels(configuration: UInt8, channels: Int) throws {
        var source = MP4File()
        source.entry = MP4File.aacEntry(config: [0x12, configuration])
        let tag = channels == 7 ? kAudioChannelLayoutTag_AAC_6_1 : kAudioChannelLayoutTag_AAC_7_1_B
        let saved = TemporaryFile(source.bytes)
        try expectEqual(AudioFile.open(path: saved.path).channelLabels, ChannelLayoutTags.labels(of: tag))
    }

    @Test("have the usual channels if nothing states others", arguments: 1...10)
    func usualChannels(count: Int) throws {
        var source = MP4File()
        source.entry = MP4File.entry("sowt", channels: UInt16(count))
        let saved = TemporaryFile(source.bytes)
        let labels = try AudioFile.open(path: saved.path).channelLabels
        expectEqual(labels, ChannelLabels.defaults(channels: count))
    }

    private func open(_ file: MP4File) throws -> AudioFile {
        let saved = TemporaryFile(file.bytes)
        // The descriptor stays valid without the name.
        return try AudioFile.open(path: saved.path)
    }

    @Test("return every packet as it is stored, wherever the index is", arguments: [false, true])
    func packets(isIndexLast: Bool) throws {
        var source = MP4File()
        source.isIndexLast = isIndexLast
        for hasLongOffsets in [false, true] {
            source.hasLongOffsets = hasLongOffsets
            let file = try open(source)
            expectEqual(file.containerName, "MPEG-4")
            expectEqual(file.format.mFormatID, kAudioFormatMPEG4AAC)
            expectEqual(file.format.mFramesPerPacket, 1024)
            expectEqual(file.format.mSampleRate, 44100)
            expectEqual(file.magicCookie.first, 3)
            try expectEqual(file.countPackets(), 10)
            expectEqual(file.packetSizeUpperBound, 29)
            expectEqual(file.frameCount, 10240)
            let contents = try Contents(of: file, roomBytes: 72)
            expectEqual(contents.bytes, source.audio)
            expectEqual(contents.descriptions.map(\.mDataByteSize), (20...29).map { UInt32($0) })
            for first in 0..<10 {
                try expectEqual(
                    Contents(of: file, from: Int64(first)).bytes, source.packets[first...].flatMap { $0 })
            }
            expectEqual(file.dataRange?.count, source.audio.count)
            #expect(file.warnings.isEmpty)
            #expect(file.chunks.contains { $0.type.description == "'stsz'" && $0.depth == 5 })
        }
    }

    @Test("have sizes in each of the table types")
    func sizes() throws {
        var source = MP4File()
        for bits in [8, 16] as [UInt8] {
            source.sizeBits = bits
            try expectEqual(Contents(of: open(source)).bytes, source.audio)
        }
        source.packets = (1...9).map { [UInt8](repeating: UInt8($0), count: $0) }
        source.sizeBits = 4
        try expectEqual(Contents(of: open(source)).bytes, source.audio)
        source.sizeBits = nil
        source.packets = Array(repeating: [UInt8](repeating: 7, count: 30), count: 10)
        source.commonSize = (30, 10)
        let file = try open(source)
        try expectEqual(Contents(of: file).descriptions.count, 10)
        #expect(file.warnings.isEmpty)
    }

    @Test("are trimmed to the frame by the edit list, even if it counts milliseconds")
    func edits() throws {
        var source = MP4File()
        source.durations = [(9, 1024), (1, 500)]
        // 8692 frames are 197.1 ms, which some round up and others down.
        var table: PacketTable?
        for milliseconds in [197, 198] as [UInt32] {
            source.edits = [(milliseconds, 1024)]
            table = try open(source).packetTable
            expectEqual(table, PacketTable(primingFrames: 1024, validFrames: 8692, remainderFrames: 524))
        }
        // An edit that ends elsewhere is applied as far as possible.
        source.edits = [(100, 1024)]
        table = try open(source).packetTable
        expectEqual(table, PacketTable(primingFrames: 1024, validFrames: 4410, remainderFrames: 4806))
        source.movieTimescale = 44100
        source.durations = nil
        source.edits = [(8000, 2112)]
        table = try open(source).packetTable
        expectEqual(table, PacketTable(primingFrames: 2112, validFrames: 8000, remainderFrames: 128))
        source.edits = [(0, 2112)]
        try expectEqual(open(source).frameCount, Int64(10240 - 2112))
        source.edits = [(.max, .max)]
        try expectEqual(open(source).frameCount, 0)
        source.durations = [(9, 1024), (1, 500)]
        source.edits = []
        try expectEqual(open(source).frameCount, 9716)
    }

    @Test("report the parts of an edit list that are ignored")
    func oddEdits() throws {
        var source = MP4File()
        source.edits = [(50, -1), (0, 1024)]
        var file = try open(source)
        expectEqual(file.packetTable?.primingFrames, 1024)
        expectEqual(file.warnings, ["the silence that its edit list asks for is left out"])
        source.edits = [(0, 1024), (10, 0)]
        file = try open(source)
        expectEqual(file.packetTable?.primingFrames, 1024)
        expectEqual(file.warnings, ["its edit list has more than one part, and only the first is played"])
    }

    @Test("are trimmed by the iTunes tag, if possible")
    func gaplessNote() throws {
        var source = MP4File()
        source.edits = [(100, 0)]
        let zeros = String(repeating: " 00000000", count: 8)
        source.userData = MP4File.metadata(
            MP4File.freeForm("iTunSMPB", " 00000000 00000840 000001C0 0000000000001E00" + zeros))
        var file = try open(source)
        expectEqual(
            file.packetTable, PacketTable(primingFrames: 2112, validFrames: 7680, remainderFrames: 448))
        // Of other audio.
        source.userData = MP4File.metadata(
            MP4File.freeForm("iTunSMPB", " 00000000 00000840 000001C0 0000000000101E00" + zeros))
        file = try open(source)
        expectEqual(file.packetTable, PacketTable(primingFrames: 0, validFrames: 4410, remainderFrames: 5830))
        source.edits = []
        source.userData = MP4File.metadata(MP4File.freeForm("iTunSMPB", "FFFFFFFFFFFFFFFFFFFF x -1 1"))
        try expectEqual(open(source).frameCount, 10240)
    }

    @Test("with announced band replication have packets of twice the frames at the output's rate")
    func highEfficiency() throws {
        var source = MP4File()
        // Object type 5, core at 22.05 kHz, two channels, extension at 44.1 kHz, core LC.
        source.entry = MP4File.aacEntry(config: [0x2B, 0x92, 0x08, 0x00])
        // The track may count in either rate.
        for (timescale, ticks) in [(44100, 2048), (22050, 1024)] as [(UInt32, UInt32)] {
            source.timescale = timescale
            source.durations = [(10, ticks)]
            source.edits = [(0, Int32(ticks * 2))]
            let file = try open(source)
            expectEqual(file.format.mFormatID, kAudioFormatMPEG4AAC_HE)
            expectEqual(file.format.mSampleRate, 44100)
            expectEqual(
                file.packetTable, PacketTable(primingFrames: 4096, validFrames: 16384, remainderFrames: 0))
        }
        // Without an announcement there is only the core.
        source.entry = MP4File.aacEntry(config: [0x13, 0x90])
        try expectEqual(open(source).frameCount, Int64(8 * 1024))
    }

    @Test("have text, numbers and chapters")
    func metadata() throws {
        var source = MP4File()
        let track = MP4File.box("trkn") {
            $0.appendBox("data") {
                $0.append(big: UInt64(0))
                for number in [0, 3, 12, 0] as [UInt16] { $0.append(big: number) }
            }
        }
        source.userData = MP4File.metadata(
            MP4File.item("nam", "Title"), MP4File.item("ART", "\u{1B}[2JArtist"), MP4File.item("alb", "Été"),
            MP4File.item("nam", "Another"), track, MP4File.freeForm("MOOD", "calm"))
        var file = try open(source)
        expectEqual(file.tags, AudioFileTags(title: "Title", artist: "[2JArtist", album: "Été"))
        expectEqual(
            file.information,
            [
                AudioFileInformation("title", "Title"), AudioFileInformation("artist", "[2JArtist"),
                AudioFileInformation("album", "Été"), AudioFileInformation("track number", "3/12"),
                AudioFileInformation("MOOD", "calm"),
            ])
        source.userData = MP4File.box("udta") {
            $0.appendFullBox("chpl", version: 1) {
                $0.append(big: UInt32(0))
                $0.append(raw: [2])
                for (start, name) in [(0, "One"), (10_000_000, "Two")] as [(UInt64, String)] {
                    $0.append(big: start)
                    $0.append(raw: [UInt8(name.utf8.count)] + Array(name.utf8))
                }
            }
        }
        file = try open(source)
        expectEqual(file.markers.map(\.name), ["One", "Two"])
        expectEqual(file.markers.map(\.framePosition), [0, 44100])
    }

    @Test("of QuickTime return PCM as PCM")
    func linearPCM() throws {
        var source = MP4File()
        source.type = "qt  "
        source.packets = [noise(count: 4 * 250)]
        source.samplesPerChunk = 250
        source.durations = [(250, 1)]
        // Samples are frames there, whatever size the table gives.
        for size in [4, 1] as [UInt32] {
            source.commonSize = (size, 250)
            for type in ["sowt", "twos"] as [StaticString] {
                source.entry = MP4File.entry(type)
                let file = try open(source)
                expectEqual(file.containerName, "QuickTime")
                #expect(file.format.isLinearPCM)
                expectEqual(file.format.isBigEndian, (type.description == "twos"))
                expectEqual(file.frameCount, 250)
                try expectEqual(Contents(of: file, roomBytes: 64).bytes, source.audio)
                try expectEqual(Contents(of: file, from: 249).bytes.count, 4)
            }
        }
        source.entry = MP4File.entry("ulaw", channels: 1)
        source.commonSize = (1, 250)
        try expectEqual(open(source).format.mFormatID, kAudioFormatULaw)
    }

    @Test("of QuickTime need no leading type box")
    func untyped() throws {
        let source = MP4File()
        let bytes = MP4File.box("mdat") { $0.append(raw: source.audio) } + source.movie(audioOffset: 8)
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.containerName, "QuickTime")
        try expectEqual(Contents(of: file).bytes, source.audio)
    }

    @Test("of QuickTime count the frames of IMA 4:1, not its packets")
    func adaptive() throws {
        var source = MP4File()
        source.entry = MP4File.entry("ima4")
        source.packets = [noise(count: 68 * 3)]
        source.samplesPerChunk = 192
        source.durations = [(192, 1)]
        source.commonSize = (1, 192)
        let file = try open(source)
        try expectEqual(file.countPackets(), 3)
        expectEqual(file.frameCount, 192)
        try expectEqual(Contents(of: file).bytes, source.audio)
    }

    @Test("name the unsupported codec")
    func refused() throws {
        for (type, name) in [
            ("ac-3", "AC-3"), ("Opus", "Opus"), ("fLaC", "FLAC"), ("enca", "encrypted audio"),
            ("xyz1", "'xyz1'"),
        ] as [(StaticString, String)] {
            var source = MP4File()
            source.entry = MP4File.entry(type)
            let error = try #require(throws: AudioFileError.self) { try open(source) }
            expectEqual(error.code, .unsupported)
            #expect(error.message.contains(name))
        }
        var source = MP4File()
        source.handler = "vide"
        let error = try #require(throws: AudioFileError.self) { try open(source) }
        #expect(error.message.hasSuffix("it has no audio"))
    }

    @Test("begin decoding early enough for correct frames")
    func seeking() throws {
        var source = MP4File()
        source.edits = [(0, 1024)]
        let file = try open(source)
        try expectEqual(file.seekPoint(forFrame: 0), SeekPoint(packet: 0, framesToDiscard: 1024))
        try expectEqual(file.seekPoint(forFrame: 5000), SeekPoint(packet: 3, framesToDiscard: 6024 - 3072))
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 9217) }
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: .max) }
    }

    @Test("are read from a pipe if the index comes first")
    func piped() throws {
        let source = MP4File()
        let file = try openPiped(source.bytes)
        #expect(!file.isSeekable)
        expectEqual(file.frameCount, 10240)
        try expectEqual(Contents(of: file, from: 2).bytes, source.packets[2...].flatMap { $0 })
        let past = try #require(throws: AudioFileError.self) { try Contents(of: file, from: 1) }
        expectEqual(past.code, .notSeekable)
    }
}
