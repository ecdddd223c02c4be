// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import CoreAudioTypes
import Glibc
import AQMPEGAudio
import Testing
import AQTestSupport

@testable import AQFiles

@Suite("Writing packets of MPEG audio")
struct MPEGPacketWriteTests {
    private let format = AudioStreamBasicDescription(
        mSampleRate: 44_100, mFormatID: kAudioFormatMPEGLayer3, mFormatFlags: 0, mBytesPerPacket: 0,
        mFramesPerPacket: 1152, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0, mReserved: 0)
    private let table = PacketTable(primingFrames: 1105, validFrames: 20_000, remainderFrames: 783)

    private func tag(of bytes: [UInt8]) throws -> (MPEGInfoTag, packet: [UInt8]) {
        let header = try #require(unsafe MPEGFrameHeader(bytes.span.bytes))
        let packet = Array(bytes.prefix(try #require(header.packetBytes)))
        return (try #require(unsafe MPEGInfoTag(packet: packet.span.bytes, header: header)), packet)
    }

    @Test("copies a file packet by packet, with its trims", arguments: ["tune-cbr", "tune-vbr", "tune-mono"])
    func copy(name: String) throws {
        let source = try AudioFile.open(path: ToolPaths.fixture(name + ".mp3"))
        let contents = try Contents(of: source)
        let folder = ScratchFolder()
        let path = folder.file("new.mp3")
        let writer = try AudioFileWriter.create(path: path, type: .mp3, format: source.format)
        let sizes = contents.descriptions.map { Int($0.mDataByteSize) }
        var start = 0
        let packets = sizes.map { size in
            defer { start += size }
            return Array(contents.bytes[start..<start + size])
        }
        for first in stride(from: 0, to: packets.count, by: 9) {
            try writer.append(packets: Array(packets[first..<min(first + 9, packets.count)]))
            // Complete at any time.
            let counted = try AudioFile.open(path: path)
            try expectEqual(counted.countPackets(), Int64(min(first + 9, packets.count)))
            #expect(counted.warnings.isEmpty)
        }
        let wanted = try #require(source.packetTable)
        try writer.setPacketTable(wanted)
        try writer.close()
        expectEqual(writer.frameCount, wanted.validFrames)
        let copy = try AudioFile.open(path: path)
        expectEqual(copy.packetTable, wanted)
        #expect(try Contents(of: copy).bytes == contents.bytes && copy.warnings.isEmpty)

        let written = bytes(ofFile: path)
        let (tag, packet) = try tag(of: written)
        #expect(tag.packets == Int64(packets.count) && tag.bytes == Int64(written.count))
        expectEqual(tag.kind, (name == "tune-vbr" ? .xing : .info))
        expectEqual(tag.tableOfContents.count, 100)
        #expect(zip(tag.tableOfContents, tag.tableOfContents.dropFirst()).allSatisfy { $0 <= $1 })
        #expect(240...255 ~= Int(tag.tableOfContents[99]) && tag.tableOfContents[0] < 8)
        let middle = Double(packet.count + sizes.prefix(packets.count / 2).reduce(0, +))
        #expect(abs(Double(tag.tableOfContents[50]) - middle * 256 / Double(written.count)) < 3)
        // The last four bytes of LAME's part: of the audio, and of the packet up to there.
        let end = try #require(packet.lastIndex { $0 != 0 }) + 1
        func checksum(_ bytes: some Sequence<UInt8>) -> UInt16 {
            bytes.reduce(0) { sum, byte in
                (0..<8).reduce(sum ^ UInt16(byte)) { rest, _ in rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xA001
                }
            }
        }
        #expect(UInt16(packet[end - 4]) << 8 | UInt16(packet[end - 3]) == checksum(contents.bytes))
        #expect(UInt16(packet[end - 2]) << 8 | UInt16(packet[end - 1]) == checksum(packet.prefix(end - 2)))
    }

    @Test("replaces a tag that comes as the first packet, and uses its trims")
    func foreignTag() throws {
        let folder = ScratchFolder()
        let path = folder.file("new.mp3")
        let writer = try AudioFileWriter.create(path: path, type: .mp3, format: format)
        let foreign = MPEGBytes.info(packets: 20, bytes: 21 * 417, delay: 576, padding: 1000)
        try writer.append(packets: [foreign] + (0..<20).map { _ in MPEGBytes.packet() })
        try writer.close()
        let file = try AudioFile.open(path: path)
        expectEqual(
            file.packetTable,
            PacketTable(primingFrames: 1105, validFrames: 20 * 1152 - 1576, remainderFrames: 471))
        try expectEqual(file.countPackets(), 20)
    }

    @Test("computes the remainder from the final number of packets")
    func remainder() throws {
        let folder = ScratchFolder()
        let path = folder.file("new.mp3")
        let writer = try AudioFileWriter.create(path: path, type: .mp3, format: format)
        try writer.setPacketTable(PacketTable(primingFrames: 1105, validFrames: 0, remainderFrames: 0))
        for _ in 0..<19 { try writer.append(packets: [MPEGBytes.packet()]) }
        try expectEqual(AudioFile.open(path: path).frameCount, 19 * 1152 - 1105)
        try writer.setPacketTable(table)
        try writer.close()
        try expectEqual(AudioFile.open(path: path).packetTable, table)
    }

    @Test("writes a file without packets")
    func empty() throws {
        let folder = ScratchFolder()
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .mp3, format: format)
        try writer.close()
        let (tag, packet) = try tag(of: bytes(ofFile: folder.file("new")))
        #expect(tag.packets == 0 && tag.bytes == Int64(packet.count))
    }

    @Test("finds room for the tag at every rate and bit rate")
    func tagPackets() throws {
        for rate in [44_100, 48_000, 32_000, 22_050, 24_000, 16_000, 11_025, 12_000, 8000] {
            for channels in 1...2 as ClosedRange<UInt32> {
                var format = format
                format.mSampleRate = Double(rate)
                format.mChannelsPerFrame = channels
                format.mFramesPerPacket = rate >= 32_000 ? 1152 : 576
                let made = try #require(MPEGTagPacket.make(for: format))
                let header = try #require(unsafe MPEGFrameHeader(made.span.bytes))
                #expect(header.packetBytes == made.count && header.sampleRate == rate)
                for index in 0..<15 as Range<UInt32> {
                    let bits = header.bits & ~0xF200 | index << 12
                    let like = try #require(MPEGFrameHeader(bits: bits))
                    let packet = try #require(MPEGTagPacket.make(like: like))
                    let own = try #require(unsafe MPEGFrameHeader(packet.span.bytes))
                    #expect(own.isCompatible(with: like) && own.packetBytes == packet.count)
                    #expect(packet.count >= 4 + own.sideInformationBytes + LAMETag.mostBytes)
                }
            }
        }
    }

    @Test("writes to a pipe, with the delay, and with the known facts of later packets")
    func pipes() throws {
        let unknownEnd = PacketTable(primingFrames: 1105, validFrames: 0, remainderFrames: 0)
        for table in [nil, unknownEnd, table] {
            var ends: [CInt] = [-1, -1]
            try #require(unsafe pipe(&ends) == 0)
            let writer = try AudioFileWriter.create(path: "/dev/fd/\(ends[1])", type: .mp3, format: format)
            close(ends[1])
            if let table { try writer.setPacketTable(table) }
            for _ in 0..<19 { try writer.append(packets: [MPEGBytes.packet()]) }
            try writer.close()
            var written = [UInt8](repeating: 0, count: 100_000)
            let count = unsafe written.withUnsafeMutableBytes {
                unsafe read(ends[0], $0.baseAddress, $0.count)
            }
            close(ends[0])
            expectEqual(count, (table == nil ? 19 : 20) * 417)
            guard let table else { continue }
            let (tag, _) = try tag(of: written)
            #expect(tag.bytes == nil && tag.delayFrames == 576)
            // Trims at the end need a count, which only the client has.
            expectEqual(tag.packets, (table.validFrames > 0 ? 19 : nil))
            expectEqual(tag.paddingFrames, Int(table.remainderFrames) + 529)
        }
    }

    @Test("refuses packets of another format, and tables that the tag cannot contain")
    func refused() throws {
        let folder = ScratchFolder()
        var impossible = format
        impossible.mSampleRate = 44_101
        #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: folder.file("new"), type: .mp3, format: impossible)
        }
        impossible = format
        impossible.mFormatID = kAudioFormatMPEGLayer2
        #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: folder.file("new"), type: .mp3, format: impossible)
        }
        #expect(folder.names.isEmpty)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .mp3, format: format)
        let packet = MPEGBytes.packet()
        for wrong in [
            [1, 2, 3], Array(packet.dropLast()), packet + [0], MPEGBytes.packet([0xFF, 0xFB, 0x94, 0x00]),
            MPEGBytes.packet([0xFF, 0xFB, 0x90, 0xC0]), MPEGBytes.packet([0xFF, 0xFD, 0x90, 0x00]),
        ] {
            let error = try #require(throws: AudioFileError.self) {
                try writer.append(packets: [packet, wrong])
            }
            expectEqual(error.code, .unsupported)
        }
        for (priming, remainder) in [(528, 0), (4625, 0), (1105, 3567), (0, 1), (-1, 0), (1105, -1)]
            as [(Int64, Int64)]
        {
            #expect(throws: AudioFileError.self) {
                try writer.setPacketTable(
                    PacketTable(primingFrames: priming, validFrames: 10, remainderFrames: remainder))
            }
        }
        #expect(throws: AudioFileError.self) { try writer.setMagicCookie([1]) }
        expectEqual(writer.byteCount, 0)
        try writer.append(packets: [packet])
        try writer.close()
    }

    /// With a file-size limit that ends in the tag, in the first packet, or in a later one.
    @Test("keeps the packets before a failure, and counts them", arguments: [300, 600, 417 * 5 + 100])
    func sizeLimit(limit: Int) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
            let format = AudioStreamBasicDescription(
                mSampleRate: 44_100, mFormatID: kAudioFormatMPEGLayer3, mFormatFlags: 0, mBytesPerPacket: 0,
                mFramesPerPacket: 1152, mBytesPerFrame: 0, mChannelsPerFrame: 2, mBitsPerChannel: 0,
                mReserved: 0)
            let packets = (0..<10).map { _ in MPEGBytes.packet() }
            try WriteLimit.check(bytes: limit, packets: packets, format: format, path: path, type: .mp3)
        }
        expectEqual(bytes(ofFile: path).count, limit / 417 * 417)
        guard limit > 417 else { return }
        let packets = try #require(try tag(of: bytes(ofFile: path)).0.packets)
        expectEqual(packets, Int64(limit / 417 - 1))
        guard packets > 0 else { return }
        let file = try AudioFile.open(path: path)
        #expect(try file.countPackets() == packets && file.warnings.isEmpty)
    }
}
#endif
