// SPDX-License-Identifier: MIT

import Foundation

extension Sound {
    /// Writes a WAVE file, byte by byte, independently of the tested code.
    ///
    /// More than two channels, and samples of more than 16 bits, use the extended format tag.
    func writeWave(toPath path: String, as kind: SampleKind) throws {
        var data: [UInt8] = []
        data.reserveCapacity(samples.count * kind.bits / 8)
        for sample in samples {
            if kind.isFloat {
                let pattern =
                    kind == .float64 ? sample.bitPattern : UInt64(Float(sample).bitPattern)
                for byte in 0..<kind.bits / 8 {
                    data.append(UInt8(truncatingIfNeeded: pattern >> (8 * byte)))
                }
            } else {
                var value = Int64((sample * Double(1 << (kind.bits - 1))).rounded())
                if kind.bits == 8 { value += 128 }
                for byte in 0..<kind.bits / 8 { data.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
            }
        }
        var file: [UInt8] = []
        func append(_ value: Int, bytes: Int) {
            for byte in 0..<bytes { file.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
        }
        let isExtended = channels > 2 || kind.bits > 16
        let bytesPerFrame = channels * kind.bits / 8
        let tag = kind.isFloat ? 3 : 1
        let fillBytes = data.count % 2
        file += "RIFF".utf8
        append(20 + (isExtended ? 40 : 16) + data.count + fillBytes, bytes: 4)
        file += "WAVEfmt ".utf8
        append(isExtended ? 40 : 16, bytes: 4)
        append(isExtended ? 0xFFFE : tag, bytes: 2)
        append(channels, bytes: 2)
        append(sampleRate, bytes: 4)
        append(sampleRate * bytesPerFrame, bytes: 4)
        append(bytesPerFrame, bytes: 2)
        append(kind.bits, bytes: 2)
        if isExtended {
            append(22, bytes: 2)
            append(kind.bits, bytes: 2)
            append([1: 0x4, 2: 0x3, 6: 0x3F][channels] ?? 0, bytes: 4)
            append(tag, bytes: 2)
            file += [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        }
        file += "data".utf8
        append(data.count, bytes: 4)
        try (Data(file) + Data(data) + Data(count: fillBytes)).write(to: URL(fileURLWithPath: path))
    }

    /// Reads a file of raw 64-bit floats.
    init(rawPath path: String, channels: Int, sampleRate: Int) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        self.init(channels: channels, sampleRate: sampleRate, samples: Self.doubles(data[...]))
    }

    /// Reads a WAVE file of 64-bit floats with any chunks.
    init(wavePath path: String) throws {
        let content = try WaveContent(path: path)
        guard content.bitsPerSample == 64, content.channels > 0 else {
            throw InterchangeError("\(path) has no 64-bit samples")
        }
        self.init(
            channels: content.channels, sampleRate: content.sampleRate, samples: Self.doubles(content.data))
    }

    private static func doubles(_ data: Data) -> [Double] {
        var samples = [Double](repeating: 0, count: data.count / 8)
        _ = unsafe samples.withUnsafeMutableBytes { unsafe data.copyBytes(to: $0) }
        return samples
    }
}

/// The sample format of a WAVE file, and its samples' bytes.
struct WaveContent {
    var channels = 0
    var sampleRate = 0
    var bitsPerSample = 0
    var data = Data()

    init(path: String) throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        func number(at offset: Int, bytes: Int) -> Int {
            (0..<bytes).reduce(0) { $0 | Int(file[offset + $1]) << (8 * $1) }
        }
        guard file.count >= 12, file.prefix(4) == Data("RIFF".utf8) else {
            throw InterchangeError("\(path) is no WAVE file")
        }
        var offset = 12
        while offset + 8 <= file.count {
            let bytes = min(number(at: offset + 4, bytes: 4), file.count - offset - 8)
            let type = file[offset..<offset + 4]
            if type == Data("fmt ".utf8), bytes >= 16 {
                channels = number(at: offset + 10, bytes: 2)
                sampleRate = number(at: offset + 12, bytes: 4)
                bitsPerSample = number(at: offset + 22, bytes: 2)
            } else if type == Data("data".utf8) {
                data = file[offset + 8..<offset + 8 + bytes]
                return
            }
            offset += 8 + bytes + bytes % 2
        }
        throw InterchangeError("\(path) has no samples")
    }
}

/// The reason why a measurement failed.
struct InterchangeError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
