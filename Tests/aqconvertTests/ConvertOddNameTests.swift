// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqconvert

@Suite("Names that are not UTF-8, aqconvert")
struct ConvertOddNameTests {
    private func writeWave(_ path: FilePath, frames: Int) throws {
        let writer = try AudioFileWriter.create(
            path: path, type: .wave, format: .signedInteger(bits: 16, channels: 1, sampleRate: 8000))
        try unsafe [UInt8](repeating: 1, count: 2 * frames).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
    }

    @Test("are converted from and to, alone and into a folder, and through a link")
    func converted() throws {
        let folder = ScratchFolder()
        func path(_ bytes: [UInt8], _ end: String) -> FilePath {
            FilePath(folder.file("x")) + FilePath(bytes: bytes) + FilePath(end)
        }
        try writeWave(path([0xE9], ".wav"), frames: 100)
        try writeWave(path([0xFF, 0xFE], ".wav"), frames: 200)
        // U+FFFD, which a repair of either name would contain.
        close(unsafe open(path([0xEF, 0xBF, 0xBD], ".caf").cString, O_CREAT | O_WRONLY, 0o600))
        expectEqual(ConvertTool.run(["--quiet", path([0xE9], ".wav"), path([0xE9], ".caf")]), .success)
        expectEqual(
            ConvertTool.run([
                "--quiet", "-f", "aiff", "-O", FilePath(folder.path), path([0xE9], ".wav"),
                path([0xFF, 0xFE], ".wav"),
            ]), .success)
        unsafe _ = symlink(path([0xE9], ".caf").name.cString, path([0xE8], ".caf").cString)
        expectEqual(
            ConvertTool.run(["--quiet", "-y", path([0xFF, 0xFE], ".wav"), path([0xE8], ".caf")]), .success)
        expectEqual(
            ConvertTool.run(["--quiet", path([0xFF, 0xFE], ".wav"), path([0xE9], ".caf")]), .inputOutput)
        try expectEqual(AudioFile.open(path: path([0xE9], ".caf")).frameCount, 200)
        try expectEqual(AudioFile.open(path: path([0xE9], ".aiff")).frameCount, 100)
        try expectEqual(AudioFile.open(path: path([0xFF, 0xFE], ".aiff")).frameCount, 200)
        #expect(FileIdentity(path: path([0xEF, 0xBF, 0xBD], ".caf")) != nil)
    }

    @Test("are those of the folders and files below a folder, too")
    func folders() throws {
        let folder = ScratchFolder()
        let root = FilePath(folder.path)
        let (inner, name) = (FilePath(bytes: [0xE9]), FilePath(bytes: [0x61, 0xFF]))
        unsafe _ = mkdir(root.joined("in").cString, 0o700)
        unsafe _ = mkdir(root.joined("in").joined(inner).cString, 0o700)
        try writeWave(root.joined("in").joined(inner).joined(name + ".wav"), frames: 100)
        let output = root.joined(FilePath(bytes: [0xFE])).joined("out")
        expectEqual(ConvertTool.run(["--quiet", "-f", "caf", root.joined("in"), "-O", output]), .success)
        try expectEqual(AudioFile.open(path: output.joined(inner).joined(name + ".caf")).frameCount, 100)
    }
}
