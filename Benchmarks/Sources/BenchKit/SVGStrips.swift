// SPDX-License-Identifier: MIT

import Foundation

/// A plot with a row of marks for each name, as an SVG file: all tried values, and the best of them.
public struct SVGStrips: Sendable {
    public struct Row: Sendable {
        public var name: String
        /// Successful values, and failed ones.
        public var good: [Double]
        public var bad: [Double]
        /// The best value; nil if there is none.
        public var best: Double?
        /// Whether the row is highlighted.
        public var isOurs: Bool

        public init(name: String, good: [Double], bad: [Double], best: Double?, isOurs: Bool = false) {
            self.name = name
            self.good = good
            self.bad = bad
            self.best = best
            self.isOurs = isOurs
        }
    }

    private static let width = 700.0
    private static let frame = (left: 126.0, right: 620.0, top: 62.0)
    private static let rowHeight = 30.0
    private static let badColour = "#b8b8b8"
    /// The opacity of values that were successful in a short run only.
    private static let paleness = 0.35

    public var title: String
    public var note: String
    public var label: String
    /// The range of the logarithmic axis. Values beyond it are omitted.
    public var limits: ClosedRange<Double>
    public var rows: [Row]

    public init(
        title: String, note: String = "", label: String, limits: ClosedRange<Double>, rows: [Row]
    ) {
        self.title = title
        self.note = note
        self.label = label
        self.limits = limits
        self.rows = rows
    }

    /// The text of the file.
    public var text: String {
        let bottom = Self.frame.top + Double(rows.count) * Self.rowHeight
        let axis = SVGScale(
            range: limits, isLogarithmic: true, start: Self.frame.left, end: Self.frame.right)
        var drawing = SVGDrawing(width: Self.width, height: bottom + 74, title: title, note: note)
        drawing.axis(axis, label: label, top: Self.frame.top, bottom: bottom)
        for (index, row) in rows.enumerated() {
            draw(row, Self.frame.top + (Double(index) + 0.5) * Self.rowHeight, axis, in: &drawing)
        }
        drawKey(bottom + 62, in: &drawing)
        return drawing.text
    }

    private func draw(_ row: Row, _ y: Double, _ axis: SVGScale, in drawing: inout SVGDrawing) {
        let colour = SVGDrawing.colour(isOurs: row.isOurs)
        func place(_ value: Double) -> Double? { limits.contains(value) ? axis.place(value) : nil }
        drawing.write(row.name, Self.frame.left - 10, y + 5, .end, isBold: row.isOurs)
        for x in row.bad.compactMap(place) { drawing.cross(x, y, Self.badColour) }
        for x in row.good.compactMap(place) { drawing.dot(x, y, radius: 3, colour, opacity: Self.paleness) }
        if let best = row.best {
            if let x = place(best) { drawing.dot(x, y, radius: 7, colour) }
            drawing.write(
                String(format: "%.2f ms", best), Self.frame.right + 72, y + 5, .end, colour: colour,
                isBold: row.isOurs)
        } else {
            drawing.write("none", Self.frame.right + 72, y + 5, .end, colour: SVGDrawing.quietColour)
        }
    }

    /// Draws the legend of the marks.
    private func drawKey(_ y: Double, in drawing: inout SVGDrawing) {
        let grey = SVGDrawing.quietColour
        drawing.dot(120, y - 4, radius: 7, grey)
        drawing.write("lowest without a gap", 132, y, size: SVGDrawing.smallSize, colour: grey)
        drawing.dot(300, y - 4, radius: 3, grey, opacity: Self.paleness)
        drawing.write("no gap in a short run", 308, y, size: SVGDrawing.smallSize, colour: grey)
        drawing.cross(468, y - 4, Self.badColour)
        drawing.write("gaps", 478, y, size: SVGDrawing.smallSize, colour: grey)
    }
}
