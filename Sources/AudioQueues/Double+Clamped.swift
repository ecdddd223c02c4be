extension Double {
    /// The nearest value in `range`; its lower bound for what is no number.
    func clamped(to range: ClosedRange<Double>) -> Double {
        isNaN ? range.lowerBound : min(max(self, range.lowerBound), range.upperBound)
    }
}
