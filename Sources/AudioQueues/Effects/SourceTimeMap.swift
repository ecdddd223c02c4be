/// Which source frame belongs to which frame that came of it: straight lines, one behind the other.
///
/// Remembers as many turns as the frames that are decoded ahead can have; about those before, it says what the oldest
/// one does. No memory is had after it is made.
struct SourceTimeMap {
    private struct Line {
        let output: Double
        let source: Double
        /// Source frames for each that comes out.
        let rate: Double

        /// On this line, which the next one may cut short.
        func source(atOutput frame: Double, before next: Line?) -> Double {
            let own = source + (frame - output) * rate
            guard let next else { return own }
            return min(own, max(next.source, source))
        }
    }

    /// Ten seconds, if every chunk of 20 ms has another rate.
    private static let maximumLines = 512

    private var lines: [Line] = []

    init() {
        lines.reserveCapacity(SourceTimeMap.maximumLines)
        lines.append(Line(output: 0, source: 0, rate: 1))
    }

    /// Forgets all turns: frame 0 comes of frame 0.
    mutating func restart(rate: Double) {
        lines.removeAll(keepingCapacity: true)
        lines.append(Line(output: 0, source: 0, rate: rate))
    }

    /// Turns to another rate, at an output frame not before the last turn.
    ///
    /// - Parameter source: The frame that belongs to it; nil for the one by what was known so far.
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

    /// The source frame of an output frame. Never runs backwards.
    func source(atOutput output: Double) -> Double {
        var next: Line?
        // What is asked for is mostly near the end.
        for line in lines.reversed() {
            if output >= line.output { return line.source(atOutput: output, before: next) }
            next = line
        }
        return lines[0].source(atOutput: output, before: nil)
    }
}
