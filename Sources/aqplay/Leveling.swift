// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

/// The request to play tracks at the same loudness, by the gains in their tags.
struct Leveling: Equatable {
    /// The gain that is used. If only the other one is in a file, that one.
    enum Mode: String, Equatable, CaseIterable { case off, track, album }

    /// The gain of one track.
    struct Gain: Equatable {
        /// The tag that was used; nil if the file has none, and is played unchanged.
        var source: Mode?
        var decibels = 0.0
        /// Whether the gain was lowered because of the peak.
        var isLowered = false

        /// The gain, linear.
        var factor: Float { Float(pow(10, decibels / 20)) }
    }

    static let preampRange = -30.0...30.0

    var mode = Mode.off
    var preampDecibels = 0.0
    var allowsClipping = false

    static func mode(_ text: String, option: String) throws(UsageError) -> Mode {
        guard let mode = Mode(rawValue: text.lowercased()) else {
            throw UsageError("invalid mode '\(text)' for '\(option)'; write track, album or off")
        }
        return mode
    }

    /// The gain of a track with these tags; nil if gains are off.
    ///
    /// Without a peak in the tags, samples count as large as full scale: the track is not played louder.
    func gain(_ tags: @autoclosure () -> ReplayGain) -> Gain? {
        guard mode != .off else { return nil }
        let tags = tags()
        let isAlbum =
            mode == .album ? tags.album.gainDecibels != nil : tags.track.gainDecibels == nil
        let values = isAlbum ? tags.album : tags.track
        guard let tagged = values.gainDecibels else { return Gain() }
        var gain = Gain(source: isAlbum ? .album : .track, decibels: tagged + preampDecibels)
        let most = -20 * log10(values.peak ?? 1)
        if !allowsClipping, gain.decibels > most { (gain.decibels, gain.isLowered) = (most, true) }
        return gain
    }
}

extension Leveling.Gain {
    /// The gain for `--verbose`.
    var words: String {
        guard let source else { return "no ReplayGain" }
        let sign = decibels > 0 ? "+" : ""
        return "ReplayGain \(sign)\(Decimal.text(decibels, decimals: 2)) dB (\(source.rawValue)"
            + (isLowered ? ", lowered for the peak)" : ")")
    }
}
