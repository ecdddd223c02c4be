// SPDX-License-Identifier: MIT

extension Double {
    /// The nearest value in `range`; the lower bound for NaN.
    func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}
