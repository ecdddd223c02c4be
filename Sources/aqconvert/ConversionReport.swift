import AudioFiles
import CoreAudioTypes
import ToolSupport

/// What became of one file.
struct ConversionReport {
    var input: FilePath
    var output: FilePath
    /// Whether packets were copied as they are.
    var isCopy: Bool
    var container: String
    /// Whether the container's writer encodes the samples of ``format``.
    var isEncodedByWriter: Bool
    var format: AudioStreamBasicDescription
    /// Frames of the input that were converted.
    var frames: Int64
    var byteCount: Int64
    /// Problems of the input that its audio does not suffer from, a line each.
    var oddities: [String] = []
    /// Damage in the input, a line each: what of its sound was lost, or may be.
    var damage: [String] = []
    /// What of the input the output has no place for.
    var losses: [String] = []

    var warnings: [String] { oddities + damage + losses }

    /// A line for people.
    func text(seconds: Double) -> String {
        let action = isCopy ? "copied to" : "converted to"
        let time = Decimal.text(seconds, decimals: 2)
        // Of what an encoder of the container's own makes, the samples it was given say nothing.
        let data = isEncodedByWriter ? "" : ", \(format.summary)"
        return "'\(input)': \(action) '\(output)' (\(container)\(data)), \(byteCount) bytes, \(time) s"
    }
}
