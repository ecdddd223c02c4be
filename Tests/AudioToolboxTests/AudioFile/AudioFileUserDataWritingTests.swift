// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

@testable import AQToolboxFunctions

/// Chunks that are written, replaced and removed.
@Suite struct AudioFileUserDataWritingTests {
    static let kinds = AudioFileWritingTests.kinds
    private static let type: UInt32 = 0x7465_7374  // 'test'
    private static let other: UInt32 = 0x7878_7878  // 'xxxx'

    private let fixture = AudioFileFixture()

    private func set(
        _ file: AudioFileID, _ contents: [UInt8], _ index: UInt32, type: UInt32 = Self.type
    ) -> OSStatus {
        unsafe AudioFileSetUserData(file, type, index, UInt32(contents.count), contents)
    }

    private func chunks(_ file: AudioFileID, type: UInt32 = Self.type) -> [[UInt8]] {
        var count: UInt32 = 0
        unsafe expectEqual(AudioFileCountUserData(file, type, &count), noErr)
        return (0..<count).map { index in
            var byteCount: UInt32 = 0
            unsafe expectEqual(AudioFileGetUserDataSize(file, type, index, &byteCount), noErr)
            var bytes = [UInt8](repeating: 0xEE, count: Int(byteCount) + 1)
            unsafe expectEqual(AudioFileGetUserData(file, type, index, &byteCount, &bytes), noErr)
            return Array(bytes.prefix(Int(byteCount)))
        }
    }

