// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The progress of a recording, as a line of a given width.
struct RecordingLine: Equatable {
    /// The length of all files together.
    var elapsedSeconds: Double
    /// The requested length in seconds; nil if the recording has no end.
    var totalSeconds: Double?
    var isPaused = false
    /// Whether the recording waits for a loud frame.
    var isWaiting = false
    /// The mean level, linear.
    var rms: Float = 0
    /// The highest level of the last moments, linear.
    var heldPeak: Float = 0
    var isClipped = false
    /// The length of the current file; nil if it is the first.
    var fileSeconds: Double?
    var fileBytes: Int64 = 0
    var diskBytes: Int64?
    var path: FilePath

    private static let clipLight = " CLIP "

    /// The line, at most `columns` wide and without control characters.
    ///
    /// The times and the meter come first. The clip light, the sizes and the file's name are added if there is room.
    func text(columns: Int, style: BarStyle) -> String {
        var line = isPaused ? "= " : isWaiting ? "~ " : "* "
        line += TimeParser.clocks(elapsed: elapsedSeconds, total: totalSeconds, isCompact: columns < 24)
        line += meter(room: columns - line.utf8.count - Self.clipLight.utf8.count, columns, style)
        if isClipped {
            line += Self.clipLight
        } else if columns >= 32 {
            line += String(repeating: " ", count: Self.clipLight.utf8.count)
        }
        // The time at the start of the line is that of the recording, as a requested length is.
        if columns >= 56, let fileSeconds { line += " file \(TimeParser.clock(fileSeconds))" }
        if columns >= 48 { line += " \(Self.padded(ByteCountParser.text(fileBytes), to: 6))" }
        if columns >= 64, let diskBytes { line += "  \(ByteCountParser.text(diskBytes)) free" }
        let room = columns - DisplayText.columns(of: line) - 2
        if room >= 3 {
            line += "  " + DisplayText.truncated(path.name.description, toColumns: room)
        }
        return DisplayText.truncated(line, toColumns: columns)
    }

    /// The meter, with a width that suits the line and fits into `room`; empty if `room` is too small.
    private func meter(room: Int, _ columns: Int, _ style: BarStyle) -> String {
        let cells = min(max(columns / 4, 8), 40, room - 4)
        guard cells >= 4 else { return "" }
        return "  [\(MeterBar.text(rms: rms, peak: heldPeak, cells: cells, style: style))]"
    }

    /// Pads text to a constant width, so that the following parts do not move.
    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }
}

/// Holds a peak for some time, and keeps a clip light on.
struct PeakHold {
    static let heldSeconds = 1.5
    static let clipLightSeconds = 3.0

    private(set) var peak: Float = 0
    private var peakTime = 0.0
    private var clippedSamples: Int64 = 0
    private var clipTime = -Double.infinity

    /// - Parameters:
    ///   - seconds: The current time of any monotonic clock.
    ///   - clipped: The number of clipped samples so far.
    mutating func update(peak newPeak: Float, clippedSamples clipped: Int64, at seconds: Double) {
        if newPeak >= peak || seconds - peakTime > PeakHold.heldSeconds {
            (peak, peakTime) = (newPeak, seconds)
        }
        if clipped > clippedSamples || newPeak >= SampleScanner.clippingLevel { clipTime = seconds }
        clippedSamples = clipped
    }

    func isClipLightOn(at seconds: Double) -> Bool { seconds - clipTime <= PeakHold.clipLightSeconds }
}
