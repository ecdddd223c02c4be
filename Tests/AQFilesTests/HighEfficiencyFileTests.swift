// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import Testing

@testable import AQFiles

@Suite("HE-AAC that is announced only in packets")
struct HighEfficiencyFileTests {
    private func packets(_ count: Int = 20, hasReplication: Bool = true, hasStereo: Bool = false) -> [[UInt8]]
    {
        (0..<count).map {
            HighEfficiencyPackets.packet(
                $0, hasReplication: hasReplication, hasStereo: hasStereo, fillingBytes: $0 % 3 * 20)
        }
    }

    private func stream(_ packets: [[UInt8]], rate: Int = 22_050, channels: Int = 1) throws -> [UInt8] {
        let config = try AudioSpecificConfig(sampleRate: rate, channels: channels)
        return try packets.flatMap { try ADTSHeader.bytes(for: config, packetBytes: $0.count) + $0 }
    }

    private func expect(
        _ file: AudioFile, _ id: AudioFormatID, rate: Double, channels: UInt32, frames: Int64
    ) throws {
        expectEqual(file.format.mFormatID, id)
        expectEqual(file.format.mSampleRate, rate)
        expectEqual(file.format.mChannelsPerFrame, channels)
        expectEqual(file.channelLabels.count, Int(channels))
        try expectEqual(Contents(of: file).packets, 20)
        #expect(try file.isSeekable ? file.countFrames() == frames : file.frameCount == frames)
        let config = try AACCookie.audioSpecificConfig(inCookie: file.magicCookie)
        #expect(config.format.mFormatID == id && config.format.mSampleRate == rate)
    }

    @Test("an ADTS stream has the rate and the channels of its packets, in a file and in a pipe")
    func adts() throws {
        let mono = packets()
        let stereo = packets(hasStereo: true)
        let plain = packets(hasReplication: false)
        for (bytes, id, rate, channels) in [
            (try stream(mono), kAudioFormatMPEG4AAC_HE, 44_100.0, 1),
            (try stream(mono, channels: 2), kAudioFormatMPEG4AAC_HE, 44_100, 2),
            (try stream(stereo), kAudioFormatMPEG4AAC_HE_V2, 44_100, 2),
            (try stream(plain), kAudioFormatMPEG4AAC, 22_050, 1),
            // So high a rate is that of the output.
            (try stream(mono, rate: 44_100), kAudioFormatMPEG4AAC, 44_100, 1),
        ] as [([UInt8], AudioFormatID, Double, UInt32)] {
            let frames: Int64 = id == kAudioFormatMPEG4AAC ? 20 * 1024 : 20 * 2048
            let saved = TemporaryFile(bytes)
            try expect(.open(path: saved.path), id, rate: rate, channels: channels, frames: frames)
            let piped = try FilledPipe(bytes, pieceBytes: 100).open()
            try expect(piped, id, rate: rate, channels: channels, frames: frames)
        }
    }

    /// The bits that complete the last byte of a packet: ones, those of an end mark, and others.
    private static let lastBits: [UInt8] = [0xFF, 0x07, 0x0E, 0x55, 0xAA, 0x01, 0x7F]

    @Test("the bits behind the end of a packet may have any values")
    func lastBits() throws {
        func packets(hasReplication: Bool = true, hasStereo: Bool = false) -> [[UInt8]] {
            (0..<20).map {
                // Filling of other sizes moves the end to all eight bits of the last byte.
                HighEfficiencyPackets.packet(
                    $0, hasReplication: hasReplication, hasStereo: hasStereo, fillingBytes: $0 % 3 * 20,
                    lastBits: Self.lastBits[$0 % Self.lastBits.count])
            }
        }
        for (packets, id, rate, channels) in [
            (packets(), kAudioFormatMPEG4AAC_HE, 44_100.0, 1),
            (packets(hasStereo: true), kAudioFormatMPEG4AAC_HE_V2, 44_100, 2),
            (packets(hasReplication: false), kAudioFormatMPEG4AAC, 22_050, 1),
        ] as [([[UInt8]], AudioFormatID, Double, UInt32)] {
            let frames: Int64 = id == kAudioFormatMPEG4AAC ? 20 * 1024 : 20 * 2048
            let bytes = try stream(packets)
            let saved = TemporaryFile(bytes)
            try expect(.open(path: saved.path), id, rate: rate, channels: channels, frames: frames)
            let piped = try FilledPipe(bytes, pieceBytes: 100).open()
            try expect(piped, id, rate: rate, channels: channels, frames: frames)
            var movie = MP4File()
            movie.packets = packets
            movie.timescale = 22_050
            movie.entry = MP4File.aacEntry(config: [0x13, 0x88])
            let container = TemporaryFile(movie.bytes)
            try expect(.open(path: container.path), id, rate: rate, channels: channels, frames: frames)
        }
    }

