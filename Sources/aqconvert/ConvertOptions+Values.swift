// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import AQToolSupport

/// Parsing the values of single options.
extension ConvertOptions {
    /// The names of file types that `--file-type` accepts besides extensions.
    private static let typeNames: [String: AudioFileType] = [
        "aifc": .aiffC, "caff": .caf, "m4af": .m4a, "mpg3": .mp3, "wave64": .wave64,
        "vorbis": .oggVorbis,
    ]

    static func fileType(_ text: String) throws(UsageError) -> AudioFileType {
        let name = text.lowercased()
        if let type = AudioFileType.forPathExtension(name) ?? typeNames[name] { return type }
        let names = AudioFileType.allCases.compactMap(\.pathExtensions.first).joined(separator: ", ")
        throw UsageError("invalid file type '\(text)' for '--file-type'; write one of \(names)")
    }

    /// Parses a bit rate in kilobits or bits per second.
    static func bitRate(_ text: String, _ name: String) throws(UsageError) -> Int {
        let digits = text.lowercased().hasSuffix("k") ? String(text.dropLast()) : text
        guard let value = DecimalParser.integer(digits, in: 4...10_000_000) else {
            throw UsageError("invalid bit rate '\(text)' for '\(name)'; write kbit/s (128) or bit/s (128000)")
        }
        return value < 4000 ? value * 1000 : value
    }

    /// Parses the name of a quality, or the number of a published constant.
    static func quality(_ text: String, _ name: String) throws(UsageError) -> CodecSettings.Quality {
        switch text.lowercased() {
        case "min", "minimum": return .minimum
        case "low": return .low
        case "medium": return .medium
        case "high": return .high
        case "max", "maximum": return .maximum
        default: break
        }
        guard let value = DecimalParser.integer(text, in: 0...127) else {
            throw UsageError(
                "invalid quality '\(text)' for '\(name)'; write min, low, medium, high, max, or 0 to 127")
        }
        return CodecSettings.Quality.allCases.last { $0.rawValue <= UInt32(value) } ?? .minimum
    }

    static func dither(_ text: String, _ name: String) throws(UsageError) -> DitherKind {
        switch text.lowercased() {
        case "none": return .none
        case "tpdf", "triangular": return .triangular
        case "shaped": return .noiseShaping
        default: throw UsageError("invalid dither '\(text)' for '\(name)'; write none, tpdf or shaped")
        }
    }
}
