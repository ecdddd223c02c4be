// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("Metadata of files, written and read")
struct MetadataWriteTests {
    /// A file type, and whether its packets are already encoded.
    struct Kind: Sendable, CustomTestStringConvertible {
        var type: AudioFileType
        var asPackets = false

        var testDescription: String { type.name + (asPackets ? " of packets" : "") }

        static let tags =
            ([.wave, .rf64, .aiff, .aiffC, .adts] + Encoders.all + Encoders.ogg).map { Kind(type: $0) } + mp3
        static let pictures = tags.filter { $0.type != .adts }
        #if HAVE_MPEG_AUDIO
        private static let mp3 = [Kind(type: .mp3, asPackets: true)]
        #else
        private static let mp3: [Kind] = []
        #endif
    }

    /// Writes audio with its metadata.
    private func write(
        _ kind: Kind, to path: String, _ tags: [AudioFileInformation], _ picture: AudioFileArtwork? = nil
    ) throws -> AudioFile {
        let sound = try SomeSound(of: kind.type, asPackets: kind.asPackets)
        let writer = try AudioFileWriter.create(path: path, type: kind.type, format: sound.format)
        if !tags.isEmpty {
            try writer.setInformation([
                AudioFileInformation("title", "Another"), AudioFileInformation("x", "y"),
            ])
            try writer.setInformation(tags)
        }
        if let picture { try writer.setArtwork(picture) }
        try sound.append(to: writer)
        #expect(throws: AudioFileError.self) { try writer.setInformation([]) }
        try writer.close()
        expectEqual(writer.byteCount, Int64(bytes(ofFile: path, atMost: 1 << 24).count))
        let file = try AudioFile.open(path: path)
        #expect(file.warnings.isEmpty)
        return file
    }

    /// The tags that a file keeps, without those of its encoder.
    private func tags(of file: AudioFile) -> [AudioFileInformation] {
        file.information.filter { $0.key != "source encoder" }.byKey
    }

    @Test("tags are kept completely, and the audio is the same as without them", arguments: Kind.tags)
    func tags(kind: Kind) throws {
        let folder = ScratchFolder()
        let plain = try write(kind, to: folder.file("plain"), [])
        #expect(tags(of: plain).isEmpty)
        let sound = try Contents(of: plain)
        let long = String(repeating: "Größe. ", count: 12_000) + "end"
        for more in [[], [AudioFileInformation("comments", long), AudioFileInformation("lyrics", long)]] {
            let wanted = SomeMetadata.tags.filter { text in !more.contains { $0.key == text.key } } + more
            let file = try write(kind, to: folder.file("\(more.count)"), wanted)
            expectEqual(tags(of: file), wanted.byKey)
            expectEqual(
                file.tags, AudioFileTags(title: "Überraschung – 驚き", artist: "Ærlig & Søn", album: "A"))
            let contents = try Contents(of: file)
            #expect(contents.bytes == sound.bytes && contents.packets == sound.packets)
            expectEqual(file.packetTable, plain.packetTable)
            try expectEqual(file.countPackets(), plain.countPackets())
        }
    }

    @Test("a year is one, and empty values are dropped", arguments: Kind.tags)
    func yearAndNothing(kind: Kind) throws {
        let folder = ScratchFolder()
        let year = [AudioFileInformation("year", "1999"), AudioFileInformation("title", "")]
        expectEqual(
            tags(of: try write(kind, to: folder.file("a"), year)), [AudioFileInformation("year", "1999")])
        let both = year + [AudioFileInformation("recorded date", "1999-01")]
        let date = [AudioFileInformation("recorded date", "1999-01")]
        expectEqual(tags(of: try write(kind, to: folder.file("b"), both)), date)
        let empty = try write(kind, to: folder.file("c"), [AudioFileInformation("title", "")])
        #expect(tags(of: empty).isEmpty)
    }

    @Test("several values of a key stay separate", arguments: Kind.tags)
    func several(kind: Kind) throws {
        let folder = ScratchFolder()
        let artists = ["One", "Two"].map { AudioFileInformation("artist", $0) }
        expectEqual(tags(of: try write(kind, to: folder.file("a"), artists)), artists)
    }

