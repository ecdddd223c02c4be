// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQFiles

/// Players set the flag of a gap before the first packets, and clear it with the first of them.
@Suite("Streams of players that set the flag of a gap before the first packet")
struct StreamFlagTests {
    /// The sizes of pieces from a network.
    private static let pieceSizes = [512, 700, 1024, 1460, 2048, 4096]

    @Test("return the same packets, with the flag and without", arguments: PacketSubject.all)
    func first(subject: PacketSubject) throws {
        for pieceBytes in Self.pieceSizes {
            let without = StreamRecord(subject.bytes, pieceBytes: pieceBytes)
            let recorder = StreamRecorder()
            try feed(recorder, subject.bytes[...], pieceBytes: pieceBytes)
            try recorder.stream.finish()
            expectEqual(recorder.finished.difference(from: without), nil, "pieces of \(pieceBytes) bytes")
            #expect(without.packets > 90)
        }
    }

    @Test("return the same packets after a seek", arguments: PacketSubject.all)
    func sought(subject: PacketSubject) throws {
        for pieceBytes in [64] + Self.pieceSizes {
            let (flagged, plain) = (StreamRecorder(), StreamRecorder())
            for recorder in [flagged, plain] { try recorder.parse(subject.bytes) }
            let place = try flagged.stream.seek(toPacket: 50)
            _ = try plain.stream.seek(toPacket: 50)
            for recorder in [flagged, plain] { recorder.record = StreamRecord() }
            let start = Int(try #require(plain.stream.dataOffset) + place.byteOffset)
            try feed(flagged, subject.bytes[start...], pieceBytes: pieceBytes, isFlagged: true)
            try plain.parse(Array(subject.bytes[start...]), pieceBytes: pieceBytes)
            for recorder in [flagged, plain] { try recorder.stream.finish() }
            expectEqual(
                flagged.finished.difference(from: plain.finished), nil, "pieces of \(pieceBytes) bytes")
            #expect(plain.record.packets > 40)
        }
    }

    @Test("continue after a gap with the first packet found, however long the flag is set")
    func gap() throws {
        for subject in [PacketSubject.adts] + PacketSubject.mpeg.prefix(1) {
            let recorder = StreamRecorder()
            try recorder.parse(Array(subject.bytes[..<10_050]))
            let before = recorder.record.packets
            recorder.record = StreamRecord()
            try feed(recorder, subject.bytes[20_001...], pieceBytes: 64, isFlagged: true)
            try recorder.stream.finish()
            #expect(before > 20)
            #expect(recorder.record.packets > 40)
        }
    }

    /// Parses in pieces, with the flag as a player sets it.
    private func feed(
        _ recorder: StreamRecorder, _ bytes: ArraySlice<UInt8>, pieceBytes: Int, isFlagged: Bool = false
    ) throws {
        var isFlagged = isFlagged
        var isReady = recorder.stream.isReadyToProducePackets
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: pieceBytes) {
            try recorder.stream.feed(
                bytes[start..<min(start + pieceBytes, bytes.endIndex)], isDiscontinuous: isFlagged)
            if !isReady, recorder.stream.isReadyToProducePackets { (isReady, isFlagged) = (true, true) }
            if recorder.record.packets > 0 { isFlagged = false }
        }
    }
}
