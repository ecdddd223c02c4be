// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Testing
import AQTestSupport

@testable import AQFiles

/// Chunks of existing files.
@Suite("Changing chunks") struct ChunkEditTests {
    private let folder = ScratchFolder()
    private static let test = FourCharacterCode(rawValue: 0x7465_7374)

    /// A file of noise, its audio, and its path.
    private func makeFile(_ type: AudioFileType, bytes: Int = 3003) throws -> (path: String, sound: [UInt8]) {
        let path = folder.file("sound")
        let format = try type.pcmFormat(sampleRate: 48000, channels: 1, bits: 24, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format, options: .overwrite)
        let sound = noise(count: bytes)
        try writer.append(sound)
        try writer.close()
        return (path, sound)
    }

    private func expectSound(_ sound: [UInt8], _ path: String) throws {
        let file = try AudioFile.open(path: path)
        #expect(file.warnings.isEmpty)
        try expectEqual(Contents(of: file).bytes, sound)
    }

    @Test("the audio keeps its offset, except in Wave64", arguments: AudioFileType.containers)
    func leavesSound(type: AudioFileType) throws {
        let (path, sound) = try makeFile(type)
        let place = try #require(try AudioFile.open(path: path).dataRange)
        let before = bytes(ofFile: path)
        let editor = try AudioFileEditor.open(path: path)
        for (index, byteCount) in [5, 0, 1000, 4].enumerated() {
            try editor.setChunk(Self.test, index: index, contents: noise(count: byteCount))
        }
        try editor.setChunk(Self.test, index: 1, contents: noise(count: 2001))
        try editor.removeChunk(Self.test, index: 2)
        try expectSound(sound, path)
        let after = bytes(ofFile: path)
        let range = Int(place.lowerBound)..<Int(place.upperBound)
        if type != .wave64 { expectEqual(after[range], before[range]) }
        for _ in 0..<3 { try editor.removeChunk(Self.test, index: 0) }
        try expectEqual(editor.countChunks(Self.test), 0)
        try expectSound(sound, path)
    }

    @Test("adding and removing a chunk leaves the file unchanged", arguments: AudioFileType.containers)
    func restores(type: AudioFileType) throws {
        let (path, _) = try makeFile(type)
        let before = bytes(ofFile: path)
        let editor = try AudioFileEditor.open(path: path)
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 333))
        #expect(bytes(ofFile: path) != before)
        try editor.removeChunk(Self.test, index: 0)
        expectFile(path, holds: before)
    }

    @Test("audio of open length gets its length before a chunk follows")
    func closesSound() throws {
        let (path, sound) = try makeFile(.caf)
        let place = try #require(try AudioFile.open(path: path).dataRange?.lowerBound)
        try patch(path, [UInt8](repeating: 0xFF, count: 8), at: place - 12)
        let editor = try AudioFileEditor.open(path: path)
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 9))
        try expectEqual(editor.countChunks(Self.test), 1)
        try expectSound(sound, path)
    }

    @Test(
        "a chunk ahead of the audio is moved to an offset that every reader finds",
        arguments: [AudioFileType.rf64, .aiff])
    func movesIfOdd(type: AudioFileType) throws {
        let path = folder.file("sound")
        let format = try type.pcmFormat(sampleRate: 48000, channels: 1, bits: 24, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        try writer.setChunks([AudioFileChunkContents(type: Self.test, contents: noise(count: 20))])
        try writer.append(noise(count: 300))
        try writer.close()
        let place = try #require(try AudioFile.open(path: path).dataRange?.lowerBound)
        let editor = try AudioFileEditor.open(path: path)
        func offset() throws -> Int64? {
            try AudioFile.open(path: path).chunks.first { $0.type == Self.test }?.offset
        }
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 10))
        #expect(try #require(try offset()) < place)
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 9))
        #expect(try #require(try offset()) > place)
        try expectSound(noise(count: 300), path)
    }

    @Test("a file with less data than it promises is not changed", arguments: AudioFileType.containers)
    func refusesDamage(type: AudioFileType) throws {
        let (path, sound) = try makeFile(type)
        let whole = bytes(ofFile: path)
        let end = try #require(try AudioFile.open(path: path).dataRange?.upperBound)
        // Truncated within the audio, and with uncounted samples after it.
        for damaged in [Array(whole[..<Int(end - 100)]), Array(whole[..<Int(end)]) + sound] {
            try write(damaged, path)
            #expect(throws: AudioFileError.self) { try AudioFileEditor.open(path: path) }
            expectFile(path, holds: damaged)
        }
    }

    @Test("contents that would make the file unreadable are rolled back")
    func refusesMisleading() throws {
        let (path, sound) = try makeFile(.aiff)
        let before = bytes(ofFile: path)
        let editor = try AudioFileEditor.open(path: path)
        let error = try #require(throws: AudioFileError.self) {
            try editor.setChunk(
                FourCharacterCode(rawValue: 0x4E41_4D45), index: 0,
                contents: [UInt8](repeating: 0x41, count: 20_000))
        }
        expectEqual(error.code, .unsupported)
        expectFile(path, holds: before)
        try expectSound(sound, path)
    }

    @Test(
        "a container of 32 bits accepts no chunk past 4 GiB, RF64 does",
        arguments: [AudioFileType.aiff, .wave, .rf64])
    func largest(type: AudioFileType) throws {
        let path = folder.file("large")
        try makeHole(type, bytes: Int64(UInt32.max) - 1501, path)
        let editor = try AudioFileEditor.open(path: path)
        try editor.setChunk(Self.test, index: 0, contents: noise(count: 1000))
        let large = noise(count: 2000)
        if type == .rf64 {
            try editor.setChunk(Self.test, index: 1, contents: large)
        } else {
            let error = try #require(throws: AudioFileError.self) {
                try editor.setChunk(Self.test, index: 1, contents: large)
            }
            expectEqual(error.code, .containerFull)
        }
        try expectEqual(editor.countChunks(Self.test), (type == .rf64 ? 2 : 1))
        let file = try AudioFile.open(path: path)
        expectEqual(file.frameCount, (Int64(UInt32.max) - 1501) / 2)
    }

    /// A sparse file of silence.
    private func makeHole(_ type: AudioFileType, bytes: Int64, _ path: String) throws {
        func make(_ container: some PCMContainer) throws {
            let writer = try PCMFileWriter(
                container, to: OutputFile(path: FilePath(path), overwrite: false), frameBytes: 2)
            try writer.appendHole(bytes: bytes)
            try writer.complete(hasFailed: false)
        }
        let format = try type.pcmFormat(sampleRate: 48000, channels: 1, bits: 16, isFloat: false)
        let samples = try PCMSamples(format, labels: nil)
        if type == .aiff {
            try make(AIFFContainer(samples, type: type))
        } else {
            try make(WaveContainer(samples, isRF64: type == .rf64))
        }
    }

    private func patch(_ path: String, _ bytes: [UInt8], at offset: Int64) throws {
        try EditableFile(path: FilePath(path)).write(bytes, at: offset)
    }

    private func write(_ bytes: [UInt8], _ path: String) throws {
        let file = try EditableFile(path: FilePath(path))
        try file.truncate(to: 0)
        try file.write(bytes, at: 0)
    }
}
