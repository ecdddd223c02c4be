// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import AQTestSupport
import Testing

@Suite("Damaged MPEG-4 files")
struct MP4BadFileTests {
    private func open(_ bytes: [UInt8]) throws -> AudioFile {
        let saved = TemporaryFile(bytes)
        return try AudioFile.open(path: saved.path)
    }

    private func failure(_ bytes: [UInt8]) throws -> AudioFileError {
        try #require(throws: AudioFileError.self) { try open(bytes) }
    }

    /// Reads everything, and compares it with the limits of the file.
    private func exhaust(_ bytes: [UInt8]) throws {
        guard let file = try? open(bytes) else { return }
        // A file that became another file type is covered by another test.
        guard ["MPEG-4", "QuickTime"].contains(file.containerName) else { return }
        #expect(file.packetSizeUpperBound <= max(bytes.count, 1))
        let room = max((file.packetSizeUpperBound + 7) / 8 * 8, 64)
        let contents = try Contents(of: file, roomBytes: room)
        #expect(contents.bytes.count <= bytes.count)
        #expect(Int64(contents.packets) == (try file.countPackets()) || !file.warnings.isEmpty)
        if let table = file.packetTable {
            let frames = Int64(contents.packets) * Int64(file.format.mFramesPerPacket)
            #expect(table.primingFrames >= 0 && table.validFrames >= 0 && table.remainderFrames >= 0)
            #expect(
                table.primingFrames + table.validFrames + table.remainderFrames == frames
                    || !file.warnings.isEmpty)
            _ = try file.seekPoint(forFrame: table.validFrames)
        }
    }

    @Test("that are truncated return the existing packets, or report the missing index")
    func cut() throws {
        var source = MP4File()
        for count in 8..<source.bytes.count { try exhaust(Array(source.bytes.prefix(count))) }
        // After the first half of the packets.
        let half = source.bytes.count - source.audio.count / 2
        let file = try open(Array(source.bytes.prefix(half)))
        try expectEqual(Contents(of: file).packets, 5)
        expectEqual(file.frameCount, 5120)
        #expect(file.warnings.contains { $0.contains("5 of 10 packets") })
        source.isIndexLast = true
        let error = try failure(Array(source.bytes.prefix(source.bytes.count / 3)))
        expectEqual(error.code, .damaged)
        #expect(error.message.contains("it has no index ('moov')"))
    }

    @Test("reserve no memory for data that is not in the file")
    func promises() throws {
        var source = MP4File()
        // Four billion packets of one size, whose table has no length.
        source.commonSize = (20, .max)
        var file = try open(source.bytes)
        #expect(try file.countPackets() < 20)
        #expect(!file.warnings.isEmpty)
        source.commonSize = (.max, .max)
        file = try open(source.bytes)
        try expectEqual(file.countPackets(), 0)
        expectEqual(file.packetSizeUpperBound, 1)
        // Linear PCM of as many frames.
        source.entry = MP4File.entry("sowt")
        source.commonSize = (4, .max)
        source.samplesPerChunk = 1 << 30
        file = try open(source.bytes)
        #expect(try file.countPackets() <= Int64(source.bytes.count) / 4)
    }

    @Test("may have few packets without bytes", arguments: [false, true])
    func nothing(isPiped: Bool) throws {
        var source = MP4File()
        source.sizeBits = 4
        source.packets = Array(repeating: [], count: 70_000)
        source.packets[10] = [1, 2, 3]
        source.packetsPerChunk = 1000
        // More than a pipe holds at once, except for the compact table.
        let file = try isPiped ? openPiped(source.bytes) : open(source.bytes)
        try expectEqual(Contents(of: file).packets, 65_537)
        expectEqual(file.warnings.count, 1)
        expectEqual(file.warnings.first?.contains("65536 packets without bytes"), true)
    }

    @Test("may not use their chunks repeatedly")
    func backwards() throws {
        var source = MP4File(packets: Array(repeating: [1], count: 10))
        source.packetsPerChunk = 1
        source.chunkRuns = (0..<20).map { ($0 % 2 == 0 ? 1 : 11, 1) }
        source.commonSize = (1, .max)
        var file = try open(source.bytes)
        try expectEqual(file.countPackets(), 10)
        #expect(file.warnings.contains { $0.contains("goes back at packet 10") })
        // A single offset at which it goes back.
        source.chunkRuns = [(1, 1), (5, 1), (3, 1)]
        source.commonSize = nil
        file = try open(source.bytes)
        try expectEqual(Contents(of: file).packets, 4)
        expectEqual(file.warnings, ["its table of chunks goes back at packet 4, and it ends there"])
    }

    @Test("may not have chunks shorter than a packet, except the last")
    func shortChunks() throws {
        var source = MP4File(packets: Array(repeating: [UInt8](repeating: 7, count: 34), count: 4))
        source.entry = MP4File.entry("ima4", channels: 1)
        source.durations = [(64 * 3 + 20, 1)]
        source.packetsPerChunk = 1
        source.commonSize = (1, 64 * 3 + 20)
        source.samplesPerChunk = 64
        var file = try open(source.bytes)
        try expectEqual(file.countPackets(), 3)
        #expect(file.warnings.isEmpty)
        source.chunkRuns = [(1, 64), (2, 20), (3, 64)]
        file = try open(source.bytes)
        try expectEqual(file.countPackets(), 1)
        expectEqual(file.warnings, ["a chunk is shorter than a packet at packet 1, and it ends there"])
    }

    @Test("may not use one part of the file many times")
    func overlap() throws {
        var source = MP4File()
        source.packets = Array(repeating: [], count: 2000)
        source.packets[0] = noise(count: 4000)
        source.packetsPerChunk = 1
        source.commonSize = (4000, 2000)
        source.isIndexLast = true
        let file = try open(source.bytes)
        #expect(try file.countPackets() < 8)
        #expect(!file.warnings.isEmpty)
    }

    @Test("report a change of the format")
    func changingFormat() throws {
        var bytes = MP4File().bytes
        // The description of the last run of chunks.
        let stsc = try #require(bytes.firstRange(of: Array("stsc".utf8)))
        bytes[stsc.upperBound + 8 + 12 + 11] = 2
        let file = try open(bytes)
        try expectEqual(Contents(of: file).packets, 8)
        expectEqual(file.warnings, ["its format changes at packet 8, and it ends there"])
    }

    @Test("name the fault of a description")
    func descriptions() throws {
        var source = MP4File()
        source.entry = MP4File.entry("mp4a")
        #expect(try failure(source.bytes).message.hasSuffix("its audio has no stream descriptor"))
        source.entry = MP4File.entry("alac")
        #expect(try failure(source.bytes).message.hasSuffix("its ALAC has no configuration"))
        source.entry = MP4File.aacEntry(config: [0xFF])
        try expectEqual(failure(source.bytes).code, .damaged)
        source.entry = MP4File.entry("sowt", channels: 0)
        try expectEqual(failure(source.bytes).code, .unsupported)
        source.entry = MP4File.entry("sowt", channels: 1040)
        #expect(try failure(source.bytes).message.contains("1040 channels"))
        source.entry = []
        #expect(try failure(source.bytes).message.hasSuffix("its audio track has no description"))
    }

    @Test("survive any change of a single byte of the index", arguments: [0, 1, 2, 3])
    func flipped(kind: Int) throws {
        var source = MP4File()
        switch kind {
        case 1:
            source.entry = MP4File.entry("sowt")
            source.commonSize = (4, 60)
        case 2: source.sizeBits = 16
        case 3:
            source.edits = [(100, 1024)]
            source.userData = MP4File.metadata(
                MP4File.item("nam", "T"),
                MP4File.freeForm("iTunSMPB", " 00000000 00000840 000001C0 0000000000001E00"))
        default: break
        }
        let bytes = source.bytes
        for place in someCases(150, of: 0..<bytes.count - source.audio.count) {
            for value in [0, 0x7F, 0xFF] as [UInt8] where bytes[place] != value {
                var other = bytes
                other[place] = value
                try exhaust(other)
            }
        }
    }

    @Test("survive changes of whole fields of the index", arguments: 1...4)
    func mutated(seed: Int) throws {
        var random = SplitMix(UInt64(seed))
        let sources = [MP4File().bytes, Self.fragmented, Self.pcm].filter { !$0.isEmpty }
        expectEqual(sources.count, 3)
        for _ in someCases(100, of: 0..<400) {
            var bytes = sources.randomElement(using: &random) ?? []
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count - 4, using: &random)
                switch Int.random(in: 0..<6, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1...3:
                    let values: [UInt32] = [0, 1, 7, 8, 0x7FFF_FFFF, 0x8000_0000, .max, .max - 7]
                    let value =
                        random.chance(2)
                        ? UInt32.random(in: 0...4000, using: &random)
                        : values.randomElement(using: &random) ?? 0
                    bytes.replaceSubrange(place..<place + 4, with: big(value))
                case 4: bytes.removeSubrange(place..<place + 4)
                default: bytes.insert(contentsOf: big(UInt32(8)), at: place)
                }
                if bytes.count < 64 { break }
            }
            try exhaust(bytes)
        }
    }

    private static let fragmented = (try? MP4FragmentedBytes(fragments: 3))?.bytes ?? []

    private static let pcm: [UInt8] = {
        var source = MP4File()
        source.entry = MP4File.entry("twos")
        source.commonSize = (4, 60)
        source.isIndexLast = true
        return source.bytes
    }()
}