    @Test("M4A has numbers of tracks and discs as numbers, and other values as text")
    func numbers() throws {
        let keys = ["track number", "disc number"]
        for value in ["1", "2/3", "65535/65535", "A", "0", "0/7", "1/2/3", "70000", "2/x"] {
            var bytes = HeaderBytes()
            bytes.appendMetadata(FileMetadata(information: keys.map { AudioFileInformation($0, value) }))
            let isNumber = ["1", "2/3", "65535/65535"].contains(value)
            for name in ["trkn", "disk"] {
                expectEqual(
                    (bytes.bytes.firstRange(of: Array(name.utf8)) != nil), isNumber, "\(name) \(value)")
            }
            let read = MP4Metadata(MP4Bytes(bytes.bytes)).information
            expectEqual(read, keys.map { AudioFileInformation($0, value) })
        }
    }

    @Test("pictures of any size are kept", arguments: Kind.pictures, [100, 1001, 150_000])
    func pictures(kind: Kind, byteCount: Int) throws {
        let folder = ScratchFolder()
        let sound = try Contents(of: write(kind, to: folder.file("plain"), []))
        let picture = SomeMetadata.picture(bytes: byteCount)
        let file = try write(kind, to: folder.file("a"), SomeMetadata.tags, picture)
        #expect(file.artwork == picture && file.artwork?.mimeType == "image/jpeg")
        expectEqual(file.artwork?.pixelSize.map { [$0.width, $0.height] }, [500, 400])
        expectEqual(tags(of: file), SomeMetadata.tags.byKey)
        try expectEqual(Contents(of: file).bytes, sound.bytes)
        let alone = try write(kind, to: folder.file("b"), [], picture)
        #expect(alone.artwork == picture && tags(of: alone).isEmpty)
    }

    @Test("an incomplete file has its audio, and tags of usual length", arguments: Kind.tags)
    func unfinished(kind: Kind) throws {
        let folder = ScratchFolder()
        let sound = try SomeSound(of: kind.type, asPackets: kind.asPackets)
        for (name, picture) in [("a", nil), ("b", SomeMetadata.picture(bytes: 50_000))] {
            let writer = try AudioFileWriter.create(
                path: folder.file(name), type: kind.type, format: sound.format)
            try writer.setInformation(SomeMetadata.tags)
            if let picture, kind.type != .adts { try writer.setArtwork(picture) }
            for number in sound.blocks.indices {
                try sound.append(block: number, to: writer)
                let file = try AudioFile.open(path: folder.file(name))
                #expect(file.warnings.isEmpty)
                let frames = try file.countFrames()
                #expect(frames <= writer.frameCount && frames >= writer.frameCount - 13 * 1152)
                if picture == nil { expectEqual(tags(of: file), SomeMetadata.tags.byKey) }
            }
            try writer.close()
        }
    }

    @Test("streams have their tags and pictures at the start", arguments: Kind.tags)
    func streams(kind: Kind) throws {
        let folder = ScratchFolder()
        let path = folder.file("fifo")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let sound = try SomeSound(of: kind.type, asPackets: kind.asPackets)
        let writer = try AudioFileWriter.create(path: path, type: kind.type, format: sound.format)
        try writer.setInformation([AudioFileInformation("title", "Another")])
        try writer.setInformation(SomeMetadata.tags)
        let picture = kind.type == .adts ? nil : SomeMetadata.picture(bytes: 10_000)
        if let picture { try writer.setArtwork(picture) }
        try sound.append(block: 0, to: writer)
        try writer.close()
        var received = [UInt8](repeating: 0, count: 1 << 17)
        let count = unsafe received.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
        try #require(count > 0)
        let saved = TemporaryFile(Array(received.prefix(count)))
        let file = try AudioFile.open(path: saved.path)
        #expect(tags(of: file) == SomeMetadata.tags.byKey && file.artwork == picture)
        #expect(try file.countFrames() >= writer.frameCount)
    }

    @Test("markers keep their frames and names", arguments: [AudioFileType.wave, .rf64, .aiff, .aiffC])
    func markers(type: AudioFileType) throws {
        let folder = ScratchFolder()
        let sound = try SomeSound(of: type)
        let places = [
            AudioFileMarker(framePosition: 0, name: "Begin", identifier: 4),
            AudioFileMarker(framePosition: 12_345, name: "Mïtte", identifier: 2),
            AudioFileMarker(framePosition: 20_000, identifier: 9),
        ]
        let writer = try AudioFileWriter.create(path: folder.file("a"), type: type, format: sound.format)
        try writer.setInformation([AudioFileInformation("title", "T")])
        try writer.setMarkers(places + [AudioFileMarker(framePosition: 1e12, identifier: 11)])
        try sound.append(to: writer)
        try writer.close()
        let file = try AudioFile.open(path: folder.file("a"))
        #expect(file.markers == places && file.warnings.isEmpty)
        expectEqual(file.information, [AudioFileInformation("title", "T")])
        // Invalid numbers are replaced.
        let again = try AudioFileWriter.create(path: folder.file("b"), type: type, format: sound.format)
        let name = String(repeating: "ö", count: 300)
        try again.setMarkers([
            AudioFileMarker(framePosition: 1.4), AudioFileMarker(framePosition: 2, name: name),
        ])
        try again.close()
        let read = try AudioFile.open(path: folder.file("b")).markers
        #expect(read.map(\.framePosition) == [1, 2] && read.map(\.identifier) == [1, 2])
        expectEqual(read.last.map { name.hasPrefix($0.name) && $0.name.count >= 127 }, true)
    }

