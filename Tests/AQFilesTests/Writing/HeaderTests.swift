// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Testing
import AQTestSupport

/// The bytes of tiny files, compared with layouts from the specifications.
@Suite("Headers of written files")
struct HeaderTests {
    private func write(
        _ type: AudioFileType, bits: Int, isFloat: Bool = false, channels: Int, rate: Double = 44100,
        data: [UInt8]
    ) throws -> [UInt8] {
        let folder = ScratchFolder()
        let format = try type.pcmFormat(sampleRate: rate, channels: channels, bits: bits, isFloat: isFloat)
        let writer = try AudioFileWriter.create(path: folder.file("new"), type: type, format: format)
        try writer.append(data)
        try writer.close()
        return bytes(ofFile: folder.file("new"))
    }

    private func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    @Test("WAVE of 16 bits, stereo: the plain form, and room for 64-bit lengths")
    func wave() throws {
        let expected =
            text("RIFF") + [76, 0, 0, 0] + text("WAVE")
            + text("JUNK") + [28, 0, 0, 0] + zeros(28)
            + text("fmt ") + [16, 0, 0, 0, 1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]
            + text("data") + [4, 0, 0, 0, 1, 2, 3, 4]
        try expectEqual(write(.wave, bits: 16, channels: 2, data: [1, 2, 3, 4]), expected)
    }

    @Test("WAVE of 24 bits, mono: the extensible form, a fact chunk, and a byte of padding")
    func waveExtensible() throws {
        let expected =
            text("RIFF") + [112, 0, 0, 0] + text("WAVE")
            + text("JUNK") + [28, 0, 0, 0] + zeros(28)
            + text("fmt ") + [40, 0, 0, 0, 0xFE, 0xFF, 1, 0, 0x80, 0xBB, 0, 0, 0x80, 0x32, 2, 0, 3, 0, 24, 0]
            + [22, 0, 24, 0, 4, 0, 0, 0, 1, 0]
            + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
            + text("fact") + [4, 0, 0, 0, 1, 0, 0, 0]
            + text("data") + [3, 0, 0, 0, 7, 8, 9, 0]
        try expectEqual(write(.wave, bits: 24, channels: 1, rate: 48000, data: [7, 8, 9]), expected)
    }

    @Test("WAVE of floating-point samples, stereo: tag 3, and a fact chunk")
    func waveFloat() throws {
        let expected =
            text("RIFF") + [94, 0, 0, 0] + text("WAVE")
            + text("JUNK") + [28, 0, 0, 0] + zeros(28)
            + text("fmt ") + [18, 0, 0, 0, 3, 0, 2, 0, 0x80, 0xBB, 0, 0, 0, 0xDC, 5, 0, 8, 0, 32, 0, 0, 0]
            + text("fact") + [4, 0, 0, 0, 1, 0, 0, 0]
            + text("data") + [8, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
        let written = try write(
            .wave, bits: 32, isFloat: true, channels: 2, rate: 48000, data: [1, 2, 3, 4, 5, 6, 7, 8])
        expectEqual(written, expected)
    }

    @Test("WAVE of six channels states its speakers")
    func waveMask() throws {
        let written = try write(.wave, bits: 16, channels: 6, data: zeros(12))
        // Front left and right, centre, LFE, back left and right.
        expectEqual(written[76..<80], [0x3F, 0, 0, 0])
    }

    @Test("RF64: all lengths in ds64")
    func rf64() throws {
        let expected =
            text("RF64") + [255, 255, 255, 255] + text("WAVE")
            + text("ds64") + [28, 0, 0, 0] + [76, 0, 0, 0, 0, 0, 0, 0] + [4, 0, 0, 0, 0, 0, 0, 0]
            + [1, 0, 0, 0, 0, 0, 0, 0] + zeros(4)
            + text("fmt ") + [16, 0, 0, 0, 1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]
            + text("data") + [255, 255, 255, 255, 1, 2, 3, 4]
        try expectEqual(write(.rf64, bits: 16, channels: 2, data: [1, 2, 3, 4]), expected)
    }

    @Test("AIFF of 8 bits, mono: signed samples and a byte of padding")
    func aiff() throws {
        let expected =
            text("FORM") + [0, 0, 0, 48] + text("AIFF")
            + text("COMM") + [0, 0, 0, 18, 0, 1, 0, 0, 0, 1, 0, 8]
            + [0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0]
            + text("SSND") + [0, 0, 0, 9] + zeros(8) + [0x80, 0]
        try expectEqual(write(.aiff, bits: 8, channels: 1, data: [0x80]), expected)
    }

    @Test("AIFF of floating-point samples is AIFF-C with fl32")
    func aiffFloat() throws {
        let written = try write(.aiff, bits: 32, isFloat: true, channels: 1, rate: 96000, data: [1, 2, 3, 4])
        let expected =
            text("FORM") + [0, 0, 0, 88] + text("AIFC")
            + text("FVER") + [0, 0, 0, 4, 0xA2, 0x80, 0x51, 0x40]
            + text("COMM") + [0, 0, 0, 44, 0, 1, 0, 0, 0, 1, 0, 32]
            + [0x40, 0x0F, 0xBB, 0x80, 0, 0, 0, 0, 0, 0] + text("fl32") + [21] + text("32-bit floating point")
            + text("SSND") + [0, 0, 0, 12] + zeros(8) + [1, 2, 3, 4]
        expectEqual(written, expected)
        try expectEqual(
            write(.aiffC, bits: 32, isFloat: true, channels: 1, rate: 96000, data: [1, 2, 3, 4]), expected)
    }

    @Test("AIFF-C of 16 bits in the machine's byte order is sowt")
    func sowt() throws {
        let expected =
            text("FORM") + [0, 0, 0, 80] + text("AIFC")
            + text("FVER") + [0, 0, 0, 4, 0xA2, 0x80, 0x51, 0x40]
            + text("COMM") + [0, 0, 0, 36, 0, 2, 0, 0, 0, 1, 0, 16]
            + [0x40, 0x0E, 0xBB, 0x80, 0, 0, 0, 0, 0, 0] + text("sowt") + [13] + text("little-endian")
            + text("SSND") + [0, 0, 0, 12] + zeros(8) + [1, 2, 3, 4]
        try expectEqual(write(.aiffC, bits: 16, channels: 2, rate: 48000, data: [1, 2, 3, 4]), expected)
    }

    @Test("CAF of 16 bits, stereo, little-endian")
    func caf() throws {
        let expected =
            text("caff") + [0, 1, 0, 0]
            + text("desc") + [0, 0, 0, 0, 0, 0, 0, 32] + [0x40, 0xE5, 0x88, 0x80, 0, 0, 0, 0]
            + text("lpcm") + [0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 16]
            + text("data") + [0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 1, 2, 3, 4]
        try expectEqual(write(.caf, bits: 16, channels: 2, data: [1, 2, 3, 4]), expected)
    }

    @Test("Wave64 of 8 bits, mono: unsigned samples, lengths that include their headers")
    func wave64() throws {
        let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
        let expected =
            text("riff") + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 4, 0xC1, 0, 0]
            + [105, 0, 0, 0, 0, 0, 0, 0] + text("wave") + tail
            + text("fmt ") + tail + [40, 0, 0, 0, 0, 0, 0, 0]
            + [1, 0, 1, 0, 0x40, 0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0]
            + text("data") + tail + [25, 0, 0, 0, 0, 0, 0, 0, 0x80]
        try expectEqual(write(.wave64, bits: 8, channels: 1, rate: 8000, data: [0x80]), expected)
    }
}
