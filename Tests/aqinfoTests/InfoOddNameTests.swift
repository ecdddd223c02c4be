// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport
import AQToolSupport

@testable import aqinfo

@Suite("Names that are not UTF-8, aqinfo")
struct InfoOddNameTests {
    @Test("are read, and reported with escapes and in JSON")
    func reported() throws {
        let folder = ScratchFolder()
        let path = FilePath(folder.file("x")) + FilePath(bytes: [0xE9, 0x0A]) + ".wav"
        let image = FilePath(folder.file("i")) + FilePath(bytes: [0xFF]) + ".png"
        let writer = try AudioFileWriter.create(
            path: path, type: .wave, format: .signedInteger(bits: 16, channels: 1, sampleRate: 8000))
        try unsafe [UInt8](repeating: 1, count: 200).withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        defer {
            unsafe _ = unlink(path.cString)
            unsafe _ = unlink(image.cString)
        }
        expectEqual(Run([path]).lines.first, "\(folder.file("x"))\\xe9\\x0a.wav")
        #expect(Run(["-b", path]).output.hasSuffix("\\xe9\\x0a.wav\n"))
        #expect(Run(["-j", path]).output.contains(#"x%E9%0A.wav","error":null"#))
        expectEqual(Run([FilePath("--waveform=") + image, path]).status, .success)
        unsafe expectEqual(access(image.cString, R_OK), 0)
    }
}
