// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import Testing

@Suite("AudioSpecificConfig")
struct AudioSpecificConfigTests {
    @Test(
        "writes the bytes that the specification gives",
        arguments: [
            (44_100, 2, [0x12, 0x10]), (48_000, 2, [0x11, 0x90]), (44_100, 1, [0x12, 0x08]),
            (48_000, 1, [0x11, 0x88]), (16_000, 1, [0x14, 0x08]), (32_000, 2, [0x12, 0x90]),
        ] as [(Int, Int, [UInt8])])
    func known(rate: Int, channels: Int, bytes: [UInt8]) throws {
        try expectEqual(AudioSpecificConfig(sampleRate: rate, channels: channels).bytes, bytes)
        let read = try AudioSpecificConfig(bytes: bytes)
        #expect(read.sampleRate == rate && read.channels == channels && read.objectType == 2)
        #expect(read.framesPerPacket == 1024 && read.extensionObjectType == nil)
    }

    static let rates = [
        96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350,
        44_056, 1, 16_777_215,
    ]

    @Test("is unchanged after a round trip at every rate, with 1 to 8 channels", arguments: rates)
    func roundTrip(rate: Int) throws {
        for channels in 1...8 {
            for type in 1...4 as ClosedRange<UInt8> {
                let made = try AudioSpecificConfig(objectType: type, sampleRate: rate, channels: channels)
                try expectEqual(AudioSpecificConfig(bytes: made.bytes), made)
                expectEqual(made.channels, channels)
            }
        }
    }

    @Test("has the published index for every rate")
    func indices() throws {
        for (index, rate) in Self.rates.prefix(13).enumerated() {
            let bytes = try AudioSpecificConfig(sampleRate: rate, channels: 1).bytes
            #expect(Int(bytes[0] & 7) << 1 | Int(bytes[1] >> 7) == index)
        }
        try expectEqual(
            AudioSpecificConfig(sampleRate: 44_056, channels: 2).bytes, [0x17, 0x80, 0x56, 0x0C, 0x10])
    }

    @Test("accepts HE-AAC and HE-AAC v2 announced first")
    func hierarchical() throws {
        // AOT 5, 22050 Hz, stereo, extended to 44100 Hz, core AOT 2.
        let highEfficiency = try AudioSpecificConfig(bytes: [0x2B, 0x92, 0x08, 0x00])
        #expect(highEfficiency.extensionObjectType == 5 && highEfficiency.objectType == 2)
        #expect(highEfficiency.sampleRate == 22_050 && highEfficiency.extensionSampleRate == 44_100)
        expectEqual(highEfficiency.bytes, [0x2B, 0x92, 0x08, 0x00])
        expectEqual(highEfficiency.format.mFormatID, kAudioFormatMPEG4AAC_HE)
        #expect(highEfficiency.format.mSampleRate == 44_100 && highEfficiency.format.mFramesPerPacket == 2048)
        // AOT 29, 22050 Hz, mono, extended to 44100 Hz, core AOT 2.
        let parametric = try AudioSpecificConfig(bytes: [0xEB, 0x8A, 0x08, 0x00])
        #expect(parametric.extensionObjectType == 29 && parametric.channels == 1)
        expectEqual(parametric.format.mFormatID, kAudioFormatMPEG4AAC_HE_V2)
        #expect(parametric.format.mChannelsPerFrame == 2 && parametric.format.mFramesPerPacket == 2048)
        expectEqual(parametric.bytes, [0xEB, 0x8A, 0x08, 0x00])
    }

    @Test("accepts extensions announced last")
    func backwardCompatible() throws {
        let highEfficiency = try AudioSpecificConfig(bytes: [0x13, 0x90, 0x56, 0xE5, 0xA0])
        #expect(highEfficiency.extensionObjectType == 5 && highEfficiency.extensionSampleRate == 44_100)
        expectEqual(highEfficiency.bytes, [0x2B, 0x92, 0x08, 0x00])
        let parametric = try AudioSpecificConfig(bytes: [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80])
        expectEqual(parametric.extensionObjectType, 29)
        // Announced as absent, and truncated within the second announcement.
        try expectEqual(AudioSpecificConfig(bytes: [0x12, 0x10, 0x56, 0xE5, 0x00]).extensionObjectType, nil)
        try expectEqual(AudioSpecificConfig(bytes: [0x13, 0x88, 0x56, 0xE5, 0xA5]).extensionObjectType, 5)
    }

    @Test("takes replication at the core's own rate as no doubling")
    func downsampled() throws {
        var config = try AudioSpecificConfig(sampleRate: 48_000, channels: 2)
        config.extensionObjectType = 5
        config.extensionSampleRate = 48_000
        try expectEqual(AudioSpecificConfig(bytes: config.bytes), config)
        #expect(config.format.mFramesPerPacket == 1024 && config.format.mSampleRate == 48_000)
    }

