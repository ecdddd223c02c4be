// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@Suite("Paths that are not UTF-8")
struct FilePathTests {
    @Test(
        "are shown with escapes, and other paths unchanged",
        arguments: [
            ([0x63, 0x61, 0x66, 0xE9], "caf\\xe9"), ([0xFF, 0xFE], "\\xff\\xfe"), ([0xC3, 0xA9], "é"),
            ([0xC3, 0xA9, 0xC3], "é\\xc3"), ([0x61, 0x0A, 0x1B], "a\\x0a\\x1b"), ([0x5C, 0x20], "\\ "),
            ([0xE2, 0x80, 0xAE, 0x61], "\\xe2\\x80\\xaea"), ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
            ([0xC0, 0x80], "\\xc0\\x80"), ([], ""),
        ] as [([UInt8], String)])
    func shown(bytes: [UInt8], text: String) {
        expectEqual(FilePath(bytes: bytes).description, text)
    }

    @Test("end at a zero byte, as in C, and keep all other bytes")
    func bytes() {
        let all = (1...255).map { UInt8($0) }
        expectEqual(FilePath(bytes: all + [0, 1]).bytes, all)
        unsafe expectEqual(
            FilePath(bytes: all).cString.withUnsafeBufferPointer {
                unsafe FilePath(cString: $0.baseAddress!)
            }, FilePath(bytes: all))
        expectEqual(FilePath("é").string, "é")
        expectEqual(FilePath(bytes: [0xE9]).string, nil)
    }

    @Test("name the file that is written, read and changed", arguments: ["wav", "caf", "flac"])
    func roundTrip(name: String) throws {
        let type = try #require(AudioFileType.forPathExtension(name))
        let folder = ScratchFolder()
        let paths = [[0xE9], [0xE8], [0xFF, 0xFE]].map { (odd: [UInt8]) in
            FilePath(bytes: Array("\(folder.path)/x".utf8) + odd + Array(".\(name)".utf8))
        }
        for (index, path) in paths.enumerated() {
            let writer = try AudioFileWriter.create(
                path: path, type: type, format: .signedInteger(bits: 16, channels: 1, sampleRate: 8000))
            let samples = [UInt8](repeating: UInt8(index), count: 2 * (100 + index))
            try unsafe samples.withUnsafeBytes { try unsafe writer.append($0) }
            try writer.close()
        }
        for (index, path) in paths.enumerated() {
            try expectEqual(AudioFile.open(path: path).frameCount, Int64(100 + index))
            let error = try #require(throws: AudioFileError.self) {
                try AudioFileWriter.create(
                    path: path, type: type, format: .signedInteger(bits: 16, channels: 1, sampleRate: 8000))
            }
            expectEqual(error.message, "cannot create '\(path)': it exists already")
            #expect(error.message.contains("\\x"))
            if type != .flac {
                try AudioFileEditor.open(path: path).setInformation([
                    AudioFileInformation("title", "\(index)")
                ])
                try expectEqual(AudioFile.open(path: path).tags.title, "\(index)")
            }
        }
        for path in paths { unsafe _ = unlink(path.cString) }
    }
}
