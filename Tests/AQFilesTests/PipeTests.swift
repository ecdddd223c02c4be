// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import AQTestSupport
import Testing

/// A pipe into which a thread writes bytes in small pieces.
final class FilledPipe: @unchecked Sendable {
    // SAFETY: the thread only reads the constants.
    let path: String
    private let reading: CInt
    private let writing: CInt
    private let bytes: [UInt8]
    private let pieceBytes: Int
    private let pauseMicroseconds: UInt32

    /// - Parameter pauseMicroseconds: Between two pieces.
    init(_ bytes: [UInt8], pieceBytes: Int, pauseMicroseconds: UInt32 = 0) throws {
        self.pauseMicroseconds = pauseMicroseconds
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        path = "/dev/fd/\(reading)"
        self.bytes = bytes
        self.pieceBytes = pieceBytes
        signal(SIGPIPE, SIG_IGN)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self).toOpaque()
        let created = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<FilledPipe>.fromOpaque(context).takeRetainedValue().write()
                return nil
            }, context)
        try #require(created == 0)
        pthread_detach(thread)
    }

    private func write() {
        var rest = bytes[...]
        while !rest.isEmpty {
            let put = unsafe rest.prefix(pieceBytes).withUnsafeBytes {
                unsafe Glibc.write(writing, $0.baseAddress, $0.count)
            }
            guard put > 0 else { break }
            rest = rest.dropFirst(put)
            if pauseMicroseconds > 0 { usleep(pauseMicroseconds) }
        }
        close(writing)
    }

    /// Opens the pipe as a file, which then alone keeps it open.
    func open(isEndNeeded: Bool = false, onWait: ((Int64) -> Void)? = nil) throws -> AudioFile {
        defer { close(reading) }
        return try AudioFile.open(path: path, isEndNeeded: isEndNeeded, onWait: onWait)
    }
}

