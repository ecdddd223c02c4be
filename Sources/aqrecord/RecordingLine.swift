import AudioFiles
import ToolSupport

/// What is shown of a recording while it goes on, and how it looks in a line of a given width.
struct RecordingLine: Equatable {
    var elapsedSeconds: Double
    /// Nil when the recording has no set end.
    var totalSeconds: Double?
    var isPaused = false
    /// Whether the first sound is still waited for.
    var isWaiting = false
    /// Linear.
    var rms: Float = 0
    /// Linear, the highest of the last moments.
    var heldPeak: Float = 0
    var isClipped = false
    var fileBytes: Int64 = 0
    var diskBytes: Int64?
    var path: FilePath

    /// The line, at most `columns` wide and without control characters. What matters least is left out first.
    func text(columns: Int) -> String {
        var line = isPaused ? "= " : isWaiting ? "~ " : "* "
        line += TimeParser.clock(elapsedSeconds)
        if let totalSeconds { line += " / \(TimeParser.clock(totalSeconds))" }
        if columns >= 40 {
            let cells = columns >= 72 ? 20 : 10
            line += "  [\(MeterBar.text(rms: rms, peak: heldPeak, cells: cells))]"
        }
        line += isClipped ? " CLIP " : columns >= 32 ? "      " : ""
        if columns >= 48 { line += " \(Self.padded(ByteCountParser.text(fileBytes), to: 6))" }
        if columns >= 64, let diskBytes { line += "  \(ByteCountParser.text(diskBytes)) free" }
        let room = columns - DisplayText.columns(of: line) - 2
        if room >= 3 {
            line +=
                "  " + DisplayText.truncated(path.name.description, toColumns: room)
        }
        return DisplayText.truncated(line, toColumns: columns)
    }

    /// Of one width, so that what follows stands still.
    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }
}

/// Keeps a peak in sight for a while, and a clip light on.
struct PeakHold {
    static let heldSeconds = 1.5
    static let clipLightSeconds = 3.0

    private(set) var peak: Float = 0
    private var peakTime = 0.0
    private var clippedSamples: Int64 = 0
    private var clipTime = -Double.infinity

    /// - Parameters:
    ///   - seconds: The time now, of any clock that does not run backwards.
    ///   - clipped: Samples that were clipped so far.
    mutating func update(peak newPeak: Float, clippedSamples clipped: Int64, at seconds: Double) {
        if newPeak >= peak || seconds - peakTime > PeakHold.heldSeconds {
            (peak, peakTime) = (newPeak, seconds)
        }
        if clipped > clippedSamples || newPeak >= SampleScanner.clippingLevel { clipTime = seconds }
        clippedSamples = clipped
    }

    func isClipLightOn(at seconds: Double) -> Bool { seconds - clipTime <= PeakHold.clipLightSeconds }
}
