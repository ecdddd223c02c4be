// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQTestSupport
import Testing

@testable import AQFiles

@Suite("CAF files of packets")
struct CAFFileTests {
    private let sizes = CAFBytes.sizes(200)
    private var audio: [UInt8] { noise(count: sizes.reduce(0, +)) }
    private var start: [UInt8] { CAFBytes.start + CAFBytes.description(CAFBytes.aac) }
    private var table: [UInt8] {
        CAFBytes.table(sizes, priming: 2112, valid: 200 * 1024 - 2112 - 500, remainder: 500)
    }

    private func open(_ bytes: [UInt8]) throws -> (AudioFile, TemporaryFile) {
        let saved = TemporaryFile(bytes)
        return (try AudioFile.open(path: saved.path), saved)
    }

    private func failure(_ bytes: [UInt8]) throws -> AudioFileError {
        let saved = TemporaryFile(bytes)
        return try #require(throws: AudioFileError.self) { try AudioFile.open(path: saved.path) }
    }

    @Test("are read as they are stored, wherever the table is")
    func stored() throws {
        let cookie = CAFBytes.chunk("kuki", [3, 1, 4])
        let free = CAFBytes.chunk("free", [UInt8](repeating: 0, count: 100))
        let other = CAFBytes.chunk("uuid", noise(count: 40))
        let data = CAFBytes.data(audio)
        for parts in [
            [cookie, table, free, data], [free, data, other, table, cookie], [table, data, cookie],
            [cookie, table, CAFBytes.data(audio, promised: -1)],
        ] {
            let (file, saved) = try open(start + parts.joined())
            withExtendedLifetime(saved) {}
            #expect(file.warnings.isEmpty)
            expectEqual(file.containerName, "CAF")
            #expect(file.format.isSame(as: CAFBytes.aac))
            expectEqual(file.magicCookie, [3, 1, 4])
            try expectEqual(file.countPackets(), 200)
            expectEqual(
                file.packetTable, PacketTable(primingFrames: 2112, validFrames: 202_188, remainderFrames: 500)
            )
            expectEqual(file.packetSizeUpperBound, sizes.max())
            expectEqual(file.dataRange?.count, audio.count)
            #expect(abs(file.averageBitRate - Double(audio.count) * 8 * 44100 / 204_800) < 1e-6)
            let contents = try Contents(of: file, roomBytes: 1000)
            expectEqual(contents.bytes, audio)
            expectEqual(contents.descriptions.map { Int($0.mDataByteSize) }, sizes)
            try expectEqual(
                Contents(of: file, from: 150).bytes, Array(audio.suffix(sizes[150...].reduce(0, +))))
        }
    }

    @Test("have frame counts of their own if these vary")
    func variableFrames() throws {
        var format = CAFBytes.aac
        format.mFramesPerPacket = 0
        let numbers = sizes.flatMap { [$0, 1000 + $0] }
        let start = CAFBytes.start + CAFBytes.description(format)
        let (file, saved) = try open(start + CAFBytes.table(numbers, packets: 200) + CAFBytes.data(audio))
        let contents = try Contents(of: file)
        expectEqual(contents.bytes, audio)
        expectEqual(contents.descriptions.map { Int($0.mVariableFramesInPacket) }, sizes.map { $0 + 1000 })
        expectEqual(file.frameCount, Int64(audio.count + 200_000))
        let point = try file.seekPoint(forFrame: Int64(sizes[0] + sizes[1] + sizes[2] + 3000))
        expectEqual(point, SeekPoint(packet: 1, framesToDiscard: Int64(sizes[1] + sizes[2] + 2000)))
        withExtendedLifetime(saved) {}
    }

