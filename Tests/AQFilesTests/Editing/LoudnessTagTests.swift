// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("Loudness written into tags") struct LoudnessTagTests {
    private static let gain = ReplayGain(
        track: .init(gainDecibels: -6.2, peak: 0.988831), album: .init(gainDecibels: -5.17, peak: 1.012))
    private static let other = ReplayGain(track: .init(gainDecibels: 11.5, peak: 0.25))

    private let folder = ScratchFolder()

    private func write(_ type: AudioFileType, tags: Bool = true) throws -> String {
        let path = folder.file("a.\(type)")
        let sound = try SomeSound(of: type)
        let writer = try AudioFileWriter.create(path: path, type: type, format: sound.format)
        if tags {
            try writer.setInformation(SomeMetadata.tags)
            if type != .caf { try writer.setArtwork(SomeMetadata.picture(bytes: 5000)) }
        }
        try sound.append(to: writer)
        try writer.close()
        return path
    }

    private func isLoudness(_ entry: AudioFileInformation) -> Bool {
        entry.key.lowercased().hasPrefix("replaygain_")
    }

    @Test(
        "all other tags and the audio remain, and values can be replaced",
        arguments: [.mp3, .flac, .wave, .aiff, .aiffC, .caf] as [AudioFileType], [true, false])
    func roundTrip(type: AudioFileType, tags: Bool) throws {
        let path = try write(type, tags: tags)
        let before = try AudioFile.open(path: path)
        let (information, artwork) = (before.information, before.artwork)
        let sound = try Contents(of: before)
        try Self.gain.write(toFile: FilePath(path))
        for (gain, album) in [(Self.gain, Self.gain.album), (Self.other, Self.gain.album)] {
            try gain.write(toFile: FilePath(path))
            let file = try AudioFile.open(path: path)
            let found = file.replayGain
            expectEqual(found.track, gain.track)
            // Not measured the second time, so it is kept.
            expectEqual(found.album, album)
            expectEqual(
                file.information.filter { !isLoudness($0) }.byKey, information.byKey)
            expectEqual(file.information.filter(isLoudness).count, 4)
            expectEqual(file.artwork, artwork)
            let isSame = try Contents(of: file).bytes == sound.bytes
            #expect(isSame)
            expectEqual(file.frameCount, before.frameCount)
            expectEqual(file.problems, before.problems)
        }
        expectEqual(folder.names, ["a.\(type)"])
    }

    @Test(
        "the packets of MPEG audio and the frames of FLAC are the same bytes",
        arguments: [.mp3, .flac] as [AudioFileType])
    func bytes(type: AudioFileType) throws {
        let path = try write(type)
        let before = AQFilesTests.bytes(ofFile: path)
        try Self.gain.write(toFile: FilePath(path))
        let after = AQFilesTests.bytes(ofFile: path)
        let audio = before.suffix(10_000)
        let isKept = Array(after.suffix(10_000)) == Array(audio)
        #expect(isKept)
        // With room for it, a second tag moves nothing.
        try Self.other.write(toFile: FilePath(path))
        expectEqual(AQFilesTests.bytes(ofFile: path).count, after.count)
    }

    // MARK: ID3

    private func frame(_ name: String, _ contents: [UInt8], version: UInt8) -> [UInt8] {
        version == 2
            ? Array(name.utf8) + [0, 0, UInt8(contents.count)] + contents
            : Array(name.utf8) + [0, 0, 0, UInt8(contents.count), 0, 0] + contents
    }

    private func tag(_ frames: [UInt8], version: UInt8, flags: UInt8 = 0) -> [UInt8] {
        Array("ID3".utf8) + [version, 0, flags, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 127)]
            + frames
    }

    @Test("frames of any kind are kept byte for byte, in each version", arguments: [2, 3, 4] as [UInt8])
    func frames(version: UInt8) throws {
        let names = version == 2 ? ["TT2", "XYZ", "TXX"] : ["TIT2", "PRIV", "TXXX"]
        let kept = [
            frame(names[0], Array("\0Song".utf8), version: version),
            frame(names[1], [0xFF, 0xFE, 0, 1, 0xFF], version: version),
            frame(names[2], Array("\0mine\0x".utf8), version: version),
        ]
        let old = frame(names[2], Array("\0Replaygain_Track_Gain\u{0}9 dB".utf8), version: version)
        let bytes = tag(kept[0] + old + kept[1] + kept[2] + [0, 0, 0], version: version)
        let new = try ID3LoudnessTag.bytes(replacing: bytes, Self.gain)
        #expect(new.starts(with: Array("ID3".utf8) + [version]))
        #expect(Array(new.dropFirst(10)).starts(with: kept.flatMap { $0 }))
        let found = ID3Reader.metadata(in: TagBytes(new))
        expectEqual(ReplayGain(information: found.information), Self.gain)
        // The second time it fits.
        let again = try ID3LoudnessTag.bytes(replacing: new, Self.other)
        expectEqual(again.count, new.count)
        expectEqual(
            ReplayGain(information: ID3Reader.metadata(in: TagBytes(again)).information).track,
            Self.other.track)
    }

    @Test("relative volumes of the same use are removed, and others kept")
    func volumes() throws {
        let track = frame("RVA2", Array("track\0".utf8) + [1, 0, 0, 0], version: 4)
        let own = frame("RVA2", Array("mine\0".utf8) + [1, 0, 0, 0], version: 4)
        let new = try ID3LoudnessTag.bytes(replacing: tag(track + own, version: 4), Self.other)
        #expect(Array(new.dropFirst(10)).starts(with: own + Array("TXXX".utf8)))
    }

    @Test("unsynchronised tags are decoded, and extended headers and footers removed")
    func unusual() throws {
        let title = frame("TIT2", [1, 0xFF, 0xFE, 0x41, 0], version: 3)
        // A zero follows each 0xFF.
        let coded = title.flatMap { $0 == 0xFF ? [0xFF, 0] : [$0] }
        let new = try ID3LoudnessTag.bytes(replacing: tag(coded, version: 3, flags: 0x80), Self.other)
        #expect(new[5] == 0 && Array(new.dropFirst(10)).starts(with: title))
        let plain = frame("TIT2", Array("\0A".utf8), version: 4)
        let extended =
            tag([0, 0, 0, 6, 1, 0] + plain, version: 4, flags: 0x50) + Array("3DI".utf8)
            + [4, 0, 0x50, 0, 0, 0, 19]
        let shown = try ID3LoudnessTag.bytes(replacing: extended, Self.other)
        #expect(shown[5] == 0 && Array(shown.dropFirst(10)).starts(with: plain))
    }

    @Test("tags with data that would be lost are refused")
    func refusedTags() {
        let plain = frame("TIT2", Array("\0A".utf8), version: 4)
        for bytes in [
            tag(plain + [1, 2, 3], version: 4), tag(plain + [0, 0, 7], version: 4),
            tag(frame("TIT2", [], version: 4).dropLast(4) + [0, 99, 0, 0], version: 4),
            tag(plain, version: 5), tag(plain, version: 2, flags: 0x40),
            tag([9, 9], version: 3, flags: 0x40),
        ] as [[UInt8]] {
            #expect(throws: AudioFileError.self) { try ID3LoudnessTag.bytes(replacing: bytes, Self.gain) }
        }
    }

    // MARK: FLAC

    @Test("comments and blocks of FLAC are kept as stored")
    func flacBlocks() throws {
        let path = try write(.flac)
        var bytes = AQFilesTests.bytes(ofFile: path)
        // An application block with the last bytes of the metadata, and comments that are no text.
        let comments: [UInt8] =
            little(UInt32(1)) + [0xFE] + little(UInt32(3)) + little(UInt32(2)) + [0x41, 0xFF]
            + little(UInt32(26)) + Array("replaygain_Track_gain=1 dB".utf8) + little(UInt32(0))
        let end = 8 + 34
        let streamInfo = Array(bytes[..<end])
        let audio = try #require(
            bytes.indices.dropFirst(end).first { bytes[$0] == 0xFF && bytes[$0 + 1] & 0xFE == 0xF8 })
        let own: [UInt8] = [2, 0, 0, 5] + Array("test!".utf8)
        bytes =
            streamInfo + own + [4, 0, 0, UInt8(comments.count)] + comments + [0x81, 0, 0, 1, 0]
            + bytes[audio...]
        let saved = try folder.write(bytes, to: "own.flac")
        try Self.other.write(toFile: FilePath(saved))
        let new = AQFilesTests.bytes(ofFile: saved)
        #expect(Array(new.dropFirst(end)).starts(with: own))
        let expected: [UInt8] =
            little(UInt32(1)) + [0xFE] + little(UInt32(4)) + little(UInt32(2)) + [0x41, 0xFF]
            + little(UInt32(0))
            + little(UInt32(30)) + Array("REPLAYGAIN_TRACK_GAIN=11.50 dB".utf8)
        #expect(Array(new.dropFirst(end + own.count + 4)).starts(with: expected))
        let isKept =
            Array(new.suffix(bytes.count - audio)) == Array(bytes[audio...].suffix(bytes.count - audio))
        #expect(isKept)
        try expectEqual(AudioFile.open(path: saved).replayGain, Self.other)
    }

    // MARK: MPEG-4

    private func tagMP4(_ file: MP4File, _ name: String = "a.m4a") throws -> (before: AudioFile, path: String)
    {
        let path = try folder.write(file.bytes, to: name)
        let before = try AudioFile.open(path: try folder.write(file.bytes, to: "before-\(name)"))
        try Self.gain.write(toFile: FilePath(path))
        return (before, path)
    }

    @Test(
        "items of MPEG-4 before and after the audio, with 32 and 64 bits", arguments: [false, true],
        [false, true])
    func mp4(isIndexLast: Bool, hasLongOffsets: Bool) throws {
        for userData in [
            [],
            MP4File.metadata(MP4File.item("nam", "Song"), MP4File.freeForm("REPLAYGAIN_TRACK_GAIN", "9 dB")),
        ] {
            var movie = MP4File()
            (movie.isIndexLast, movie.hasLongOffsets, movie.userData) = (
                isIndexLast, hasLongOffsets, userData
            )
            let (before, path) = try tagMP4(movie)
            let file = try AudioFile.open(path: path)
            expectEqual(file.replayGain, Self.gain)
            let isSame = try Contents(of: file).bytes == Contents(of: before).bytes
            #expect(isSame)
            expectEqual(
                file.information.filter { !isLoudness($0) }, before.information.filter { !isLoudness($0) })
            expectEqual(file.problems, before.problems)
            // Again, with fewer values.
            try Self.other.write(toFile: FilePath(path))
            let again = try AudioFile.open(path: path)
            expectEqual(again.replayGain, ReplayGain(track: Self.other.track, album: Self.gain.album))
            let isStillSame = try Contents(of: again).bytes == Contents(of: before).bytes
            #expect(isStillSame)
        }
    }

    @Test("MPEG-4 with other metadata, broken boxes or fragments is refused, unchanged")
    func refusedMP4() throws {
        let whole = MP4File().bytes
        let fragment = MP4File.box("moof") { $0.append(raw: [0, 0, 0, 8] + Array("mfhd".utf8)) }
        var other = MP4File()
        other.userData = MP4File.box("udta") {
            $0.append(
                raw: MP4File.box("meta") {
                    $0.append(raw: [0, 0, 0, 0])
                    $0.append(
                        raw: MP4File.box("hdlr") {
                            $0.append(raw: [0, 0, 0, 0, 0, 0, 0, 0] + Array("mdta".utf8))
                        })
                })
        }
        for bytes in [whole + fragment, Array(whole.dropLast(1)), other.bytes] {
            let path = try folder.write(bytes, to: "refused.m4a")
            #expect(throws: AudioFileError.self) { try Self.gain.write(toFile: FilePath(path)) }
            expectFile(path, holds: bytes)
        }
        expectEqual(folder.names, ["refused.m4a"])
    }

    // MARK: Ogg

    /// A stream of headers and a few pages, which only the editor reads.
    private func opus(comments: [UInt8], audioPages: Int = 3, position: Int64 = 960) -> [UInt8] {
        let head = Array("OpusHead".utf8) + [1, 2, 0, 0] + little(UInt32(48_000)) + [0, 0, 0]
        var bytes = OggBytes.page([head], serial: 7, number: 0, position: 0, isFirst: true)
        bytes += OggBytes.page([comments], serial: 7, number: 1, position: 0)
        for page in 0..<audioPages {
            bytes += OggBytes.page(
                [[0xFC, 0xFF, 0xFE]], serial: 7, number: 2 + page, position: position * Int64(page + 1),
                isLast: page == audioPages - 1)
        }
        return bytes
    }

    private func pages(
        _ bytes: [UInt8]
    ) -> [(page: OggPage, number: UInt32, isIntact: Bool, contents: [UInt8])] {
        var pages: [(OggPage, UInt32, Bool, [UInt8])] = []
        var rest = bytes[...]
        while let page = OggPage(rest) {
            let whole = Array(rest.prefix(page.byteCount))
            let number = (0..<4).reduce(0) { $0 | UInt32(whole[18 + $1]) << (8 * UInt32($1)) }
            pages.append(
                (page, number, OggPage.hasRightChecksum(whole[...]), Array(whole[page.headerByteCount...])))
            rest = rest.dropFirst(page.byteCount)
        }
        #expect(rest.isEmpty)
        return pages
    }

    @Test("pages of Ogg are numbered and checked, also if the headers fill more of them")
    func oggPages() throws {
        // Up to 65,025 bytes fit a page.
        for fill in [10, 64_960] {
            let text = [UInt8](repeating: 0x61, count: fill)
            let comments: [UInt8] =
                Array("OpusTags".utf8) + little(UInt32(4)) + Array("test".utf8) + little(UInt32(2))
                + little(UInt32(fill)) + text + little(UInt32(27)) + Array("REPLAYGAIN_TRACK_GAIN=-1 dB".utf8)
                + [9, 9]
            let path = try folder.write(opus(comments: comments), to: "a.opus")
            let before = pages(bytes(of: path))
            let file = try EditableFile(path: FilePath(path))
            let parts = try OggLoudnessTag.parts(of: file, Self.gain)
            let target = try EditableFile(path: FilePath(try folder.write([], to: "b.opus")))
            try parts.write(from: file, to: target)
            let after = pages(bytes(of: folder.file("b.opus")))
            expectEqual(after.map(\.isIntact), [Bool](repeating: true, count: after.count))
            expectEqual(after.map(\.number), Array(0..<UInt32(after.count)))
            expectEqual(after.count, (fill == 10 ? 5 : 6))
            expectEqual(after.suffix(3).map(\.contents), before.suffix(3).map(\.contents))
            expectEqual(
                after.suffix(3).map(\.page.granulePosition), before.suffix(3).map(\.page.granulePosition))
            let packet = after.dropFirst().dropLast(3).flatMap(\.contents)
            let expected: [UInt8] =
                Array("OpusTags".utf8) + little(UInt32(4)) + Array("test".utf8) + little(UInt32(3))
                + little(UInt32(fill)) + text + little(UInt32(21)) + Array("R128_TRACK_GAIN=-2867".utf8)
                + little(UInt32(21)) + Array("R128_ALBUM_GAIN=-2604".utf8) + [9, 9]
            expectEqual(packet, expected)
        }
    }

    @Test("several streams, and headers that end inside a page, are refused")
    func refusedOgg() throws {
        let comments = Array("OpusTags".utf8) + little(UInt32(0)) + little(UInt32(0))
        let one = opus(comments: comments)
        let head = Array("OpusHead".utf8) + [1, 2, 0, 0] + little(UInt32(48_000)) + [0, 0, 0]
        let first = OggBytes.page([head], serial: 7, number: 0, position: 0, isFirst: true)
        let joined =
            first + OggBytes.page([comments, [0xFC]], serial: 7, number: 1, position: 960, isLast: true)
        let multiplexed = first + OggBytes.page([head], serial: 8, number: 0, position: 0, isFirst: true)
        for bytes in [
            joined, multiplexed, Array(one.dropLast(200)), Array(one.prefix(60)),
            first + OggBytes.page([Array("OpusTags".utf8)], serial: 7, number: 1, position: 0),
        ] {
            let path = try folder.write(bytes, to: "refused.ogg")
            let file = try EditableFile(path: FilePath(path))
            #expect(throws: AudioFileError.self) { try OggLoudnessTag.parts(of: file, Self.gain) }
        }
    }

    private func bytes(of path: String) -> [UInt8] { AQFilesTests.bytes(ofFile: path) }

    // MARK: Faults

    @Test("a link, the mode and the old file's other names are kept")
    func links() throws {
        let path = try write(.mp3)
        unsafe expectEqual(chmod(path, 0o640), 0)
        let link = folder.file("link.mp3")
        unsafe expectEqual(symlink("a.mp3", link), 0)
        try Self.gain.write(toFile: FilePath(link))
        var status = stat()
        #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o640)
        try expectEqual(AudioFile.open(path: path).replayGain, Self.gain)
    }

    @Test(
        "a full disk changes nothing, and leaves no other file", arguments: [.mp3, .flac] as [AudioFileType])
    func fullDisk(type: AudioFileType) async throws {
        let path = try write(type)
        let before = AQFilesTests.bytes(ofFile: path)
        await #expect(processExitsWith: .success) {
            [path = path as String, bytes = before.count / 2 as Int] in
            FileSizeLimit.set(bytes: bytes)
            #expect(throws: AudioFileError.self) { try Self.gain.write(toFile: FilePath(path)) }
        }
        expectFile(path, holds: before)
        expectEqual(folder.names, ["a.\(type)"])
    }

    @Test("files without such tags are refused with the reason, unchanged")
    func refused() throws {
        let adts = try write(.adts, tags: false)
        let before = AQFilesTests.bytes(ofFile: adts)
        let text = try folder.write(Array("no audio".utf8), to: "a.txt")
        for (path, reason) in [
            (adts, "not written to this file type"), (text, "it is text"),
            (folder.path, "not a regular file"),
            (folder.file("missing.mp3"), "no such file"),
        ] {
            let error = #expect(throws: AudioFileError.self) { try Self.gain.write(toFile: FilePath(path)) }
            expectEqual(error?.message.hasPrefix("cannot write tags to '\(path)': "), true)
            expectEqual(error?.message.contains(reason), true, "\(error?.message ?? "")")
        }
        expectFile(adts, holds: before)
    }
}