    /// Reopens the file, and compares chunks and audio with the expected ones.
    private func expect(
        _ expected: [[UInt8]], frames: Int, _ fileType: AudioFileTypeID,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = unsafe try fixture.open("sound")
        defer { unsafe _ = AudioFileClose(file) }
        let found = unsafe chunks(file)
        #expect(found == expected, sourceLocation: sourceLocation)
        let packets = unsafe fixture.property(kAudioFilePropertyAudioDataPacketCount, of: file, UInt64(0))
        #expect(packets.value == UInt64(frames), sourceLocation: sourceLocation)
        let read = unsafe fixture.read(file, from: 0, packets: frames)
        #expect(read.status == noErr, sourceLocation: sourceLocation)
        #expect(
            read.bytes == AudioFileFixture.ramp(frames: frames, for: fileType), sourceLocation: sourceLocation
        )
    }

    @Test("chunks of an existing file are added, replaced and removed", arguments: kinds)
    func changesExisting(fileType: AudioFileTypeID) throws {
        // An odd number of frames is not a multiple of the chunk alignment.
        let file = unsafe try fixture.openRamp(fileType, frames: 501, .readWritePermission)
        var expected: [[UInt8]] = []
        func step(_ status: OSStatus, _ change: (inout [[UInt8]]) -> Void) throws {
            expectEqual(status, noErr)
            change(&expected)
            let found = unsafe chunks(file)
            expectEqual(found, expected)
            try expect(expected, frames: 501, fileType)
        }
        unsafe try step(set(file, [1, 2, 3], 0)) { $0 = [[1, 2, 3]] }
        unsafe try step(set(file, [4, 5, 6, 7], 1)) { $0.append([4, 5, 6, 7]) }
        // The same size, a larger one before another, an empty one, a smaller one, and the first again.
        unsafe try step(set(file, [3, 2, 1], 0)) { $0[0] = [3, 2, 1] }
        let large = [UInt8](repeating: 9, count: 5001)
        unsafe try step(set(file, large, 0)) { $0[0] = large }
        unsafe try step(set(file, [], 1)) { $0[1] = [] }
        unsafe try step(set(file, [8], 0)) { $0[0] = [8] }
        unsafe try step(set(file, large, 2)) { $0.append(large) }
        unsafe try step(AudioFileRemoveUserData(file, Self.type, 0)) { $0.remove(at: 0) }
        unsafe try step(AudioFileRemoveUserData(file, Self.type, 1)) { $0.remove(at: 1) }
        unsafe try step(AudioFileRemoveUserData(file, Self.type, 0)) { $0.remove(at: 0) }
        unsafe expectEqual(AudioFileClose(file), noErr)
    }

    @Test("chunks of a file that is being written are stored at any time", arguments: kinds)
    func changesCreated(fileType: AudioFileTypeID) throws {
        let file = unsafe try fixture.create("sound", fileType, AudioFileFixture.pcm(for: fileType))
        let ramp = AudioFileFixture.ramp(frames: 501, for: fileType)
        let large = [UInt8](repeating: 9, count: 70_000)
        unsafe expectEqual(set(file, [1, 2, 3], 0), noErr)
        unsafe expectEqual(set(file, [0], 0, type: Self.other), noErr)
        unsafe expectEqual(chunks(file), [[1, 2, 3]])
        unsafe expectEqual(fixture.append(Array(ramp[..<500]), to: file, at: 0), noErr)
        unsafe expectEqual(set(file, [4], 1), noErr)
        unsafe expectEqual(set(file, large, 2), noErr)
        unsafe expectEqual(set(file, [7, 7], 0), noErr)
        unsafe expectEqual(chunks(file), [[7, 7], [4], large])
        unsafe expectEqual(fixture.append(Array(ramp[500...]), to: file, at: 250), noErr)
        unsafe expectEqual(AudioFileRemoveUserData(file, Self.type, 1), noErr)
        unsafe expectEqual(AudioFileRemoveUserData(file, Self.other, 0), noErr)
        unsafe expectEqual(set(file, [5, 5, 5], 2), noErr)
        unsafe expectEqual(chunks(file), [[7, 7], large, [5, 5, 5]])
        unsafe #expect(chunks(file, type: Self.other).isEmpty)
        var part: [UInt8] = [0, 0]
        var byteCount: UInt32 = 2
        unsafe expectEqual(AudioFileGetUserDataAtOffset(file, Self.type, 2, 1, &byteCount, &part), noErr)
        expectEqual(part, [5, 5])
        unsafe expectEqual(AudioFileClose(file), noErr)
        try expect([[7, 7], large, [5, 5, 5]], frames: 501, fileType)
    }

    @Test("a chunk that is set before the first packet is stored before the audio", arguments: kinds)
    func leads(fileType: AudioFileTypeID) throws {
        let file = unsafe try fixture.create("sound", fileType, AudioFileFixture.pcm(for: fileType))
        unsafe expectEqual(set(file, Array("first, and to be removed".utf8), 0), noErr)
        unsafe expectEqual(set(file, Array("in front".utf8), 1), noErr)
        unsafe expectEqual(AudioFileRemoveUserData(file, Self.type, 0), noErr)
        unsafe expectEqual(
            fixture.append(AudioFileFixture.ramp(frames: 10, for: fileType), to: file, at: 0), noErr)
        let place = unsafe fixture.property(kAudioFilePropertyDataOffset, of: file, Int64(0))
        unsafe expectEqual(AudioFileClose(file), noErr)
        let head = try Data(contentsOf: fixture.url("sound")).prefix(Int(place.value))
        #expect(head.range(of: Data("in front".utf8)) != nil)
        expectEqual(head.range(of: Data("to be removed".utf8)), nil)
        try expect([Array("in front".utf8)], frames: 10, fileType)
    }

    @Test(
        "a chunk of an odd size is stored where every reader finds the next",
        arguments: [kAudioFileWAVEType, kAudioFileRF64Type, kAudioFileAIFFType, kAudioFileAIFCType])
    func followsIfOdd(fileType: AudioFileTypeID) throws {
        let created = unsafe try fixture.create("sound", fileType, AudioFileFixture.pcm(for: fileType))
        unsafe expectEqual(set(created, Array("odd".utf8), 0), noErr)
        let ramp = AudioFileFixture.ramp(frames: 10, for: fileType)
        unsafe expectEqual(fixture.append(ramp, to: created, at: 0), noErr)
        let place = unsafe fixture.property(kAudioFilePropertyDataOffset, of: created, Int64(0)).value
        unsafe expectEqual(AudioFileClose(created), noErr)
        let bytes = try Data(contentsOf: fixture.url("sound"))
        expectEqual(bytes.prefix(Int(place)).range(of: Data("odd".utf8)), nil)
        let file = unsafe try fixture.open("sound", .readWritePermission)
        unsafe expectEqual(set(file, Array("even".utf8), 1), noErr)
        unsafe expectEqual(AudioFileOptimize(file), noErr)
        unsafe expectEqual(AudioFileClose(file), noErr)
        try expect([Array("odd".utf8), Array("even".utf8)], frames: 10, fileType)
        let optimized = try Data(contentsOf: fixture.url("sound"))
        let sound = try #require(optimized.range(of: Data(ramp)))
        let name = try #require(optimized.range(of: Data("odd".utf8)))
        expectEqual((name.lowerBound > sound.lowerBound), (fileType != kAudioFileWAVEType))
    }

    @Test("chunks that describe the audio cannot be changed by the client", arguments: kinds)
    func refusesOwned(fileType: AudioFileTypeID) throws {
        try fixture.writeRamp("sound", fileType, frames: 10)
        let before = try Data(contentsOf: fixture.url("sound"))
        let types = [
            "fmt ", "data", "fact", "COMM", "SSND", "FVER", "desc", "pakt", "kuki", "chan", "free", "JUNK",
        ]
        let existing = unsafe try fixture.open("sound", .readWritePermission)
        var ids: [UInt32] = [UInt32](repeating: 0, count: 32)
        var byteCount: UInt32 = 128
        unsafe expectEqual(
            AudioFileGetProperty(existing, kAudioFilePropertyChunkIDs, &byteCount, &ids), noErr)
        let own = Set(ids.prefix(Int(byteCount / 4)))
        let others = Set(types.map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } })
        let created = unsafe try fixture.create("new", fileType, AudioFileFixture.pcm(for: fileType))
        var refused = 0
        func refuse(_ file: AudioFileID, _ type: UInt32) {
            let status = unsafe set(file, [1, 2, 3, 4], 0, type: type)
            let removed = unsafe AudioFileRemoveUserData(file, type, 0)
            if own.contains(type) {
                expectEqual(status, kAudioFileOperationNotSupportedError, "\(type)")
                expectEqual(removed, kAudioFileOperationNotSupportedError, "\(type)")
                refused += 1
            } else if status == noErr {
                // Each file type has its own names; those of others are unknown in it.
                expectEqual(removed, noErr)
            } else {
                // Or it would mislead readers.
                expectEqual(status, kAudioFileOperationNotSupportedError)
                #expect([kAudioFileInvalidChunkError, status].contains(removed))
            }
        }
        for type in own.union(others) {
            unsafe refuse(existing, type)
            unsafe refuse(created, type)
        }
        #expect(refused >= 4)
        try expectEqual(Data(contentsOf: fixture.url("sound")), before)
    }

    @Test("a number past the last and an unknown type are not a chunk", arguments: kinds)
    func refusesNumbers(fileType: AudioFileTypeID) throws {
        let existing = unsafe try fixture.openRamp(fileType, frames: 10, .readWritePermission)
        let created = unsafe try fixture.create("new", fileType, AudioFileFixture.pcm(for: fileType))
        func refuse(_ file: AudioFileID) {
            unsafe expectEqual(set(file, [1], 0), noErr)
            unsafe expectEqual(set(file, [1], 2), kAudioFileInvalidChunkError)
            unsafe expectEqual(set(file, [1], .max), kAudioFileInvalidChunkError)
            unsafe expectEqual(set(file, [1], 0, type: 1), kAudioFileInvalidChunkError)
            unsafe expectEqual(AudioFileRemoveUserData(file, Self.type, 1), kAudioFileInvalidChunkError)
            unsafe expectEqual(AudioFileRemoveUserData(file, 1, 0), kAudioFileInvalidChunkError)
            unsafe expectEqual(audioFileSetUserData(file, Self.type, 0, 4, nil), kAudio_ParamError)
            unsafe expectEqual(chunks(file), [[1]])
        }
        unsafe refuse(existing)
        unsafe refuse(created)
    }

    @Test("pipes and files without chunks have no user data")
    func refusesOtherKinds() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: root.appending(path: "Fixtures").path)
        let others = names.filter { name in
            ["mp3", "m4a", "flac", "aac", "ogg"].contains(URL(filePath: name).pathExtension)
        }
        try #require(others.count >= 3)
        for name in others {
            let bytes = try Data(contentsOf: root.appending(path: "Fixtures/\(name)"))
            try bytes.write(to: fixture.url(name))
            let file = unsafe try fixture.open(name, .readWritePermission)
            unsafe expectEqual(set(file, [1], 0), kAudioFileOperationNotSupportedError, "\(name)")
            unsafe _ = AudioFileClose(file)
            try expectEqual(Data(contentsOf: fixture.url(name)), bytes)
        }
        unsafe expectEqual(mkfifo(fixture.url("pipe").path, 0o600), 0)
        // Both ends, so that opening does not wait.
        let both = unsafe open(fixture.url("pipe").path, O_RDWR)
        defer { close(both) }
        let pipe = unsafe try fixture.create(
            "pipe", kAudioFileWAVEType, AudioFileFixture.pcm(for: kAudioFileWAVEType))
        unsafe expectEqual(set(pipe, [1], 0), kAudioFileOperationNotSupportedError)
        unsafe expectEqual(AudioFileRemoveUserData(pipe, Self.type, 0), kAudioFileOperationNotSupportedError)
        unsafe _ = AudioFileClose(pipe)
    }

    @Test("optimizing moves the audio after the chunks, and changes neither", arguments: kinds)
    func optimizes(fileType: AudioFileTypeID) throws {
        let file = unsafe try fixture.openRamp(fileType, frames: 501, .readWritePermission)
        unsafe expectEqual(set(file, [1, 2], 0), noErr)
        unsafe expectEqual(set(file, [UInt8](repeating: 4, count: 3000), 0), noErr)
        let isOptimized = unsafe fixture.property(kAudioFilePropertyIsOptimized, of: file, UInt32(9))
        // Nothing may follow the audio of Wave64.
        expectEqual(isOptimized.value, (fileType == kAudioFileWave64Type ? 1 : 0))
        unsafe expectEqual(AudioFileOptimize(file), noErr)
        unsafe expectEqual(fixture.property(kAudioFilePropertyIsOptimized, of: file, UInt32(9)).value, 1)
        unsafe expectEqual(set(file, [5], 1), noErr)
        unsafe expectEqual(chunks(file), [[UInt8](repeating: 4, count: 3000), [5]])
        unsafe expectEqual(AudioFileClose(file), noErr)
        try expect([[UInt8](repeating: 4, count: 3000), [5]], frames: 501, fileType)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: fixture.folder.path), ["sound"])
    }
}
