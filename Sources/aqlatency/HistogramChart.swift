// SPDX-License-Identifier: MIT

import Glibc
import AQRoundTripAnalysis
import AQToolSupport

/// A histogram as lines of text: a bar for each interval of values.
///
/// The intervals cover 99 of 100 values, so that a few late ones do not compress the others into one bar. The last line
/// counts those.
struct HistogramChart: Sendable, Equatable {
    struct Bin: Sendable, Equatable {
        var start: Double
        var count: Int
    }

    private static let mostBins = 12
    /// The share of the values that the intervals cover.
    private static let bulk = 0.99
    /// The shortest interval in milliseconds.
    private static let leastWidth = 0.01
    private static let shortestBar = 8
    private static let longestBar = 60
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// The intervals in ascending order.
    let bins: [Bin]
    /// The length of each interval.
    let width: Double
    /// The number of values after the last interval.
    let laterCount: Int

    /// - Parameter values: Milliseconds; values that are not finite are omitted.
    /// - Returns: Nil without values.
    init?(_ values: [Double]) {
        let sorted = values.filter(\.isFinite).sorted()
        guard let smallest = sorted.first else { return nil }
        let largest = max(Summary.percentile(sorted, Self.bulk), smallest)
        width = Self.width(for: largest - smallest)
        let start = Self.place(of: smallest, width)
        let count = min(Self.mostBins, Int(Self.place(of: largest, width) - start) + 1)
        var counts = [Int](repeating: 0, count: count)
        var laterCount = 0
        for value in sorted {
            let place = Self.place(of: value, width) - start
            if place < Double(count) { counts[Int(place)] += 1 } else { laterCount += 1 }
        }
        self.laterCount = laterCount
        let width = width
        bins = counts.enumerated().map { Bin(start: (start + Double($0)) * width, count: $1) }
    }

    /// Returns the number of the interval that contains a value. A value at a limit is in the upper interval, although
    /// the quotient may be rounded down.
    private static func place(of value: Double, _ width: Double) -> Double {
        (value / width + 1e-9).rounded(.down)
    }

    /// Returns the length of an interval: 1, 2 or 5 times a power of ten.
    private static func width(for span: Double) -> Double {
        let rough = max(span / Double(mostBins - 1), leastWidth)
        let power = pow(10, floor(log10(rough) + 1e-9))
        return [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough * 0.999_999 } ?? rough
    }

    /// The lines, at most `columns` wide.
    func lines(columns: Int, style: BarStyle) -> [String] {
        let decimals = width < 0.1 ? 2 : width < 1 ? 1 : 0
        let last = (bins.last?.start ?? 0) + width
        let labels =
            bins.map { Decimal.text($0.start, decimals: decimals) }
            + (laterCount > 0 ? ["> \(Decimal.text(last, decimals: decimals))"] : [])
        let counts = bins.map(\.count) + (laterCount > 0 ? [laterCount] : [])
        let labelWidth = labels.map(\.utf8.count).max() ?? 0
        let countWidth = counts.map { String($0).utf8.count }.max() ?? 0
        let cells = min(Self.longestBar, columns - labelWidth - countWidth - 6)
        let most = max(1, counts.max() ?? 1)
        return zip(labels, counts).map { label, count in
            let head = "  " + Self.padded(label, to: labelWidth) + "  "
            guard cells >= Self.shortestBar else { return head + String(count) }
            let bar = Self.bar(Double(count) / Double(most), cells: cells, style: style)
            return bar.isEmpty ? head + String(count) : "\(head)\(bar) \(count)"
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.utf8.count)) + text
    }

    /// A bar for a share of the longest one. Every share above 0 is visible.
    private static func bar(_ share: Double, cells: Int, style: BarStyle) -> String {
        guard share > 0 else { return "" }
        switch style {
        case .ascii:
            return String(repeating: "#", count: max(1, Int((share * Double(cells)).rounded())))
        case .blocks:
            let steps = max(1, Int((share * Double(cells) * 8).rounded()))
            let whole = String(repeating: "█", count: steps / 8)
            return steps % 8 > 0 ? whole + String(eighths[steps % 8 - 1]) : whole
        }
    }
}
