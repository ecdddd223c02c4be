// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import AQMagicCookies
import Testing
import AQTestSupport

@Suite("Writing MPEG-4")
struct MP4WriteTests {
    private static func aac(channels: Int = 2, rate: Double = 44100) -> AudioStreamBasicDescription {
        .encoded(kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: channels, sampleRate: rate)
    }

    private static func alac(bits: AudioFormatFlags = 3, channels: Int = 2) -> AudioStreamBasicDescription {
        var format = AudioStreamBasicDescription.encoded(
            kAudioFormatAppleLossless, framesPerPacket: 4096, channels: channels, sampleRate: 96000)
        format.mFormatFlags = bits
        return format
    }

    private func packets(_ count: Int) -> [[UInt8]] {
        (0..<count).map { noise(count: 20 + $0 * 7 % 50, seed: UInt32($0)) }
    }

    private func append(
        _ packets: some Collection<[UInt8]>, to writer: AudioFileWriter, lastFrames: UInt32 = 0
    ) throws {
        var descriptions: [AudioStreamPacketDescription] = []
        var bytes: [UInt8] = []
        for packet in packets {
            descriptions.append(
                AudioStreamPacketDescription(
                    mStartOffset: Int64(bytes.count), mVariableFramesInPacket: 0,
                    mDataByteSize: UInt32(packet.count)))
            bytes += packet
        }
        if lastFrames > 0, !descriptions.isEmpty {
            descriptions[descriptions.count - 1].mVariableFramesInPacket = lastFrames
        }
        try unsafe bytes.withUnsafeBytes { bytes in
            try unsafe descriptions.withUnsafeBufferPointer {
                try unsafe writer.append(bytes, packetDescriptions: $0)
            }
        }
    }

    @Test("returns packets, cookie, tags and trims", arguments: [1, 2, 33, 34, 400])
    func roundTrip(count: Int) throws {
        let folder = ScratchFolder()
        let packets = packets(count)
        let config = try AudioSpecificConfig(sampleRate: 44100, channels: 2)
        let cookie = AACCookie.cookie(for: config, bitRate: 128_000, maximumPacketSize: 999)
        let writer = try AudioFileWriter.create(path: folder.file("a.m4a"), type: .m4a, format: Self.aac())
        try writer.setMagicCookie(cookie)
        try append(packets, to: writer)
        let frames = Int64(count) * 1024
        let table = PacketTable(primingFrames: 300, validFrames: frames - 800, remainderFrames: 500)
        try writer.setPacketTable(table)
        try writer.close()
        expectEqual(writer.frameCount, table.validFrames)
        let file = try AudioFile.open(path: folder.file("a.m4a"))
        expectEqual(file.magicCookie, cookie)
        expectEqual(file.packetTable, table)
        try expectEqual(file.countPackets(), Int64(count))
        try expectEqual(Contents(of: file).bytes, packets.flatMap { $0 })
        #expect(file.warnings.isEmpty)
        // A plain file: its data in one box, its index at the end, no fragments.
        let outermost = file.chunks.filter { $0.depth == 0 }.map(\.type.description)
        expectEqual(outermost, ["'ftyp'", "'mdat'", "'moov'"])
    }

    @Test("returns ALAC of any depth, and the length of its last packet")
    func lossless() throws {
        let folder = ScratchFolder()
        for (flags, bits) in [(1, 16), (2, 20), (3, 24), (4, 32)] as [(AudioFormatFlags, Int)] {
            let writer = try AudioFileWriter.create(
                path: folder.file("a.m4a"), type: .m4a, format: Self.alac(bits: flags), options: .overwrite)
            let packets = packets(60)
            try append(packets, to: writer, lastFrames: 1000)
            #expect(throws: AudioFileError.self) { try append(packets, to: writer) }
            try writer.close()
            let file = try AudioFile.open(path: folder.file("a.m4a"))
            expectEqual(file.format.mFormatFlags, flags)
            expectEqual(file.format.mSampleRate, 96000)
            try expectEqual(ALACSpecificConfig(bytes: file.magicCookie).bitDepth, bits)
            expectEqual(file.frameCount, Int64(59 * 4096 + 1000))
            expectEqual(writer.frameCount, file.frameCount)
            try expectEqual(Contents(of: file).bytes, packets.flatMap { $0 })
        }
    }

