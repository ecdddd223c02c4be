// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("Audio converter, linear PCM")
struct AudioConverterPCMTests {
    private static let rate = 48000.0

    private static func noise(_ count: Int) -> [Int16] {
        var state: UInt64 = 1
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int16(truncatingIfNeeded: state >> 33)
        }
    }

    @Test("integers of at least as many bits are returned bit for bit", arguments: [1, 7, 1000, 100_000])
    func exactIntegers(piece: Int) throws {
        let input = Self.noise(2 * 2000)
        let s16 = Format.signedInteger(bits: 16, channels: 2, sampleRate: Self.rate)
        for bits in [16, 24, 32] {
            let wide = Format.signedInteger(
                bits: bits, isBigEndian: true, channels: 2, sampleRate: Self.rate)
            let there = try AudioConverter(from: s16, to: wide)
            let encoded = try there.convertAll(
                PacketFeed(integers: input, channels: 2, turns: [.packets(piece)]), packetsPerCall: 999)
            expectEqual(encoded.packetSizes.count, 2000)
            let back = try AudioConverter(from: wide, to: s16)
            let feed = PacketFeed(
                encoded.bytes, bytesPerPacket: Int(wide.mBytesPerPacket), turns: [.packets(piece)])
            expectEqual(samples(Int16.self, of: try back.convertAll(feed).bytes), input)
        }
    }
}
