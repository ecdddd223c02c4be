// SPDX-License-Identifier: MIT

/// The gains that bring a file's track, and its album, to a loudness of -18 LUFS, and the peaks of their samples.
///
/// The values are those of the file's tags, not measured:
/// - `replaygain_track_gain`, `replaygain_track_peak` and the same of the album, in any case: in ID3v2 (TXXX), Vorbis
///   comments, APE tags and MPEG-4 (`com.apple.iTunes`). Gains are decibels, with or without "dB".
/// - `R128_TRACK_GAIN` and `R128_ALBUM_GAIN` of Opus (RFC 7845, 5.2.1), converted from their reference of -23 LUFS.
/// - ID3v2's RVA2 frames named "track" and "album".
/// - The gain that LAME wrote into the first packet, in a file whose tags have none.
///
/// Values that are not numbers, gains beyond 60 dB, and peaks of 0 or beyond 64 are ignored.
public struct ReplayGain: Sendable, Equatable {
    /// The gain and the peak of a track or an album.
    public struct Values: Sendable, Equatable {
        /// The gain in decibels; nil if unknown.
        public var gainDecibels: Double?
        /// The largest magnitude of a sample, linear, where 1 is full scale; nil if unknown.
        public var peak: Double?

        public init(gainDecibels: Double? = nil, peak: Double? = nil) {
            self.gainDecibels = gainDecibels
            self.peak = peak
        }
    }

    /// The values of the track.
    public var track: Values
    /// The values of the album to which the track belongs.
    public var album: Values

    public init(track: Values = Values(), album: Values = Values()) {
        self.track = track
        self.album = album
    }

    /// Whether there is a gain.
    public var isEmpty: Bool { track.gainDecibels == nil && album.gainDecibels == nil }

    /// Reads the values from a file's text metadata.
    public init(information: [AudioFileInformation]) {
        self.init()
        for entry in information where entry.key.utf8.count <= 21 {
            let text = entry.value
            switch entry.key.lowercased() {
            case "replaygain_track_gain": track.gainDecibels = track.gainDecibels ?? Self.gain(text)
            case "replaygain_album_gain": album.gainDecibels = album.gainDecibels ?? Self.gain(text)
            case "replaygain_track_peak": track.peak = track.peak ?? Self.peak(text)
            case "replaygain_album_peak": album.peak = album.peak ?? Self.peak(text)
            default: break
            }
        }
        for entry in information where entry.key.utf8.count == 15 {
            switch entry.key.lowercased() {
            case "r128_track_gain": track.gainDecibels = track.gainDecibels ?? Self.r128Gain(entry.value)
            case "r128_album_gain": album.gainDecibels = album.gainDecibels ?? Self.r128Gain(entry.value)
            default: break
            }
        }
    }

    /// Adds values that are missing, each gain with its peak.
    mutating func fill(from other: ReplayGain) {
        if track.gainDecibels == nil { track = other.track }
        if album.gainDecibels == nil { album = other.album }
    }

    // MARK: Numbers

    /// The loudness to which R128 gains refer, above that of ReplayGain, in decibels.
    static let r128Offset = 5.0
    private static let mostDecibels = 60.0
    private static let mostPeak = 64.0

    static func validGain(_ decibels: Double?) -> Double? {
        guard let decibels, abs(decibels) <= mostDecibels else { return nil }
        return decibels
    }

    static func validPeak(_ peak: Double?) -> Double? {
        guard let peak, peak > 0, peak <= mostPeak else { return nil }
        return peak
    }

    private static func gain(_ text: String) -> Double? {
        var text = trimmed(Substring(text))
        if text.suffix(2).lowercased() == "db" { text = trimmed(text.dropLast(2)) }
        return validGain(number(text))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text.drop { $0 == " " }
        while rest.last == " " { rest.removeLast() }
        return rest
    }

    private static func peak(_ text: String) -> Double? { validPeak(number(trimmed(Substring(text)))) }

    /// A gain in 256ths of a decibel.
    private static func r128Gain(_ text: String) -> Double? {
        guard let value = Int16(text.utf8.first == 0x2B ? text.dropFirst() : Substring(text)) else {
            return nil
        }
        return validGain(Double(value) / 256 + r128Offset)
    }

    /// Reads a decimal number with a point or a comma.
    private static func number(_ text: Substring) -> Double? {
        guard 1...mostDigits ~= text.utf8.count else { return nil }
        var digits: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 0x2B, 0x2D, 0x2E, 0x30...0x39: digits.append(byte)
            case 0x2C: digits.append(0x2E)
            default: return nil
            }
        }
        return Double(String(decoding: digits, as: UTF8.self))
    }

    private static let mostDigits = 40
}
