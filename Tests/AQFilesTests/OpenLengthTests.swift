// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

/// Sparse files past 2 or 4 GiB.
@Suite("Large WAVE files of open length")
struct OpenLengthTests {
    private let mark = noise(count: 40)
    private let unfinished = "the header was never finished; all that follows it is read as audio"
    /// Frames of five GiB.
    private let frames = 5 << 28
    /// A title, and a chunk that must be hidden from libsndfile.
    private let trap =
        Array("INAM".utf8) + little(UInt32(4)) + Array("None".utf8)
        + Array("LIST".utf8) + little(UInt32(400)) + noise(count: 20)

    /// A header of 16-bit stereo with any lengths.
    private func header(riff: UInt32, data: UInt32) -> [UInt8] {
        var header = Header.wave(data: [], dataBytes: data)
        header.replaceSubrange(4..<8, with: little(riff))
        return header
    }

    /// The header for outputs that cannot seek.
    private func streamHeader() throws -> [UInt8] {
        let folder = ScratchFolder()
        let path = folder.file("fifo")
        try #require(unsafe mkfifo(path, 0o600) == 0)
        // Opened without waiting for a writer; the pipe holds everything written here.
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let format = try AudioFileType.wave.pcmFormat(
            sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
        try AudioFileWriter.create(path: path, type: .wave, format: format).close()
        var received = [UInt8](repeating: 0, count: 4096)
        let count = unsafe received.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
        return Array(received.prefix(count))
    }

    /// Reads a file of a header, of frames that are silent but for the first and last ten and some that look like
    /// a chunk, and of a piece of a frame.
    private func check(
        _ header: [UInt8], frames: Int, trapFrame: Int? = nil, warnings: [String] = []
    ) throws {
        let saved = TemporaryFile(header + mark)
        saved.append(mark + [1, 2, 3], at: header.count + 4 * frames - mark.count)
        if let trapFrame { saved.append(trap, at: header.count + 4 * trapFrame) }
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.containerName, "WAVE")
        expectEqual(file.frameCount, Int64(frames))
        expectEqual(file.warnings, warnings)
        try expectEqual(Contents(of: file, from: Int64(frames) - 10).bytes, mark)
        try expectEqual(first(10, of: file, from: 0), mark)
        if let trapFrame { try expectEqual(first(10, of: file, from: Int64(trapFrame)), trap) }
        let soundBytes = Int64(4 * frames + 3)
        expectEqual(file.dataRange, Int64(header.count)..<Int64(header.count) + soundBytes)
        expectEqual(file.chunks.last?.offset, Int64(header.count) - 8)
        expectEqual(file.chunks.last?.byteCount, soundBytes)
        expectEqual(file.tags.title, nil)
    }

