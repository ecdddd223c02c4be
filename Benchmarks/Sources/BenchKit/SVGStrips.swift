import Foundation

/// A plot of a row of marks for each name, as an SVG file of its own: what was tried, and what is the best of it.
public struct SVGStrips: Sendable {
    public struct Row: Sendable {
        public var name: String
        /// Values that are good, and values that are not.
        public var good: [Double]
        public var bad: [Double]
        /// The one that counts; nil where there is none.
        public var best: Double?
        /// Stands out from the others.
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
    private static let frame = (left: 110.0, right: 620.0, top: 62.0)
    private static let rowHeight = 30.0
    private static let ourColour = "#d62728"
    private static let colour = "#33658a"
    private static let badColour = "#b8b8b8"

    public var title: String
    public var note: String
    public var label: String
    /// On a logarithmic axis; what is beyond is left out.
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

    /// The file's text.
    public var text: String {
        let bottom = Self.frame.top + Double(rows.count) * Self.rowHeight
        let height = Int(bottom + 66)
        var lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(Int(Self.width))" height="\#(height)" "#
                + #"viewBox="0 0 \#(Int(Self.width)) \#(height)" font-family="sans-serif" font-size="14">"#,
            // Of its own, so that it is read on a dark page as on a light one.
            #"<rect width="100%" height="100%" rx="6" fill="white"/>"#,
            write(title, 16, 24, #"font-size="17" font-weight="bold""#),
            write(note, 16, 44, #"font-size="12" fill="dimgray""#),
        ]
        for tick in SVGTicks.logarithmic(limits) {
            guard let x = place(tick) else { continue }
            lines.append(
                #"<line x1="\#(short(x))" y1="\#(short(Self.frame.top))" x2="\#(short(x))" y2="\#(short(bottom))" stroke="gainsboro"/>"#
            )
            lines.append(write(String(format: "%g", tick), x, bottom + 18, #"text-anchor="middle""#))
        }
        for (index, row) in rows.enumerated() {
            lines += draw(row, Self.frame.top + (Double(index) + 0.5) * Self.rowHeight)
        }
        let middle = (Self.frame.left + Self.frame.right) / 2
        lines.append(write(label, middle, bottom + 38, #"text-anchor="middle""#))
        lines += key(bottom + 56)
        return (lines + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func draw(_ row: Row, _ y: Double) -> [String] {
        let colour = row.isOurs ? Self.ourColour : Self.colour
        var lines = [
            write(
                row.name, Self.frame.left - 10, y + 5,
                #"text-anchor="end"\#(row.isOurs ? #" font-weight="bold""# : "")"#)
        ]
        lines += row.bad.compactMap(place).map { cross($0, y) }
        lines += row.good.compactMap(place).map { dot($0, y, 3, colour, #" fill-opacity="0.35""#) }
        if let best = row.best, let x = place(best) {
            lines.append(dot(x, y, 7, colour, ""))
            lines.append(
                write(
                    String(format: "%.2f ms", best), Self.frame.right + 72, y + 5,
                    #"text-anchor="end" fill="\#(colour)"\#(row.isOurs ? #" font-weight="bold""# : "")"#))
        } else {
            lines.append(write("none", Self.frame.right + 72, y + 5, #"text-anchor="end" fill="dimgray""#))
        }
        return lines
    }

    /// What the marks mean.
    private func key(_ y: Double) -> [String] {
        let grey = "dimgray"
        let words = #"font-size="12" fill="dimgray""#
        return [
            dot(120, y - 4, 7, grey, ""), write("lowest without a gap, held", 132, y, words),
            dot(318, y - 4, 3, grey, #" fill-opacity="0.35""#),
            write("short run without a gap", 326, y, words),
            cross(492, y - 4), write("with gaps", 502, y, words),
        ]
    }

    private func place(_ value: Double) -> Double? {
        guard value.isFinite, limits.contains(value) else { return nil }
        let share = log(value / limits.lowerBound) / log(limits.upperBound / limits.lowerBound)
        return Self.frame.left + share * (Self.frame.right - Self.frame.left)
    }

    private func dot(_ x: Double, _ y: Double, _ radius: Int, _ colour: String, _ more: String) -> String {
        #"<circle cx="\#(short(x))" cy="\#(short(y))" r="\#(radius)" fill="\#(colour)"\#(more)/>"#
    }

    private func cross(_ x: Double, _ y: Double) -> String {
        let ends = (short(x - 3), short(x + 3), short(y - 3), short(y + 3))
        return
            #"<path d="M\#(ends.0) \#(ends.2)L\#(ends.1) \#(ends.3)M\#(ends.0) \#(ends.3)L\#(ends.1) \#(ends.2)" stroke="\#(Self.badColour)" stroke-width="1.5"/>"#
    }

    private func write(_ text: String, _ x: Double, _ y: Double, _ attributes: String) -> String {
        #"<text x="\#(short(x))" y="\#(short(y))" \#(attributes)>\#(SVGTicks.escaped(text))</text>"#
    }

    private func short(_ value: Double) -> String { String(format: "%.1f", value) }
}

/// What plots have in common.
enum SVGTicks {
    /// 1, 2 and 5 of every power of ten within a range, and more of them in a short one.
    static func logarithmic(_ range: ClosedRange<Double>) -> [Double] {
        let exponents =
            Int(log10(range.lowerBound).rounded(.down))...Int(log10(range.upperBound).rounded(.up))
        let isShort = range.upperBound < range.lowerBound * 10
        let digits = isShort ? [1, 1.5, 2, 3, 4, 5, 7] : [1.0, 2, 5]
        return exponents.flatMap { exponent in digits.map { $0 * pow(10, Double(exponent)) } }
            .filter { $0 >= range.lowerBound * 0.999 && $0 <= range.upperBound * 1.001 }
    }

    static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
