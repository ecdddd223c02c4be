// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing

@testable import AQFiles

/// A fragmented file of a killed writer.
struct MP4FragmentedBytes {
    var head: [UInt8]
    var fragments: [[UInt8]] = []
    var packets: [[UInt8]] = []

    var bytes: [UInt8] { head + fragments.flatMap { $0 } }

    /// - Parameter fragments: Of three packets each, the last of which has 100 frames at the very end.
    init(fragments count: Int, priming: Int64 = 0) throws {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
        let track = try MP4WrittenTrack(format)
        head = track.head(primingFrames: priming, metadata: FileMetadata())
        for number in 0..<count {
            let packets = (0..<3).map { noise(count: 30 + 10 * $0, seed: UInt32(3 * number + $0)) }
            let isLast = number == count - 1
            fragments.append(
                track.fragmentHead(
                    number: UInt32(number + 1), firstFrame: Int64(self.packets.count) * 1024,
                    sizes: packets.map { UInt32($0.count) }, lastPacketFrames: isLast ? 100 : 1024)
                    + packets.flatMap { $0 })
            self.packets += packets
        }
    }
}

@Suite("Fragmented MPEG-4 files")
struct MP4FragmentTests {
    @Test("return the packets of all fragments")
    func read() throws {
        let source = try MP4FragmentedBytes(fragments: 4, priming: 1000)
        let saved = TemporaryFile(source.bytes)
        let file = try AudioFile.open(path: saved.path)
        try expectEqual(Contents(of: file).bytes, source.packets.flatMap { $0 })
        try expectEqual(Contents(of: file, from: 7).bytes, source.packets[7...].flatMap { $0 })
        try expectEqual(file.countPackets(), 12)
        expectEqual(
            file.packetTable,
            PacketTable(primingFrames: 1000, validFrames: 11 * 1024 + 100 - 1000, remainderFrames: 924)
        )
        #expect(file.warnings.isEmpty)
    }

    @Test("that are cut at any byte return all complete fragments")
    func cut() throws {
        let source = try MP4FragmentedBytes(fragments: 3)
        let all = source.packets.flatMap { $0 }
        for count in source.head.count...source.bytes.count {
            let saved = TemporaryFile(Array(source.bytes.prefix(count)))
            let file = try AudioFile.open(path: saved.path)
            let contents = try Contents(of: file)
            var end = source.head.count
            var whole = 0
            for fragment in source.fragments where end + fragment.count <= count {
                end += fragment.count
                whole += 3
            }
            #expect(contents.packets >= whole, "\(count) bytes")
            expectEqual(contents.bytes, Array(all.prefix(contents.bytes.count)))
        }
    }

    @Test("are read from a pipe as they arrive")
    func piped() throws {
        let source = try MP4FragmentedBytes(fragments: 5, priming: 1024)
        let file = try openPiped(source.bytes)
        // The length is not known so far.
        expectEqual(file.packetTable, nil)
        #expect(throws: AudioFileError.self) { try file.countPackets() }
        try expectEqual(Contents(of: file).bytes, source.packets.flatMap { $0 })
        expectEqual(file.packetTable?.validFrames, Int64(14 * 1024 + 100 - 1024))
        let skipping = try openPiped(source.bytes)
        try expectEqual(Contents(of: skipping, from: 8).bytes, source.packets[8...].flatMap { $0 })
    }

    @Test("can exceed four gigabytes")
    func long() throws {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
        var samples = MP4WrittenSamples()
        samples.append([100, 200], at: 700)
        samples.append([300], at: 1 << 33)
        let index = try MP4WrittenTrack(format).index(
            of: samples, primingFrames: 1, lastPacketFrames: 1024, remainderFrames: 0,
            metadata: FileMetadata())
        let track = try MP4Movie(MP4Bytes(Array(index.dropFirst(8)))).soundTrack()
        let packets = MP4TablePackets(track.tables, of: format, fileBytes: nil).index
        expectEqual((0..<3).map { packets.byteOffset(of: $0) }, [700, 800, 1 << 33])
        expectEqual((0..<3).map { packets.bytes(of: $0) }, [100, 200, 300])
        let places: Range<Int64> = 700..<(1 << 33) + 300
        expectEqual(packets.byteRange, places)
    }

    @Test("may not promise packets that are not in the file")
    func promises() throws {
        var source = try MP4FragmentedBytes(fragments: 2)
        // One size for all of four billion packets: a run of 4 bytes of flags, and the number.
        let run = try #require(source.fragments[1].firstRange(of: Array("trun".utf8))).upperBound
        source.fragments[1].replaceSubrange(run..<run + 4, with: [0, 0, 0, 1])
        source.fragments[1].replaceSubrange(run + 4..<run + 8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let saved = TemporaryFile(source.bytes)
        let file = try AudioFile.open(path: saved.path)
        try expectEqual(Contents(of: file).packets, 3)
        expectEqual(file.warnings.count, 1)
    }

    @Test("may not promise an unlimited number of packets without bytes", arguments: [false, true])
    func nothing(isPiped: Bool) throws {
        let silence = Array(repeating: [UInt8](), count: 60_000)
        let fragment = MP4MixedFragments.fragment(ofSound: silence, listsSizes: false)
        let last = MP4MixedFragments.fragment(ofSound: [noise(count: 40)])
        let bytes = MP4MixedFragments.head + fragment + fragment + fragment + last
        let saved = TemporaryFile(bytes)
        let file = try isPiped ? openPiped(bytes) : AudioFile.open(path: saved.path)
        try expectEqual(Contents(of: file).packets, 65_536)
        expectEqual(file.warnings.count, 1)
        expectEqual(file.warnings.first?.contains("65536 packets without bytes"), true)
    }
}
