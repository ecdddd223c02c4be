// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import AQTestSupport
import Testing

/// A file of PCM, and the file reader's frames.
struct PCMSubject: CustomTestStringConvertible, Sendable {
    var type: AudioFileType
    var kind: SampleKind

    var testDescription: String { "\(type.name) of \(kind.testDescription)" }

    static let all = [AudioFileType.wave, .rf64, .aiff, .aiffC].flatMap { type in
        SampleKind.all.map { PCMSubject(type: type, kind: $0) }
    }

    /// Writes a file of noise.
    func make(in folder: ScratchFolder, channels: Int = 2, frames: Int = 5003) throws -> String {
        let path = folder.file("subject of \(channels)")
        let format = try type.pcmFormat(
            sampleRate: 44100, channels: channels, bits: kind.bits, isFloat: kind.isFloat)
        let writer = try AudioFileWriter.create(path: path, type: type, format: format)
        try writer.append(noise(count: frames * Int(format.mBytesPerFrame)))
        try writer.close()
        return path
    }
}

@Suite("Streams of PCM")
struct StreamPCMTests {
    @Test("returns the file reader's packets, in pieces of any size", arguments: PCMSubject.all)
    func pieces(subject: PCMSubject) throws {
        let folder = ScratchFolder()
        for channels in [1, 6] {
            let path = try subject.make(in: folder, channels: channels)
            let file = try AudioFile.open(path: path)
            let contents = try Contents(of: file)
            let input = bytes(ofFile: path)
            let whole = StreamRecord(input, pieceBytes: .max)
            expectEqual(whole.failure, nil)
            expectEqual(whole.bytes, contents.bytes)
            expectEqual(whole.packets, contents.packets)
            expectEqual(whole.packetTable, file.packetTable)
            expectEqual(whole.labels, file.channelLabels)
            expectEqual(whole.bitRate, file.averageBitRate)
            expectEqual(whole.upperBound, file.packetSizeUpperBound)
            #expect(whole.warnings.isEmpty)
            expectEqual(whole.properties.last, .readyToProducePackets)
            let offset = try #require(whole.dataOffset)
            expectEqual(Array(input[Int(offset)...].prefix(contents.bytes.count)), contents.bytes)
            for pieceBytes in pieceSizes {
                expectEqual(StreamRecord(input, pieceBytes: pieceBytes).difference(from: whole), nil)
            }
        }
    }

