// SPDX-License-Identifier: MIT

import AQExpectations
import AudioToolbox
import Foundation
import Testing

@Suite struct AudioFileUserDataTests {
    private let fixture = AudioFileFixture()

    private static let type: UInt32 = 0x7465_7374  // 'test'

    /// A WAVE file with two chunks of a type after its audio.
    private func makeFile() throws {
        try fixture.writeRamp("sound", kAudioFileWAVEType, frames: 10)
        var bytes = [UInt8](try Data(contentsOf: fixture.url("sound")))
        bytes += Array("test".utf8) + [3, 0, 0, 0] + [1, 2, 3, 0]
        bytes += Array("test".utf8) + [4, 0, 0, 0] + [5, 6, 7, 8]
        let riffBytes = UInt32(bytes.count - 8)
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: riffBytes >> UInt32(8 * index)) }
        try Data(bytes).write(to: fixture.url("sound"))
    }

    @Test("chunks are counted and read by type and number")
    func readsChunks() throws {
        try makeFile()
        let file = unsafe try fixture.open("sound")
        var count: UInt32 = 0
        unsafe expectEqual(AudioFileCountUserData(file, Self.type, &count), noErr)
        expectEqual(count, 2)
        let chunks: [[UInt8]] = [[1, 2, 3], [5, 6, 7, 8]]
        for (index, contents) in chunks.enumerated() {
            let number = UInt32(index)
            var (byteCount, large): (UInt32, UInt64) = (0, 0)
            unsafe expectEqual(AudioFileGetUserDataSize(file, Self.type, number, &byteCount), noErr)
            unsafe expectEqual(AudioFileGetUserDataSize64(file, Self.type, number, &large), noErr)
            #expect(byteCount == UInt32(contents.count) && large == UInt64(contents.count))
            var bytes = [UInt8](repeating: 0xEE, count: 16)
            byteCount = 16
            unsafe expectEqual(AudioFileGetUserData(file, Self.type, number, &byteCount, &bytes), noErr)
            expectEqual(Array(bytes.prefix(Int(byteCount))), contents)
            byteCount = 1
            unsafe expectEqual(
                AudioFileGetUserDataAtOffset(file, Self.type, number, 2, &byteCount, &bytes), noErr)
            #expect(byteCount == 1 && bytes[0] == contents[2])
        }
    }

    @Test("a missing chunk, and an offset outside one, have results")
    func refusesOthers() throws {
        try makeFile()
        let file = unsafe try fixture.open("sound", .readWritePermission)
        var byteCount: UInt32 = 16
        var bytes = [UInt8](repeating: 0, count: 16)
        unsafe expectEqual(
            AudioFileGetUserDataSize(file, Self.type, 2, &byteCount), kAudioFileInvalidChunkError)
        unsafe expectEqual(AudioFileGetUserDataSize(file, 1, 0, &byteCount), kAudioFileInvalidChunkError)
        for place in [Int64(4), -1, .max] {
            unsafe expectEqual(
                AudioFileGetUserDataAtOffset(file, Self.type, 0, place, &byteCount, &bytes),
                kAudioFilePositionError)
        }
        unsafe expectEqual(AudioFileRemoveUserData(file, Self.type, 2), kAudioFileInvalidChunkError)
    }
}
