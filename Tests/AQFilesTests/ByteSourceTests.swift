// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

/// Bytes in memory, given out in pieces as a server would.
private final class MemoryBytes: RandomAccessBytes, ByteStream {
    let bytes: [UInt8]
    private var position = 0
    private let pieceBytes: Int
    /// The offset from which reading fails.
    private let failureOffset: Int
    private(set) var readBytes: Int64 = 0

    init(_ bytes: [UInt8], pieceBytes: Int = .max, failureOffset: Int = .max) {
        self.bytes = bytes
        self.pieceBytes = pieceBytes
        self.failureOffset = failureOffset
    }

    var byteCount: Int64 { Int64(bytes.count) }

    func read(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int {
        let start = min(Int(offset), bytes.count)
        let part = bytes[start..<min(start + memory.count, bytes.count)]
        guard part.endIndex <= failureOffset else { throw AudioFileError(.unreadable, "the server is gone") }
        readBytes += Int64(part.count)
        unsafe memory.copyBytes(from: part)
        return part.count
    }

    func read(into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        guard position < failureOffset else { throw AudioFileError(.unreadable, "the server is gone") }
        let part = bytes[position...].prefix(min(memory.count, pieceBytes))
        unsafe memory.copyBytes(from: part)
        position += part.count
        return part.count
    }

    func wait(milliseconds: Int64?) -> Bool { true }
}

/// Files whose bytes are elsewhere.
@Suite("Bytes from elsewhere")
struct ByteSourceTests {
    private static let subjects: [PacketSubject] =
        PacketSubject.all + [
            PacketSubject(name: "WAVE") { Header.wave(data: noise(count: 200_000)) },
            PacketSubject(name: "AIFF") { Header.aiff(data: noise(count: 200_000)) },
        ]

    @Test("are read as the same file at any offset", arguments: subjects)
    func file(subject: PacketSubject) throws {
        let saved = TemporaryFile(subject.bytes)
        let file = try AudioFile.open(path: saved.path)
        let remote = try AudioFile.open(
            MemoryBytes(subject.bytes) as any RandomAccessBytes, named: "elsewhere", isEndNeeded: true)
        #expect(remote.isSeekable)
        #expect(remote.format.isSame(as: file.format))
        expectEqual(remote.packetTable, file.packetTable)
        try expectEqual(Contents(of: remote).bytes, Contents(of: file).bytes)
        try expectEqual(Contents(of: remote).bytes, Contents(of: file).bytes)
        expectEqual(remote.warnings, file.warnings)
    }

    @Test("are read as the same stream in order", arguments: subjects)
    func stream(subject: PacketSubject) throws {
        let saved = TemporaryFile(subject.bytes)
        let file = try AudioFile.open(path: saved.path)
        let stream = try AudioFile.open(
            MemoryBytes(subject.bytes, pieceBytes: 777) as any ByteStream, named: "elsewhere")
        #expect(!stream.isSeekable)
        try expectEqual(Contents(of: stream).bytes, Contents(of: file).bytes)
    }

    @Test("are not read to their end for a count")
    func noScan() throws {
        let bytes = try ADTSBytes.stream(0..<2000)
        let source = MemoryBytes(bytes)
        let file = try AudioFile.open(source as any RandomAccessBytes, named: "elsewhere")
        expectEqual(file.packetTable, nil)
        #expect(source.readBytes < Int64(bytes.count) * 3 / 4)
        #expect(try file.seekPoint(forFrame: 5000).packet <= 4)
        try expectEqual(Contents(of: file).descriptions.count, 2000)
        expectEqual(file.frameCount, 2_048_000)
    }

    @Test("that cannot be had are an error with its reason, not an end")
    func failure() throws {
        let bytes = Header.wave(data: noise(count: 400_000))
        let remote = try AudioFile.open(
            MemoryBytes(bytes, failureOffset: 200_000) as any RandomAccessBytes, named: "elsewhere")
        let error = #expect(throws: AudioFileError.self) { try Contents(of: remote) }
        expectEqual(error?.message, "cannot read 'elsewhere': the server is gone")
        let stream = try AudioFile.open(
            MemoryBytes(bytes, failureOffset: 200_000) as any ByteStream, named: "x")
        #expect(throws: AudioFileError.self) { try Contents(of: stream) }
    }

    @Test("are returned up to a failure, before it is reported")
    func packetsBeforeFailure() throws {
        let bytes = Header.wave(data: noise(count: 40_000))
        let source = MemoryBytes(bytes, pieceBytes: 1000, failureOffset: 30_000)
        let stream = try AudioFile.open(source as any ByteStream, named: "x")
        var room = [UInt64](repeating: 0, count: 5000)
        let read = try unsafe room.withUnsafeMutableBytes { room in
            try unsafe stream.readPackets(from: 0, into: room, descriptions: .init(start: nil, count: 0))
        }
        #expect(read.bytes >= 30_000 - 44)
        #expect(throws: AudioFileError.self) { try Contents(of: stream) }
    }

    @Test("that cannot be had from the beginning are not taken for damage")
    func openingFails() {
        let error = #expect(throws: AudioFileError.self) {
            try AudioFile.open(
                MemoryBytes(Header.wave(data: noise(count: 4000)), failureOffset: 20)
                    as any RandomAccessBytes,
                named: "elsewhere")
        }
        expectEqual(error?.message, "cannot open 'elsewhere': the server is gone")
    }
}
