// SPDX-License-Identifier: MIT

import AQTestSupport

/// Writes WAVE files for tests, independently of the tested code.
public enum WaveFile {
    public enum Encoding: Sendable {
        case signed16, float32

        var bytesPerSample: Int { self == .signed16 ? 2 : 4 }
        var formatTag: Int { self == .signed16 ? 1 : 3 }
    }

    public static func write(_ sound: Recording, as encoding: Encoding, toPath path: String) throws {
        let bytesPerFrame = sound.channels * encoding.bytesPerSample
        let dataBytes = sound.frames * bytesPerFrame
        var file: [UInt8] = []
        file.reserveCapacity(dataBytes + 44)
        func append(_ value: Int, bytes: Int) {
            for byte in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        file += "RIFF".utf8
        append(36 + dataBytes, bytes: 4)
        file += "WAVEfmt ".utf8
        append(16, bytes: 4)
        append(encoding.formatTag, bytes: 2)
        append(sound.channels, bytes: 2)
        append(sound.sampleRate, bytes: 4)
        append(sound.sampleRate * bytesPerFrame, bytes: 4)
        append(bytesPerFrame, bytes: 2)
        append(encoding.bytesPerSample * 8, bytes: 2)
        file += "data".utf8
        append(dataBytes, bytes: 4)
        for sample in sound.samples.prefix(sound.frames * sound.channels) {
            switch encoding {
            case .signed16: append(Int(max(-32768, min(32767, (sample * 32768).rounded()))), bytes: 2)
            case .float32: append(Int(sample.bitPattern), bytes: 4)
            }
        }
        try SystemFile.write(file, toPath: path)
    }
}
