// SPDX-License-Identifier: MIT

import AQToolSupport

/// A waveform drawn with characters.
struct WaveformGraph {
    let columns: Int
    /// Whether braille patterns are used, with eight dots for each character; ASCII has one.
    let isBraille: Bool

    /// The largest number of channels that are shown: more would fill the screen.
    static let mostChannels = 8

    /// - Parameters:
    ///   - labels: The label before each channel.
    ///   - sampleRate: The rate for the times below the graph.
    func lines(_ waveform: Waveform, labels: [String], sampleRate: Double) -> [String] {
        let shown = min(waveform.channels, Self.mostChannels)
        let names = (0..<shown).map { labels.indices.contains($0) ? labels[$0] : "\($0 + 1)" }
        let margin = (names.map { DisplayText.columns(of: $0) }.max() ?? 0) + 1
        let cells = max(8, columns - margin - 2)
        var lines: [String] = []
        for channel in 0..<shown {
            let rows = isBraille ? braille(waveform, channel, cells) : ascii(waveform, channel, cells)
            for (index, row) in rows.enumerated() {
                let name = index == rows.count / 2 ? names[channel] : ""
                let padding = String(repeating: " ", count: margin - DisplayText.columns(of: name))
                lines.append("\(name)\(padding)|\(row)|")
            }
        }
        lines.append(String(repeating: " ", count: margin + 1) + axis(waveform, cells, sampleRate))
        if shown < waveform.channels {
            lines.append("(the first \(shown) of \(waveform.channels) channels)")
        }
        return lines
    }

    /// The times at the beginning, the middle and the end.
    private func axis(_ waveform: Waveform, _ cells: Int, _ sampleRate: Double) -> String {
        let seconds = sampleRate > 0 ? Double(waveform.frames) / sampleRate : 0
        let (middle, end) = (DurationText.short(seconds / 2), DurationText.short(seconds))
        var line = DurationText.short(0)
        for (text, column) in [(middle, (cells - middle.utf8.count) / 2), (end, cells - end.utf8.count)]
        where column > line.utf8.count {
            line += String(repeating: " ", count: column - line.utf8.count) + text
        }
        return line
    }

    private func braille(_ waveform: Waveform, _ channel: Int, _ cells: Int) -> [String] {
        let rows = waveform.channels <= 2 ? 4 : 2
        var dots = [UInt32](repeating: 0, count: rows * cells)
        for (x, column) in waveform.columns(cells * 2, channel: channel).enumerated() {
            for y in Self.span(of: column, steps: rows * 4) {
                dots[y / 4 * cells + x / 2] |= Self.dot(x: x % 2, y: y % 4)
            }
        }
        return (0..<rows).map { row in
            var text = String.UnicodeScalarView()
            for cell in dots[(row * cells)..<((row + 1) * cells)] {
                text.append(Unicode.Scalar(0x2800 + cell) ?? " ")
            }
            return String(text)
        }
    }

    private func ascii(_ waveform: Waveform, _ channel: Int, _ cells: Int) -> [String] {
        let rows = waveform.channels <= 2 ? 9 : 5
        var grid = [[UInt8]](
            repeating: [UInt8](repeating: UInt8(ascii: " "), count: cells), count: rows)
        grid[rows / 2] = [UInt8](repeating: UInt8(ascii: "-"), count: cells)
        for (x, column) in waveform.columns(cells, channel: channel).enumerated() {
            let span = Self.span(of: column, steps: rows)
            // Silence is the line in the middle.
            if span == rows / 2...rows / 2, column.low == 0, column.high == 0 { continue }
            for y in span { grid[y][x] = UInt8(ascii: "#") }
        }
        return grid.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the steps that a column covers, counted from the top.
    private static func span(of column: Waveform.Column, steps: Int) -> ClosedRange<Int> {
        func step(_ sample: Float) -> Int {
            let limited = sample.isNaN ? 0 : min(max(sample, -1), 1)
            return Int(((1 - limited) / 2 * Float(steps - 1)).rounded())
        }
        let top = step(column.high)
        return top...max(top, step(column.low))
    }

    /// Returns the bit of a dot in a braille pattern (Unicode, block U+2800).
    private static func dot(x: Int, y: Int) -> UInt32 {
        y == 3 ? 0x40 << UInt32(x) : 1 << UInt32(3 * x + y)
    }
}
