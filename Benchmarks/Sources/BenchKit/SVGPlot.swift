// SPDX-License-Identifier: MIT

import Foundation

/// A plot of lines and dots as an SVG file.
public struct SVGPlot: Sendable {
    public enum Style: Sendable { case line, dots, both }

    public struct Series: Sendable {
        public var name: String
        public var points: [(x: Double, y: Double)]
        public var style: Style
        /// Whether the series is highlighted.
        public var isOurs: Bool

        /// The index of the colour in the palette; nil for the index of the series. A name should have the same colour
        /// in every plot.
        public var colour: Int?

        public init(
            name: String, points: [(x: Double, y: Double)], style: Style, isOurs: Bool = false,
            colour: Int? = nil
        ) {
            self.name = name
            self.points = points
            self.style = style
            self.isOurs = isOurs
            self.colour = colour
        }
    }

    public struct Axis: Sendable {
        public var label: String
        public var isLogarithmic: Bool
        /// The range of the axis; nil for the range of the values. Values beyond it are drawn at the edge.
        public var limits: ClosedRange<Double>?
        /// A word that replaces the value of a tick.
        public var word: (tick: Double, text: String)?

        public init(
            _ label: String, isLogarithmic: Bool = false, limits: ClosedRange<Double>? = nil,
            word: (tick: Double, text: String)? = nil
        ) {
            self.label = label
            self.isLogarithmic = isLogarithmic
            self.limits = limits
            self.word = word
        }
    }

    private static let width = 860.0
    private static let height = 480.0
    private static let frame = (left: 84.0, right: 690.0, top: 62.0, bottom: 424.0)
    private static let colours = [
        "#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#9c755f", "#edc948", "#8c8c8c", "#ff9da7",
    ]

    /// Dots at one place are all visible.
    private static let dotOpacity = 0.8

    public var title: String
    public var note: String
    public var x: Axis
    public var y: Axis
    public var series: [Series]

    public init(title: String, note: String = "", x: Axis, y: Axis, series: [Series]) {
        self.title = title
        self.note = note
        self.x = x
        self.y = y
        self.series = series
    }

    /// The text of the file. Values that a logarithmic axis cannot show are omitted.
    public var text: String {
        let horizontal = scale(x, series.flatMap { $0.points.map(\.x) }, Self.frame.left, Self.frame.right)
        let vertical = scale(y, series.flatMap { $0.points.map(\.y) }, Self.frame.bottom, Self.frame.top)
        var drawing = SVGDrawing(width: Self.width, height: Self.height, title: title, note: note)
        drawing.axis(horizontal, label: x.label, top: Self.frame.top, bottom: Self.frame.bottom)
        drawVerticalAxis(vertical, in: &drawing)
        // Highlighted series are drawn last, above the others.
        for (index, series) in series.enumerated().sorted(by: { !$0.element.isOurs && $1.element.isOurs }) {
            draw(series, index, horizontal, vertical, in: &drawing)
        }
        return drawing.text
    }

    // MARK: Scales

    private func scale(_ axis: Axis, _ values: [Double], _ start: Double, _ end: Double) -> SVGScale {
        let usable = values.filter { $0.isFinite && (!axis.isLogarithmic || $0 > 0) }
        var range = axis.limits ?? (usable.min() ?? 0)...(usable.max() ?? 1)
        if axis.isLogarithmic {
            let lowest = max(range.lowerBound, 1e-9)
            range = axis.limits == nil ? (lowest * 0.9)...(max(range.upperBound, lowest) * 1.1) : range
        } else if range.upperBound - range.lowerBound < 1e-9 {
            range = (range.lowerBound - 0.5)...(range.upperBound + 0.5)
        }
        return SVGScale(range: range, isLogarithmic: axis.isLogarithmic, start: start, end: end)
    }

    // MARK: Drawing

    private func drawVerticalAxis(_ scale: SVGScale, in drawing: inout SVGDrawing) {
        for tick in scale.ticks {
            guard let place = scale.place(tick) else { continue }
            drawing.line(Self.frame.left, place, Self.frame.right, place)
            let text = y.word.flatMap { $0.tick == tick ? $0.text : nil } ?? SVGDrawing.number(tick)
            drawing.write(text, Self.frame.left - 6, place + 5, .end)
        }
        drawing.writeUpwards(y.label, 20, (Self.frame.top + Self.frame.bottom) / 2)
    }

    private func draw(
        _ series: Series, _ index: Int, _ horizontal: SVGScale, _ vertical: SVGScale,
        in drawing: inout SVGDrawing
    ) {
        let colour =
            series.isOurs
            ? SVGDrawing.ourColour : Self.colours[(series.colour ?? index) % Self.colours.count]
        let places = series.points.compactMap { point in
            horizontal.place(point.x).flatMap { x in vertical.place(point.y).map { (x: x, y: $0) } }
        }
        if series.style != .dots, places.count > 1 {
            drawing.curve(places, colour, width: series.isOurs ? 2.5 : 1.5)
        }
        if series.style != .line {
            for place in places {
                drawing.dot(place.x, place.y, radius: series.isOurs ? 4 : 3, colour, opacity: Self.dotOpacity)
            }
        }
        let row = Self.frame.top + 10 + Double(index) * 20
        drawing.box(Self.frame.right + 15, row - 9, width: 14, height: 8, colour)
        drawing.write(series.name, Self.frame.right + 35, row, isBold: series.isOurs)
    }
}
