// SPDX-License-Identifier: MIT

import Foundation

/// A plot with a row for each name above a common axis, for curves that would hide each other, as an SVG file.
public struct SVGPanels: Sendable {
    public struct Row: Sendable {
        public var name: String
        public var points: [(x: Double, y: Double)]
        /// The text at the end of the row.
        public var remark: String
        /// The largest value, if the points do not reach it.
        public var largest: Double?
        /// Whether the row is highlighted.
        public var isOurs: Bool

        public init(
            name: String, points: [(x: Double, y: Double)], remark: String, largest: Double? = nil,
            isOurs: Bool = false
        ) {
            self.name = name
            self.points = points
            self.remark = remark
            self.largest = largest
            self.isOurs = isOurs
        }
    }

    private static let width = 700.0
    private static let frame = (left: 126.0, right: 576.0, top: 66.0)
    private static let rowHeight = 46.0
    /// The distance between a curve and the edges of its row.
    private static let margin = 5.0

    public var title: String
    public var note: String
    public var label: String
    /// The values at the bottom and the top of each row; nil for 0 and the largest value of the row.
    public var limits: ClosedRange<Double>?
    public var isLogarithmic: Bool
    /// The largest value of the common axis; nil for the largest of the rows. A row with larger values ends there, and
    /// states how far it goes.
    public var longest: Double?
    public var rows: [Row]

    public init(
        title: String, note: String = "", label: String, limits: ClosedRange<Double>? = nil,
        isLogarithmic: Bool = false, longest: Double? = nil, rows: [Row]
    ) {
        self.title = title
        self.note = note
        self.label = label
        self.limits = limits
        self.isLogarithmic = isLogarithmic
        self.longest = longest
        self.rows = rows
    }

    /// The text of the file. Values that a logarithmic axis cannot show are omitted.
    public var text: String {
        let bottom = Self.frame.top + Double(rows.count) * Self.rowHeight
        let axis = horizontal
        var drawing = SVGDrawing(width: Self.width, height: bottom + 48, title: title, note: note)
        drawing.axis(axis, label: label, top: Self.frame.top, bottom: bottom)
        for (index, row) in rows.enumerated() {
            draw(row, Self.frame.top + Double(index + 1) * Self.rowHeight, axis, in: &drawing)
        }
        return drawing.text
    }

    private var horizontal: SVGScale {
        let values = rows.flatMap { $0.points.map(\.x) }.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
        // A linear axis begins at 0, so that lengths can be compared.
        let smallest = isLogarithmic ? values.min() ?? 1 : min(0, values.min() ?? 0)
        let largest = max(min(values.max() ?? 1, longest ?? .infinity), smallest * 1.0001 + 1e-9)
        return SVGScale(
            range: smallest...largest, isLogarithmic: isLogarithmic, start: Self.frame.left,
            end: Self.frame.right)
    }

    private func draw(
        _ row: Row, _ bottom: Double, _ horizontal: SVGScale, in drawing: inout SVGDrawing
    ) {
        let colour = SVGDrawing.colour(isOurs: row.isOurs)
        let middle = bottom - Self.rowHeight / 2 + 5
        let largest = row.points.map(\.y).filter(\.isFinite).max() ?? 0
        let vertical = SVGScale(
            range: limits ?? 0...max(largest, 1e-9), isLogarithmic: false, start: bottom - Self.margin,
            end: bottom - Self.rowHeight + Self.margin)
        let (points, end) = shown(row)
        let places = points.compactMap { point in
            horizontal.place(point.x).flatMap { x in vertical.place(point.y).map { (x: x, y: $0) } }
        }
        drawing.line(Self.frame.left, bottom, Self.frame.right, bottom)
        drawing.write(row.name, Self.frame.left - 10, middle, .end, isBold: row.isOurs)
        drawing.write(
            row.remark, Self.width - 8, middle, .end, size: SVGDrawing.smallSize, colour: colour,
            isBold: row.isOurs)
        if let end {
            drawing.write(
                "to \(SVGDrawing.number((end * 10).rounded() / 10)) ▸", Self.frame.right - 2, bottom - 12,
                .end,
                size: SVGDrawing.smallSize, colour: SVGDrawing.quietColour)
        }
        guard places.count > 1 else { return }
        if limits == nil {
            drawing.area(places, bottom: vertical.start, colour)
        } else {
            drawing.curve(places, colour, width: 1.2)
        }
    }

    /// Returns the points of a row up to the end of the axis, and the last value if it is beyond that end.
    private func shown(_ row: Row) -> (points: [(x: Double, y: Double)], end: Double?) {
        guard let longest, let end = row.largest ?? row.points.map(\.x).filter(\.isFinite).max(),
            end > longest
        else { return (row.points, nil) }
        let inside = row.points.prefix { $0.x <= longest }
        guard let next = row.points.dropFirst(inside.count).first else { return (row.points, end) }
        return (inside + [(longest, next.y)], end)
    }
}