    @Test("reads the short packets of 960 frames")
    func shortPackets() throws {
        let config = try AudioSpecificConfig(bytes: [0x12, 0x14])
        #expect(config.framesPerPacket == 960 && config.format.mFramesPerPacket == 960)
        expectEqual(config.bytes, [0x12, 0x14])
    }

    @Test("counts the channels of a program config")
    func programConfig() throws {
        // Front: one channel and a pair; side: none; back: a pair; one LFE: 5.1, with the comment "ab".
        var bits = "00010" + "0100" + "0000" + "000"
        bits +=
            "0000" + "01" + "0100" + "0010" + "0000" + "0001" + "01" + "000" + "0000" + "1" + "0011" + "00"
        bits += "00000" + "10000" + "10001" + "0000"
        while bits.count % 8 != 0 { bits += "0" }
        bits += "00000010" + "01100001" + "01100010"
        let bytes = Bits.bytes(bits)
        let config = try AudioSpecificConfig(bytes: bytes)
        #expect(config.channels == 6 && config.channelConfiguration == 0)
        expectEqual(config.bytes, bytes)
        expectEqual(config.format.mChannelsPerFrame, 6)
        for end in 0..<bytes.count {
            #expect(throws: MagicCookieError.self) { try AudioSpecificConfig(bytes: bytes.prefix(end)) }
        }
    }

    @Test("makes a program config if one is required and none was given", arguments: 1...31)
    func madeProgramConfig(channels: Int) throws {
        var config = try AudioSpecificConfig(sampleRate: 48_000, channels: 2)
        config.channelConfiguration = 0
        config.channels = channels
        try expectEqual(AudioSpecificConfig(bytes: config.bytes).channels, min(channels, 30))
    }

    @Test("gives the format of packets")
    func format() throws {
        let format = try AudioSpecificConfig(sampleRate: 44_100, channels: 2).format
        #expect(format.mFormatID == kAudioFormatMPEG4AAC && format.mFormatFlags == 2)
        #expect(format.mSampleRate == 44_100 && format.mChannelsPerFrame == 2)
        #expect(format.mFramesPerPacket == 1024 && format.mBytesPerPacket == 0 && format.mBitsPerChannel == 0)
    }

    @Test(
        "refuses invalid values, with a reason",
        arguments: [
            ([], "0 bytes end within the object type at bit 0"),
            ([0x12], "1 bytes end within the sampling rate at bit 5"),
            ([0x16, 0x90], "rate index 13 is reserved"),
            ([0x12, 0x48], "channel configuration 9 is reserved"),
            ([0x17, 0x80, 0x00, 0x00, 0x10], "the sampling rate is 0 Hz"),
            ([0xF9, 0x48, 0x40], "object type 42 (USAC (xHE-AAC)) is not"),
            ([0x02, 0x10], "object type 0 (nothing)"),
            ([0x2B, 0x91, 0x88, 0x00], "the extension's 48000 Hz are neither"),
        ] as [([UInt8], String)])
    func refused(bytes: [UInt8], reason: String) throws {
        let error = try #require(throws: MagicCookieError.self) { try AudioSpecificConfig(bytes: bytes) }
        #expect(error.message.hasPrefix("cannot read the AudioSpecificConfig: "))
        #expect(error.message.contains(reason), "\(error.message)")
    }

    @Test("cannot be made of values out of range")
    func outOfRange() {
        for (type, rate, channels) in [
            (2, 0, 2), (2, 1 << 24, 2), (2, -1, 2), (2, 48_000, 0), (2, 48_000, 9), (5, 48_000, 2),
        ] {
            #expect(throws: MagicCookieError.self) {
                try AudioSpecificConfig(objectType: UInt8(type), sampleRate: rate, channels: channels)
            }
        }
    }

    @Test("is written without a trap whatever the fields are set to")
    func wildFields() throws {
        var config = try AudioSpecificConfig(sampleRate: 48_000, channels: 2)
        for type in 0...255 as ClosedRange<UInt8> {
            for number in [Int.min, -1, 0, 7, 31, Int.max] {
                config.objectType = type
                config.extensionObjectType = type % 2 == 0 ? type : nil
                config.sampleRate = number
                config.extensionSampleRate = number
                config.channels = number
                config.framesPerPacket = number
                config.channelConfiguration = type % 3 == 0 ? 0 : type
                #expect(!config.bytes.isEmpty)
                #expect(config.format.mFormatID != 0)
            }
        }
    }
}
