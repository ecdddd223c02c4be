// SPDX-License-Identifier: MIT

import AQFiles
import CoreAudioTypes
import AQToolSupport

/// The result of the conversion of one file.
struct ConversionReport {
    var input: FilePath
    var output: FilePath
    /// Whether packets were copied unchanged.
    var isCopy: Bool
    var container: String
    /// Whether the container's writer encodes the samples of ``format``.
    var isEncodedByWriter: Bool
    var format: AudioStreamBasicDescription
    /// The number of input frames that were converted.
    var frames: Int64
    var byteCount: Int64
    /// Problems of the input that do not affect its audio, one line each.
    var oddities: [String] = []
    /// Damage in the input, one line each: audio that is lost, or may be lost.
    var damage: [String] = []
    /// The items of the input that the output cannot hold.
    var losses: [String] = []

    var warnings: [String] { oddities + damage + losses }

    /// Returns a line for users.
    func text(seconds: Double) -> String {
        let action = isCopy ? "copied to" : "converted to"
        let time = Decimal.text(seconds, decimals: 2)
        // The format of the samples is not that of the file, if the container's writer encodes them.
        let data = isEncodedByWriter ? "" : ", \(format.summary)"
        return "'\(input)': \(action) '\(output)' (\(container)\(data)), \(byteCount) bytes, \(time) s"
    }
}
