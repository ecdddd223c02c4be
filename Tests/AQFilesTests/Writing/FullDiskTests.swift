// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing

/// A file system of 64 KiB that fills up, if one can be mounted.
@Suite(
    "Writing to a full disk",
    .enabled(if: SmallDisk.obstacle == nil, Comment(rawValue: SmallDisk.obstacle ?? "")))
struct FullDiskTests {
    @Test("all complete frames are kept and counted", arguments: AudioFileType.containers)
    func full(type: AudioFileType) throws {
        let disk = try SmallDisk()
        let format = try type.pcmFormat(sampleRate: 48000, channels: 3, bits: 24, isFloat: false)
        let writer = try AudioFileWriter.create(path: disk.file("new"), type: type, format: format)
        let data = noise(count: 900 * 100)
        let failure = try #require(throws: AudioFileError.self) {
            for start in stride(from: 0, to: data.count, by: 900) {
                try writer.append(Array(data[start..<start + 900]))
            }
        }
        expectEqual(failure.code, .diskFull)
        let possible = (65_536 - 200) / 9...65_536 / 9
        #expect(possible.contains(Int(writer.frameCount)))
        #expect(throws: failure) { try writer.append(noise(count: 9)) }
        try writer.close()
        let file = try AudioFile.open(path: disk.file("new"))
        expectEqual(file.frameCount, writer.frameCount)
        #expect(file.warnings.isEmpty)
        try expectEqual(Contents(of: file).bytes, Array(data[..<(9 * Int(writer.frameCount))]))
    }

    @Test("a file whose header does not fit is removed", arguments: AudioFileType.containers)
    func noRoomForHeader(type: AudioFileType) throws {
        let disk = try SmallDisk()
        let filler = unsafe open(disk.file("filler"), O_WRONLY | O_CREAT, 0o600)
        expectEqual(posix_fallocate(filler, 0, 65_536), 0)
        close(filler)
        let format = try type.pcmFormat(sampleRate: 48000, channels: 3, bits: 24, isFloat: false)
        let error = try #require(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: disk.file("new"), type: type, format: format)
        }
        expectEqual(
            error, AudioFileError(.diskFull, "cannot create '\(disk.file("new"))': no space left on device")
        )
        #expect(unsafe access(disk.file("new"), F_OK) != 0)
    }
}
