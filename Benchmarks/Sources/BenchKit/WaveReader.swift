// SPDX-License-Identifier: MIT

/// Reads the first channel of a WAVE file.
public enum WaveReader {
    /// - Returns: The samples as floats, and their rate in hertz.
    /// - Throws: ``BenchError`` if the file is not a WAVE file with integer or floating-point samples.
    public static func read(_ bytes: [UInt8]) throws(BenchError) -> (samples: [Float], sampleRate: Int) {
        func number(_ offset: Int, _ length: Int) -> Int {
            (0..<length).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
        }
        guard bytes.count > 12, bytes[0..<4].elementsEqual("RIFF".utf8),
            bytes[8..<12].elementsEqual("WAVE".utf8)
        else { throw BenchError("what was recorded is no WAVE file") }
        var format: (tag: Int, channels: Int, rate: Int, bits: Int)?
        var offset = 12
        while offset + 8 <= bytes.count {
            let name = bytes[offset..<offset + 4]
            let byteCount = number(offset + 4, 4)
            offset += 8
            let left = bytes.count - offset
            if name.elementsEqual("fmt ".utf8), byteCount >= 16, left >= byteCount {
                // In an extensible header, the tag is at the start of the format's identifier.
                let tag = number(offset, 2)
                format = (
                    tag == 0xfffe && byteCount >= 26 ? number(offset + 24, 2) : tag, number(offset + 2, 2),
                    number(offset + 4, 4), number(offset + 14, 2)
                )
            } else if name.elementsEqual("data".utf8) {
                guard let format, format.channels > 0, format.rate > 0,
                    let read = sample(tag: format.tag, bits: format.bits)
                else { throw BenchError("what was recorded has samples of an unknown kind") }
                // If a signal ended the recorder, the length may still be 0.
                let length = byteCount == 0 ? left : min(byteCount, left)
                let frameBytes = format.channels * format.bits / 8
                return (
                    (0..<length / frameBytes).map { read(bytes, offset + $0 * frameBytes) }, format.rate
                )
            }
            offset += byteCount + byteCount % 2
        }
        throw BenchError("what was recorded holds no samples")
    }

    private static func sample(tag: Int, bits: Int) -> (([UInt8], Int) -> Float)? {
        func word(_ bytes: [UInt8], _ offset: Int, _ length: Int) -> UInt32 {
            (0..<length).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        }
        switch (tag, bits) {
        case (1, 16), (1, 24), (1, 32):
            let length = bits / 8
            return { Float(Int32(bitPattern: word($0, $1, length) << (32 - UInt32(bits)))) / 0x1p31 }
        case (3, 32): return { Float(bitPattern: word($0, $1, 4)) }
        default: return nil
        }
    }
}
