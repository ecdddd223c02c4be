// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

/// Files that are only written forwards.
@Suite("Writing streams")
struct StreamWriteTests {
    /// Writes a file to a FIFO while another thread reads it.
    private func throughFIFO(_ type: AudioFileType, frames: Int) throws -> (bytes: [UInt8], data: [UInt8]) {
        let folder = ScratchFolder()
        let path = folder.file("fifo")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        // Opened without waiting for a writer; the pipe holds everything written here.
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let format = try type.pcmFormat(sampleRate: 44100, channels: 1, bits: 24, isFloat: false)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        let data = noise(count: 3 * frames)
        var next = 0
        while next < data.count {
            try writer.append(Array(data[next..<min(next + 300, data.count)]))
            next += 300
        }
        expectEqual(writer.frameCount, Int64(frames))
        try writer.close()
        var received = [UInt8](repeating: 0, count: 60_000)
        let count = unsafe received.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
        expectEqual(Int64(count), writer.byteCount)
        return (Array(received.prefix(count)), data)
    }

    @Test("the samples follow a header of open length", arguments: AudioFileType.containers)
    func forwards(type: AudioFileType) throws {
        let (received, data) = try throughFIFO(type, frames: 1001)
        #expect(received.suffix(data.count).elementsEqual(data))
        // Saved from the pipe, it is read to its end.
        let saved = TemporaryFile(received)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.containerName, type.name)
        try expectEqual(Contents(of: file).bytes, data)
    }

    @Test("a stream without samples is a header alone", arguments: AudioFileType.containers)
    func empty(type: AudioFileType) throws {
        let received = try throughFIFO(type, frames: 0).bytes
        #expect(!received.isEmpty)
        let saved = TemporaryFile(received)
        #expect(try Contents(of: AudioFile.open(path: saved.path)).bytes.isEmpty)
    }

    @Test("the open length of AIFF is its limit")
    func limits() throws {
        for type in AudioFileType.containers {
            let format = try type.pcmFormat(sampleRate: 44100, channels: 1, bits: 24, isFloat: false)
            let writer = try AudioFileWriter.create(path: "/dev/null", type: type, format: format)
            expectEqual((writer.maximumFrameCount != nil), [.aiff, .aiffC].contains(type))
        }
    }

    @Test("a reader that disconnects is reported")
    func brokenPipe() async {
        await #expect(processExitsWith: .success) {
            signal(SIGPIPE, SIG_IGN)
            let folder = ScratchFolder()
            let path = folder.file("fifo")
            try #require(unsafe mkfifo(path, 0o600) == 0)
            let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
            let format = try AudioFileType.wave.pcmFormat(
                sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
            let writer = try AudioFileWriter.create(path: path, type: .wave, format: format)
            try writer.append(noise(count: 400))
            close(reader)
            for _ in 0..<2 {
                let error = #expect(throws: AudioFileError.self) { try writer.append(noise(count: 400)) }
                expectEqual(
                    error,
                    AudioFileError(
                        .unwritable,
                        "cannot write '\(path)': broken pipe; the file is whole up to frame 100"))
            }
            try writer.close()
        }
    }

    @Test("standard output is overwritten only if it is a new file", arguments: [false, true])
    func standardOutput(isAppending: Bool) async throws {
        let folder = ScratchFolder()
        let path = folder.file("out")
        await #expect(processExitsWith: .success) {
            [path = path as String, isAppending = isAppending as Bool] in
            let flags = O_WRONLY | O_CREAT | (isAppending ? O_APPEND : 0)
            let output = unsafe open(path, flags, 0o600)
            try #require(dup2(output, 1) == 1)
            let format = try AudioFileType.wave.pcmFormat(
                sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
            let writer = try AudioFileWriter.create(path: "-", type: .wave, format: format)
            try writer.append(noise(count: 400))
            try writer.append(noise(count: 400))
            try writer.close()
            // Closing must not close the program's standard output.
            #expect(fcntl(1, F_GETFD) >= 0)
            close(1)
        }
        let written = bytes(ofFile: path)
        let whole = 84 - 4 + 800
        expectEqual(written.count, whole)
        expectEqual(Array(written[76..<80]), (isAppending ? [255, 255, 255, 255] : [0x20, 3, 0, 0]))
    }

    @Test("packet tables and late cookies are refused in a stream")
    func noTable() throws {
        let format = try AudioFileType.caf.pcmFormat(sampleRate: 44100, channels: 1, bits: 16, isFloat: false)
        let writer = try AudioFileWriter.create(path: "/dev/null", type: .caf, format: format)
        try writer.setMagicCookie([1, 2, 3])
        try writer.append([1, 2])
        #expect(throws: AudioFileError.self) { try writer.setMagicCookie([1]) }
        #expect(throws: AudioFileError.self) {
            try writer.setPacketTable(PacketTable(primingFrames: 0, validFrames: 1, remainderFrames: 0))
        }
        try writer.close()
        expectEqual(writer.byteCount, 8 + 12 + 32 + 12 + 3 + 12 + 4 + 2)
    }
}
