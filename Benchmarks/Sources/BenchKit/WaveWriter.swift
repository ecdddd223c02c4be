// SPDX-License-Identifier: MIT

import Foundation

/// Writes a WAVE file of 16 bits.
public enum WaveWriter {
    /// - Parameter samples: Mono samples, which are written to every channel.
    public static func write(_ samples: [Float], channels: Int, sampleRate: Int, to path: String) throws {
        let bytes = samples.count * channels * 2
        var data = Data(capacity: bytes + 44)
        func append<Value: FixedWidthInteger>(_ value: Value) {
            var little = value.littleEndian
            unsafe withUnsafeBytes(of: &little) { unsafe data.append(contentsOf: $0) }
        }
        data.append(contentsOf: "RIFF".utf8)
        append(UInt32(bytes + 36))
        data.append(contentsOf: "WAVEfmt ".utf8)
        append(UInt32(16))
        append(UInt16(1))
        append(UInt16(channels))
        append(UInt32(sampleRate))
        append(UInt32(sampleRate * channels * 2))
        append(UInt16(channels * 2))
        append(UInt16(16))
        data.append(contentsOf: "data".utf8)
        append(UInt32(bytes))
        for sample in samples {
            let value = Int16(clamping: Int((sample * 32768).rounded()))
            for _ in 0..<channels { append(value) }
        }
        try data.write(to: URL(fileURLWithPath: path))
    }
}