    private func first(_ frames: Int, of file: AudioFile, from frame: Int64) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4 * frames)
        let read = try unsafe bytes.withUnsafeMutableBytes { room in
            try unsafe file.readPackets(
                from: frame, into: room, descriptions: UnsafeMutableBufferPointer(start: nil, count: 0))
        }
        expectEqual(read.packets, frames)
        return bytes
    }

    @Test("a saved pipe is read to its end")
    func stream() throws {
        let header = try streamHeader()
        expectEqual(header.count, 80)
        try check(header, frames: frames)
    }

    @Test("a length of all ones means the end of the file, whatever its offset contains")
    func allOnes() throws {
        try check(header(riff: .max, data: .max), frames: frames, trapFrame: 1 << 30)
    }

    @Test("a recording of a killed recorder is read to its end", arguments: [0, 36] as [UInt32])
    func killed(riffBytes: UInt32) throws {
        try check(header(riff: riffBytes, data: 0), frames: frames, warnings: [unfinished])
    }

    @Test(
        "lengths of recorders that cannot seek are ignored, with a warning",
        arguments: [
            (0x7FFF_F024, 0x7FFF_F000), (0x8000_0024, 0x8000_0000), (0x7FFF_FFFF, 0x7FFF_FFDB),
            (0xFFFF_F024, 0xFFFF_F000), (0xFFFF_FFFF, 0xFFFF_FFDB), (3, 0xFFFF_FFDF),
        ] as [(UInt32, UInt32)])
    func placeholder(riff: UInt32, data: UInt32) throws {
        // Five GiB where the header says four, and three where it says two.
        try check(
            header(riff: riff, data: data), frames: data > 0x8000_0000 ? frames : 3 << 28,
            trapFrame: Int(data + data & 1) / 4, warnings: [unfinished])
    }

    @Test(
        "a short file with the lengths of a pipe is whole",
        arguments: [
            (0x7FFF_F024, 0x7FFF_F000), (0x8000_0024, 0x8000_0000), (0x7FFF_FFFF, 0x7FFF_FFDB),
            (0xFFFF_F024, 0xFFFF_F000), (0xFFFF_FFFF, 0xFFFF_FFDB), (0xFFFF_FFFF, 0xFFFF_FFFF),
            (0, 0x7FFF_FFFF), (0xFFFF_FFFF, 0), (0x7FFF_F024, 0), (36, 0),
        ] as [(UInt32, UInt32)])
    func shortPipe(riff: UInt32, data: UInt32) throws {
        let audio = noise(count: 400)
        for isBig in [false, true] {
            var bytes = header(riff: riff, data: data)
            if isBig {
                let format =
                    big(UInt16(1)) + big(UInt16(2)) + big(UInt32(44100)) + big(UInt32(176_400))
                    + big(UInt16(4)) + big(UInt16(16))
                bytes =
                    Array("RIFX".utf8) + big(riff) + Array("WAVEfmt ".utf8) + big(UInt32(16)) + format
                    + Array("data".utf8) + big(data)
            }
            let saved = TemporaryFile(bytes + audio)
            let file = try AudioFile.open(path: saved.path)
            expectEqual(file.frameCount, 100)
            try expectEqual(Contents(of: file).bytes, audio)
            #expect(file.problems.allSatisfy { $0 == AudioFileProblem(.oddity, unfinished) })
            let piped = try FilledPipe(bytes + audio, pieceBytes: 100).open()
            try expectEqual(Contents(of: piped).bytes, audio)
            #expect(piped.problems.isEmpty)
        }
    }

    @Test("such a length is valid if chunks follow, or if it matches the file")
    func counted() throws {
        let bytes: UInt32 = 0x7FFF_F000
        let text = Array("INFOINAM".utf8) + little(UInt32(4)) + Array("Name".utf8)
        let list = Array("LIST".utf8) + little(UInt32(text.count)) + text
        for (riffBytes, tail) in [(UInt32.max, list), (36 + bytes + 40, [UInt8](repeating: 0, count: 40))] {
            let saved = TemporaryFile(header(riff: riffBytes, data: bytes))
            saved.append(mark + tail, at: 44 + Int(bytes) - mark.count)
            let file = try AudioFile.open(path: saved.path)
            expectEqual(file.frameCount, Int64(bytes) / 4)
            try expectEqual(Contents(of: file, from: Int64(bytes) / 4 - 10).bytes, mark)
            #expect(file.warnings.isEmpty)
            expectEqual(file.dataRange, 44..<44 + Int64(bytes))
            expectEqual(file.tags.title, (tail == list ? "Name" : nil))
        }
    }

    @Test("the audio of a killed recorder may begin like a chunk, in either byte order")
    func killedEarly() throws {
        let data = trap + noise(count: 360)
        var little = Header.wave(data: data, dataBytes: 0)
        little.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        let format =
            big(UInt16(1)) + big(UInt16(2)) + big(UInt32(44100))
            + big(UInt32(176_400)) + big(UInt16(4)) + big(UInt16(16))
        let big =
            Array("RIFX\0\0\0\0WAVEfmt ".utf8) + big(UInt32(16)) + format + Array("data\0\0\0\0".utf8)
            + data
        for bytes in [little, big] {
            let saved = TemporaryFile(bytes)
            let file = try AudioFile.open(path: saved.path)
            expectEqual(file.frameCount, 100)
            try expectEqual(Contents(of: file).bytes, data)
            expectEqual(file.warnings, [unfinished])
        }
    }

    @Test("RF64 of a killed recorder is read to its end, and empty RF64 is empty")
    func killedLarge() throws {
        let data = noise(count: 400)
        let header = Header.rf64(data: [], dataBytes: 0, frames: 0)
        var blank = header
        blank.replaceSubrange(20..<28, with: [UInt8](repeating: 0, count: 8))
        var literal = blank
        literal.replaceSubrange(76..<80, with: [0, 0, 0, 0])
        for start in [header, blank, literal] {
            let saved = TemporaryFile(start + data)
            let file = try AudioFile.open(path: saved.path)
            expectEqual(file.frameCount, 100)
            try expectEqual(Contents(of: file).bytes, data)
            expectEqual(file.warnings, [unfinished])
            expectEqual(file.dataRange, 80..<480)
        }
        let list = Array("LIST".utf8) + little(UInt32(16)) + Array("INFOINAM".utf8)
        var whole = header + list + little(UInt32(4)) + Array("Name".utf8)
        whole.replaceSubrange(20..<28, with: little(UInt64(whole.count - 8)))
        let saved = TemporaryFile(whole)
        let file = try AudioFile.open(path: saved.path)
        #expect(file.frameCount == 0 && file.warnings.isEmpty)
    }
}
