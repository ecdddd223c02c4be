// SPDX-License-Identifier: MIT

import AQExpectations
import CoreAudioTypes
import AQMagicCookies
import Testing

@testable import aqplay

@Suite("Tracks that share a decoder")
struct DecoderConfigurationTests {
    private let aac = AudioStreamBasicDescription.encoded(
        kAudioFormatMPEG4AAC, framesPerPacket: 1024, channels: 2, sampleRate: 44_100)
    private let alac = AudioStreamBasicDescription.encoded(
        kAudioFormatAppleLossless, framesPerPacket: 4096, channels: 2, sampleRate: 44_100)

    @Test("bit rates and packet sizes do not matter, the encoded format does")
    func aacCookies() throws {
        let config = try AudioSpecificConfig(sampleRate: 44_100, channels: 2)
        let first = AACCookie.cookie(for: config, bitRate: 128_000, maximumPacketSize: 700)
        let second = AACCookie.cookie(for: config, bitRate: 131_072, maximumPacketSize: 801)
        let other = AACCookie.cookie(for: try AudioSpecificConfig(sampleRate: 48_000, channels: 2))
        #expect(first != second)
        expectEqual(
            DecoderConfiguration(magicCookie: first, format: aac),
            DecoderConfiguration(magicCookie: second, format: aac))
        #expect(
            DecoderConfiguration(magicCookie: first, format: aac)
                != DecoderConfiguration(magicCookie: other, format: aac))
    }

    @Test("the same holds for Apple Lossless")
    func alacCookies() throws {
        func cookie(bits: Int, largest: Int, bitRate: Int) throws -> [UInt8] {
            var config = try ALACSpecificConfig(
                sampleRate: 44_100, channels: 2, bitDepth: bits, frameLength: 4096)
            (config.maxFrameBytes, config.averageBitRate) = (largest, bitRate)
            return config.bytes
        }
        let first = DecoderConfiguration(
            magicCookie: try cookie(bits: 16, largest: 9000, bitRate: 700_000), format: alac)
        let second = DecoderConfiguration(
            magicCookie: try cookie(bits: 16, largest: 9100, bitRate: 710_000), format: alac)
        let deep = DecoderConfiguration(
            magicCookie: try cookie(bits: 24, largest: 9000, bitRate: 700_000), format: alac)
        expectEqual(first, second)
        #expect(first != deep)
    }

    @Test("an unreadable cookie, and one of another codec, equals only itself")
    func others() {
        #expect(
            DecoderConfiguration(magicCookie: [1, 2], format: aac)
                != DecoderConfiguration(magicCookie: [1, 3], format: aac))
        expectEqual(
            DecoderConfiguration(magicCookie: [], format: aac),
            DecoderConfiguration(magicCookie: [], format: aac))
    }
}
