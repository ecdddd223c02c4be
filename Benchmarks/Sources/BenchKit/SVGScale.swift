// SPDX-License-Identifier: MIT

import Foundation

/// Maps the values of an axis to positions in a picture.
struct SVGScale {
    var range: ClosedRange<Double>
    var isLogarithmic: Bool
    var start: Double
    var end: Double

    /// Returns the position of a value, at the edge if it is beyond the range; nil if the axis cannot show it.
    func place(_ value: Double) -> Double? {
        guard value.isFinite, !isLogarithmic || value > 0 else { return nil }
        let inside = min(max(value, range.lowerBound), range.upperBound)
        let share =
            isLogarithmic
            ? log(inside / range.lowerBound) / log(range.upperBound / range.lowerBound)
            : (inside - range.lowerBound) / (range.upperBound - range.lowerBound)
        return start + share * (end - start)
    }

    var ticks: [Double] {
        if isLogarithmic { return logarithmicTicks }
        let rough = (range.upperBound - range.lowerBound) / 8
        let power = pow(10, log10(rough).rounded(.down))
        let step = [1.0, 2, 5, 10].map { $0 * power }.first { $0 >= rough } ?? rough
        return stride(
            from: (range.lowerBound / step).rounded(.up) * step, through: range.upperBound + step / 1000,
            by: step
        ).map { abs($0) < step / 1000 ? 0 : $0 }
    }

    /// The multiples 1, 2 and 5 of every power of ten within the range; more multiples in a short range.
    private var logarithmicTicks: [Double] {
        let exponents =
            Int(log10(range.lowerBound).rounded(.down))...Int(log10(range.upperBound).rounded(.up))
        let isShort = range.upperBound < range.lowerBound * 10
        let digits = isShort ? [1, 1.5, 2, 3, 4, 5, 7] : [1.0, 2, 5]
        return exponents.flatMap { exponent in digits.map { $0 * pow(10, Double(exponent)) } }
            .filter { $0 >= range.lowerBound * 0.999 && $0 <= range.upperBound * 1.001 }
    }
}
