// SPDX-License-Identifier: MIT

import AQCodecs
import AQExpectations
import CoreAudioTypes
import Testing

@Suite("G.711")
struct G711Tests {
    private func samples(_ formatID: AudioFormatID, _ codes: [UInt8] = Array(0...255)) throws -> [Int16] {
        let decoder = try makePacketDecoder(
            for: .encoded(formatID, bytesPerPacket: 1, framesPerPacket: 1, channels: 1, sampleRate: 8000))
        var result = [Int16](repeating: 0, count: codes.count)
        _ = try unsafe codes.withUnsafeBytes { codes in
            try unsafe result.withUnsafeMutableBytes { try unsafe decoder.decode(codes, into: $0) }
        }
        return result
    }

    @Test("A-law has the values of the ITU-T table")
    func alaw() throws {
        let samples = try samples(kAudioFormatALaw)
        #expect(samples[0xD5] == 8 && samples[0x55] == -8)
        #expect(samples[0xAA] == 32256 && samples[0x2A] == -32256)
        #expect(samples[0x80] == 5504 && samples[0x00] == -5504)
        expectEqual(checksum(samples), 3833454593)
    }

    @Test("µ-law has the values of the ITU-T table")
    func ulaw() throws {
        let samples = try samples(kAudioFormatULaw)
        #expect(samples[0xFF] == 0 && samples[0x7F] == 0)
        #expect(samples[0x80] == 32124 && samples[0x00] == -32124)
        #expect(samples[0xEF] == 132 && samples[0x6F] == -132)
        expectEqual(checksum(samples), 1459740673)
    }

    /// Positions and values; the expected numbers are from the tables of another implementation.
    private func checksum(_ samples: [Int16]) -> UInt32 {
        samples.reduce(1) { $0 &* 31 &+ UInt32(truncatingIfNeeded: $1) }
    }

    @Test(
        "louder codes have louder samples, and both signs are symmetric",
        arguments: [kAudioFormatALaw, kAudioFormatULaw])
    func order(formatID: AudioFormatID) throws {
        let inversion: UInt8 = formatID == kAudioFormatALaw ? 0xD5 : 0xFF
        let rising = try samples(formatID, (0..<128).map { UInt8($0) ^ inversion })
        #expect(zip(rising, rising.dropFirst()).allSatisfy { $0 < $1 })
        let falling = try samples(formatID, (128...255).map { UInt8($0) ^ inversion })
        expectEqual(falling, rising.map { -$0 })
    }
}
