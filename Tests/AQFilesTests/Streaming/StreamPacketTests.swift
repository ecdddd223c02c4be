// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import AQTestSupport
import Testing

@testable import AQFiles

/// A stream of packets, made by hand.
struct PacketSubject: CustomTestStringConvertible, Sendable {
    var name: String
    var bytes: [UInt8]

    var testDescription: String { name }

    static let all = [caf, timedCAF, constantCAF, adts, mp4, linearMP4] + mpeg

    static let caf = PacketSubject(name: "CAF with a packet table") {
        let sizes = CAFBytes.sizes(700)
        let valid = Int64(700 * 1024 - 2112 - 500)
        return CAFBytes.start + CAFBytes.description(CAFBytes.aac) + CAFBytes.chunk("kuki", [1, 2, 3])
            + CAFBytes.chunk("free", noise(count: 5000))
            + CAFBytes.table(sizes, priming: 2112, valid: valid, remainder: 500)
            + CAFBytes.data(noise(count: sizes.reduce(0, +))) + CAFBytes.chunk("free", noise(count: 99))
    }

    static let timedCAF = PacketSubject(name: "CAF with a table of sizes and frames") {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatOpus, framesPerPacket: 0, channels: 1, sampleRate: 48000)
        let sizes = CAFBytes.sizes(100)
        return CAFBytes.start + CAFBytes.description(format)
            + CAFBytes.table(sizes.flatMap { [$0, 960] }, packets: 100)
            + CAFBytes.data(noise(count: sizes.reduce(0, +)), promised: -1)
    }

    static let constantCAF = PacketSubject(name: "CAF of packets of one size, with trims") {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleIMA4, bytesPerPacket: 68, framesPerPacket: 64, channels: 2, sampleRate: 44100)
        return CAFBytes.start + CAFBytes.description(format)
            + CAFBytes.table([], packets: 0, priming: 10, valid: 64 * 300 - 30, remainder: 20)
            + CAFBytes.data(noise(count: 68 * 300))
    }

    static let adts = PacketSubject(name: "ADTS") { try ADTSBytes.stream(0..<300) }

    static let mp4 = PacketSubject(name: "MPEG-4") {
        MP4File(packets: (0..<300).map { noise(count: 50 + $0, seed: UInt32($0)) }, packetsPerChunk: 7).bytes
    }

    static let linearMP4 = PacketSubject(name: "QuickTime of PCM") {
        MP4File(
            type: "qt  ", entry: MP4File.entry("sowt"),
            packets: (0..<10_000).map { noise(count: 4, seed: $0) }, packetsPerChunk: 1000,
            commonSize: (4, 10_000)
        ).bytes
    }

    static let mpeg: [PacketSubject] = {
        #if HAVE_MPEG_AUDIO
        [
            PacketSubject(name: "MPEG audio") { MPEGBytes.packets(300) },
            PacketSubject(name: "MPEG audio with an encoder's tag, behind an ID3 tag") {
                ADTSBytes.tag(title: "T", paddingBytes: 10_000)
                    + MPEGBytes.info(packets: 200, bytes: 201 * 417) + MPEGBytes.packets(200)
                    + Array("TAG".utf8) + [UInt8](repeating: 0, count: 125)
            },
        ]
        #else
        []
        #endif
    }()

    init(name: String, _ make: () throws -> [UInt8]) {
        self.name = name
        bytes = (try? make()) ?? []
    }
}

@Suite("Streams of packets")
struct StreamPacketTests {
    @Test("returns the file reader's packets, in pieces of any size", arguments: PacketSubject.all)
    func pieces(subject: PacketSubject) throws {
        let saved = TemporaryFile(subject.bytes)
        let file = try AudioFile.open(path: saved.path)
        let contents = try Contents(of: file)
        let whole = StreamRecord(subject.bytes, pieceBytes: .max)
        expectEqual(whole.failure, nil)
        expectEqual(whole.packets, contents.packets)
        #expect(whole.packets > 90)
        expectEqual(whole.bytes, contents.bytes)
        expectEqual(whole.sizes, contents.descriptions.map(\.mDataByteSize))
        expectEqual(whole.packetTable, file.packetTable)
        expectEqual(whole.packetCount, Int64(contents.packets))
        expectEqual(whole.labels, file.channelLabels)
        expectEqual(whole.cookie ?? [], file.magicCookie)
        expectEqual(whole.upperBound, file.packetSizeUpperBound)
        #expect(whole.information == file.information || file.tags.title == "T")
        #expect(whole.warnings.isEmpty)
        for pieceBytes in pieceSizes {
            expectEqual(StreamRecord(subject.bytes, pieceBytes: pieceBytes).difference(from: whole), nil)
        }
    }

