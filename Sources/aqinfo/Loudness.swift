// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

/// The measured loudness of a track or an album.
struct Loudness: Equatable {
    /// The integrated loudness in LUFS; nil for silence and for less than 0.4 s.
    var integrated: Double?
    /// The loudness range in LU.
    var range: Double
    /// The true peak, linear.
    var truePeak: Double

    /// The loudness to which gains refer, in LUFS, as in ReplayGain 2.0.
    static let reference = -18.0

    /// The gain to the reference in decibels; nil without a loudness.
    var gain: Double? { integrated.map { Self.reference - $0 } }

    /// The true peak in dBTP; nil for silence.
    var truePeakDecibels: Double? { truePeak > 0 ? 20 * log10(truePeak) : nil }

    /// The values for tags; nil without a loudness.
    var replayGain: ReplayGain.Values? { gain.map { .init(gainDecibels: $0, peak: truePeak) } }
}

extension Loudness {
    /// The head of a table of loudness.
    static let tableHead = row("Loudness", "Range", "True peak", "Gain") + "  File\n"

    /// The values in the columns of the table.
    var tableRow: String {
        Self.row(
            integrated.map { "\(Decimal.text($0, decimals: 2)) LUFS" } ?? "-",
            "\(Decimal.text(range, decimals: 2)) LU",
            truePeakDecibels.map { "\(Decimal.text($0, decimals: 2)) dBTP" } ?? "-",
            gain.map { "\(Decimal.text($0, decimals: 2)) dB" } ?? "-")
    }

    private static func row(_ loudness: String, _ range: String, _ peak: String, _ gain: String) -> String {
        FileFacts.right(loudness, 12) + FileFacts.right(range, 10) + FileFacts.right(peak, 13)
            + FileFacts.right(gain, 11)
    }

    /// The values for a line of `--brief`.
    var words: String {
        guard let integrated, let gain else { return "no loudness" }
        let peak = truePeakDecibels.map { ", \(Decimal.text($0, decimals: 2)) dBTP" } ?? ""
        return
            "\(Decimal.text(integrated, decimals: 2)) LUFS, \(Decimal.text(range, decimals: 2)) LU\(peak), "
            + "gain \(Decimal.text(gain, decimals: 2)) dB"
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("integrated", integrated, decimals: 2)
            json.field("range", range, decimals: 2)
            json.field("truePeak", truePeakDecibels, decimals: 2)
            json.field("gain", gain, decimals: 2)
            json.field("peak", truePeak, decimals: 6)
        }
    }
}
