// SPDX-License-Identifier: MIT

import AQExpectations
import AQMagicCookies
import AQTestSupport
import Testing

/// Reads of random and of mutated bytes return a value or an error; a valid value can be written and read.
@Suite("Hostile cookies")
struct HostileBytesTests {
    private let valid: [[UInt8]] = [
        [0x12, 0x10], [0x2B, 0x92, 0x08, 0x00], [0xEB, 0x8A, 0x08, 0x00],
        [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], AACCookieTests.canonical, ALACCookieTests.plain,
        ALACCookieTests.plain + ALACCookieTests.layout, ALACCookieTests.wrapping + ALACCookieTests.plain,
        [
            0xFF, 0xF1, 0x50, 0x00, 0x2E, 0x7F, 0xFC, 0xA1, 0x12, 0x34, 0x56, 0x78, 0x9A, 0xBC, 0xDE, 0xF0, 0,
            0,
        ],
        [0x10, 0x02, 0x04, 0x88, 0x04, 0x40, 0x01, 0x30, 0x00, 0x10, 0x80, 0x00, 0x00, 0x00],
    ]

    private func readAll(_ bytes: [UInt8]) throws {
        if let config = try? AudioSpecificConfig(bytes: bytes) {
            try expectEqual(AudioSpecificConfig(bytes: config.bytes), config, "\(bytes)")
            #expect(1...93 ~= config.channels)
        }
        if let config = try? AACCookie.audioSpecificConfig(inCookie: bytes) {
            let again = try AACCookie.audioSpecificConfig(inCookie: AACCookie.cookie(for: config))
            expectEqual(again, config, "\(bytes)")
        }
        if let config = try? ALACSpecificConfig(bytes: bytes) {
            try expectEqual(ALACSpecificConfig(bytes: config.bytes), config, "\(bytes)")
        }
        if let header = ADTSHeader(bytes: bytes) {
            let packet = bytes.dropFirst(header.headerBytes)
            if let config = try? header.audioSpecificConfig(packet: packet) {
                #expect(try !ADTSHeader.bytes(for: config, packetBytes: 1).isEmpty)
            }
        }
    }

    @Test("do no harm when mutated", arguments: 0..<8 as Range<UInt64>)
    func mutated(seed: UInt64) throws {
        var random = SplitMix(seed)
        for _ in 0..<2500 {
            var bytes = valid[Int.random(in: 0..<valid.count, using: &random)]
            for _ in 0...Int.random(in: 0..<6, using: &random) {
                switch Int.random(in: 0..<5, using: &random) {
                case 0 where !bytes.isEmpty:
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] ^=
                        1 << UInt8.random(in: 0..<8, using: &random)
                case 1 where !bytes.isEmpty:
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(
                        in: 0...255, using: &random)
                case 2 where !bytes.isEmpty:
                    bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
                case 3:
                    bytes.insert(
                        .random(in: 0...255, using: &random), at: .random(in: 0...bytes.count, using: &random)
                    )
                default: bytes += valid[Int.random(in: 0..<valid.count, using: &random)]
                }
            }
            try readAll(bytes)
        }
    }

    @Test("do no harm when random", arguments: 100..<104 as Range<UInt64>)
    func random(seed: UInt64) throws {
        var random = SplitMix(seed)
        for _ in 0..<2500 {
            let length = Int.random(in: 0..<80, using: &random)
            try readAll((0..<length).map { _ in .random(in: 0...255, using: &random) })
        }
    }
}
