// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import Testing
import AQTestSupport

@Suite("Writing packets to CAF")
struct CAFPacketWriteTests {
    private static let aac = AudioStreamBasicDescription.encoded(
        kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)

    private func create(
        _ folder: ScratchFolder, _ format: AudioStreamBasicDescription = aac,
        labels: [AudioChannelLabel]? = nil
    ) throws -> AudioFileWriter {
        try AudioFileWriter.create(
            path: folder.file("new"), type: .caf, format: format, channelLabels: labels)
    }

    @Test(
        "packets are read as they were written, in files of any length",
        arguments: [0, 1, 2, 63, 64, 65, 5000], [1, 100])
    func roundTrip(packets: Int, atOnce: Int) throws {
        // With 5000 packets the table moves twelve times.
        let made = MadePackets(sizes: CAFBytes.sizes(packets).map { $0 * 13 })
        let folder = ScratchFolder()
        let writer = try create(folder)
        try writer.setMagicCookie([3, 1, 4])
        try writer.setInformation([AudioFileInformation("title", "Übung"), AudioFileInformation("x", "")])
        for start in stride(from: 0, to: packets, by: atOnce) {
            try made.append(start..<min(start + atOnce, packets), to: writer)
        }
        expectEqual(writer.frameCount, Int64(packets * 1024))
        let trims = packets > 2 ? (priming: 1024, remainder: 100) : (priming: 0, remainder: 0)
        let table = PacketTable(
            primingFrames: Int64(trims.priming),
            validFrames: Int64(packets * 1024 - trims.priming - trims.remainder),
            remainderFrames: Int64(trims.remainder))
        try writer.setPacketTable(table)
        expectEqual(writer.frameCount, table.validFrames)
        try writer.close()
        let file = try AudioFile.open(path: writer.path)
        #expect(file.warnings.isEmpty)
        #expect(file.format.isSame(as: Self.aac))
        expectEqual(file.magicCookie, [3, 1, 4])
        expectEqual(file.information.map(\.value), ["Übung", ""])
        expectEqual(file.packetTable, table)
        let contents = try Contents(of: file, roomBytes: 6000)
        expectEqual(contents.packets, packets)
        expectEqual(contents.bytes, made.bytes)
        expectEqual(file.chunks.map(\.type.description), ["'desc'", "'kuki'", "'info'", "'data'", "'pakt'"])
        // Nothing remains of the gap.
        let end = file.chunks.last.map { $0.offset + 12 + $0.byteCount }
        expectEqual(writer.byteCount, end)
        expectEqual(bytes(ofFile: writer.path.description, atMost: 1 << 25).count, Int(writer.byteCount))
    }

    @Test("every type of packet is kept", arguments: [(0, 0), (0, 4096), (70, 0), (68, 64), (2, 1)])
    func sorts(bytesPerPacket: Int, framesPerPacket: Int) throws {
        let isLaw = framesPerPacket == 1
        var format = AudioStreamBasicDescription.encoded(
            isLaw ? kAudioFormatULaw : kAudioFormatAppleIMA4, bytesPerPacket: bytesPerPacket,
            framesPerPacket: framesPerPacket, channels: 2, sampleRate: 48000)
        if isLaw { (format.mBytesPerFrame, format.mBitsPerChannel) = (2, 8) }
        let sizes = bytesPerPacket == 0 ? CAFBytes.sizes(300) : [Int](repeating: bytesPerPacket, count: 300)
        let frames = framesPerPacket == 0 ? CAFBytes.sizes(300, seed: 5) : nil
        let made = MadePackets(sizes: sizes, frames: frames)
        let folder = ScratchFolder()
        let writer = try create(folder, format)
        try made.append(0..<150, to: writer)
        try made.append(150..<300, to: writer)
        let total = Int64(frames?.reduce(0, +) ?? 300 * framesPerPacket)
        expectEqual(writer.frameCount, total)
        try writer.close()
        let file = try AudioFile.open(path: writer.path)
        #expect(file.format.isSame(as: format))
        #expect(file.warnings.isEmpty)
        expectEqual(file.frameCount, total)
        let contents = try Contents(of: file)
        #expect(contents.packets == 300 && contents.bytes == made.bytes)
        if let frames {
            expectEqual(
                (bytesPerPacket == 0
                    ? contents.descriptions.map { Int($0.mVariableFramesInPacket) } : frames), frames)
        }
        expectEqual(file.chunks.contains { $0.type.description == "'pakt'" }, !isLaw)
    }