    @Test("unsupported metadata is refused, and nothing else with it")
    func refused() throws {
        let folder = ScratchFolder()
        let sound = try SomeSound(of: .wave64)
        let writer = try AudioFileWriter.create(path: folder.file("a"), type: .wave64, format: sound.format)
        for set in [
            { try writer.setInformation(SomeMetadata.tags) },
            { try writer.setArtwork(SomeMetadata.picture(bytes: 100)) },
            { try writer.setMarkers([AudioFileMarker(framePosition: 1)]) },
        ] as [() throws -> Void] {
            let error = #expect(throws: AudioFileError.self) { try set() }
            expectEqual(error?.code, .unsupported)
        }
        try sound.append(to: writer)
        try writer.close()
        try expectEqual(AudioFile.open(path: folder.file("a")).frameCount, 20_001)
    }

    @Test("a full disk keeps the audio without the tags", arguments: Kind.tags)
    func sizeLimit(kind: Kind) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        let (name, asPackets) = (kind.type.rawValue, kind.asPackets)
        await #expect(processExitsWith: .success) {
            [path = path as String, name = name as String, asPackets = asPackets as Bool] in
            let type = try #require(AudioFileType(rawValue: name))
            let sound = try SomeSound(of: type, asPackets: asPackets)
            let writer = try AudioFileWriter.create(path: path, type: type, format: sound.format)
            let long = [AudioFileInformation("comments", String(repeating: "x", count: 200_000))]
            FileSizeLimit.set(bytes: 150_000)
            #expect(throws: AudioFileError.self) {
                try writer.setInformation(long)
                try sound.append(to: writer)
                try writer.close()
            }
            #expect(throws: Never.self) { try writer.close() }
        }
        let written = bytes(ofFile: path, atMost: 1 << 20)
        #expect(written.count <= 150_000)
        // A tag that did not fit is completely absent.
        #expect(!written.starts(with: "ID3".utf8))
        if [.wave, .rf64, .aiff, .aiffC].contains(kind.type) {
            let file = try AudioFile.open(path: path)
            #expect(try file.warnings.isEmpty && file.countFrames() > 16_000)
        }
    }

    @Test(
        "MPEG-4 keeps tags, one date, and a picture, before or after the audio",
        arguments: [nil, 40 as Int64])
    func mpeg4(expectedPackets: Int64?) throws {
        let folder = ScratchFolder()
        let sound = try SomeSound(of: .adts)
        let picture = SomeMetadata.picture(bytes: 20_000)
        let writer = try AudioFileWriter.create(
            path: folder.file("a"), type: .m4a, format: sound.format, expectedPackets: expectedPackets)
        let long = [AudioFileInformation("description", String(repeating: "é ", count: 50_000) + "end")]
        try writer.setInformation(SomeMetadata.tags + long)
        try writer.setArtwork(picture)
        try sound.append(to: writer)
        #expect(throws: AudioFileError.self) { try writer.setArtwork(picture) }
        try writer.close()
        let file = try AudioFile.open(path: folder.file("a"))
        expectEqual(tags(of: file), (SomeMetadata.tags + long).byKey)
        #expect(file.artwork == picture && file.warnings.isEmpty)
        try expectEqual(Contents(of: file).packets, 30)
    }

    /// Read as a pipe: the part before the audio.
    @Test("a stream has the same metadata as the file", arguments: Kind.tags)
    func parsed(kind: Kind) throws {
        let folder = ScratchFolder()
        let file = try write(kind, to: folder.file("a"), SomeMetadata.tags)
        guard ![.flac, .oggVorbis, .oggOpus].contains(kind.type) else { return }
        let core = StreamCore(typeHint: nil)
        unsafe bytes(ofFile: folder.file("a")).withUnsafeBytes { unsafe core.append($0) }
        while !core.facts.isReady, try core.advance() {}
        expectEqual(core.facts.information, file.information)
    }
}
