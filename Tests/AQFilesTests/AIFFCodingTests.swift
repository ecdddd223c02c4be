// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import AQTestSupport
import Testing

@Suite("Sample formats of AIFF")
struct AIFFCodingTests {
    private let data: [UInt8] = (0..<480).map { UInt8(truncatingIfNeeded: $0 &* 37) }

    /// AIFF-C of two channels.
    private func compressed(_ coding: String, depth: UInt16, bytes: Int) -> [UInt8] {
        var file = Header.aiff(frames: UInt32(data.count / bytes / 2), data: data)
        file.replaceSubrange(8..<12, with: Array("AIFC".utf8))
        file.replaceSubrange(16..<20, with: big(UInt32(24)))
        file.replaceSubrange(26..<28, with: big(depth))
        file.insert(contentsOf: Array(coding.utf8) + [0, 0], at: 38)
        file.replaceSubrange(4..<8, with: big(UInt32(file.count - 8)))
        return file
    }

    @Test(
        "a coding that states the depth overrides the field beside it",
        arguments: [("in24", 3, 16, 14), ("in32", 4, 16, 14), ("42ni", 3, 16, 12), ("23ni", 4, 16, 12)]
            + [("in24", 3, 24, 14), ("in32", 4, 32, 14), ("42ni", 3, 24, 12), ("23ni", 4, 32, 12)])
    func depths(coding: String, bytes: Int, depth: UInt16, flags: AudioFormatFlags) throws {
        let stream = compressed(coding, depth: depth, bytes: bytes)
        let saved = TemporaryFile(stream)
        for file in try [AudioFile.open(path: saved.path), FilledPipe(stream, pieceBytes: 100).open()] {
            expectEqual(file.containerName, "AIFF-C")
            expectEqual(file.format.mBitsPerChannel, UInt32(8 * bytes))
            expectEqual(file.format.mFormatFlags, flags)
            expectEqual(file.frameCount, Int64(data.count / bytes / 2))
            try expectEqual(Contents(of: file).bytes, data)
            #expect(file.warnings.isEmpty)
        }
    }

    @Test(
        "rates may have fractions",
        arguments: [
            ([0x40, 0x0E, 0xAC, 0x43, 0x80, 0, 0, 0, 0, 0], 44099.5),
            // The byte order of the Macintosh.
            ([0x40, 0x0D, 0xAD, 0xDD, 0x17, 0x45, 0xD1, 0x74, 0x58, 0], 22254.545454545),
        ] as [([UInt8], Double)])
    func rates(digits: [UInt8], rate: Double) throws {
        let stream = Header.aiff(rate: digits, data: data)
        let saved = TemporaryFile(stream)
        for file in try [AudioFile.open(path: saved.path), FilledPipe(stream, pieceBytes: 100).open()] {
            #expect(abs(file.format.mSampleRate - rate) < 1e-6)
            try expectEqual(Contents(of: file).bytes, data)
        }
    }
}
