// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport

@Suite("MPEG files")
struct MPEGFileTests {
    private func open(_ bytes: [UInt8]) throws -> (AudioFile, TemporaryFile) {
        let saved = TemporaryFile(bytes)
        return (try AudioFile.open(path: saved.path), saved)
    }

    @Test("returns packets with descriptions, whatever the room")
    func packets() throws {
        let stream = MPEGBytes.packets(50)
        for room in [424, 840, 4096] {
            let (file, saved) = try open(stream)
            let contents = try withExtendedLifetime(saved) { try Contents(of: file, roomBytes: room) }
            expectEqual(contents.packets, 50)
            expectEqual(contents.bytes, stream)
            #expect(
                contents.descriptions.allSatisfy { $0.mDataByteSize == 417 && $0.mStartOffset % 417 == 0 })
        }
        let (file, saved) = try open(stream)
        #expect(throws: AudioFileError.self) { try Contents(of: file, roomBytes: 416) }
        expectEqual(file.format.mFormatID, kAudioFormatMPEGLayer3)
        #expect(file.format.mFramesPerPacket == 1152 && file.format.mBytesPerPacket == 0)
        #expect(file.packetSizeUpperBound >= 417)
        expectEqual(file.frameCount, Int64(50 * 1152))
        #expect(file.isSeekable)
        withExtendedLifetime(saved) {}
    }

    @Test("reads any packet, in any order")
    func anyOrder() throws {
        var stream: [UInt8] = []
        for number in 0..<200 {
            var packet = MPEGBytes.packet()
            packet[100] = UInt8(number)
            stream += packet
        }
        let (file, saved) = try open(stream)
        for packet in [150, 3, 199, 64, 63, 0] as [Int64] {
            let contents = try Contents(of: file, roomBytes: 424, from: packet)
            expectEqual(contents.packets, 200 - Int(packet))
            expectEqual(contents.bytes[100], UInt8(packet))
        }
        try expectEqual(Contents(of: file, from: 200).packets, 0)
        try expectEqual(file.countPackets(), 200)
        withExtendedLifetime(saved) {}
    }

    @Test("trims by the encoder's tag, but only as far as the tag is valid")
    func packetTables() throws {
        func table(tagged: UInt32, real: Int, delay: Int = 576, padding: Int = 1000) throws -> PacketTable? {
            let bytes = UInt32(417 * (Int(tagged) + 1))
            let tag = MPEGBytes.info(packets: tagged, bytes: bytes, delay: delay, padding: padding)
            let (file, saved) = try open(tag + MPEGBytes.packets(real))
            return withExtendedLifetime(saved) { file.packetTable }
        }
        func expected(_ priming: Int64, _ valid: Int64, _ remainder: Int64) -> PacketTable {
            PacketTable(primingFrames: priming, validFrames: valid, remainderFrames: remainder)
        }
        // priming = delay + 529, remainder = padding - 529
        try expectEqual(table(tagged: 10, real: 10), expected(1105, 11520 - 1105 - 471, 471))
        try expectEqual(table(tagged: 10, real: 10, padding: 100), expected(1105, 11520 - 1105, 0))
        // Truncated: the remainder is lost with the end.
        try expectEqual(table(tagged: 10, real: 6), expected(1105, 6 * 1152 - 1105, 0))
        // Longer than the tag states: the rest is audio.
        try expectEqual(table(tagged: 10, real: 14), expected(1105, 14 * 1152 - 1105, 0))
        // Trims longer than the audio.
        try expectEqual(table(tagged: 2, real: 2, delay: 576, padding: 1728), expected(1105, 0, 1199))
        try expectEqual(table(tagged: 2, real: 2, delay: 4095, padding: 4095), expected(2304, 0, 0))
        // A tag that was never written.
        try expectEqual(table(tagged: 0, real: 3), expected(0, 3 * 1152, 0))
    }

    @Test("uses a tag of a variable bit rate like one of a constant")
    func xing() throws {
        let tag = MPEGBytes.info(packets: 4, bytes: 5 * 417, name: "Xing")
        let (file, saved) = try open(tag + MPEGBytes.packets(4))
        expectEqual(file.frameCount, Int64(4 * 1152 - 576 - 1000))
        try expectEqual(file.countPackets(), 4)
        withExtendedLifetime(saved) {}
    }

    @Test("warns of damage once, with its offset")
    func damage() throws {
        let garbage = [UInt8](repeating: 0x55, count: 3000)
        let stream = garbage + MPEGBytes.packets(10) + garbage + MPEGBytes.packets(10)
        let (file, saved) = try open([UInt8](stream.dropLast(7)))
        _ = try file.countPackets()
        try expectEqual(Contents(of: file).packets, 19)
        expectEqual(
            file.warnings,
            [
                "3000 bytes at byte 0, before the first packet, are not MPEG audio",
                "3000 bytes at byte 7170, before packet 10, are not MPEG audio",
                "the last packet, at byte 13923, is cut short: 410 bytes of 417",
            ])
        withExtendedLifetime(saved) {}
    }

    @Test("counts packets of another rate by their duration")
    func changingRate() throws {
        let faster = MPEGBytes.packet([0xFF, 0xFB, 0x94, 0x00], bytes: 384)
        let (file, saved) = try open(MPEGBytes.packets(40) + (0..<40).flatMap { _ in faster })
        try expectEqual(file.countPackets(), 80)
        // 1152 frames at 48000 Hz last as long as 1058.4 at 44100, which the decoder rounds down.
        expectEqual(file.frameCount, Int64(40 * 1152 + 42335))
        expectEqual(file.warnings, ["the rate changes to 48000 Hz at packet 40, byte 16680"])
        withExtendedLifetime(saved) {}
    }

    @Test("lists a limited number of faults of a badly damaged file")
    func manyFaults() throws {
        var stream: [UInt8] = []
        for _ in 0..<200 { stream += MPEGBytes.packets(2) + [1, 2, 3, 4, 5] }
        let (file, saved) = try open(stream)
        #expect(try file.countPackets() > 300)
        expectEqual(file.warnings.count, 33)
        withExtendedLifetime(saved) {}
    }

    @Test("has the exact length without a tag, and the average of the bit rates")
    func variable() throws {
        let high = MPEGBytes.packet([0xFF, 0xFB, 0xE0, 0x00], bytes: 1044)
        let (file, saved) = try open(MPEGBytes.packets(50) + (0..<50).flatMap { _ in high })
        expectEqual(file.frameCount, Int64(100 * 1152))
        #expect(abs(file.averageBitRate - 730.5 * 8 * 44100 / 1152) < 1)
        withExtendedLifetime(saved) {}
    }

    @Test("begins decoding early enough, at a packet with the same window step")
    func seekPoints() throws {
        let (file, saved) = try open(MPEGBytes.packets(100))
        for frame in [0, 1, 1152, 20_000, 57_600, 115_199] as [Int64] {
            let point = try file.seekPoint(forFrame: frame)
            expectEqual(point.packet % 8, 0)
            expectEqual(point.packet * 1152 + point.framesToDiscard, frame)
            #expect(point.packet == 0 || frame / 1152 - point.packet >= 4)
        }
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 115_201) }
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: .max) }
        withExtendedLifetime(saved) {}
    }

    @Test("skips a tag of a hundred megabytes without loading it")
    func hugeTag() throws {
        let contents = 100 << 20
        let size = synchsafe(contents)
        let saved = TemporaryFile([0x49, 0x44, 0x33, 4, 0, 0] + size)
        saved.append(MPEGBytes.packets(20), at: contents + 10)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.frameCount, Int64(20 * 1152))
        #expect(file.warnings.isEmpty)
    }

    @Test(
        "reads the project's own files",
        arguments: [
            ("tune-cbr.mp3", 44100, 242_550), ("tune-vbr.mp3", 44100, 242_550),
            ("tune-mono.mp3", 22050, 121_275),
        ])
    func fixtures(name: String, rate: Double, frames: Int64) throws {
        let file = try AudioFile.open(path: ToolPaths.fixture(name))
        expectEqual(file.format.mSampleRate, rate)
        expectEqual(file.frameCount, frames)
        try expectEqual(file.countFrames(), frames)
        #expect(file.warnings.isEmpty)
        if name == "tune-vbr.mp3" {
            expectEqual(
                file.tags,
                AudioFileTags(
                    title: "Three Buffers", artist: "Audio Queue Services", album: "Fixtures"))
        }
    }
}
#endif
