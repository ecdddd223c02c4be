// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import Testing

@Suite("ALAC cookies")
struct ALACCookieTests {
    static let plain: [UInt8] = [
        0, 0, 0x10, 0, 0, 16, 40, 10, 14, 2, 0, 255, 0, 0, 0x40, 0, 0, 0x0A, 0, 0, 0, 0, 0xAC, 0x44,
    ]
    static let layout: [UInt8] =
        [0, 0, 0, 24] + Array("chan".utf8) + [0, 0, 0, 0, 0, 101, 0, 2] + [UInt8](repeating: 0, count: 8)
    static let wrapping: [UInt8] =
        [0, 0, 0, 12] + Array("frmaalac".utf8) + [0, 0, 0, 0x24] + Array("alac".utf8) + [0, 0, 0, 0]
    static let box: [UInt8] = [0, 0, 0, 0x24] + Array("alac".utf8) + [0, 0, 0, 0]

    @Test("are read plain, with layout, and in both wrappings; written plain")
    func forms() throws {
        let end: [UInt8] = [0, 0, 0, 8, 0, 0, 0, 0]
        let plain = try ALACSpecificConfig(bytes: Self.plain)
        #expect(plain.frameLength == 4096 && plain.bitDepth == 16 && plain.channels == 2)
        #expect(plain.maxRun == 255 && plain.maxFrameBytes == 16_384 && plain.sampleRate == 44_100)
        #expect(plain.bytes == Self.plain && plain.channelLayoutTag == nil)
        try expectEqual(ALACSpecificConfig(bytes: Self.wrapping + Self.plain + end), plain)
        try expectEqual(ALACSpecificConfig(bytes: Self.box + Self.plain), plain)
        let withLayout = try ALACSpecificConfig(bytes: Self.plain + Self.layout)
        expectEqual(withLayout.channelLayoutTag, kAudioChannelLayoutTag_Stereo)
        expectEqual(withLayout.bytes, Self.plain + Self.layout)
        try expectEqual(ALACSpecificConfig(bytes: Self.wrapping + Self.plain + Self.layout + end), withLayout)
    }

    @Test("have the source's bit depth in the format", arguments: [(16, 1), (20, 2), (24, 3), (32, 4)])
    func format(bits: Int, flags: UInt32) throws {
        let config = try ALACSpecificConfig(sampleRate: 96_000, channels: 6, bitDepth: bits)
        #expect(config.format.mFormatID == kAudioFormatAppleLossless && config.format.mFormatFlags == flags)
        #expect(config.format.mFramesPerPacket == 4096 && config.format.mChannelsPerFrame == 6)
        #expect(config.format.mSampleRate == 96_000 && config.format.mBitsPerChannel == 0)
        try expectEqual(ALACSpecificConfig(bytes: config.bytes), config)
    }

    @Test(
        "that are invalid are refused with the field",
        arguments: [
            (0, 0xFF, "frames a packet"), (2, 0, "0 frames a packet"), (4, 1, "version 1"),
            (5, 8, "8 bits a sample"), (9, 0, "0 channels"), (9, 9, "9 channels"),
        ] as [(Int, UInt8, String)])
    func refused(place: Int, value: UInt8, reason: String) throws {
        var bytes = Self.plain
        bytes[place] = value
        let error = try #require(throws: MagicCookieError.self) { try ALACSpecificConfig(bytes: bytes) }
        #expect(error.message.hasPrefix("cannot read the ALAC cookie: "))
        #expect(error.message.contains(reason), "\(error.message)")
    }

    @Test("that are truncated, wrapped incorrectly, or of another layout are refused")
    func damaged() throws {
        for end in 0..<24 {
            #expect(throws: MagicCookieError.self) { try ALACSpecificConfig(bytes: Self.plain.prefix(end)) }
        }
        for end in 0..<48 {
            let wrapped = (Self.wrapping + Self.plain).prefix(end)
            #expect(throws: MagicCookieError.self) { try ALACSpecificConfig(bytes: wrapped) }
        }
        var layout = Self.layout
        layout[15] = 6
        #expect(throws: MagicCookieError.self) { try ALACSpecificConfig(bytes: Self.plain + layout) }
        #expect(throws: MagicCookieError.self) {
            try ALACSpecificConfig(bytes: [0, 0, 0, 12] + Array("frmamp4a".utf8) + Self.plain)
        }
    }
}
