// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import Glibc
import Testing

@testable import AQFiles

/// The reader of pipes, with each stream type. ``AudioFile`` uses it for some of them.
@Suite("Streams from pipes")
struct StreamPipeTests {
    private static let subjects: [PacketSubject] =
        PacketSubject.all + [
            PacketSubject(name: "WAVE") { Header.wave(data: noise(count: 40_000)) },
            PacketSubject(name: "AIFF") { Header.aiff(data: noise(count: 40_000)) },
        ]

    /// Opens the reading end of a pipe that contains all of `bytes`.
    private func reader(_ bytes: [UInt8], headBytes: Int = 16) throws -> StreamFileReader {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        // F_SETPIPE_SZ, which the C module does not export: the inputs exceed the usual size of a pipe.
        _ = fcntl(ends[1], 1031, CInt(1 << 20))
        let rest = Array(bytes.dropFirst(headBytes))
        let written = unsafe rest.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) }
        expectEqual(written, rest.count)
        close(ends[1])
        let spool = PipeSpool(head: Array(bytes.prefix(headBytes)))
        return try StreamFileReader(file: OpenFile(pipe: ends[0]), spool: spool)
    }

    /// Reads all packets from one on, with room for a few.
    private func packets(
        of reader: StreamFileReader, from first: Int64 = 0, roomBytes: Int = 4096
    ) throws -> (bytes: [UInt8], sizes: [UInt32], frames: [UInt32]) {
        var room = [UInt8](repeating: 0, count: roomBytes)
        var places = [AudioStreamPacketDescription](repeating: AudioStreamPacketDescription(), count: 5)
        var result: (bytes: [UInt8], sizes: [UInt32], frames: [UInt32]) = ([], [], [])
        var next = first
        while true {
            let read = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe places.withUnsafeMutableBufferPointer { places in
                    try unsafe reader.readPackets(from: next, into: room, descriptions: places)
                }
            }
            guard read.packets > 0 else { return result }
            next += Int64(read.packets)
            result.bytes += room.prefix(read.bytes)
            guard reader.format.mBytesPerPacket == 0 else { continue }
            result.sizes += places.prefix(read.packets).map(\.mDataByteSize)
            result.frames += places.prefix(read.packets).map(\.mVariableFramesInPacket)
        }
    }

    @Test("return the packets of a file", arguments: subjects)
    func same(subject: PacketSubject) throws {
        let saved = TemporaryFile(subject.bytes)
        let file = try AudioFile.open(path: saved.path)
        let contents = try Contents(of: file)
        let piped = try reader(subject.bytes)
        #expect(piped.format.isSame(as: file.format))
        expectEqual(piped.channelLabels, file.channelLabels)
        expectEqual(piped.magicCookie, file.magicCookie)
        expectEqual(piped.containerName, file.containerName)
        let all = try packets(of: piped)
        expectEqual(all.bytes, contents.bytes)
        expectEqual(all.sizes, contents.descriptions.map(\.mDataByteSize))
        expectEqual(all.frames, contents.descriptions.map(\.mVariableFramesInPacket))
        // The end gives the length that the header left open.
        expectEqual(piped.packetTable, file.packetTable)
        #expect(try piped.countPackets() == contents.packets)
    }

    @Test("skip packets, and never go back", arguments: subjects)
    func skip(subject: PacketSubject) throws {
        let saved = TemporaryFile(subject.bytes)
        let contents = try Contents(of: AudioFile.open(path: saved.path), from: 70)
        let piped = try reader(subject.bytes)
        try expectEqual(packets(of: piped, from: 70).bytes, contents.bytes)
        let error = try #require(throws: AudioFileError.self) { try packets(of: piped, from: 3) }
        expectEqual(error.code, .notSeekable)
        #expect(throws: AudioFileError.self) { try piped.seekPoint(forFrame: 0) }
    }

    @Test("report that the room is too small, and lose nothing")
    func room() throws {
        let piped = try reader(PacketSubject.caf.bytes)
        let error = try #require(throws: AudioFileError.self) { try packets(of: piped, roomBytes: 8) }
        expectEqual(error.code, .bufferTooSmall)
        try expectEqual(packets(of: piped).sizes.count, 700)
    }

    @Test("keep the bytes of an unrecognised header, and pass them on as a file")
    func keptHead() throws {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        let bytes = Header.wave(tag: 2, data: noise(count: 1000))
        _ = unsafe bytes.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) }
        close(ends[1])
        let file = OpenFile(pipe: ends[0])
        var head: [UInt8] = []
        try file.readOn(&head, to: 16)
        let spool = PipeSpool(head: head)
        #expect(throws: AudioFileError.self) { try StreamFileReader(file: file, spool: spool) }
        #expect(spool.isHeadOnly)
        expectEqual(spool.head, bytes)
        let kept = try spool.makeFile(from: file, onWait: nil)
        expectEqual(kept.bytes, Int64(bytes.count))
        try expectEqual(kept.read(at: 0, count: 5000), bytes)
    }
}
