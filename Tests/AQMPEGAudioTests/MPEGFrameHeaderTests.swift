// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import AQExpectations
import AQMPEGAudio
import Testing

@Suite("MPEG frame header")
struct MPEGFrameHeaderTests {
    struct Expected: Sendable {
        var bits: UInt32
        var layer: Int
        var sampleRate: Int
        var channels: Int
        var bitRate: Int
        var packetBytes: Int
        var samplesPerFrame: Int
        var sideInformationBytes: Int
    }

    @Test(
        "returns the meaning of a header",
        arguments: [
            Expected(
                bits: 0xFFFB_9000, layer: 3, sampleRate: 44100, channels: 2, bitRate: 128_000,
                packetBytes: 417,
                samplesPerFrame: 1152, sideInformationBytes: 32),
            Expected(
                bits: 0xFFFB_92C0, layer: 3, sampleRate: 44100, channels: 1, bitRate: 128_000,
                packetBytes: 418,
                samplesPerFrame: 1152, sideInformationBytes: 17),
            Expected(
                bits: 0xFFF3_8000, layer: 3, sampleRate: 22050, channels: 2, bitRate: 64_000,
                packetBytes: 208,
                samplesPerFrame: 576, sideInformationBytes: 17),
            Expected(
                bits: 0xFFE3_28C0, layer: 3, sampleRate: 8000, channels: 1, bitRate: 16_000, packetBytes: 144,
                samplesPerFrame: 576, sideInformationBytes: 9),
            Expected(
                bits: 0xFFFD_A000, layer: 2, sampleRate: 44100, channels: 2, bitRate: 192_000,
                packetBytes: 626,
                samplesPerFrame: 1152, sideInformationBytes: 0),
            Expected(
                bits: 0xFFFF_C200, layer: 1, sampleRate: 44100, channels: 2, bitRate: 384_000,
                packetBytes: 420,
                samplesPerFrame: 384, sideInformationBytes: 0),
        ])
    func meaning(_ expected: Expected) throws {
        let header = try #require(MPEGFrameHeader(bits: expected.bits))
        expectEqual(header.layer, expected.layer)
        expectEqual(header.sampleRate, expected.sampleRate)
        expectEqual(header.channels, expected.channels)
        expectEqual(header.bitRate, expected.bitRate)
        expectEqual(header.packetBytes, expected.packetBytes)
        expectEqual(header.samplesPerFrame, expected.samplesPerFrame)
        expectEqual(header.sideInformationBytes, expected.sideInformationBytes)
    }

    @Test(
        "refuses a false sync",
        arguments: [
            0x7FFB_9000,  // no sync
            0xFFEB_9000,  // reserved version
            0xFFF9_9000,  // layer 0: AAC in ADTS
            0xFFFB_F000,  // bad bit rate
            0xFFFB_9C00,  // reserved rate
        ] as [UInt32])
    func falseSync(bits: UInt32) {
        expectEqual(MPEGFrameHeader(bits: bits), nil)
    }

    @Test("leaves the length of free format open")
    func freeFormat() throws {
        let header = try #require(MPEGFrameHeader(bits: 0xFFFB_0000))
        #expect(header.isFreeFormat)
        expectEqual(header.packetBytes, nil)
    }

    @Test("refuses fewer than four bytes", arguments: 0..<4)
    func truncated(count: Int) {
        let bytes = [UInt8]([0xFF, 0xFB, 0x90, 0x00].prefix(count))
        let header = unsafe MPEGFrameHeader(bytes.span.bytes)
        expectEqual(header, nil)
    }
}
#endif
