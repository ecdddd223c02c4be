// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Glibc
import Testing
import AQTestSupport

@Suite("Files on the disk")
struct FileOnDiskTests {
    private func write(_ text: String, to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = unsafe Array(text.utf8).withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        close(descriptor)
    }

    private func path(_ name: String, in folder: ScratchFolder) -> FilePath { FilePath(folder.file(name)) }

    @Test("replace the file that has their new name")
    func rename() throws {
        let folder = ScratchFolder()
        write("old", to: folder.file("a"))
        write("new", to: folder.file("b"))
        try FileOnDisk.rename(path("b", in: folder), to: path("a", in: folder))
        expectEqual(bytes(ofFile: folder.file("a")), Array("new".utf8))
        #expect(unsafe access(folder.file("b"), F_OK) != 0)
    }

    @Test("have names that are not UTF-8, byte for byte")
    func oddNames() throws {
        let folder = ScratchFolder()
        let odd = FilePath(bytes: Array(folder.file("d").utf8) + [0xE9])
        try #require(unsafe mkdir(odd.cString, 0o700) == 0)
        let target = FilePath(bytes: odd.bytes + [0x2F, 0xFF])
        write("new", to: folder.file("b"))
        try FileOnDisk.rename(path("b", in: folder), to: target)
        unsafe expectEqual(access(target.cString, F_OK), 0)
        try FileOnDisk(path: target).synchronize()
        #expect(unsafe unlink(target.cString) == 0 && rmdir(odd.cString) == 0)
    }

    @Test("that cannot be renamed stay, and report the reason")
    func failures() throws {
        let folder = ScratchFolder()
        write("old", to: folder.file("a"))
        #expect(throws: AudioFileError.self) {
            try FileOnDisk.rename(path("b", in: folder), to: path("a", in: folder))
        }
        let target = path("none/a", in: folder)
        do throws(AudioFileError) {
            try FileOnDisk.rename(path("a", in: folder), to: target)
            Issue.record("renamed")
        } catch {
            expectEqual(error.message, "cannot write '\(target)': no such file or directory")
        }
        expectEqual(bytes(ofFile: folder.file("a")), Array("old".utf8))
    }

    @Test("can be synchronised to the disk while and after they are written")
    func synchronize() throws {
        let folder = ScratchFolder()
        let format = try AudioFileType.wave.pcmFormat(sampleRate: 8000, channels: 1, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("a"), type: .wave, format: format)
        let file = try FileOnDisk(path: path("a", in: folder))
        try writer.append([1, 2])
        try file.synchronize()
        try writer.close()
        try file.synchronize()
        try expectEqual(AudioFile.open(path: folder.file("a")).frameCount, 1)
    }
}
