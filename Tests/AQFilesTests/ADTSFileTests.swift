// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Glibc
import AQMagicCookies
import AQTestSupport
import AQSoundHarness
import Testing

@Suite("ADTS files")
struct ADTSFileTests {
    private func contents(_ bytes: [UInt8]) throws -> (file: AudioFile, contents: Contents) {
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        return (file, try Contents(of: file))
    }

    @Test("gives packets without headers, with cookie, format and count")
    func plain() throws {
        let (file, contents) = try contents(ADTSBytes.stream(0..<300))
        #expect(file.format.mFormatID == kAudioFormatMPEG4AAC && file.format.mFormatFlags == 2)
        #expect(file.format.mSampleRate == 44_100 && file.format.mChannelsPerFrame == 2)
        #expect(file.format.mFramesPerPacket == 1024 && file.format.mBytesPerPacket == 0)
        expectEqual(file.format.validationFailure, nil)
        expectEqual(file.channelLabels, [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        expectEqual(contents.bytes, ADTSBytes.payloads(0..<300))
        let sizes: [UInt32] = (0..<300).map { 100 + UInt32($0 % 50) }
        expectEqual(contents.descriptions.map(\.mDataByteSize), sizes)
        expectEqual(file.packetTable, PacketTable(primingFrames: 0, validFrames: 307_200, remainderFrames: 0))
        #expect(try file.countPackets() == 300 && file.warnings.isEmpty)
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        try expectEqual(AACCookie.audioSpecificConfig(inCookie: file.magicCookie), config)
        expectEqual(file.dataRange, 0..<Int64(try ADTSBytes.stream(0..<300).count))
        #expect(abs(file.averageBitRate - 124.5 * 8 * 44_100 / 1024) < 1)
    }

    @Test("reports the channels in the order of AAC")
    func surround() throws {
        let (file, _) = try contents(ADTSBytes.stream(0..<9, channels: 6))
        expectEqual(file.channelLabels, (try ChannelLayout(tag: kAudioChannelLayoutTag_AAC_5_1).labels))
    }

    @Test("is read at any position, in any order")
    func randomAccess() throws {
        let saved = TemporaryFile(try ADTSBytes.stream(0..<2000))
        let file = try AudioFile.open(path: saved.path)
        for first in [1999, 0, 700, 699, 1000] {
            try expectEqual(Contents(of: file, from: Int64(first)).bytes, ADTSBytes.payloads(first..<2000))
        }
        try expectEqual(Contents(of: file, from: 2000).packets, 0)
        #expect(throws: AudioFileError.self) { try Contents(of: file, roomBytes: 64) }
    }

    @Test("begins decoding early enough for the overlap of packets")
    func seeking() throws {
        let saved = TemporaryFile(try ADTSBytes.stream(0..<100))
        let file = try AudioFile.open(path: saved.path)
        try expectEqual(file.seekPoint(forFrame: 0), SeekPoint(packet: 0, framesToDiscard: 0))
        try expectEqual(file.seekPoint(forFrame: 1500), SeekPoint(packet: 0, framesToDiscard: 1500))
        try expectEqual(file.seekPoint(forFrame: 51_200), SeekPoint(packet: 48, framesToDiscard: 2048))
        try expectEqual(file.seekPoint(forFrame: 102_400), SeekPoint(packet: 98, framesToDiscard: 2048))
        let error = try #require(throws: AudioFileError.self) { try file.seekPoint(forFrame: 102_401) }
        expectEqual(error.code, .endOfFile)
    }

    @Test("of predictive AAC is decoded from the beginning")
    func prediction() throws {
        var bytes = try ADTSBytes.stream(0..<10)
        // The profile of Main is 0, and that of LC 1: bits 6 and 7 of the third byte.
        for place in bytes.indices.dropLast(2) where bytes[place] == 0xFF && bytes[place + 1] == 0xF1 {
            bytes[place + 2] &= 0x3F
        }
        let saved = TemporaryFile(bytes)
        let file = try AudioFile.open(path: saved.path)
        expectEqual(file.format.mFormatFlags, 1)
        try expectEqual(file.seekPoint(forFrame: 9000), SeekPoint(packet: 0, framesToDiscard: 9000))
    }

    @Test("skips checksums")
    func checksums() throws {
        let (file, contents) = try contents((0..<20).flatMap { try ADTSBytes.frame($0, hasChecksum: true) })
        expectEqual(contents.bytes, (0..<20).flatMap { ADTSBytes.payload($0) })
        #expect(file.warnings.isEmpty)
    }

    @Test("skips tags and reads their text")
    func tags() throws {
        let end = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        for padding in [0, 100_000] {
            let tag = ADTSBytes.tag(title: "A title", paddingBytes: padding)
            let (file, contents) = try contents(tag + ADTSBytes.stream(0..<30) + end)
            expectEqual(contents.bytes, ADTSBytes.payloads(0..<30))
            #expect(file.warnings.isEmpty)
            expectEqual(file.dataRange?.lowerBound, Int64(tag.count))
            #if HAVE_MPEG_AUDIO
            expectEqual(file.tags.title, "A title")
            expectEqual(file.information, [AudioFileInformation("title", "A title")])
            #endif
        }
    }

    @Test("finds the stream again after garbage, and reports where it was")
    func garbage() throws {
        let noise = [UInt8](repeating: 0xFF, count: 5000)
        let first = try ADTSBytes.stream(0..<10)
        let (file, contents) = try contents(first + noise + ADTSBytes.stream(10..<40))
        expectEqual(contents.bytes, ADTSBytes.payloads(0..<40))
        expectEqual(file.warnings, ["5000 bytes at byte \(first.count), before packet 10, are not AAC"])
        let (late, rest) = try self.contents(first.dropFirst(60) + ADTSBytes.stream(10..<40))
        expectEqual(rest.bytes, ADTSBytes.payloads(1..<40))
        expectEqual(late.warnings, ["47 bytes at byte 0, before the first packet, are not AAC"])
    }

    @Test("skips tags between packets without a warning, and nothing else")
    func tagsBetween() throws {
        let (first, second) = (try ADTSBytes.stream(0..<5), try ADTSBytes.stream(5..<9))
        let tag = ADTSBytes.tag(title: "Next", paddingBytes: 300)
        let (file, contents) = try contents(first + tag + tag + second)
        expectEqual(contents.bytes, ADTSBytes.payloads(0..<9))
        #expect(file.problems.isEmpty)
        let (damaged, _) = try self.contents(first + tag + [1, 2, 3] + second)
        expectEqual(damaged.problems.map(\.grade), [.damage])
    }

    @Test("leaves out a packet that is cut short")
    func truncated() throws {
        let whole = try ADTSBytes.stream(0..<20)
        for cut in 1...100 {
            let (file, contents) = try contents(whole.dropLast(cut))
            expectEqual(contents.packets, 19)
            #expect(file.warnings.count == 1 && file.frameCount == 19 * 1024)
        }
        let (file, _) = try contents(whole.dropLast(10))
        #expect(file.warnings[0].contains("is cut short: 116 bytes of 126"))
    }

    @Test("leaves out packets of another rate or channels, with one warning at each change")
    func changes() throws {
        let middle = try ADTSBytes.stream(10..<20, rate: 48_000) + ADTSBytes.stream(20..<21, channels: 1)
        let (file, contents) = try contents(
            ADTSBytes.stream(0..<10) + middle + ADTSBytes.stream(21..<30))
        expectEqual(contents.bytes, ADTSBytes.payloads(0..<10) + ADTSBytes.payloads(21..<30))
        expectEqual(file.warnings.count, 3, "\(file.warnings)")
        #expect(file.warnings[0].hasPrefix("the rate changes to 48000 Hz at packet 10, byte "))
        #expect(file.warnings[0].hasSuffix("; the audio is left out until the format changes back"))
    }

    @Test("leaves out empty packets, which would end a decoder's stream")
    func emptyPacket() throws {
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        let empty = try ADTSHeader.bytes(for: config, packetBytes: 0)
        let (file, contents) = try contents(ADTSBytes.stream(0..<5) + empty + ADTSBytes.stream(5..<9))
        expectEqual(contents.bytes, ADTSBytes.payloads(0..<9))
        expectEqual(file.warnings.count, 1)
    }

    @Test("refuses an unreadable stream with a reason")
    func refused() throws {
        func failure(_ bytes: [UInt8]) throws -> AudioFileError {
            try #require(throws: AudioFileError.self) { try self.contents(bytes) }
        }
        let cut = try failure(Array(ADTSBytes.frame(0).dropLast()))
        #expect(cut.code == .damaged && cut.message.hasSuffix("cut short: 106 bytes of 107"))
        var several = try ADTSBytes.stream(0..<10)
        for place in several.indices.dropLast(7) where several[place] == 0xFF && several[place + 1] == 0xF1 {
            several[place + 6] |= 3
        }
        #expect(try failure(several).message.hasSuffix("its packets hold 4 audio blocks each, not one"))
        var unknown = try ADTSBytes.stream(0..<10)
        for place in unknown.indices.dropLast(7) where unknown[place] == 0xFF && unknown[place + 1] == 0xF1 {
            unknown[place + 3] &= 0x3F
        }
        #expect(try failure(unknown).message.contains("neither it nor the header states the channels"))
        try expectEqual(failure([0xFF, 0xF1] + [UInt8](repeating: 0x74, count: 5000)).code, .unrecognised)
    }

    @Test("is read from a pipe, forwards only", arguments: [false, true])
    func pipes(hasTag: Bool) throws {
        let tag = hasTag ? ADTSBytes.tag(title: "A title", paddingBytes: 20_000) : []
        let file = try OpenPipe.file(tag + ADTSBytes.stream(0..<300))
        #expect(!file.isSeekable && file.packetTable == nil && file.frameCount == nil)
        try expectEqual(file.seekPoint(forFrame: 5000), SeekPoint(packet: 0, framesToDiscard: 5000))
        try expectEqual(Contents(of: file).bytes, ADTSBytes.payloads(0..<300))
        #expect(file.warnings.isEmpty)
        // The end gives the length.
        try expectEqual(file.countPackets(), 300)
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 0) }
        #expect(throws: AudioFileError.self) { try Contents(of: file, from: 0) }
        #if HAVE_MPEG_AUDIO
        expectEqual(file.tags.title, (hasTag ? "A title" : nil))
        #endif
    }