    @Test(
        "G.711 has 8 bits although its format does not say so, and no redundant table",
        arguments: [0, 5])
    func laws(priming: Int64) throws {
        let format = AudioStreamBasicDescription.encoded(
            kAudioFormatALaw, bytesPerPacket: 2, framesPerPacket: 1, channels: 2, sampleRate: 8000)
        let folder = ScratchFolder()
        let writer = try create(folder, format)
        let table = PacketTable(primingFrames: priming, validFrames: 100 - priming, remainderFrames: 0)
        try writer.setPacketTable(table)
        try MadePackets(sizes: [Int](repeating: 2, count: 100)).append(0..<100, to: writer)
        try writer.close()
        // The last field of the first chunk, as other readers parse it.
        expectEqual(bytes(ofFile: writer.path.description, atMost: 1 << 16)[48..<52], [0, 0, 0, 8])
        let file = try AudioFile.open(path: writer.path)
        expectEqual(file.chunks.contains { $0.type.description == "'pakt'" }, (priming > 0))
        expectEqual(file.frameCount, 100 - priming)
    }

    @Test("the priming is stored at once, and the table fits whatever is appended later")
    func earlyTable() throws {
        let made = MadePackets(sizes: CAFBytes.sizes(10))
        let folder = ScratchFolder()
        let writer = try create(folder)
        try writer.setPacketTable(PacketTable(primingFrames: 2112, validFrames: 0, remainderFrames: 0))
        for packet in 0..<10 {
            try made.append(packet..<packet + 1, to: writer)
            let total = Int64(packet + 1) * 1024
            let expected = PacketTable(
                primingFrames: min(2112, total), validFrames: max(total - 2112, 0), remainderFrames: 0)
            try expectEqual(AudioFile.open(path: writer.path).packetTable, expected)
        }
        try writer.close()
        try expectEqual(AudioFile.open(path: writer.path).frameCount, 10 * 1024 - 2112)
    }

    @Test("packets may lie anywhere in the memory given")
    func scattered() throws {
        let memory = noise(count: 1000)
        let places = [(900, 100), (0, 10), (10, 20), (500, 0), (30, 5)]
        let folder = ScratchFolder()
        let writer = try create(folder)
        try writer.append(
            memory,
            places.map {
                AudioStreamPacketDescription(
                    mStartOffset: Int64($0.0), mVariableFramesInPacket: 0, mDataByteSize: UInt32($0.1))
            })
        try writer.close()
        let file = try AudioFile.open(path: writer.path)
        let contents = try Contents(of: file)
        expectEqual(contents.bytes, places.flatMap { memory[$0.0..<$0.0 + $0.1] })
        expectEqual(contents.descriptions.map(\.mDataByteSize), [100, 10, 20, 0, 5])
    }

