// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@testable import AQFiles

/// The file after an interrupted change.
@Suite("Changing chunks, and failing") struct ChunkEditSafetyTests {
    private static let test = FourCharacterCode(rawValue: 0x7465_7374)
    /// All types except Wave64 are changed in place.
    private static let inPlace = AudioFileType.containers.filter { $0 != .wave64 }

    /// Together these make all types of write: a chunk is added, others are moved after a larger one, one is
    /// overwritten, one shrinks and leaves a filler, one in the middle and the last are removed.
    private static let changes: [@Sendable (AudioFileEditor) throws -> Void] = [
        { try $0.setChunk(test, index: 0, contents: noise(count: 101)) },
        { try $0.setChunk(test, index: 1, contents: noise(count: 50)) },
        { try $0.setChunk(test, index: 0, contents: noise(count: 1001)) },
        { try $0.setChunk(test, index: 1, contents: noise(count: 50, seed: 7)) },
        { try $0.setChunk(test, index: 0, contents: noise(count: 12)) },
        { try $0.removeChunk(test, index: 0) },
        { try $0.removeChunk(test, index: 0) },
    ]

    private let folder = ScratchFolder()

    private func makeFile(_ type: AudioFileType, _ path: String) throws -> [UInt8] {
        let format = try type.pcmFormat(sampleRate: 48000, channels: 1, bits: 24, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        let sound = noise(count: 3003)
        try writer.append(sound)
        try writer.close()
        return sound
    }

    @Test("before every single write, the file has its complete audio", arguments: inPlace)
    func killed(type: AudioFileType) throws {
        let path = folder.file("sound")
        let sound = try makeFile(type, path)
        let editor = try AudioFileEditor.open(path: path)
        var looks = 0
        editor.file.willChange = { () throws(AudioFileError) in
            // A reader now finds what a kill would leave.
            looks += 1
            expectSound(of: try AudioFile.open(path: path), is: sound)
        }
        for change in Self.changes { try change(editor) }
        #expect(looks >= 15)
    }

    @Test("before every single write, audio of open length is complete too")
    func killedOpen() throws {
        let path = folder.file("sound")
        let sound = try makeFile(.caf, path)
        let place = try #require(try AudioFile.open(path: path).dataRange?.lowerBound)
        try EditableFile(path: FilePath(path)).write([UInt8](repeating: 0xFF, count: 8), at: place - 12)
        let editor = try AudioFileEditor.open(path: path)
        editor.file.willChange = { () throws(AudioFileError) in
            expectSound(of: try AudioFile.open(path: path), is: sound)
        }
        for change in Self.changes { try change(editor) }
    }

    @Test("a failing write leaves the file unchanged", arguments: inPlace)
    func fails(type: AudioFileType) throws {
        let path = folder.file("sound")
        _ = try makeFile(type, path)
        let editor = try AudioFileEditor.open(path: path)
        var failures = 0
        for change in Self.changes {
            let before = bytes(ofFile: path)
            // Fails at each of its writes in turn, until it succeeds.
            for lastWrite in 0..<100 {
                var writes = 0
                editor.file.willChange = { () throws(AudioFileError) in
                    writes += 1
                    if writes > lastWrite { throw AudioFileError(.diskFull, "none is left") }
                }
                do {
                    try change(editor)
                    break
                } catch let error as AudioFileError {
                    expectEqual(error.code, .diskFull)
                    failures += 1
                    expectFile(path, holds: before)
                }
            }
            editor.file.willChange = nil
        }
        #expect(failures >= 15)
    }

    @Test(
        "a full disk leaves the file unchanged",
        .enabled(if: SmallDisk.obstacle == nil, Comment(rawValue: SmallDisk.obstacle ?? "")),
        arguments: AudioFileType.containers)
    func fullDisk(type: AudioFileType) throws {
        let disk = try SmallDisk()
        let path = disk.file("sound")
        let sound = try makeFile(type, path)
        let editor = try AudioFileEditor.open(path: path)
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 100))
        let before = bytes(ofFile: path)
        for index in 0...1 {
            let error = try #require(throws: AudioFileError.self) {
                try editor.setChunk(Self.test, index: index, contents: noise(count: 70_000))
            }
            expectEqual(error.code, .diskFull)
            expectFile(path, holds: before)
        }
        // The existing file can still be changed, and there is a little room.
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 100, seed: 9))
        try editor.setChunk(Self.test, index: 1, contents: noise(count: 1000))
        try expectEqual(Contents(of: AudioFile.open(path: path)).bytes, sound)
        try expectEqual(editor.countChunks(Self.test), 2)
    }

    @Test(
        "a disk too full to rewrite the file leaves it unchanged",
        .enabled(if: SmallDisk.obstacle == nil, Comment(rawValue: SmallDisk.obstacle ?? "")))
    func fullDiskOptimizing() throws {
        let disk = try SmallDisk()
        let path = disk.file("sound")
        _ = try makeFile(.wave, path)
        let editor = try AudioFileEditor.open(path: path)
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 40_000))
        let before = bytes(ofFile: path)
        let error = try #require(throws: AudioFileError.self) { try editor.optimize() }
        expectEqual(error.code, .diskFull)
        expectFile(path, holds: before)
        // No partial file remains: all the room is free again.
        try editor.setChunk(Self.test, index: 1, contents: noise(count: 10_000))
    }

    @Test("a file that is optimized keeps its permissions, and a link to it")
    func keepsPermissions() throws {
        let (path, link) = (folder.file("sound"), folder.file("link"))
        let sound = try makeFile(.aiff, path)
        unsafe expectEqual(chmod(path, 0o640), 0)
        unsafe expectEqual(symlink("sound", link), 0)
        let editor = try AudioFileEditor.open(path: link)
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 100))
        try editor.optimize()
        var status = stat()
        #expect(unsafe lstat(path, &status) == 0 && status.st_mode == S_IFREG | 0o640)
        #expect(unsafe lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        expectEqual(folder.names.count, 2)
        try expectEqual(Contents(of: AudioFile.open(path: path)).bytes, sound)
        try expectEqual(
            AudioFile.open(path: path).dataRange?.upperBound, Int64(bytes(ofFile: path).count) - 1)
    }
}
