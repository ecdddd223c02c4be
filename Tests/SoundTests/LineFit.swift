// SPDX-License-Identifier: MIT

/// The line nearest to points, by least squares.
struct LineFit {
    private var slope = 0.0
    private var (middle, height) = (0.0, 0.0)

    init(_ points: [(x: Double, y: Double)]) {
        let count = Double(points.count)
        middle = points.map(\.x).reduce(0, +) / count
        height = points.map(\.y).reduce(0, +) / count
        var (products, squares) = (0.0, 0.0)
        for (x, y) in points {
            products += (x - middle) * (y - height)
            squares += (x - middle) * (x - middle)
        }
        slope = products / squares
    }

    func value(at x: Double) -> Double { height + (x - middle) * slope }
}
