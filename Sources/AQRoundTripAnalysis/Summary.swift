// SPDX-License-Identifier: MIT

/// Statistics of several values.
public struct Summary: Sendable, Codable, Equatable {
    public var repeats: Int
    public var median: Double
    /// Mean absolute deviation from the median.
    public var meanAbsoluteDeviation: Double
    public var smallest: Double
    public var percentile95: Double
    public var percentile99: Double
    public var largest: Double
    /// The 95 % confidence interval of the median. It is valid for any distribution, because it uses order statistics.
    public var medianLow: Double
    public var medianHigh: Double

    /// Makes the statistics of all finite values; nil if there are none.
    public init?(_ values: [Double]) {
        let sorted = values.filter(\.isFinite).sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        repeats = sorted.count
        let median = Self.percentile(sorted, 0.5)
        self.median = median
        meanAbsoluteDeviation = sorted.reduce(0) { $0 + abs($1 - median) } / Double(sorted.count)
        smallest = first
        percentile95 = Self.percentile(sorted, 0.95)
        percentile99 = Self.percentile(sorted, 0.99)
        largest = last
        // Normal approximation of the binomial distribution of the number of values below the median.
        let half = 1.96 * Double(sorted.count).squareRoot() / 2
        let middle = Double(sorted.count) / 2
        medianLow = sorted[max(0, Int((middle - half).rounded(.down)) - 1)]
        medianHigh = sorted[min(sorted.count - 1, Int((middle + half).rounded(.up)))]
    }

    /// Returns a percentile of sorted values, interpolated between neighbours.
    public static func percentile(_ sorted: [Double], _ share: Double) -> Double {
        guard !sorted.isEmpty else { return .nan }
        let place = share * Double(sorted.count - 1)
        let index = min(Int(place), sorted.count - 1)
        let next = min(index + 1, sorted.count - 1)
        return sorted[index] + (sorted[next] - sorted[index]) * (place - Double(index))
    }

    /// Returns the statistics after a change of unit, with every value multiplied.
    public func scaled(by factor: Double) -> Summary {
        var scaled = self
        scaled.median *= factor
        scaled.meanAbsoluteDeviation *= factor
        scaled.smallest *= factor
        scaled.percentile95 *= factor
        scaled.percentile99 *= factor
        scaled.largest *= factor
        scaled.medianLow *= factor
        scaled.medianHigh *= factor
        return scaled
    }
}
