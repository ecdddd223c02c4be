// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQToolSupport

/// The facts in one line, in columns that are the same for all files. The name is last because it may be long.
extension FileFacts {
    var brief: String {
        var line = Self.right(seconds.map(DurationText.full) ?? "?", 11) + "  "
        line += Self.right("\(Decimal.text(format.mSampleRate, decimals: 0)) Hz", 9) + " "
        line += Self.right("\(format.mChannelsPerFrame) ch", 5) + "  "
        line += Self.right(bitRate > 0 ? "\(Decimal.text(bitRate / 1000, decimals: 0)) kbit/s" : "?", 11)
        line +=
            "  " + Self.left(encoding, 14) + " "
            + Self.left(DisplayText.truncated(container, toColumns: 10), 10) + " "
        line += path == "-" ? "standard input" : path.description
        if let loudness { line += "  (\(loudness.words))" }
        if let checkWords { line += "  (\(checkWords))" }
        return line + "\n"
    }

    /// The encoding in one or two words: `PCM 16`, `PCM f32`, `MPEG layer 3`, `Vorbis`.
    private var encoding: String {
        guard format.isLinearPCM, !isDecoded else {
            let words = isDecoded ? codec : format.encodingSummary
            return DisplayText.truncated(
                words.split(separator: " ").prefix { $0 != "of" }.joined(separator: " "), toColumns: 14)
        }
        return "PCM \(format.isFloat ? "f" : "")\(format.mBitsPerChannel)"
    }
}