    @Test("is read from a pipe that begins inside a packet and is damaged later")
    func brokenPipe() throws {
        let noise = [UInt8](repeating: 0x55, count: 90_000)
        let bytes = try ADTSBytes.stream(0..<200).dropFirst(60) + noise + ADTSBytes.stream(200..<300)
        let file = try OpenPipe.file(Array(bytes))
        try expectEqual(Contents(of: file).bytes, ADTSBytes.payloads(1..<300))
        expectEqual(file.warnings.count, 2)
    }

    @Test("subtracts the delay of FAAC, which marks its first packet")
    func faac() throws {
        // A fill element: 3 bits of type, 4 and 8 of length, 4 of type, 13 of padding, then the text.
        let text = Array("libfaac 1.28".utf8)
        let bits = [0b1101_1110, 0, 0, 0] + text
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        let signed = try ADTSHeader.bytes(for: config, packetBytes: bits.count) + bits
        let saved = TemporaryFile(try signed + ADTSBytes.stream(0..<9))
        let file = try AudioFile.open(path: saved.path)
        expectEqual(
            file.packetTable, PacketTable(primingFrames: 1024, validFrames: 9216, remainderFrames: 0))
        try expectEqual(file.seekPoint(forFrame: 9216), SeekPoint(packet: 8, framesToDiscard: 2048))
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: 9217) }
        #expect(throws: AudioFileError.self) { try file.seekPoint(forFrame: .max) }
    }

    @Test("survives random damage", arguments: 0..<40 as Range<UInt64>)
    func mutated(seed: UInt64) throws {
        var random = SplitMix(seed)
        var bytes = try ADTSBytes.tag(title: "A title") + ADTSBytes.stream(0..<30)
        for _ in 0...Int.random(in: 0..<40, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8(Int.random(in: 0..<256, using: &random))
            case 1: bytes[place] ^= 1 << UInt8(Int.random(in: 0..<8, using: &random))
            case 2:
                bytes.removeSubrange(place..<min(place + Int.random(in: 0..<50, using: &random), bytes.count))
            default: bytes.insert(contentsOf: [0xFF, 0xF1, 0x50, 0x80], at: place)
            }
        }
        let saved = TemporaryFile(bytes)
        guard let file = try? AudioFile.open(path: saved.path) else { return }
        let packets = try Contents(of: file, roomBytes: 8192).packets
        expectEqual(Int64(packets), (try file.countPackets()))
        _ = try file.seekPoint(forFrame: file.frameCount ?? 0)
    }

    @Test(
        "has the manifest's frames", .enabled(if: CorpusManifest.folder != nil, "make test-corpus"),
        arguments: CorpusManifest.rows(of: "aac"))
    func corpus(row: CorpusManifest.Row) throws {
        let file = try AudioFile.open(path: row.path)
        expectEqual(file.format.mSampleRate, row.sampleRate)
        expectEqual(file.format.mChannelsPerFrame, UInt32(row.channels))
        expectEqual(file.frameCount, row.frames.map(Int64.init))
        #expect(try Contents(of: file).packets > 0)
    }
}

/// A pipe that holds all bytes at once.
private enum OpenPipe {
    static func file(_ bytes: [UInt8]) throws -> AudioFile {
        var ends: [CInt] = [-1, -1]
        try #require(unsafe pipe(&ends) == 0)
        // F_SETPIPE_SZ, which needs _GNU_SOURCE.
        try #require(fcntl(ends[1], 1031, 1 << 20) >= CInt(bytes.count))
        let put = unsafe bytes.withUnsafeBytes { unsafe write(ends[1], $0.baseAddress, $0.count) }
        expectEqual(put, bytes.count)
        close(ends[1])
        defer { close(ends[0]) }
        return try AudioFile.open(path: "/dev/fd/\(ends[0])")
    }
}
