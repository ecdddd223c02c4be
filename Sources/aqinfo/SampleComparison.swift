// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes

/// The comparison of a file's samples with the checksum that it states.
struct SampleComparison {
    private let digest: SampleDigest
    private let format: AudioStreamBasicDescription
    private let sampleBytes: Int
    private var md5 = MD5()

    /// - Returns: Nil if the file states no checksum, or the samples are not integers.
    init?(_ file: AudioFile) {
        guard let digest = file.sampleDigest, file.format.isLinearPCM, !file.format.isFloat else {
            return nil
        }
        self.digest = digest
        format = file.format
        sampleBytes = Int(format.mBitsPerChannel / 8)
        guard (1...4).contains(sampleBytes), digest.bits <= 8 * sampleBytes else { return nil }
    }

    /// Adds whole frames of the file's format, in order.
    mutating func add(_ frames: UnsafeRawBufferPointer) {
        let bytes = unsafe Array(frames)
        let isSigned = format.mFormatFlags & kAudioFormatFlagIsSignedInteger != 0
        let isStored = digest.bits == 8 * sampleBytes && isSigned && (sampleBytes == 1 || !format.isBigEndian)
        md5.add(isStored ? bytes : converted(bytes, isSigned: isSigned))
    }

    /// Whether the samples are those of the checksum.
    var isEqual: Bool { md5.value == digest.md5 }

    /// The samples with the number of bits of the checksum, and the lowest byte first.
    private func converted(_ bytes: [UInt8], isSigned: Bool) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        let storedBytes = (digest.bits + 7) / 8
        for start in stride(from: 0, to: bytes.count - sampleBytes + 1, by: sampleBytes) {
            let sample = bytes[start..<start + sampleBytes]
            let ordered = format.isBigEndian ? Array(sample) : sample.reversed()
            let bits = ordered.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(32 - 8 * sampleBytes)
            let value = Int32(bitPattern: isSigned ? bits : bits ^ 0x8000_0000) >> Int32(32 - digest.bits)
            for byte in 0..<storedBytes { result.append(UInt8(truncatingIfNeeded: value >> Int32(8 * byte))) }
        }
        return result
    }
}
