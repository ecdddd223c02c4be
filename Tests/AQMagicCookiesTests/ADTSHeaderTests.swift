// SPDX-License-Identifier: MIT

import AQExpectations
import AQMagicCookies
import Testing

@Suite("ADTS headers")
struct ADTSHeaderTests {
    @Test("are written as in the specification's example")
    func example() throws {
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        let bytes = try ADTSHeader.bytes(for: config, packetBytes: 364)
        expectEqual(bytes, [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F, 0xFC])
        let header = try #require(ADTSHeader(bytes: bytes))
        #expect(header.frameBytes == 371 && header.headerBytes == 7 && header.rawDataBlocks == 1)
        #expect(header.sampleRate == 44_100 && header.channelConfiguration == 2 && header.objectType == 2)
        #expect(!header.isMPEG2 && !header.hasChecksum)
        try expectEqual(header.audioSpecificConfig(packet: []), config)
    }

    @Test("are unchanged after a round trip at every rate, with every configuration and object type")
    func roundTrip() throws {
        for rate in AudioSpecificConfigTests.rates.prefix(13) {
            for channels in [1, 2, 3, 4, 5, 6, 8] {
                for type in 1...4 as ClosedRange<UInt8> {
                    let config = try AudioSpecificConfig(
                        objectType: type, sampleRate: rate, channels: channels)
                    let bytes = try ADTSHeader.bytes(for: config, packetBytes: 0)
                    try expectEqual(ADTSHeader(bytes: bytes)?.audioSpecificConfig(packet: []), config)
                }
            }
        }
    }

    @Test("count the bytes of checksums and of further blocks")
    func longHeaders() throws {
        expectEqual(ADTSHeader(bytes: [0xFF, 0xF8, 0x50, 0x80, 0x2E, 0x7F, 0xFC, 0, 0])?.headerBytes, 9)
        expectEqual(ADTSHeader(bytes: [0xFF, 0xF8, 0x50, 0x80, 0x2E, 0x7F, 0xFF])?.headerBytes, 15)
        let several = try #require(ADTSHeader(bytes: [0xFF, 0xF9, 0x50, 0x80, 0x2E, 0x7F, 0xFF]))
        #expect(several.rawDataBlocks == 4 && several.headerBytes == 7 && several.isMPEG2)
    }

    @Test(
        "are distinguished from other bytes",
        arguments: [
            [], [0xFF, 0xF1, 0x50, 0x80, 0x2E, 0x7F],  // Too short.
            [0xFF, 0xE1, 0x50, 0x80, 0x2E, 0x7F, 0xFC],  // No sync.
            [0xFF, 0xFB, 0x50, 0x80, 0x2E, 0x7F, 0xFC],  // MPEG audio.
            [0xFF, 0xF1, 0x74, 0x80, 0x2E, 0x7F, 0xFC],  // Rate index 13.
            [0xFF, 0xF1, 0x7C, 0x80, 0x2E, 0x7F, 0xFC],  // Rate index 15.
            [0xFF, 0xF1, 0x50, 0x80, 0x00, 0xDF, 0xFC],  // Six bytes with header.
        ] as [[UInt8]])
    func noHeader(bytes: [UInt8]) {
        expectEqual(ADTSHeader(bytes: bytes), nil)
    }

    @Test("refuse values that they cannot state")
    func refused() throws {
        func reason(_ change: (inout AudioSpecificConfig) -> Void, packetBytes: Int = 100) throws -> String {
            var config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
            change(&config)
            return try #require(throws: MagicCookieError.self) {
                try ADTSHeader.bytes(for: config, packetBytes: packetBytes)
            }.message
        }
        try expectEqual(
            reason { $0.sampleRate = 44_056 }, "cannot make an ADTS header: it cannot express 44056 Hz")
        #expect(try reason { $0.framesPerPacket = 960 }.contains("not 960"))
        #expect(try reason { $0.channelConfiguration = 11 }.contains("channel configuration 11"))
        #expect(try reason { $0.objectType = 42 }.contains("USAC"))
        #expect(try reason({ _ in }, packetBytes: 8185).contains("up to 8184 bytes, not 8185"))
        #expect(try reason({ _ in }, packetBytes: -1).contains("not -1"))
    }

    @Test("leave the channels to a program config in the packet")
    func programConfig() throws {
        var config = try AudioSpecificConfig(sampleRate: 48_000, channels: 2)
        config.channelConfiguration = 0
        config.channels = 7
        let header = try #require(ADTSHeader(bytes: ADTSHeader.bytes(for: config, packetBytes: 50)))
        let packet: [UInt8] = [0x21, 0x10, 0x05]
        #expect(throws: MagicCookieError.self) { try header.audioSpecificConfig(packet: packet) }
        let prefix = ADTSHeader.programConfigBytes(for: config, packet: packet)
        try expectEqual(header.audioSpecificConfig(packet: prefix + packet).channels, 7)
        expectEqual(ADTSHeader.programConfigBytes(for: config, packet: prefix + packet), [])
        config.channelConfiguration = 2
        expectEqual(ADTSHeader.programConfigBytes(for: config, packet: packet), [])
    }
}