    @Test("reports at the first byte of audio that no packets can be found", arguments: [7, 100_000])
    func notOptimized(pieceBytes: Int) {
        let sizes = CAFBytes.sizes(20)
        let late =
            CAFBytes.start + CAFBytes.description(CAFBytes.aac)
            + CAFBytes.data(noise(count: sizes.reduce(0, +))) + CAFBytes.table(sizes)
        expectEqual(StreamRecord(late, pieceBytes: pieceBytes).failure?.code, .notOptimized)
        let movie = MP4File(isIndexLast: true).bytes
        let record = StreamRecord(movie, pieceBytes: pieceBytes)
        expectEqual(record.failure?.code, .notOptimized)
        expectEqual(record.failure?.message.hasSuffix("its index comes after the audio"), true)
        expectEqual(record.properties, [])
    }

    @Test("seeks to exact offsets if a table gives them", arguments: [PacketSubject.caf, .mp4])
    func tabledSeek(subject: PacketSubject) throws {
        let whole = StreamRecord(subject.bytes, pieceBytes: .max)
        let recorder = StreamRecorder()
        try recorder.parse(subject.bytes, pieceBytes: 1000)
        for packet in [200, 3, 299] {
            let place = try recorder.stream.seek(toPacket: Int64(packet))
            #expect(!place.isEstimated)
            recorder.record = StreamRecord()
            let start = Int(try #require(recorder.stream.dataOffset) + place.byteOffset)
            // A requested seek is not a gap.
            try recorder.stream.feed(subject.bytes[start..<start + 1], isDiscontinuous: true)
            try recorder.parse(Array(subject.bytes[(start + 1)...]), pieceBytes: 333)
            expectEqual(recorder.record.sizes, Array(whole.sizes[packet...]))
            expectEqual(recorder.record.bytes, whole.bytes.suffix(recorder.record.bytes.count))
        }
        let error = try #require(throws: AudioFileStreamError.self) {
            try recorder.stream.feed(subject.bytes[0..<10], isDiscontinuous: true)
        }
        expectEqual(error.code, .discontinuityCantRecover)
    }

    @Test("finds a packet again after a gap, and near an estimated offset")
    func resync() throws {
        for subject in [PacketSubject.adts] + PacketSubject.mpeg.prefix(1) {
            let whole = StreamRecord(subject.bytes, pieceBytes: .max)
            let recorder = StreamRecorder()
            try recorder.parse(Array(subject.bytes[..<10_050]))
            let before = recorder.record.packets
            try recorder.stream.feed(subject.bytes[20_001...], isDiscontinuous: true)
            try recorder.stream.finish()
            let after = recorder.record.sizes.count - before
            #expect(after > 40)
            expectEqual(recorder.record.bytes.suffix(9000), whole.bytes.suffix(9000))
            expectEqual(recorder.stream.packetCount, nil)
            #expect(recorder.stream.warnings.isEmpty)

            let place = try recorder.stream.seek(toPacket: 100)
            #expect(place.isEstimated)
            recorder.record = StreamRecord()
            let start = Int(try #require(recorder.stream.dataOffset) + place.byteOffset)
            try recorder.stream.feed(subject.bytes[start...], isDiscontinuous: true)
            try recorder.stream.finish()
            #expect((198...202).contains(recorder.record.packets))
            #expect(try recorder.stream.seek(toPacket: 0) == (0, false))
        }
    }

    @Test("skips bytes that belong to no packet, and reports them")
    func garbage() throws {
        let garbage = [UInt8](repeating: 0x55, count: 100_000)
        let input = try ADTSBytes.stream(0..<10) + garbage + ADTSBytes.stream(10..<30)
        for pieceBytes in [7, 100_000] {
            let record = StreamRecord(input, pieceBytes: pieceBytes)
            expectEqual(record.bytes, ADTSBytes.payloads(0..<30))
            expectEqual(record.warnings, ["100000 bytes at byte 1115, before packet 10, are not AAC"])
        }
        // A hint decides if the first bytes are ambiguous.
        let late = try garbage + ADTSBytes.stream(0..<30)
        expectEqual(StreamRecord(late, pieceBytes: 1000, typeHint: .adts).bytes, ADTSBytes.payloads(0..<30))
    }

    @Test("never collects more than a packet and a block")
    func memory() throws {
        let recorder = StreamRecorder()
        let input = Header.wave(data: noise(count: 1 << 20))
        try recorder.parse(input)
        #expect(recorder.record.packets == 1 << 18)
        #expect(recorder.largestBatchBytes <= 128 << 10)
        #expect(recorder.stream.core.queue.count < 4)
        // A promised part is waited for without an allocation.
        let promising = StreamRecorder()
        try promising.parse(
            CAFBytes.start + CAFBytes.description(CAFBytes.aac)
                + CAFBytes.chunk("kuki", [1, 2, 3], bytes: 10 << 20))
        expectEqual(promising.stream.core.queue.count, 3)
        // Unused bytes are dropped as they arrive.
        let useless = StreamRecorder()
        try useless.parse(
            CAFBytes.start + CAFBytes.description(CAFBytes.aac)
                + CAFBytes.chunk("uuid", noise(count: 1 << 20), bytes: 1 << 40))
        expectEqual(useless.stream.core.queue.count, 0)
    }
}
