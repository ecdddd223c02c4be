// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import Testing

@Suite("AAC cookies")
struct AACCookieTests {
    static let canonical: [UInt8] = [
        0x03, 0x80, 0x80, 0x80, 0x22, 0, 0, 0,
        0x04, 0x80, 0x80, 0x80, 0x14, 0x40, 0x15, 0x00, 0x18, 0x00, 0, 1, 0xF4, 0, 0, 1, 0xF4, 0,
        0x05, 0x80, 0x80, 0x80, 0x02, 0x12, 0x10,
        0x06, 0x80, 0x80, 0x80, 0x01, 0x02,
    ]

    @Test("is written in the 39 bytes that CAF files hold")
    func written() throws {
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        let cookie = AACCookie.cookie(for: config, bitRate: 128_000, maximumPacketSize: 0x1800)
        expectEqual(cookie, Self.canonical)
        try expectEqual(AACCookie.audioSpecificConfig(inCookie: cookie), config)
        let descriptor = try ElementaryStreamDescriptor(bytes: cookie)
        #expect(descriptor.averageBitRate == 128_000 && descriptor.maximumBitRate == 128_000)
        #expect(descriptor.bufferBytes == 0x1800 && descriptor.objectTypeIndication == 0x40)
    }

    @Test("is read bare, with short lengths, and without the closing part")
    func forms() throws {
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        let short: [UInt8] =
            [0x03, 0x16, 0, 0, 0, 0x04, 0x11, 0x40, 0x15] + [UInt8](repeating: 0, count: 11)
            + [0x05, 0x02, 0x12, 0x10]
        let mixed: [UInt8] =
            [0x03, 0x80, 0x18, 0, 0, 0, 0x04, 0x80, 0x80, 0x11, 0x40, 0x15]
            + [UInt8](repeating: 0, count: 11) + [0x05, 0x02, 0x12, 0x10]
        let box: [UInt8] = [0, 0, 0, 0x33] + Array("esds".utf8) + [0, 0, 0, 0] + Self.canonical
        for cookie in [
            [0x12, 0x10], short, mixed, [0, 0, 0, 0] + Self.canonical, box, Self.canonical + [0, 1],
        ] {
            try expectEqual(AACCookie.audioSpecificConfig(inCookie: cookie), config)
        }
    }

    @Test("skips the parts that flags and other descriptors add")
    func flags() throws {
        let decoder: [UInt8] = [0x04, 0x13, 0x67, 0x15] + [UInt8](repeating: 0, count: 11)
        let inner = decoder + [0x14, 0x00, 0x05, 0x02, 0x11, 0x90]
        let body: [UInt8] = [0, 1, 0xE0, 9, 9, 3, 0x61, 0x62, 0x63, 8, 8, 0x0E, 1, 7] + inner
        let config = try AACCookie.audioSpecificConfig(inCookie: [0x03, UInt8(body.count)] + body)
        expectEqual(config.sampleRate, 48_000)
    }

    @Test(
        "that is invalid is refused with part and offset",
        arguments: [
            ([], "it is empty"),
            ([0x03], "it ends at byte 1, within the length of descriptor 0x03"),
            ([0x03, 0x80, 0x80, 0x80, 0x80, 0x01, 0], "0x03 at byte 0 has over four bytes"),
            ([0x03, 9, 0, 0], "descriptor 0x03 at byte 0 claims 9 bytes of the 2 left"),
            ([0x03, 3, 0, 0, 0], "it has no decoder configuration"),
            ([0x03, 3, 0, 0, 0x40], "within the length of the address"),
            ([0x03, 6, 0, 0, 0, 0x04, 1, 0x40], "it ends at byte 8, within the stream type"),
        ] as [([UInt8], String)])
    func refused(cookie: [UInt8], reason: String) throws {
        let error = try #require(throws: MagicCookieError.self) {
            try AACCookie.audioSpecificConfig(inCookie: cookie)
        }
        #expect(error.message.contains(reason), "\(error.message)")
    }

    @Test("of another coding, or without configuration, is refused")
    func otherCoding() throws {
        let layer3 = ElementaryStreamDescriptor(objectTypeIndication: 0x6B, decoderSpecificInfo: [])
        try expectEqual(ElementaryStreamDescriptor(bytes: layer3.bytes), layer3)
        #expect(throws: MagicCookieError("cannot read the ES descriptor: its coding 0x6B is not AAC")) {
            try AACCookie.audioSpecificConfig(inCookie: layer3.bytes)
        }
        let bare = ElementaryStreamDescriptor(decoderSpecificInfo: [])
        #expect(throws: MagicCookieError.self) { try AACCookie.audioSpecificConfig(inCookie: bare.bytes) }
    }

    @Test("limits rates beyond its fields to the largest")
    func clamped() throws {
        let wild = ElementaryStreamDescriptor(
            bufferBytes: .max, maximumBitRate: -1, averageBitRate: .max, decoderSpecificInfo: [1])
        let read = try ElementaryStreamDescriptor(bytes: wild.bytes)
        #expect(read.bufferBytes == 0xFF_FFFF && read.maximumBitRate == 0)
        expectEqual(read.averageBitRate, Int(UInt32.max))
    }
}
