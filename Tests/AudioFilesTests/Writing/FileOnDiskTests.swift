import AudioFiles
import Glibc
import Testing

@Suite("Files on the disk")
struct FileOnDiskTests {
    private func write(_ text: String, to path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        _ = unsafe Array(text.utf8).withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        close(descriptor)
    }

    @Test("take another name, in the place of what has it")
    func rename() throws {
        let folder = TemporaryFolder()
        write("old", to: folder.file("a"))
        write("new", to: folder.file("b"))
        try FileOnDisk.rename(folder.file("b"), to: folder.file("a"))
        #expect(bytes(ofFile: folder.file("a")) == Array("new".utf8))
        #expect(unsafe access(folder.file("b"), F_OK) != 0)
    }

    @Test("that cannot be renamed are left, with the reason")
    func failures() throws {
        let folder = TemporaryFolder()
        write("old", to: folder.file("a"))
        #expect(throws: AudioFileError.self) { try FileOnDisk.rename(folder.file("b"), to: folder.file("a")) }
        let target = folder.file("none/a")
        do throws(AudioFileError) {
            try FileOnDisk.rename(folder.file("a"), to: target)
            Issue.record("renamed")
        } catch {
            #expect(error.message == "cannot write '\(target)': no such file or directory")
        }
        #expect(bytes(ofFile: folder.file("a")) == Array("old".utf8))
    }

    @Test("can be forced there while and after they are written")
    func synchronize() throws {
        let folder = TemporaryFolder()
        let format = try AudioFileType.wave.pcmFormat(sampleRate: 8000, channels: 1, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: folder.file("a"), type: .wave, format: format)
        let file = try FileOnDisk(path: folder.file("a"))
        try writer.append([1, 2])
        try file.synchronize()
        try writer.close()
        try file.synchronize()
        #expect(try AudioFile.open(path: folder.file("a")).frameCount == 1)
    }
}
