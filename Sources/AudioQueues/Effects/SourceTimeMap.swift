// SPDX-License-Identifier: MIT

/// The relation of output frames to source frames: a sequence of straight lines.
///
/// Keeps as many turns as frames decoded ahead can have. The oldest line applies to all earlier frames. No memory is
/// allocated after initialization.
struct SourceTimeMap {
    private struct Line {
        let output: Double
        let source: Double
        /// The number of source frames for each output frame.
        let rate: Double

        /// The source frame for an output frame, at most the start of the next line.
        func source(atOutput frame: Double, before next: Line?) -> Double {
            let own = source + (frame - output) * rate
            guard let next else { return own }
            return min(own, max(next.source, source))
        }
    }

    /// The number of lines for ten seconds of audio, if every chunk of 20 ms has another rate.
    private static let maximumLines = 512

    private var lines: [Line] = []

    init() {
        lines.reserveCapacity(SourceTimeMap.maximumLines)
        lines.append(Line(output: 0, source: 0, rate: 1))
    }

    /// Drops all turns. Output frame 0 belongs to source frame 0 again.
    mutating func restart(rate: Double) {
        lines.removeAll(keepingCapacity: true)
        lines.append(Line(output: 0, source: 0, rate: rate))
    }

    /// Turns to another rate, at an output frame not before the last turn.
    ///
    /// - Parameter source: The source frame at the turn; nil for that of the present line.
    mutating func turn(atOutput output: Double, source: Double? = nil, rate: Double) {
        let last = lines[lines.count - 1]
        let expected = last.source + (output - last.output) * last.rate
        let source = max(source ?? expected, last.source)
        guard rate != last.rate || abs(source - expected) > 0.001 else { return }
        if output <= last.output {
            lines[lines.count - 1] = Line(output: last.output, source: source, rate: rate)
            return
        }
        if lines.count == SourceTimeMap.maximumLines {
            lines.removeSubrange(..<(SourceTimeMap.maximumLines / 2))
        }
        lines.append(Line(output: output, source: source, rate: rate))
    }

    /// The source frame of an output frame. It never decreases.
    func source(atOutput output: Double) -> Double {
        var next: Line?
        // Most queries concern frames near the end.
        for line in lines.reversed() {
            if output >= line.output { return line.source(atOutput: output, before: next) }
            next = line
        }
        return lines[0].source(atOutput: output, before: nil)
    }
}