    @Test("are found early enough to be decoded as from the start")
    func seekPoints() throws {
        let (file, saved) = try open(start + table + CAFBytes.data(audio))
        try expectEqual(file.seekPoint(forFrame: 0), SeekPoint(packet: 0, framesToDiscard: 2112))
        let packet: Int64 = 100
        try expectEqual(
            file.seekPoint(forFrame: packet * 1024 - 2112 + 5),
            SeekPoint(packet: 98, framesToDiscard: 2048 + 5))
        #expect(try file.seekPoint(forFrame: 202_188).packet >= 197)
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 202_189) }
        var lossless = CAFBytes.aac
        lossless.mFormatID = kAudioFormatAppleLossless
        let (exact, other) = try open(
            CAFBytes.start + CAFBytes.description(lossless) + CAFBytes.table(sizes) + CAFBytes.data(audio))
        try expectEqual(exact.seekPoint(forFrame: 5000), SeekPoint(packet: 4, framesToDiscard: 904))
        var layer3 = CAFBytes.aac
        layer3.mFormatID = kAudioFormatMPEGLayer3
        let small = [Int](repeating: 104, count: 200)
        let (mp3, third) = try open(
            CAFBytes.start + CAFBytes.description(layer3) + CAFBytes.table(small)
                + CAFBytes.data(noise(count: 20_800)))
        // 104 bytes hold 66 of main data at least: 8 packets before the two of the window.
        try expectEqual(mp3.seekPoint(forFrame: 1024 * 100).packet, 88)
        withExtendedLifetime((saved, other, third)) {}
    }

    @Test("of one size need no table, but may have one with frame counts")
    func constant() throws {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleIMA4, bytesPerPacket: 68, framesPerPacket: 64, channels: 2, sampleRate: 44100)
        let start = CAFBytes.start + CAFBytes.description(format)
        let data = CAFBytes.data(noise(count: 6800))
        let (plain, saved) = try open(start + data)
        expectEqual(plain.frameCount, 6400)
        let (trimmed, other) = try open(start + data + CAFBytes.table([], valid: 6350, remainder: 50))
        expectEqual(trimmed.frameCount, 6350)
        #expect(trimmed.warnings.isEmpty)
        try expectEqual(trimmed.countPackets(), 100)
        try expectEqual(trimmed.seekPoint(forFrame: 130), SeekPoint(packet: 2, framesToDiscard: 2))
        try expectEqual(Contents(of: trimmed).bytes, noise(count: 6800))
        expectEqual(trimmed.averageBitRate, 68 * 8 * 44100 / 64)
        withExtendedLifetime((saved, other)) {}
    }

    @Test(
        "of single frames are linear PCM of every encoding",
        arguments: [(8, 1), (16, 2), (20, 3), (24, 3), (24, 4), (32, 4)], [false, true])
    func integers(size: (bits: Int, bytes: Int), isBigEndian: Bool) throws {
        // A single byte has no byte order.
        try check(
            .signedInteger(
                bits: size.bits, containerBytes: size.bytes, isBigEndian: isBigEndian && size.bytes > 1,
                channels: 3, sampleRate: 44_100.5))
    }

    @Test(
        "of single frames are floating-point PCM of both sizes and orders", arguments: [32, 64],
        [false, true])
    func floats(bits: Int, isBigEndian: Bool) throws {
        try check(.float(bits: bits, isBigEndian: isBigEndian, channels: 2, sampleRate: 96000))
    }

    @Test("of single frames may be G.711", arguments: [kAudioFormatULaw, kAudioFormatALaw])
    func law(formatID: AudioFormatID) throws {
        var format = AudioStreamBasicDescription.encoded(
            formatID, bytesPerPacket: 2, framesPerPacket: 1, channels: 2, sampleRate: 8000)
        (format.mBytesPerFrame, format.mBitsPerChannel) = (2, 8)
        try check(format)
    }

    /// Reads frames in the file's own format.
    private func check(_ format: AudioStreamBasicDescription) throws {
        let data = noise(count: 100 * Int(format.mBytesPerFrame))
        let (file, saved) = try open(CAFBytes.start + CAFBytes.description(format) + CAFBytes.data(data))
        #expect(file.format.isSame(as: format))
        expectEqual(file.frameCount, 100)
        expectEqual(file.averageBitRate, format.mSampleRate * Double(format.mBytesPerFrame) * 8)
        try expectEqual(Contents(of: file, roomBytes: 64).bytes, data)
        try expectEqual(file.seekPoint(forFrame: 77), SeekPoint(packet: 77, framesToDiscard: 0))
        #expect(file.warnings.isEmpty)
        withExtendedLifetime(saved) {}
    }

    @Test("cannot be separated without a table")
    func noTable() throws {
        #expect(try failure(start + CAFBytes.data(audio)).message.hasSuffix("and it has no packet table"))
        try expectEqual(failure(start + CAFBytes.data(audio) + CAFBytes.table([], packets: 5)).code, .damaged)
        try expectEqual(
            failure(start + CAFBytes.data(audio) + CAFBytes.table([5], packets: -1)).code, .damaged)
        try expectEqual(failure(start).code, .damaged)
        try expectEqual(failure(CAFBytes.start + table + CAFBytes.data(audio)).code, .damaged)
        // An empty file is not damage.
        let (empty, saved) = try open(start + CAFBytes.data([]))
        expectEqual(empty.frameCount, 0)
        try expectEqual(Contents(of: empty).packets, 0)
        withExtendedLifetime(saved) {}
    }

    @Test("that a table lists beyond the audio are left out, with a warning")
    func lies() throws {
        let cut = Array(audio.prefix(audio.count - sizes[199] - 1))
        for bytes in [
            start + table + CAFBytes.data(cut), start + CAFBytes.data(cut) + table,
            start + table + CAFBytes.data(cut, promised: 1 << 50),
        ] {
            let (file, saved) = try open(bytes)
            try expectEqual(file.countPackets(), 198)
            try expectEqual(Contents(of: file).packets, 198)
            #expect(file.warnings.contains("2 packets of the packet table lie past the end of the audio"))
            expectEqual(file.frameCount, 200_640)
            withExtendedLifetime(saved) {}
        }
    }

    @Test("are read up to the end of an incomplete table, with a warning")
    func shortTable() throws {
        let half = CAFBytes.table(Array(sizes.prefix(100)), packets: 200, valid: 1024 * 100)
        let (file, saved) = try open(start + CAFBytes.data(audio) + half)
        try expectEqual(Contents(of: file).packets, 100)
        expectEqual(
            file.warnings.first, "the packet table promises 200 packets, but lists 100, and then ends")
        expectEqual(file.warnings.count, 2)
        let (cut, other) = try open(Array((start + CAFBytes.data(audio) + table).dropLast(50)))
        #expect(try Contents(of: cut).packets > 100)
        #expect(cut.warnings.count > 0)
        withExtendedLifetime((saved, other)) {}
    }

    @Test("are read with tags, markers, regions and channel roles")
    func details() throws {
        let info = CAFBytes.chunk(
            "info", big(UInt32(2)) + Array("title\0Übung\0key\0a\nb\0".utf8))
        let names = Array("Start\0Verse\0".utf8)
        let strings = CAFBytes.chunk(
            "strg",
            big(UInt32(2)) + big(UInt32(1)) + big(Int64(0)) + big(UInt32(9))
                + big(Int64(6)) + names)
        let marker =
            Array("pbeg".utf8) + big((1234.5).bitPattern) + big(UInt32(1))
            + [UInt8](repeating: 0xFF, count: 8) + big(UInt32(2))
        let markers = CAFBytes.chunk("mark", big(UInt32(0)) + big(UInt32(1)) + marker)
        let regions = CAFBytes.chunk(
            "regn",
            big(UInt32(0)) + big(UInt32(1)) + big(UInt32(9)) + big(UInt32(1))
                + big(UInt32(1)) + marker)
        let layout = CAFBytes.chunk(
            "chan", CAFChannelLayout.bytes(of: [kAudioChannelLabel_Right, kAudioChannelLabel_Left]))
        let (file, saved) = try open(
            start + layout + info + markers + regions + table + CAFBytes.data(audio) + strings)
        #expect(file.warnings.isEmpty)
        expectEqual(file.tags.title, "Übung")
        expectEqual(
            file.information, [AudioFileInformation("title", "Übung"), AudioFileInformation("key", "a\nb")])
        let expected = AudioFileMarker(
            framePosition: 1234.5, name: "Start", identifier: 1, type: 0x7062_6567, channel: 2)
        expectEqual(file.markers, [expected])
        expectEqual(
            file.regions, [AudioFileRegion(identifier: 9, name: "Verse", flags: 1, markers: [expected])])
        expectEqual(file.channelLabels, [kAudioChannelLabel_Right, kAudioChannelLabel_Left])
        expectEqual(
            file.chunks.map(\.type.description),
            [
                "'desc'", "'chan'", "'info'", "'mark'", "'regn'", "'pakt'", "'data'", "'strg'",
            ])
        withExtendedLifetime(saved) {}
    }

    @Test("with invalid details lose only these, with a warning")
    func uselessDetails() throws {
        let (file, saved) = try open(
            start + CAFBytes.chunk("chan", [0, 121, 0, 6] + [UInt8](repeating: 0, count: 8))
                + CAFBytes.chunk("chan", [1]) + CAFBytes.chunk("chan", [UInt8](repeating: 0xAA, count: 12))
                + CAFBytes.chunk("info", big(UInt32.max) + Array("title\0x\0artist\0".utf8))
                + CAFBytes.chunk("mark", big(UInt64.max))
                + CAFBytes.chunk("strg", big(UInt32.max))
                + CAFBytes.chunk("regn", big(UInt64.max)) + table + CAFBytes.table([1])
                + CAFBytes.data(audio)
                + CAFBytes.data(audio))
        expectEqual(file.channelLabels, [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        expectEqual(file.information, [AudioFileInformation("title", "x")])
        expectEqual(file.warnings.count, 8)
        try expectEqual(Contents(of: file).bytes, audio)
        withExtendedLifetime(saved) {}
    }

    @Test("are read from a pipe in order if the table comes first", arguments: [1, 7, 5000])
    func pipe(pieceBytes: Int) throws {
        let count = pieceBytes == 1 ? 10 : 200
        let sizes = Array(sizes.prefix(count))
        let audio = Array(audio.prefix(sizes.reduce(0, +)))
        let table = CAFBytes.table(sizes, priming: 100, valid: Int64(count * 1024 - 100))
        let file = try FilledPipe(
            start + CAFBytes.chunk("kuki", [3, 1, 4]) + table + CAFBytes.data(audio), pieceBytes: pieceBytes
        ).open()
        #expect(!file.isSeekable)
        expectEqual(file.magicCookie, [3, 1, 4])
        expectEqual(file.frameCount, Int64(count * 1024 - 100))
        try expectEqual(file.seekPoint(forFrame: 5 * 1024), SeekPoint(packet: 0, framesToDiscard: 5220))
        try expectEqual(Contents(of: file, from: 3).bytes, Array(audio.dropFirst(sizes[..<3].reduce(0, +))))
        try expectEqual(#require(throws: AudioFileError.self) { try Contents(of: file) }.code, .notSeekable)
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 0) }
        #expect(file.warnings.isEmpty)

        // The pipe ends in the middle of a packet.
        let cut = try FilledPipe(start + table + CAFBytes.data(audio).dropLast(1), pieceBytes: pieceBytes)
            .open()
        try expectEqual(Contents(of: cut).packets, count - 1)
        expectEqual(cut.warnings, ["the audio ends at packet \(count - 1) of \(count)"])
    }
}
