import Foundation

/// A plot of lines and dots, as an SVG file of its own.
public struct SVGPlot: Sendable {
    public enum Style: Sendable { case line, dots, both }

    public struct Series: Sendable {
        public var name: String
        public var points: [(x: Double, y: Double)]
        public var style: Style
        /// Stands out from the others.
        public var isOurs: Bool

        /// Which colour of the palette it has; nil is that of its place. The same name should have the same
        /// colour in every plot.
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
        /// What is beyond it is drawn at the edge.
        public var limits: ClosedRange<Double>?
        /// A tick's value that is told as a word.
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
    private static let frame = (left: 70.0, right: 690.0, top: 50.0, bottom: 420.0)
    private static let colours = [
        "#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#9c755f", "#edc948", "#8c8c8c", "#ff9da7",
    ]
    private static let ourColour = "#d62728"

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

    /// The file's text; values that cannot be on a logarithmic axis are left out.
    public var text: String {
        let horizontal = scale(x, series.flatMap { $0.points.map(\.x) }, Self.frame.left, Self.frame.right)
        let vertical = scale(y, series.flatMap { $0.points.map(\.y) }, Self.frame.bottom, Self.frame.top)
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Int(Self.width))" height="\#(Int(Self.height))" "#
                + #"viewBox="0 0 \#(Int(Self.width)) \#(Int(Self.height))" font-family="sans-serif" font-size="12">"#,
            #"<rect width="100%" height="100%" fill="white"/>"#,
            label(title, Self.frame.left, 24, #"font-size="16" font-weight="bold""#),
            label(note, Self.frame.left, 41, #"fill="gray""#),
        ]
        lines += grid(horizontal, vertical)
        // What stands out is above the others.
        for (index, series) in series.enumerated().sorted(by: { !$0.element.isOurs && $1.element.isOurs }) {
            lines += draw(series, index, horizontal, vertical)
        }
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
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

    private func grid(_ horizontal: SVGScale, _ vertical: SVGScale) -> [String] {
        var lines: [String] = []
        for tick in horizontal.ticks {
            guard let place = horizontal.place(tick) else { continue }
            lines.append(stroke(place, Self.frame.top, place, Self.frame.bottom))
            lines.append(label(number(tick), place, Self.frame.bottom + 17, #"text-anchor="middle""#))
        }
        for tick in vertical.ticks {
            guard let place = vertical.place(tick) else { continue }
            lines.append(stroke(Self.frame.left, place, Self.frame.right, place))
            let text = y.word.flatMap { $0.tick == tick ? $0.text : nil } ?? number(tick)
            lines.append(label(text, Self.frame.left - 6, place + 4, #"text-anchor="end""#))
        }
        let middle = (Self.frame.left + Self.frame.right) / 2
        lines.append(label(x.label, middle, Self.frame.bottom + 40, #"text-anchor="middle""#))
        lines.append(
            label(
                y.label, 0, 0,
                #"text-anchor="middle" transform="translate(18 \#(Int((Self.frame.top + Self.frame.bottom) / 2))) rotate(-90)""#
            ))
        return lines
    }

    private func draw(
        _ series: Series, _ index: Int, _ horizontal: SVGScale, _ vertical: SVGScale
    ) -> [String] {
        let colour =
            series.isOurs ? Self.ourColour : Self.colours[(series.colour ?? index) % Self.colours.count]
        let width = series.isOurs ? 2.5 : 1.5
        let places = series.points.compactMap { point in
            horizontal.place(point.x).flatMap { x in vertical.place(point.y).map { (x: x, y: $0) } }
        }
        var lines: [String] = []
        if series.style != .dots, places.count > 1 {
            let path = places.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
            lines.append(
                #"<polyline points="\#(path)" fill="none" stroke="\#(colour)" stroke-width="\#(width)"/>"#)
        }
        if series.style != .line {
            lines += places.map {
                #"<circle cx="\#(short($0.x))" cy="\#(short($0.y))" r="\#(series.isOurs ? 4 : 3)" fill="\#(colour)"/>"#
            }
        }
        let row = Self.frame.top + 10 + Double(index) * 20
        lines.append(
            #"<rect x="\#(Self.frame.right + 15)" y="\#(row - 8)" width="14" height="8" fill="\#(colour)"/>"#)
        lines.append(
            label(
                series.name, Self.frame.right + 35, row, series.isOurs ? #"font-weight="bold""# : ""))
        return lines
    }

    private func stroke(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        #"<line x1="\#(short(x1))" y1="\#(short(y1))" x2="\#(short(x2))" y2="\#(short(y2))" stroke="gainsboro"/>"#
    }

    private func label(_ text: String, _ x: Double, _ y: Double, _ attributes: String) -> String {
        #"<text x="\#(short(x))" y="\#(short(y))" \#(attributes)>\#(SVGTicks.escaped(text))</text>"#
    }

    private func short(_ value: Double) -> String { String(format: "%.1f", value) }
    private func number(_ value: Double) -> String { String(format: "%g", (value * 1e6).rounded() / 1e6) }
}