    @Test("an invalid call changes nothing and can be followed by a valid one")
    func wrongCalls() throws {
        let made = MadePackets(sizes: [5, 6, 7])
        let folder = ScratchFolder()
        let writer = try create(folder)
        func refused(_ call: () throws -> Void) throws {
            try expectEqual(#require(throws: AudioFileError.self, performing: call).code, .unsupported)
        }
        func description(_ start: Int64, _ bytes: UInt32) -> AudioStreamPacketDescription {
            AudioStreamPacketDescription(
                mStartOffset: start, mVariableFramesInPacket: 0, mDataByteSize: bytes)
        }
        try made.append(0..<1, to: writer)
        try refused { try writer.append(noise(count: 5)) }
        for wrong in [
            description(0, 11), description(-1, 5), description(9, 2), description(.max, 1),
            description(.min, 1), description(0, .max),
        ] {
            try refused { try writer.append(noise(count: 10), [description(0, 5), wrong]) }
        }
        try refused { try writer.setMagicCookie([1]) }
        try refused { try writer.setInformation([]) }
        try refused {
            try writer.setPacketTable(PacketTable(primingFrames: 1 << 40, validFrames: 1, remainderFrames: 0))
        }
        try made.append(1..<3, to: writer)
        try writer.close()
        let contents = try Contents(of: AudioFile.open(path: writer.path))
        #expect(contents.packets == 3 && contents.bytes == made.bytes)

        let other = ScratchFolder()
        let constant = try create(
            other,
            .encoded(
                kAudioFormatAppleIMA4, bytesPerPacket: 34, framesPerPacket: 64, channels: 1, sampleRate: 8000)
        )
        try refused { try constant.append(noise(count: 35)) }
        try constant.append(noise(count: 34))
        expectEqual(constant.frameCount, 64)
        try constant.close()
    }

    @Test("a stream accepts packets of one size only")
    func streams() throws {
        let refused = try #require(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: "/dev/null", type: .caf, format: Self.aac)
        }
        expectEqual(refused.code, .unsupported)
        #expect(refused.message.hasSuffix("needs a file, since their table follows them"))
        let ima4 = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleIMA4, bytesPerPacket: 34, framesPerPacket: 64, channels: 1, sampleRate: 8000)
        let writer = try AudioFileWriter.create(path: "/dev/null", type: .caf, format: ima4)
        try writer.append(noise(count: 340))
        expectEqual(writer.frameCount, 640)
        try writer.close()
    }

    @Test("tags are stored beside PCM too, and refused where they are unsupported")
    func tags() throws {
        let folder = ScratchFolder()
        let format = try AudioFileType.caf.pcmFormat(sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
        let writer = try create(folder, format)
        try writer.setInformation([AudioFileInformation("title", "old")])
        try writer.setInformation([
            AudioFileInformation("artist", "a\0b"), AudioFileInformation("title", "new"),
        ])
        try writer.append(noise(count: 400))
        #expect(throws: AudioFileError.self) { try writer.setInformation([]) }
        try writer.close()
        let file = try AudioFile.open(path: writer.path)
        expectEqual(
            file.information, [AudioFileInformation("artist", "ab"), AudioFileInformation("title", "new")])
        expectEqual(file.tags, AudioFileTags(title: "new", artist: "ab"))
        try expectEqual(Contents(of: file).bytes, noise(count: 400))
        let wave = try AudioFileWriter.create(
            path: folder.file("wave"), type: .wave64,
            format: try AudioFileType.wave.pcmFormat(sampleRate: 44100, channels: 2, bits: 16, isFloat: false)
        )
        #expect(throws: AudioFileError.self) { try wave.setInformation([AudioFileInformation("title", "x")]) }
        try wave.close()
    }

    /// With a file-size limit inside a packet, inside the gap, or with little room left.
    @Test(
        "at the limit all complete packets are kept", arguments: [300, 5000, 70_000, 1_200_000, 2_500_001])
    func sizeLimit(limit: Int) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
            FileSizeLimit.set(bytes: limit)
            let format = AudioStreamBasicDescription.encoded(
                kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
            let made = MadePackets(sizes: CAFBytes.sizes(15_000))
            let writer = try AudioFileWriter.create(path: path, type: .caf, format: format)
            try WriteLimit.expectFailure(inCalls: 3000) {
                try made.append(5 * $0..<5 * $0 + 5, to: writer)
            }
            try writer.close()
        }
        let file = try AudioFile.open(path: path)
        let contents = try Contents(of: file)
        let made = MadePackets(sizes: CAFBytes.sizes(15_000))
        expectEqual(contents.bytes, Array(made.bytes(of: 0..<contents.packets)))
        expectEqual(contents.packets * 1024, Int(file.frameCount ?? 0))
        // The tables are small, and start at page boundaries.
        #expect(contents.bytes.count + 3 * contents.packets + 20_000 + limit / 8 > limit)
    }
}