    @Test("reports the format once the header has arrived, and packets as they arrive")
    func early() throws {
        let header = Header.wave(data: [], dataBytes: 400)
        let recorder = StreamRecorder()
        try recorder.parse(Array(header.dropLast(8)))
        expectEqual(recorder.record.properties, [.fileFormat, .dataFormat])
        #expect(!recorder.stream.isReadyToProducePackets)
        let early = try #require(throws: AudioFileStreamError.self) {
            try recorder.stream.requireKnown(.audioDataPacketCount)
        }
        expectEqual(early.code, .dataUnavailable)
        expectEqual(early.status, 1_836_020_325)
        try recorder.parse(Array(header.suffix(8)))
        #expect(recorder.stream.isReadyToProducePackets)
        expectEqual(recorder.stream.packetCount, 100)
        expectEqual(recorder.stream.averageBytesPerPacket, 4)
        expectEqual(recorder.stream.bitRate, 44100.0 * 32)
        expectEqual(recorder.stream.dataOffset, Int64(header.count))
        try recorder.parse([1, 2, 3, 4, 5])
        expectEqual(recorder.record.packets, 1)
        let never = try #require(throws: AudioFileStreamError.self) {
            try recorder.stream.requireKnown(.magicCookieData)
        }
        expectEqual(never.code, .valueUnknown)
    }

    @Test("continues to the end if a header leaves the length open")
    func openLength() throws {
        let data = noise(count: 4001)
        for length in [0, 0x7FFF_FFF0, 0xFFFF_FFFF] as [UInt32] {
            var input = Header.wave(data: data, dataBytes: length)
            input.replaceSubrange(4..<8, with: little(length))
            let record = StreamRecord(input, pieceBytes: 1000)
            expectEqual(record.bytes, Array(data.dropLast()))
            expectEqual(record.packetCount, 1000)
            expectEqual(record.packetTable?.validFrames, 1000)
            expectEqual(
                record.properties.suffix(3), [.audioDataByteCount, .audioDataPacketCount, .packetTableInfo])
            expectEqual(record.warnings, ["the last packet is cut short: 1 bytes of 4"])
        }
        let aiff = StreamRecord(Header.aiff(frames: .max, data: data, dataBytes: .max), pieceBytes: 7)
        expectEqual(aiff.packets, 1000)
        let rf64 = Header.rf64(data: data, dataBytes: UInt64(Int64.max) - 100, frames: 0)
        expectEqual(StreamRecord(rf64, pieceBytes: 7).packets, 1000)
    }

    @Test("plays nothing after the audio, and reads the tags before it")
    func surroundings() throws {
        let text = Array("INFOINAM".utf8) + little(UInt32(5)) + Array("Piece\0".utf8)
        let list = Array("LIST".utf8) + little(UInt32(text.count)) + text
        let junk = Array("junk".utf8) + little(UInt32(3)) + [1, 2, 3, 0]
        let data = noise(count: 400)
        var input = Header.wave(data: data)
        input.insert(contentsOf: list + junk, at: 12)
        let record = StreamRecord(input + list + junk, pieceBytes: 1)
        expectEqual(record.failure, nil)
        expectEqual(record.bytes, data)
        expectEqual(record.information, [AudioFileInformation("title", "Piece")])
    }

    @Test("parses codings of one byte and of a block a packet")
    func codings() throws {
        for (tag, formatID) in [(6, kAudioFormatALaw), (7, kAudioFormatULaw)] as [(UInt16, AudioFormatID)] {
            let recorder = StreamRecorder()
            try recorder.parse(Header.wave(tag: tag, channels: 2, bits: 8, data: noise(count: 100)))
            expectEqual(recorder.stream.format?.mFormatID, formatID)
            expectEqual(recorder.record.packets, 50)
        }
        // 'COMM' counts packets if a packet is not a frame.
        var aiff = Header.aiff(channels: 1, frames: 3, data: noise(count: 3 * 34))
        aiff.replaceSubrange(11..<12, with: Array("C".utf8))
        aiff.replaceSubrange(16..<20, with: big(UInt32(24)))
        aiff.insert(contentsOf: Array("ima4\0\0".utf8), at: 38)
        let record = StreamRecord(aiff, pieceBytes: 7)
        expectEqual(record.packets, 3)
        expectEqual(record.packetTable?.validFrames, 192)
        #expect(record.warnings.isEmpty)
    }

    @Test("reports why it cannot parse")
    func refused() {
        func code(_ input: [UInt8]) -> AudioFileStreamError.Code? {
            StreamRecord(input, pieceBytes: 7).failure?.code
        }
        expectEqual(code([]), .invalidFile)
        expectEqual(code(Array("some words that are no sound".utf8)), .unsupportedFileType)
        expectEqual(code(Array("RIFF1234AVI LIST56789".utf8)), .unsupportedFileType)
        expectEqual(code(Header.wave(channels: 0, data: [])), .unsupportedDataFormat)
        expectEqual(code(Header.wave(rate: 0, data: [])), .unsupportedDataFormat)
        expectEqual(code(Header.wave(tag: 2, data: [])), .unsupportedDataFormat)
        expectEqual(code(Array(Header.wave(data: []).prefix(30))), .invalidFile)
        var noFormat = Header.wave(data: [])
        noFormat.replaceSubrange(12..<16, with: Array("junk".utf8))
        expectEqual(code(noFormat), .notOptimized)
    }

    @Test("throws the same error again, and never from a closure's call")
    func misuse() throws {
        let recorder = StreamRecorder()
        let first = try #require(throws: AudioFileStreamError.self) {
            try recorder.parse(Header.wave(rate: 0, data: []))
        }
        let second = try #require(throws: AudioFileStreamError.self) { try recorder.stream.finish() }
        expectEqual(first, second)

        var inside: AudioFileStreamError?
        let stream = unsafe AudioFileStream(
            onProperty: { stream, _ in
                do throws(AudioFileStreamError) { try stream.finish() } catch { inside = error }
            }, onPackets: { _, _, _, _ in })
        try stream.feed(Header.wave(data: [])[...])
        expectEqual(inside?.code, .illegalOperation)
    }

    @Test("seeks to a packet's exact offset, and continues after a gap")
    func seek() throws {
        let data = noise(count: 4000)
        let recorder = StreamRecorder()
        let input = Header.wave(data: data)
        try recorder.parse(Array(input.prefix(100)))
        let place = try recorder.stream.seek(toPacket: 900)
        #expect(place == (3600, false))
        recorder.record.bytes = []
        let offset = try #require(recorder.stream.dataOffset)
        try recorder.parse(Array(input[Int(offset + place.byteOffset)...]), pieceBytes: 7)
        expectEqual(recorder.record.bytes, Array(data[3600...]))
        for packet in [-1, 1000, Int64.max] {
            let error = try #require(throws: AudioFileStreamError.self) {
                try recorder.stream.seek(toPacket: packet)
            }
            expectEqual(error.code, .invalidPacketOffset)
        }

        _ = try recorder.stream.seek(toPacket: 0)
        try recorder.parse([1, 2, 3, 4, 5])
        recorder.record.bytes = []
        let next: [UInt8] = [6, 7, 8, 9]
        try recorder.stream.feed(next[...], isDiscontinuous: true)
        expectEqual(recorder.record.bytes, next)

        let lost = StreamRecorder()
        try lost.parse(Array(input.prefix(20)))
        let error = try #require(throws: AudioFileStreamError.self) {
            try lost.stream.feed(data[...], isDiscontinuous: true)
        }
        expectEqual(error.code, .discontinuityCantRecover)
    }
}