@Suite("Pipes")
struct PipeTests {
    private let data: [UInt8] = (0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 8) }

    @Test("plays PCM from a pipe to its last byte", arguments: [1, 7, 5000])
    func pcm(pieceBytes: Int) throws {
        let data = Array(data.prefix(pieceBytes == 1 ? 400 : 40_000))
        for bytes in [Header.wave(data: data), Header.aiff(data: data), Header.caf(data: data)] {
            let file = try FilledPipe(bytes, pieceBytes: pieceBytes).open()
            #expect(!file.isSeekable)
            expectEqual(file.frameCount, Int64(data.count / 4))
            try expectEqual(Contents(of: file).bytes, data)
            #expect(file.warnings.isEmpty)
        }
    }

    @Test("reads from a pipe without delay")
    func nonBlocking() async throws {
        for kind in 0..<2 {
            await #expect(processExitsWith: .success) { [kind = kind as Int] in
                let data = noise(count: 40_000)
                // Formats of the stream parser, and formats that libsndfile reads through a second pipe.
                var bytes = Header.caf(data: data)
                if kind == 1 {
                    bytes = Header.aiff(channels: 1, frames: 250, data: noise(count: 8500))
                    bytes.replaceSubrange(11..<12, with: Array("C".utf8))
                    bytes.replaceSubrange(16..<20, with: big(UInt32(24)))
                    bytes.insert(contentsOf: Array("ima4\0\0".utf8), at: 38)
                }
                let pipe = try FilledPipe(bytes, pieceBytes: 1000, pauseMicroseconds: 1000)
                let reading = try #require(CInt(pipe.path.dropFirst("/dev/fd/".count)))
                _ = fcntl(reading, F_SETFL, O_NONBLOCK)
                dup2(reading, 0)
                let read = try Contents(of: AudioFile.open(path: "-")).bytes
                let saved = TemporaryFile(bytes)
                let whole = try Contents(of: AudioFile.open(path: saved.path)).bytes
                try #require(read == whole)
            }
        }
    }

    @Test("plays a stream of open length to the end of the pipe")
    func openLength() throws {
        for length in [0x7FFF_FFF0, 0xFFFF_FFFF] as [UInt32] {
            let file = try FilledPipe(Header.wave(data: data, dataBytes: length), pieceBytes: 5000).open()
            expectEqual(file.frameCount, nil)
            expectEqual(file.packetTable, nil)
            #expect(throws: AudioFileError.self) { try file.countFrames() }
            try expectEqual(Contents(of: file).bytes, data)
        }
        let caf = try FilledPipe(Header.caf(data: data, dataBytes: -1), pieceBytes: 5000).open()
        expectEqual(caf.frameCount, nil)
        try expectEqual(Contents(of: caf).bytes, data)
    }

    @Test("reads only forwards")
    func forwards() throws {
        let file = try FilledPipe(Header.wave(data: data), pieceBytes: 5000).open()
        try expectEqual(Contents(of: file, from: 5000).bytes, Array(data[20_000...]))
        let error = try #require(throws: AudioFileError.self) { try Contents(of: file, from: 100) }
        expectEqual(error.code, .notSeekable)
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 100) }
    }

    @Test("plays RF64 from a pipe", arguments: [7, 5000])
    func rf64(pieceBytes: Int) throws {
        let bytes = Header.rf64(data: data, dataBytes: 40_000, frames: 10_000)
        let file = try FilledPipe(bytes, pieceBytes: pieceBytes).open()
        expectEqual(file.containerName, "RF64")
        expectEqual(file.frameCount, 10_000)
        try expectEqual(Contents(of: file).bytes, data)
        let lying = Header.rf64(data: data, dataBytes: 1 << 40, frames: 1 << 38)
        let short = try FilledPipe(lying, pieceBytes: 5000).open()
        try expectEqual(Contents(of: short).bytes, data)
        expectEqual(short.warnings.count, 1)
    }

    @Test("ignores the length of RF64 that was recorded into a pipe")
    func openRF64() throws {
        let bytes = Header.rf64(data: data, dataBytes: 1 << 43, frames: 1 << 41)
        let piped = try FilledPipe(bytes, pieceBytes: 5000).open()
        let saved = TemporaryFile(bytes)
        let stored = try AudioFile.open(path: saved.path)
        #expect(piped.frameCount == nil && stored.frameCount == 10_000)
        for file in [piped, stored] {
            try expectEqual(Contents(of: file).bytes, data)
            #expect(file.warnings.isEmpty)
        }
    }

    @Test("decodes from a pipe formats other than PCM, as from a file")
    func decoded() throws {
        var bytes = Header.aiff(channels: 1, frames: 30, data: noise(count: 30 * 34))
        bytes.replaceSubrange(11..<12, with: Array("C".utf8))
        bytes.replaceSubrange(16..<20, with: big(UInt32(24)))
        bytes.insert(contentsOf: Array("ima4\0\0".utf8), at: 38)
        let saved = TemporaryFile(bytes)
        let whole = try Contents(of: AudioFile.open(path: saved.path))
        let piped = try FilledPipe(bytes, pieceBytes: 100).open()
        #expect(piped.format.isLinearPCM)
        try expectEqual(Contents(of: piped).bytes, whole.bytes)
    }

    @Test("reports formats that cannot be read from a pipe")
    func refused() throws {
        #expect(throws: AudioFileError.self) {
            try FilledPipe(Array("fLaC".utf8) + data, pieceBytes: 5000).open()
        }
        let broken = Header.rf64(data: data, dataBytes: 40_000, frames: 10_000)
        #expect(throws: AudioFileError.self) {
            try FilledPipe(Array(broken.prefix(60)), pieceBytes: 5000).open()
        }
        let empty = try #require(throws: AudioFileError.self) { try FilledPipe([], pieceBytes: 1).open() }
        expectEqual(empty.code, .empty)
        #expect(throws: AudioFileError.self) { try FilledPipe([0x52], pieceBytes: 1).open() }
    }

    #if HAVE_MPEG_AUDIO
    @Test("plays MPEG audio from a pipe, damaged or not", arguments: [100, 5000])
    func mpeg(pieceBytes: Int) throws {
        let stream = MPEGBytes.packets(300)
        let file = try FilledPipe(stream, pieceBytes: pieceBytes).open()
        expectEqual(file.frameCount, nil)
        try expectEqual(Contents(of: file).bytes, stream)
        #expect(file.warnings.isEmpty)

        let garbage = [UInt8](repeating: 0x55, count: 100_000)
        let broken = try FilledPipe(MPEGBytes.packets(10) + garbage + stream, pieceBytes: pieceBytes).open()
        try expectEqual(Contents(of: broken).packets, 310)
        expectEqual(broken.warnings, ["100000 bytes at byte 4170, before packet 10, are not MPEG audio"])
    }

    @Test("has the length of a pipe with an encoder's tag")
    func taggedPipe() throws {
        let tag = MPEGBytes.info(packets: 20, bytes: 21 * 417)
        let file = try FilledPipe(tag + MPEGBytes.packets(20), pieceBytes: 1000).open()
        expectEqual(file.frameCount, Int64(20 * 1152 - 1576))
        try expectEqual(file.seekPoint(forFrame: 2000), SeekPoint(packet: 0, framesToDiscard: 3105))
        try expectEqual(Contents(of: file, roomBytes: 424, from: 3).packets, 17)
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 0) }
    }
    #endif
}