    @Test("loses less than a second if the process is killed at any time")
    func killed() throws {
        let folder = ScratchFolder()
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .m4a, format: Self.aac())
        try writer.setPacketTable(PacketTable(primingFrames: 1024, validFrames: 0, remainderFrames: 0))
        let packets = packets(300)
        var appended = 0
        for count in [0, 1, 2, 30, 1, 40, 5, 90, 7, 124] {
            try append(packets[appended..<appended + count], to: writer)
            appended += count
            let saved = TemporaryFile(bytes(ofFile: folder.file("new")))
            let file = try AudioFile.open(path: saved.path)
            let contents = try Contents(of: file)
            #expect((appended - contents.packets) * 1024 < 44100)
            expectEqual(contents.bytes, packets[..<contents.packets].flatMap { $0 })
            expectEqual(file.packetTable?.primingFrames, (contents.packets > 0 ? 1024 : 0))
            expectEqual(writer.frameCount, max(Int64(contents.packets - 1) * 1024, 0))
            #expect(file.warnings.isEmpty)
        }
    }

    @Test("has its first packets on the disk at once")
    func firstPackets() throws {
        let folder = ScratchFolder()
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: .m4a, format: Self.aac())
        let all = packets(12)
        for count in 1...12 {
            try append([all[count - 1]], to: writer)
            // The last one waits, because it may be shorter.
            let written = try AudioFile.open(path: folder.file("new")).countPackets()
            #expect(written <= count - 1 && written >= count / 2)
        }
        try writer.close()
    }

    @Test("is written to outputs that cannot seek, up to the last frame")
    func stream() throws {
        let folder = ScratchFolder()
        let path = folder.file("pipe")
        unsafe expectEqual(mkfifo(path, 0o600), 0)
        let reading = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reading) }
        let writer = try AudioFileWriter.create(path: path, type: .m4a, format: Self.aac())
        try writer.setPacketTable(PacketTable(primingFrames: 1024, validFrames: 0, remainderFrames: 0))
        let packets = packets(100)
        try append(packets, to: writer)
        #expect(throws: AudioFileError.self) {
            try writer.setPacketTable(PacketTable(primingFrames: 1, validFrames: 0, remainderFrames: 0))
        }
        let table = PacketTable(primingFrames: 1024, validFrames: 99 * 1024 - 24, remainderFrames: 24)
        try writer.setPacketTable(table)
        try writer.close()
        var bytes = [UInt8](repeating: 0, count: 65536)
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(reading, $0.baseAddress, $0.count) }
        let saved = TemporaryFile(Array(bytes.prefix(max(count, 0))))
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.packetTable, table)
        try expectEqual(Contents(of: file).bytes, packets.flatMap { $0 })
    }

    @Test("refuses metadata that the file cannot contain, and changes nothing")
    func refused() throws {
        let folder = ScratchFolder()
        let pcm = AudioStreamBasicDescription.signedInteger(bits: 16, channels: 2, sampleRate: 44100)
        #expect(throws: AudioFileError.self) {
            try AudioFileWriter.create(path: folder.file("a"), type: .m4a, format: pcm)
        }
        #expect(folder.names.isEmpty)
        let writer = try AudioFileWriter.create(path: folder.file("a"), type: .m4a, format: Self.aac())
        let other = try AudioSpecificConfig(sampleRate: 48000, channels: 2)
        for cookie in [[], [0xFF], AACCookie.cookie(for: other)] {
            let error = try #require(throws: AudioFileError.self) { try writer.setMagicCookie(cookie) }
            expectEqual(error.code, .unsupported)
        }
        #expect(throws: AudioFileError.self) { try writer.append([1, 2, 3]) }
        for (start, size) in [(-1, 1), (0, 4), (3, 1), (.max, 1), (0, 0)] as [(Int64, UInt32)] {
            let place = AudioStreamPacketDescription(
                mStartOffset: start, mVariableFramesInPacket: 0, mDataByteSize: size)
            #expect(throws: AudioFileError.self) {
                try unsafe ([1, 2, 3] as [UInt8]).withUnsafeBytes { bytes in
                    try unsafe [place].withUnsafeBufferPointer {
                        try unsafe writer.append(bytes, packetDescriptions: $0)
                    }
                }
            }
        }
        try append(packets(1), to: writer)
        #expect(throws: AudioFileError.self) {
            try writer.setMagicCookie(
                AACCookie.cookie(for: AudioSpecificConfig(sampleRate: 44100, channels: 2)))
        }
        try writer.close()
        try expectEqual(Contents(of: AudioFile.open(path: folder.file("a"))).packets, 1)
    }

    @Test("keeps its tags, also if the process is killed")
    func information() throws {
        let folder = ScratchFolder()
        let writer = try AudioFileWriter.create(path: folder.file("a"), type: .m4a, format: Self.aac())
        let lines = [
            AudioFileInformation("title", "Tïtle"), AudioFileInformation("artist", "Artist"),
            AudioFileInformation("album artist", "Others"), AudioFileInformation("track number", "3/12"),
            AudioFileInformation("tempo", "120"), AudioFileInformation("mood", "calm"),
        ]
        try writer.setInformation([AudioFileInformation("title", "Another")])
        try writer.setInformation(lines)
        try append(packets(60), to: writer)
        try expectEqual(AudioFile.open(path: folder.file("a")).information, lines)
        #expect(throws: AudioFileError.self) { try writer.setInformation([]) }
        try writer.setPacketTable(PacketTable(primingFrames: 7, validFrames: 0, remainderFrames: 9))
        try writer.close()
        let file = try AudioFile.open(path: folder.file("a"))
        expectEqual(file.information, lines)
        expectEqual(
            file.packetTable, PacketTable(primingFrames: 7, validFrames: 60 * 1024 - 16, remainderFrames: 9)
        )
    }

    /// With a file-size limit in the head, in a fragment, or in the index.
    @Test("is a valid file up to the full disk", arguments: [400, 3000, 9000, 26_000, 27_000])
    func sizeLimit(limit: Int) async throws {
        let folder = ScratchFolder()
        let path = folder.file("new")
        await #expect(processExitsWith: .success) { [path = path as String, limit = limit as Int] in
            FileSizeLimit.set(bytes: limit)
            let format = AudioStreamBasicDescription.encoded(
                kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44100)
            guard let writer = try? AudioFileWriter.create(path: path, type: .m4a, format: format) else {
                // Not even the head fits: no file remains.
                expectEqual(limit, 400)
                return
            }
            let packet = [UInt8](repeating: 5, count: 100)
            let place = AudioStreamPacketDescription(
                mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 100)
            var failures = 0
            for _ in 0..<240 {
                do {
                    try unsafe packet.withUnsafeBytes { packet in
                        try unsafe [place].withUnsafeBufferPointer {
                            try unsafe writer.append(packet, packetDescriptions: $0)
                        }
                    }
                } catch { failures += 1 }
            }
            // The failure is reported once by each append, or else by closing.
            if failures == 0 {
                #expect(throws: AudioFileError.self) { try writer.close() }
            } else {
                try writer.close()
            }
        }
        guard limit > 400 else {
            #expect(folder.names.isEmpty)
            return
        }
        let file = try AudioFile.open(path: path)
        let contents = try Contents(of: file)
        #expect(contents.packets >= (limit - 1000) / 120 - 33)
        expectEqual(contents.bytes, [UInt8](repeating: 5, count: 100 * contents.packets))
        #expect(file.warnings.isEmpty)
    }

    @Test("without packets is a file without audio")
    func empty() throws {
        let folder = ScratchFolder()
        try AudioFileWriter.create(path: folder.file("a"), type: .m4a, format: Self.aac()).close()
        let file = try AudioFile.open(path: folder.file("a"))
        expectEqual(file.frameCount, 0)
        try expectEqual(file.countPackets(), 0)
        #expect(file.warnings.isEmpty)
    }
}
