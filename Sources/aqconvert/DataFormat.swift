// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes
import AQToolSupport

/// The samples or packets of a file, as `--data` names them.
enum DataFormat {
    enum Coding: Equatable {
        /// Integers or floats. A byte order of nil is that of the container.
        case linearPCM(bits: Int, isFloat: Bool, isSigned: Bool, isBigEndian: Bool?)
        /// Linear PCM with the bit depth of the source.
        case anyLinearPCM
        case encoded(AudioFormatID)
    }

    /// The codecs with a name, and their format IDs.
    static let codecs: [(name: String, id: AudioFormatID)] = [
        ("aac", kAudioFormatMPEG4AAC), ("alac", kAudioFormatAppleLossless), ("ima4", kAudioFormatAppleIMA4),
        ("mp3", kAudioFormatMPEGLayer3), ("flac", kAudioFormatFLAC), ("vorbis", vorbis),
        ("opus", kAudioFormatOpus), ("ulaw", kAudioFormatULaw),
        ("alaw", kAudioFormatALaw),
    ]

    /// The format ID of Vorbis, for which none is published.
    static let vorbis: AudioFormatID = 0x766F_7262

    /// The message for a file type that cannot contain a codec.
    static func refusal(of id: AudioFormatID, in type: AudioFileType) -> String {
        "\(type.name) files cannot contain \(displayName(of: id))"
    }

    /// The name of a codec in messages.
    static func displayName(of id: AudioFormatID) -> String {
        switch id {
        case kAudioFormatLinearPCM: return "linear PCM"
        case vorbis: return "Vorbis"
        default:
            var format = AudioStreamBasicDescription()
            format.mFormatID = id
            return format.encodingSummary
        }
    }

    /// Parses `codec`, `codec@rate` or `@rate`.
    ///
    /// - Returns: The codec, or nil if only a rate is given; the rate, or nil if none is given.
    /// - Throws: ``UsageError`` for an unknown name.
    static func parse(_ text: String) throws(UsageError) -> (coding: Coding?, sampleRate: Double?) {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        var sampleRate: Double?
        if parts.count == 2 {
            guard let rate = DecimalParser.number(parts[1]), RateConverter.rates ~= rate else {
                throw UsageError(
                    "invalid sample rate '\(parts[1])' for '--data'; write hertz, as in aac@44100")
            }
            sampleRate = rate
        }
        let name = parts[0].lowercased()
        if name.isEmpty, sampleRate != nil { return (nil, sampleRate) }
        if name == "pcm" || name == "lpcm" { return (.anyLinearPCM, sampleRate) }
        if let codec = codecs.first(where: { $0.name == name }) { return (.encoded(codec.id), sampleRate) }
        guard let coding = linearPCM(name) else {
            let names = codecs.map(\.name).joined(separator: ", ")
            throw UsageError(
                "invalid data format '\(text)' for '--data'; write \(names), pcm, or samples such as I16, "
                    + "LEI24, BEF32, UI8")
        }
        return (coding, sampleRate)
    }

    /// Parses `[LE|BE]{I|UI|F}bits`, in upper or lower case; `S` means `I`.
    private static func linearPCM(_ name: String) -> Coding? {
        var rest = name[...]
        var isBigEndian: Bool?
        for (prefix, value) in [("le", false), ("be", true)] where rest.hasPrefix(prefix) {
            isBigEndian = value
            rest = rest.dropFirst(2)
        }
        var (isFloat, isSigned) = (false, true)
        if rest.hasPrefix("f") {
            isFloat = true
        } else if rest.hasPrefix("u") {
            isSigned = false
        } else if !rest.hasPrefix("i"), !rest.hasPrefix("s") {
            return nil
        }
        rest = rest.dropFirst(rest.hasPrefix("ui") ? 2 : 1)
        guard let bits = DecimalParser.integer(String(rest), in: 8...64) else { return nil }
        guard isFloat ? [32, 64].contains(bits) : [8, 16, 24, 32].contains(bits) else { return nil }
        return .linearPCM(bits: bits, isFloat: isFloat, isSigned: isSigned, isBigEndian: isBigEndian)
    }
}
