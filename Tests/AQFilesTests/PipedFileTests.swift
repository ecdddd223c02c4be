// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import AQTestSupport
import Testing

@testable import AQFiles

/// Compares pipes with files, for each stream type in pieces of each size.
@Suite("Piped files")
struct PipedFileTests {
    /// Formats that are read while they arrive.
    private static let streamed: [PacketSubject] =
        PacketSubject.all + [
            PacketSubject(name: "WAVE") { Header.wave(data: noise(count: 20_000)) },
            PacketSubject(name: "AIFF") { Header.aiff(data: noise(count: 20_000)) },
            PacketSubject(name: "RF64") {
                Header.rf64(data: noise(count: 20_000), dataBytes: 20_000, frames: 5000)
            },
            PacketSubject(name: "CAF of linear PCM") { Header.caf(data: noise(count: 20_000)) },
            PacketSubject(name: "CAF of µ-law") {
                let format = AudioStreamBasicDescription.g711(
                    kAudioFormatULaw, channels: 2, sampleRate: 8000)
                return CAFBytes.start + CAFBytes.description(format) + CAFBytes.data(noise(count: 9000))
            },
            PacketSubject(name: "CAF of open length, with trims") {
                CAFBytes.start + CAFBytes.description(ima4)
                    + CAFBytes.table([], packets: 0, priming: 10, valid: 64 * 300 - 30, remainder: 20)
                    + CAFBytes.data(noise(count: 68 * 300), promised: -1)
            },
            PacketSubject(name: "ADTS by FAAC") { try faac() },
            PacketSubject(name: "MPEG-4 in fragments") {
                try MP4FragmentedBytes(fragments: 4, priming: 1000).bytes
            },
        ] + joined

    /// Formats that must be read to the end first.
    private static let spooled: [PacketSubject] = [
        PacketSubject(name: "CAF whose packet table comes last") {
            let sizes = CAFBytes.sizes(300)
            return CAFBytes.start + CAFBytes.description(CAFBytes.aac)
                + CAFBytes.data(noise(count: sizes.reduce(0, +)))
                + CAFBytes.table(sizes, priming: 2112, valid: 300 * 1024 - 2612, remainder: 500)
        },
        PacketSubject(name: "CAF whose trims come last") {
            CAFBytes.start + CAFBytes.description(ima4) + CAFBytes.data(noise(count: 68 * 300))
                + CAFBytes.table([], packets: 0, priming: 10, valid: 64 * 300 - 30, remainder: 20)
        },
        PacketSubject(name: "MPEG-4 whose index comes last") {
            var file = MP4File(packets: (0..<200).map { noise(count: 50 + $0, seed: UInt32($0)) })
            file.isIndexLast = true
            return file.bytes
        },
    ]

    private static let ima4 = AudioStreamBasicDescription.encoded(
        kAudioFormatAppleIMA4, bytesPerPacket: 68, framesPerPacket: 64, channels: 2, sampleRate: 44100)

    /// Consecutive recordings, the first of which counts only its own packets.
    private static let joined: [PacketSubject] = {
        #if HAVE_MPEG_AUDIO
        [
            PacketSubject(name: "MPEG audio, joined") {
                MPEGBytes.info(packets: 20, bytes: 21 * 417) + MPEGBytes.packets(20)
                    + MPEGBytes.info(packets: 30, bytes: 31 * 417) + MPEGBytes.packets(30)
            },
            PacketSubject(name: "MPEG audio, cut short") {
                MPEGBytes.info(packets: 20, bytes: 21 * 417) + MPEGBytes.packets(18).dropLast(100)
            },
        ]
        #else
        []
        #endif
    }()

    /// A stream with a marked first packet.
    private static func faac() throws -> [UInt8] {
        let text = Array("libfaac 1.28".utf8)
        var bits: [UInt8] = []
        func append(_ value: Int, _ count: Int) {
            for bit in (0..<count).reversed() { bits.append(UInt8(value >> bit & 1)) }
        }
        append(6, 3)
        append(15, 4)
        append(text.count + 2 - 14, 8)
        append(0, 4)
        append(0, 13)
        for letter in text { append(Int(letter), 8) }
        append(0, 60 * 8)
        let body = stride(from: 0, to: bits.count - 7, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
        }
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        return try ADTSHeader.bytes(for: config, packetBytes: body.count) + body + ADTSBytes.stream(1..<200)
    }

    @Test("return the file's packets, in pieces of any size", arguments: streamed + spooled, pieceSizes)
    func same(subject: PacketSubject, pieceBytes: Int) throws {
        let saved = TemporaryFile(subject.bytes)
        let file = try AudioFile.open(path: saved.path)
        let contents = try Contents(of: file)
        let piped = try FilledPipe(subject.bytes, pieceBytes: pieceBytes).open()
        #expect(piped.format.isSame(as: file.format))
        expectEqual(piped.channelLabels, file.channelLabels)
        expectEqual(piped.magicCookie, file.magicCookie)
        expectEqual(piped.containerName, file.containerName)
        expectEqual(piped.primingFrames, file.primingFrames)
        expectEqual(piped.tags, file.tags)
        let received = try Contents(of: piped)
        expectEqual(received.bytes, contents.bytes)
        expectEqual(received.descriptions.map(\.mDataByteSize), contents.descriptions.map(\.mDataByteSize))
        expectEqual(
            received.descriptions.map(\.mVariableFramesInPacket),
            contents.descriptions.map(\.mVariableFramesInPacket))
        expectEqual(piped.packetTable, file.packetTable)
        expectEqual(piped.warnings, file.warnings)
        try expectEqual(piped.countPackets(), file.countPackets())
    }

