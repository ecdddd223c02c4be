// SPDX-License-Identifier: MIT

import BenchKit
import Testing

@Suite("Statistics")
struct StatisticsTests {
    @Test("a summary has median, deviation, percentiles and the confidence of the median")
    func summary() throws {
        let summary = try #require(Summary((1...101).map(Double.init).shuffled()))
        #expect(summary.median == 51)
        #expect(summary.percentile99 == 100)
        #expect(summary.largest == 101)
        #expect(abs(summary.meanAbsoluteDeviation - 25.2475) < 0.001)
        // Ranks 40.5 and 60.5 of 101, by the normal approximation of the binomial distribution, rounded outwards.
        #expect((39...41).contains(summary.medianLow))
        #expect((61...63).contains(summary.medianHigh))
    }

    @Test("without values there is no summary, and NaN is not a value")
    func emptySummary() {
        #expect(Summary([]) == nil)
        #expect(Summary([.nan, .infinity]) == nil)
        #expect(Summary([.nan, 3])?.median == 3)
    }

    @Test("a summary of one value is that value")
    func singleValue() throws {
        let summary = try #require(Summary([7]))
        #expect(summary.medianLow == 7 && summary.medianHigh == 7 && summary.percentile99 == 7)
    }

    @Test("a histogram counts every value once")
    func histogram() throws {
        let values = [1.0, 1.004, 1.5, 2.0, 2.999, 3.0]
        let histogram = try #require(Histogram(values, bins: 4))
        #expect(histogram.counts.reduce(0, +) == values.count)
        #expect(
            histogram.start <= 1 && histogram.start + Double(histogram.counts.count) * histogram.binWidth >= 3
        )
        #expect(Histogram([]) == nil)
    }

    @Test("one late value does not widen the bins of a histogram: it is counted apart")
    func lateValue() throws {
        let values = (0..<1_000).map { 1 + Double($0 % 100) / 100 }
        let histogram = try #require(Histogram(values + [500], bins: 50))
        #expect(histogram.binWidth < 0.021)
        #expect(histogram.later == 1 && histogram.counts.reduce(0, +) == 1_000)
        #expect(try #require(Histogram(values, bins: 50)).later == nil)
    }
}
