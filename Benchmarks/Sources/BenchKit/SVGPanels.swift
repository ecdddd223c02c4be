import Foundation

/// A row of its own for each name over one axis, as an SVG file of its own: for curves that would hide each other.
public struct SVGPanels: Sendable {
    public struct Row: Sendable {
        public var name: String
        public var points: [(x: Double, y: Double)]
        /// What is written behind it.
        public var remark: String
        /// Stands out from the others.
        public var isOurs: Bool

        public init(name: String, points: [(x: Double, y: Double)], remark: String, isOurs: Bool = false) {
            self.name = name
            self.points = points
            self.remark = remark
            self.isOurs = isOurs
        }
    }

    private static let width = 700.0
    private static let frame = (left: 110.0, right: 540.0, top: 66.0)
    private static let rowHeight = 46.0
    /// Between a row's curve and the next row.
    private static let margin = 5.0
    private static let ourColour = "#d62728"
    private static let colour = "#33658a"

    public var title: String
    public var note: String
    public var label: String
    /// What is at the bottom and at the top of each row; nil is from 0 to the row's own largest value.
    public var limits: ClosedRange<Double>?
    public var isLogarithmic: Bool
    public var rows: [Row]

    public init(
        title: String, note: String = "", label: String, limits: ClosedRange<Double>? = nil,
        isLogarithmic: Bool = false, rows: [Row]
    ) {
        self.title = title
        self.note = note
        self.label = label
        self.limits = limits
        self.isLogarithmic = isLogarithmic
        self.rows = rows
    }

    /// The file's text; values that cannot be on a logarithmic axis are left out.
    public var text: String {
        let bottom = Self.frame.top + Double(rows.count) * Self.rowHeight
        let height = Int(bottom + 48)
        let axis = horizontal
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Int(Self.width))" height="\#(height)" "#
                + #"viewBox="0 0 \#(Int(Self.width)) \#(height)" font-family="sans-serif" font-size="14">"#,
            #"<rect width="100%" height="100%" rx="6" fill="white"/>"#,
            write(title, 16, 24, #"font-size="17" font-weight="bold""#),
            write(note, 16, 44, #"font-size="12" fill="dimgray""#),
        ]
        for tick in axis.ticks {
            guard let x = axis.place(tick) else { continue }
            lines.append(line(x, Self.frame.top, x, bottom))
            lines.append(write(String(format: "%g", tick), x, bottom + 18, #"text-anchor="middle""#))
        }
        for (index, row) in rows.enumerated() {
            lines += draw(row, Self.frame.top + Double(index + 1) * Self.rowHeight, axis)
        }
        let middle = (Self.frame.left + Self.frame.right) / 2
        lines.append(write(label, middle, bottom + 38, #"text-anchor="middle""#))
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var horizontal: SVGScale {
        let values = rows.flatMap { $0.points.map(\.x) }.filter { $0.isFinite && (!isLogarithmic || $0 > 0) }
        let smallest = values.min() ?? (isLogarithmic ? 1 : 0)
        let largest = max(values.max() ?? 1, smallest * 1.0001 + 1e-9)
        return SVGScale(
            range: smallest...largest, isLogarithmic: isLogarithmic, start: Self.frame.left,
            end: Self.frame.right)
    }

    private func draw(_ row: Row, _ bottom: Double, _ horizontal: SVGScale) -> [String] {
        let colour = row.isOurs ? Self.ourColour : Self.colour
        let weight = row.isOurs ? #" font-weight="bold""# : ""
        let middle = bottom - Self.rowHeight / 2 + 5
        let largest = row.points.map(\.y).filter(\.isFinite).max() ?? 0
        let vertical = SVGScale(
            range: limits ?? 0...max(largest, 1e-9), isLogarithmic: false, start: bottom - Self.margin,
            end: bottom - Self.rowHeight + Self.margin)
        let places = row.points.compactMap { point in
            horizontal.place(point.x).flatMap { x in vertical.place(point.y).map { (x: x, y: $0) } }
        }
        var lines = [
            line(Self.frame.left, bottom, Self.frame.right, bottom),
            write(row.name, Self.frame.left - 10, middle, #"text-anchor="end"\#(weight)"#),
            write(
                row.remark, Self.width - 8, middle,
                #"text-anchor="end" font-size="12" fill="\#(colour)"\#(weight)"#),
        ]
        if let first = places.first, let last = places.last, places.count > 1 {
            let path = places.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
            if limits == nil {
                let ends = [first, last].map { "\(short($0.x)),\(short(vertical.start))" }
                // With a stroke, so that one narrow bar is seen.
                lines.append(
                    #"<polygon points="\#(ends[0]) \#(path) \#(ends[1])" fill="\#(colour)" "#
                        + #"stroke="\#(colour)" stroke-width="1.2"/>"#)
            } else {
                lines.append(
                    #"<polyline points="\#(path)" fill="none" stroke="\#(colour)" stroke-width="1.2"/>"#)
            }
        }
        return lines
    }

    private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> String {
        #"<line x1="\#(short(x1))" y1="\#(short(y1))" x2="\#(short(x2))" y2="\#(short(y2))" stroke="gainsboro"/>"#
    }

    private func write(_ text: String, _ x: Double, _ y: Double, _ attributes: String) -> String {
        #"<text x="\#(short(x))" y="\#(short(y))" \#(attributes)>\#(SVGTicks.escaped(text))</text>"#
    }

    private func short(_ value: Double) -> String { String(format: "%.1f", value) }
}
