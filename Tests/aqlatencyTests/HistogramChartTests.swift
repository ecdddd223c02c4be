// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQToolSupport

@testable import aqlatency

@Suite("A histogram in the terminal")
struct HistogramChartTests {
    private let values = (0..<1_000).map { 2 + Double($0 % 100) / 100 }

    @Test("every value is in one bar, and bars have round limits")
    func bins() throws {
        let chart = try #require(HistogramChart(values))
        expectEqual(chart.bins.reduce(0) { $0 + $1.count } + chart.laterCount, values.count)
        #expect(chart.width == 0.1 && chart.bins.first?.start == 2)
        expectEqual(chart.bins.count, 10)
    }

    @Test("late values do not compress the others: they are counted in a line of their own")
    func outliers() throws {
        let chart = try #require(HistogramChart(values + [40, 500]))
        expectEqual(chart.width, 0.1)
        expectEqual(chart.laterCount, 2)
        let lines = chart.lines(columns: 80, style: .ascii)
        #expect(lines.last?.hasPrefix("  > 3.0  #") == true && lines.last?.hasSuffix(" 2") == true)
    }

    @Test("the lines fit the terminal, whatever its width", arguments: [10, 24, 40, 80, 200])
    func columns(columns: Int) throws {
        let chart = try #require(HistogramChart(values + [40]))
        for style in [BarStyle.ascii, .blocks] {
            let lines = chart.lines(columns: columns, style: style)
            #expect(lines.allSatisfy { DisplayText.columns(of: $0) <= max(columns, 12) })
            expectEqual(lines.contains { $0.contains("█") }, (style == .blocks && columns >= 24))
        }
    }

    @Test("without blocks all characters are ASCII")
    func ascii() throws {
        let lines = try #require(HistogramChart(values)).lines(columns: 70, style: .ascii)
        #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
        expectEqual(lines.first, "  2.0  \(String(repeating: "#", count: 58)) 100")
    }

    @Test("one value, equal values, and no values")
    func few() throws {
        let one = try #require(HistogramChart([3.2]))
        #expect(one.bins == [.init(start: 3.2, count: 1)] && one.laterCount == 0)
        try expectEqual(#require(HistogramChart([1, 1, 1])).bins.map(\.count), [3])
        #expect(HistogramChart([]) == nil && HistogramChart([.nan, .infinity]) == nil)
    }

    @Test("values from the far ends of time are counted without a trap")
    func extremes() throws {
        let chart = try #require(HistogramChart([-1e7, 0, 1e7]))
        #expect(chart.bins.count <= 13)
        expectEqual(chart.bins.reduce(0) { $0 + $1.count } + chart.laterCount, 3)
    }
}