    @Test("that are kept can be read in any order", arguments: spooled)
    func seekable(subject: PacketSubject) throws {
        let piped = try FilledPipe(subject.bytes, pieceBytes: 1000).open()
        #expect(piped.isSeekable)
        let all = try Contents(of: piped)
        try expectEqual(Contents(of: piped).bytes, all.bytes)
    }

    @Test("have the packet table before a packet whose frames it trims", arguments: streamed)
    func table(subject: PacketSubject) throws {
        let saved = TemporaryFile(subject.bytes)
        let file = try AudioFile.open(path: saved.path)
        let table = try #require(file.packetTable)
        let format = file.format
        guard format.mFramesPerPacket > 0 else { return }
        let end = table.primingFrames + table.validFrames
        let piped = try FilledPipe(subject.bytes, pieceBytes: 1000).open()
        var places = [AudioStreamPacketDescription()]
        var room = [UInt64](repeating: 0, count: piped.packetSizeUpperBound / 8 + 1)
        let framesPerPacket = Int64(format.mFramesPerPacket)
        var packet: Int64 = 0
        while true {
            let read = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe places.withUnsafeMutableBufferPointer { places in
                    try unsafe piped.readPackets(from: packet, into: room, descriptions: places)
                }
            }
            guard read.packets > 0 else { break }
            packet += Int64(read.packets)
            if packet * framesPerPacket > end, table.remainderFrames > 0 {
                expectEqual(piped.packetTable, table, "after \(packet) packets")
            }
        }
        expectEqual(piped.packetTable, table)
    }

    @Test("whose end is needed are read to it first", arguments: streamed)
    func endNeeded(subject: PacketSubject) throws {
        let saved = TemporaryFile(subject.bytes)
        let file = try AudioFile.open(path: saved.path)
        let pipe = try FilledPipe(subject.bytes, pieceBytes: 1000)
        let piped = try pipe.open(isEndNeeded: true)
        // An unknown value is then at least not wrong.
        #expect(piped.packetTable == nil || piped.packetTable == file.packetTable)
        #expect(piped.packetTable != nil || piped.primingFrames == file.primingFrames)
        try expectEqual(Contents(of: piped).bytes, Contents(of: file).bytes)
    }

    #if HAVE_MPEG_AUDIO
    @Test("of MPEG audio have the bit rate of the audio, not of a smaller frame with a tag")
    func bitRate() throws {
        // 64 kbit/s, as FFmpeg writes it in front of 128 kbit/s.
        var tag = Array(MPEGBytes.info(packets: 0, bytes: 0)[..<208])
        tag[2] = 0x50
        let piped = try FilledPipe(tag + MPEGBytes.packets(30), pieceBytes: 1000).open()
        expectEqual(piped.averageBitRate, 128_000)
    }
    #endif

    @Test("that begin inside a packet, with bytes that resemble text, are streams")
    func joinedInside() throws {
        // The parser sees the first sixteen bytes, and the signature more.
        let bytes = try Array("]DL'c0=i!x{y+z~w,q".utf8) + ADTSBytes.stream(1..<200)
        let piped = try FilledPipe(bytes, pieceBytes: 1000).open()
        expectEqual(piped.format.mFormatID, kAudioFormatMPEG4AAC)
        #expect(try !Contents(of: piped).descriptions.isEmpty)
    }

    @Test("longer than memory are returned completely, and report that they are waited for")
    func large() throws {
        var file = MP4File(packets: (0..<40).map { noise(count: 60_000, seed: UInt32($0)) })
        file.isIndexLast = true
        let bytes = file.bytes
        let pipe = try FilledPipe(bytes, pieceBytes: 65_536, pauseMicroseconds: 30_000)
        var waits: [Int64] = []
        let piped = try pipe.open { waits.append($0) }
        try expectEqual(Contents(of: piped, roomBytes: 1 << 16).bytes, file.audio)
        #expect(waits.count >= 2)
        expectEqual(waits, waits.sorted())
        // Everything may have arrived when it is reported, except the end.
        #expect(waits.allSatisfy { $0 <= Int64(bytes.count) })
    }

    @Test("return the available data once it is enough")
    func patience() throws {
        let bytes = Header.wave(data: noise(count: 40_000))
        let piped = try FilledPipe(bytes, pieceBytes: 4044, pauseMicroseconds: 20_000).open()
        piped.leastFramesPerRead = 1500
        var room = [UInt64](repeating: 0, count: 5000)
        var reads: [Int] = []
        while true {
            let read = try unsafe room.withUnsafeMutableBytes { room in
                try unsafe piped.readPackets(
                    from: Int64(reads.reduce(0, +)), into: room, descriptions: .init(start: nil, count: 0))
            }
            guard read.packets > 0 else { break }
            reads.append(read.packets)
        }
        expectEqual(reads.reduce(0, +), 10_000)
        #expect(reads.count > 2)
        #expect(reads.dropLast().allSatisfy { $0 >= 1500 })
    }
}
