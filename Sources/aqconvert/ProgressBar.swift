// SPDX-License-Identifier: MIT

import AQToolSupport

/// The progress of the conversions, as a line.
struct ProgressBar {
    /// The completed part, from 0 to 1; nil if a length is unknown.
    var fraction: Double?
    var done: Int
    var count: Int
    /// The only conversion, if it records an input that may have no end.
    var recording: Conversion.Recording?

    init(_ progress: [Conversion.Progress], done: Int) {
        count = progress.count
        self.done = done
        let parts = progress.map { part -> Double? in
            guard let total = part.totalFrames else {
                return part.frames == 0 && part.recording == nil ? 0 : nil
            }
            return total == 0 ? 1 : min(1, Double(part.frames) / Double(total))
        }
        if progress.count == 1, progress[0].totalFrames == nil { recording = progress[0].recording }
        let known = parts.compactMap { $0 }
        fraction =
            known.count == parts.count && count > 0 ? known.reduce(0, +) / Double(count) : nil
    }

    /// The line, at most `columns` wide.
    func text(columns: Int) -> String {
        let files = count > 1 ? " \(done)/\(count)" : ""
        if let recording {
            let size = ByteCountParser.text(recording.bytes)
            return DisplayText.truncated(
                "* \(TimeParser.clock(recording.seconds))  \(size)  Ctrl-C ends the recording",
                toColumns: columns)
        }
        guard let fraction else { return DisplayText.truncated("converting\(files)", toColumns: columns) }
        let percent = Int((fraction * 100).rounded(.down))
        let label = String(repeating: " ", count: percent < 10 ? 2 : percent < 100 ? 1 : 0) + "\(percent)%"
        let cells = min(50, columns - label.utf8.count - files.utf8.count - 4)
        guard cells >= 5 else { return DisplayText.truncated(label + files, toColumns: columns) }
        let filled = Int((fraction * Double(cells)).rounded(.down))
        let bar =
            String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled)
        return "[\(bar)] \(label)\(files)"
    }
}
