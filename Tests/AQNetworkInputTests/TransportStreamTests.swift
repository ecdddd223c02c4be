// SPDX-License-Identifier: MIT

import AQExpectations
import AQNetworkInput
import Testing
import AQTestSupport

@Suite("TransportStreamDemultiplexer")
struct TransportStreamTests {
    private struct Result: Equatable {
        var bytes: [UInt8] = []
        var audio = TransportStreamAudio.undetermined
        var skippedBytes: Int64 = 0
        var gaps = 0
        var droppedPackets = 0
    }

    private func result(_ input: [UInt8], pieceBytes: Int = .max) -> Result {
        var demultiplexer = TransportStreamDemultiplexer()
        var bytes: [UInt8] = []
        var rest = input[...]
        while !rest.isEmpty {
            demultiplexer.read(rest.prefix(pieceBytes), into: &bytes)
            rest = rest.dropFirst(min(pieceBytes, rest.count))
        }
        demultiplexer.endSegment(into: &bytes)
        return Result(
            bytes: bytes, audio: demultiplexer.audio, skippedBytes: demultiplexer.skippedBytes,
            gaps: demultiplexer.gaps, droppedPackets: demultiplexer.droppedPackets)
    }

    private func audio(_ count: Int, from first: Int = 0) -> [UInt8] {
        (first..<first + count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    }

    @Test(
        "FFmpeg's streams give the packets that were put in, in pieces of any size",
        arguments: [("tone.ts", "tone.aac", .adts), ("video.ts", "tone.mp2", .mpegAudio)]
            as [(String, String, TransportStreamAudio)])
    func ffmpeg(stream: String, packets: String, audio: TransportStreamAudio) throws {
        let input = SystemFile.contents(ofPath: ToolPaths.fixture("network/\(stream)"))
        let expected = Result(
            bytes: SystemFile.contents(ofPath: ToolPaths.fixture("network/\(packets)")), audio: audio)
        #expect(!expected.bytes.isEmpty)
        for pieceBytes in [1, 2, 7, 187, 188, 189, 1000, .max] {
            expectEqual(result(input, pieceBytes: pieceBytes), expected)
        }
    }

    @Test("PES packets with and without length, with any header and adaptation fields")
    func pes() {
        var stream = TransportStreamBytes()
        stream.appendTables(types: [0x0F])
        var expected: [UInt8] = []
        for (index, count) in [0, 1, 169, 170, 171, 172, 183, 184, 185, 1000, 65_000].enumerated() {
            for statesLength in [true, false] {
                let contents = audio(count, from: index)
                stream.appendPES(contents, statesLength: statesLength, headerBytes: index * 20)
                expected += contents
            }
        }
        expectEqual(result(stream.bytes), Result(bytes: expected, audio: .adts))
        expectEqual(result(stream.bytes, pieceBytes: 100), Result(bytes: expected, audio: .adts))
    }

    @Test("a PES packet without length is returned in parts if it is long")
    func unbounded() {
        var stream = TransportStreamBytes()
        stream.appendTables(types: [0x03])
        stream.appendPES(audio(1_000_000), statesLength: false)
        var demultiplexer = TransportStreamDemultiplexer()
        var bytes: [UInt8] = []
        demultiplexer.read(stream.bytes[...], into: &bytes)
        #expect(bytes.count > 700_000)
        demultiplexer.endSegment(into: &bytes)
        expectEqual(bytes, audio(1_000_000))
    }

    @Test("a missing packet drops its PES packet, and is counted")
    func loss() {
        var stream = TransportStreamBytes()
        stream.appendTables(types: [0x0F])
        stream.appendPES(audio(300))
        let start = stream.bytes.count
        stream.appendPES(audio(500))
        let end = stream.bytes.count
        stream.appendPES(audio(300, from: 9))
        let kept = audio(300) + audio(300, from: 9)
        for lost in stride(from: start, to: end, by: 188) {
            var bytes = stream.bytes
            bytes.removeSubrange(lost..<lost + 188)
            expectEqual(
                result(bytes),
                Result(bytes: kept, audio: .adts, gaps: 1, droppedPackets: lost == start ? 0 : 1))
            // A packet that is marked as damaged is missing too.
            bytes = stream.bytes
            bytes[lost + 1] |= 0x80
            expectEqual(result(bytes).bytes, kept)
        }
    }

    @Test("a packet may be sent twice, and a counter may change where this is announced")
    func counters() {
        var stream = TransportStreamBytes()
        stream.appendTables(types: [0x0F])
        stream.appendPES(audio(500))
        let doubled = stride(from: 0, to: stream.bytes.count, by: 188).flatMap { index in
            stream.bytes[index..<index + 188] + stream.bytes[index..<index + 188]
        }
        expectEqual(result(doubled), Result(bytes: audio(500), audio: .adts))

        stream.loseCount()
        stream.appendPacket([], isDiscontinuous: true)
        stream.appendPES(audio(10))
        expectEqual(result(stream.bytes), Result(bytes: audio(500) + audio(10), audio: .adts))
        stream.loseCount()
        stream.appendPES(audio(10))
        expectEqual(result(stream.bytes).gaps, 1)
    }

    @Test("segments may begin with any counter, and use the tables of the one before")
    func segments() {
        var (first, second) = (TransportStreamBytes(), TransportStreamBytes())
        first.appendTables(types: [0x1B, 0x0F], first: TransportStreamBytes.audioIdentifier - 1)
        first.appendPES(audio(100), statesLength: false)
        second.appendPES(audio(50))
        var demultiplexer = TransportStreamDemultiplexer()
        var bytes: [UInt8] = []
        for segment in [first.bytes, second.bytes] {
            demultiplexer.read(segment[...], into: &bytes)
            demultiplexer.endSegment(into: &bytes)
        }
        expectEqual(bytes, audio(100) + audio(50))
        expectEqual(demultiplexer.gaps, 0)
    }

    @Test("garbage before, between and after packets is skipped")
    func resynchronisation() {
        var stream = TransportStreamBytes()
        stream.append([0x47, 1, 2, 0x47])
        stream.appendTables(types: [0x0F])
        stream.appendPES(audio(100))
        stream.append([9, 0x47, 0x47, 8])
        stream.appendPES(audio(200))
        stream.append([1, 2, 3])
        for pieceBytes in [1, 188, .max] {
            let expected = Result(bytes: audio(100) + audio(200), audio: .adts, skippedBytes: 11)
            expectEqual(result(stream.bytes, pieceBytes: pieceBytes), expected)
        }
        expectEqual(result(audio(10_000)), Result(skippedBytes: 10_000))
        let marks = [UInt8](repeating: 0x47, count: 100_000)
        #expect(result(marks).bytes.isEmpty)
    }

    @Test(
        "audio that cannot be separated is reported",
        arguments: [
            ([0x11], [], .unsupported(type: 0x11), "AAC in LATM (type 0x11)"),
            ([0x1B, 0x81], [], .unsupported(type: 0x81), "AC-3 (type 0x81)"),
            ([0x06], [0x6A, 0], .unsupported(type: 6), "audio of type 0x06"),
            ([0x06], [0x05, 4, 0x4F, 0x70, 0x75, 0x73], .unsupported(type: 6), "audio of type 0x06"),
            ([0x06], [0x05, 4, 0x4F], .none, nil), ([0x1B, 0x15, 0x06], [], .none, nil), ([], [], .none, nil),
            ([0x11, 0x1B, 0x0F], [], .adts, nil), ([0x04], [], .mpegAudio, nil),
        ] as [([UInt8], [UInt8], TransportStreamAudio, String?)])
    func types(types: [UInt8], descriptors: [UInt8], expected: TransportStreamAudio, name: String?) {
        var stream = TransportStreamBytes()
        stream.appendTables(types: types, descriptors: descriptors)
        stream.appendPES(audio(10))
        let result = result(stream.bytes)
        expectEqual(result.audio, expected)
        expectEqual(result.audio.unsupportedName, name)
    }

    @Test("sections may span packets; damaged, later and foreign ones do not count")
    func sections() {
        let padding = [UInt8](repeating: 0, count: 200)
        let table = TransportStreamBytes.tableIdentifier
        let entry: [UInt8] = [0x0F, 0xE1, 0x01, 0xF0, 0x00]
        func stream(isCurrent: Bool = true, isDamaged: Bool = false, number: Int = 1) -> [UInt8] {
            var stream = TransportStreamBytes()
            stream.appendSection(
                [0, 0, 0, 0, 0, 0xE0, 0x10, 0, 1, 0xF0, 0], table: 0, identifier: 0)
            stream.appendSection(
                [0, 0, 0xE1, 1, 0xF0, UInt8(padding.count)] + padding + entry, table: 2, identifier: table,
                number: number, isCurrent: isCurrent, isDamaged: isDamaged)
            stream.appendPES(audio(10))
            return stream.bytes
        }
        expectEqual(result(stream()), Result(bytes: audio(10), audio: .adts))
        expectEqual(result(stream(isCurrent: false)).audio, .undetermined)
        expectEqual(result(stream(isDamaged: true)).audio, .undetermined)
        expectEqual(result(stream(number: 2)).audio, .undetermined)
        // The second packet of the section is lost.
        var lost = stream()
        lost.removeSubrange(2 * 188..<3 * 188)
        expectEqual(result(lost).audio, .undetermined)
    }

    @Test("later tables move the audio, and do not change its type")
    func laterTables() {
        var stream = TransportStreamBytes()
        stream.appendTables(types: [0x0F])
        stream.appendPES(audio(10))
        stream.appendTables(types: [0x0F], first: 0x200)
        stream.appendPES(audio(20), identifier: 0x101)
        stream.appendPES(audio(30), identifier: 0x200)
        stream.appendTables(types: [0x03], first: 0x300)
        stream.appendPES(audio(40), identifier: 0x300)
        stream.appendTables(types: [0x03, 0x0F], program: 7)
        stream.appendPES(audio(50), identifier: 0x102)
        expectEqual(result(stream.bytes), Result(bytes: audio(10) + audio(30) + audio(50), audio: .adts))
    }

    @Test("scrambled packets and invalid PES headers are dropped and counted")
    func invalid() {
        var stream = TransportStreamBytes()
        stream.appendTables(types: [0x0F])
        for unit in [
            [0, 0, 2, 0xC0, 0, 0, 0x80, 0, 0, 1], [0, 0, 1, 0xC0, 0, 0, 0x30, 0, 0, 1],
            [0, 0, 1, 0xC0, 0, 0, 0x90, 0, 0, 1], [0, 0, 1, 0xC0, 0, 4, 0x80, 0, 9] + audio(20), [0, 0, 1],
        ] {
            stream.appendUnit(unit)
        }
        stream.appendPacket(audio(184), beginsUnit: true, flags: 0x80)
        stream.appendPES(audio(10))
        let expected = Result(bytes: audio(10), audio: .adts, gaps: 1, droppedPackets: 5)
        expectEqual(result(stream.bytes), expected)
    }

    @Test(
        "FFmpeg's segments give what FFmpeg extracts from them",
        .enabled(if: ToolPaths.isInPath("ffmpeg"), "FFmpeg is not installed"))
    func liveSegments() throws {
        let folder = ScratchFolder()
        func run(_ arguments: String) throws {
            let run = try ChildProcess.run(
                "/bin/sh",
                ["-c", "cd '\(folder.path)' && ffmpeg -nostdin -loglevel error -bitexact \(arguments)"])
            expectEqual(run.exitStatus, 0, "\(run.standardError)")
        }
        try run(
            "-f lavfi -i sine=440:d=9 -f lavfi -i testsrc=size=32x32:rate=25:d=9 -c:v mpeg2video -g 25 -c:a aac "
                + "-b:a 96k -f hls -hls_time 2 -hls_list_size 0 -hls_segment_filename 's%d.ts' x.m3u8")
        guard case .media(let playlist) = try HLSPlaylist(folder.bytes(of: "x.m3u8")) else { return }
        #expect(playlist.segments.count >= 4)
        #expect(playlist.hasEnded)
        #expect(abs(playlist.segments.reduce(0) { $0 + $1.seconds } - 9) < 0.1)
        var demultiplexer = TransportStreamDemultiplexer()
        for segment in playlist.segments {
            try run("-y -i \(segment.reference) -map 0:a -c copy -f adts one.aac")
            var bytes: [UInt8] = []
            demultiplexer.read(folder.bytes(of: segment.reference)[...], into: &bytes)
            demultiplexer.endSegment(into: &bytes)
            expectEqual(bytes, folder.bytes(of: "one.aac"), "\(segment.reference)")
        }
        #expect(
            demultiplexer.gaps == 0 && demultiplexer.droppedPackets == 0 && demultiplexer.skippedBytes == 0)
    }
}