    @Test("an LFE channel may come last")
    func lowFrequencies() throws {
        for (hasReplication, id, rate, frames) in [
            (true, kAudioFormatMPEG4AAC_HE, 48_000, 20 * 2048),
            (false, kAudioFormatMPEG4AAC, 24_000, 20 * 1024),
        ] as [(Bool, AudioFormatID, Double, Int64)] {
            let packets = (0..<20).map {
                HighEfficiencyPackets.packet($0, hasReplication: hasReplication, endsInLFE: true)
            }
            let saved = TemporaryFile(try stream(packets, rate: 24_000, channels: 6))
            try expect(.open(path: saved.path), id, rate: rate, channels: 6, frames: frames)
        }
    }

    @Test("MPEG-4 and CAF files have the rate and the channels of their packets, also in a pipe")
    func containers() throws {
        let stereo = packets(hasStereo: true)
        var movie = MP4File()
        movie.packets = stereo
        movie.timescale = 22_050
        // Low complexity, 22.05 kHz, one channel.
        movie.entry = MP4File.aacEntry(config: [0x13, 0x88])
        let saved = TemporaryFile(movie.bytes)
        let id = kAudioFormatMPEG4AAC_HE_V2
        try expect(.open(path: saved.path), id, rate: 44_100, channels: 2, frames: 20 * 2048)
        let piped = try FilledPipe(movie.bytes, pieceBytes: 100).open()
        try expect(piped, id, rate: 44_100, channels: 2, frames: 20 * 2048)

        let config = try AudioSpecificConfig(sampleRate: 22_050, channels: 1)
        let sound =
            CAFBytes.start + CAFBytes.description(config.format)
            + CAFBytes.chunk("kuki", AACCookie.cookie(for: config))
        let table = CAFBytes.table(stereo.map(\.count), priming: 100, valid: 20 * 1024 - 300, remainder: 200)
        let other = TemporaryFile(sound + table + CAFBytes.data(stereo.flatMap { $0 }))
        let file = try AudioFile.open(path: other.path)
        try expect(file, id, rate: 44_100, channels: 2, frames: 20 * 2048 - 600)
        expectEqual(file.packetTable?.primingFrames, 200)
        #expect(file.warnings.isEmpty)
        let stream = try FilledPipe(sound + table + CAFBytes.data(stereo.flatMap { $0 }), pieceBytes: 100)
            .open()
        try expect(stream, id, rate: 44_100, channels: 2, frames: 20 * 2048 - 600)
        expectEqual(stream.packetTable, file.packetTable)
        #expect(stream.warnings.isEmpty)
    }

    @Test("fragments of MPEG-4 have the rate and the channels of their packets, also in a pipe")
    func fragments() throws {
        for (hasStereo, id, channels) in [
            (true, kAudioFormatMPEG4AAC_HE_V2, 2), (false, kAudioFormatMPEG4AAC_HE, 1),
        ] as [(Bool, AudioFormatID, UInt32)] {
            var movie = MP4File()
            movie.timescale = 22_050
            movie.entry = MP4File.aacEntry(config: [0x13, 0x88])
            let packets = packets(hasStereo: hasStereo)
            let bytes =
                MP4MixedFragments.head(of: movie) + MP4MixedFragments.fragment(ofSound: Array(packets[..<9]))
                + MP4MixedFragments.fragment(ofSound: Array(packets[9...]))
            let saved = TemporaryFile(bytes)
            let file = try AudioFile.open(path: saved.path)
            try expect(file, id, rate: 44_100, channels: channels, frames: 20 * 2048)
            let piped = try FilledPipe(bytes, pieceBytes: 100).open()
            try expect(piped, id, rate: 44_100, channels: channels, frames: 20 * 2048)
            #expect(piped.warnings.isEmpty)
        }
    }

    @Test("a cookie that excludes replication or stereo overrides the packets")
    func excluded() throws {
        var movie = MP4File()
        movie.packets = packets(hasStereo: true)
        movie.timescale = 22_050
        movie.entry = MP4File.aacEntry(config: [0x13, 0x88, 0x56, 0xE5, 0x00])
        let saved = TemporaryFile(movie.bytes)
        let plain = try AudioFile.open(path: saved.path)
        try expect(plain, kAudioFormatMPEG4AAC, rate: 22_050, channels: 1, frames: 20 * 1024)
        // Replication to 44.1 kHz; packets add stereo.
        movie.entry = MP4File.aacEntry(config: [0x2B, 0x8A, 0x08, 0x00])
        let announced = TemporaryFile(movie.bytes)
        let stereo = try AudioFile.open(path: announced.path)
        try expect(stereo, kAudioFormatMPEG4AAC_HE_V2, rate: 44_100, channels: 2, frames: 20 * 2048)
    }
}
