// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes

/// The precision of samples.
struct Depth: Equatable {
    var bits: Int
    var isFloat = false

    var text: String { isFloat ? "floating-point samples of \(bits) bits" : "samples of \(bits) bits" }

    /// Returns the depth of a source. Lossy audio counts as 16 bits, regardless of the decoder's output.
    static func source(of file: AudioFile) -> Depth {
        file.isLossy ? Depth(bits: 16) : decoded(from: file.format)
    }

    /// The depth of a decoder's output.
    static func decoded(from format: AudioStreamBasicDescription) -> Depth {
        if format.isLinearPCM { return Depth(bits: Int(format.mBitsPerChannel), isFloat: format.isFloat) }
        guard format.isAppleLossless else { return Depth(bits: 16) }
        switch format.mFormatFlags {
        case 2, 3: return Depth(bits: 24)
        case 4: return Depth(bits: 32)
        default: return Depth(bits: 16)
        }
    }

    /// The nearest depths, for a file type that does not support this one.
    var substitutes: [Depth] {
        let candidates =
            isFloat
            ? [(32, true), (32, false), (24, false), (16, false)]
            : [
                (16, false), (24, false), (32, false), (32, true),
            ]
        let others = candidates.map { Depth(bits: $0.0, isFloat: $0.1) }
        // The smallest sufficient depth, or else the largest one.
        guard !isFloat else { return others }
        return others.filter { $0.bits >= bits } + others.filter { $0.bits < bits }.reversed()
    }
}

extension AudioStreamBasicDescription {
    var isAppleLossless: Bool { mFormatID == kAudioFormatAppleLossless }
}
