// SPDX-License-Identifier: MIT

import Foundation

/// The text of an SVG file, with the parts that all plots have in common: background, heading and axis.
struct SVGDrawing {
    static let ourColour = "#d62728"
    static let colour = "#33658a"
    /// The colour of explanations.
    static let quietColour = "dimgray"
    static let smallSize = 12

    enum Anchor: String { case start, middle, end }

    private static let titleSize = 17
    /// The distance between two lines of the heading.
    private static let headingLine = 20.0
    /// The width of an average character, as a share of the size of the text: more than that of the usual fonts.
    private static let characterShare = 0.62

    private var lines: [String]

    /// Writes the heading. If it needs more than one line for the title or the note, everything below moves down.
    init(width: Double, height: Double, title: String, note: String) {
        let titles = Self.wrapped(title, width: width - 32, size: Self.titleSize)
        let notes = Self.wrapped(note, width: width - 32, size: Self.smallSize)
        let moved = Double(titles.count - 1 + notes.count - 1) * Self.headingLine
        let size = (Int(width), Int(height + moved))
        lines = [
            #"<svg xmlns="http://www.w3.org/2000/svg" width="\#(size.0)" height="\#(size.1)" "#
                + #"viewBox="0 0 \#(size.0) \#(size.1)" font-family="sans-serif" font-size="14">"#,
            // A white background, so that the text is readable on a dark page too.
            #"<rect width="100%" height="100%" rx="6" fill="white"/>"#,
        ]
        for (index, line) in titles.enumerated() {
            write(line, 16, 24 + Double(index) * Self.headingLine, size: Self.titleSize, isBold: true)
        }
        let noteTop = 44 + Double(titles.count - 1) * Self.headingLine
        for (index, line) in notes.enumerated() {
            write(
                line, 16, noteTop + Double(index) * Self.headingLine, size: Self.smallSize,
                colour: Self.quietColour)
        }
        add(#"<g transform="translate(0 \#(Self.short(moved)))">"#)
    }

    /// The text of the file.
    var text: String { (lines + ["</g>", "</svg>"]).joined(separator: "\n") + "\n" }

    /// Returns the lines of a text, of which each fits the width; a single word may be longer.
    private static func wrapped(_ text: String, width: Double, size: Int) -> [String] {
        let most = max(1, Int(width / (Double(size) * characterShare)))
        var lines = [""]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= most {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }

    static func colour(isOurs: Bool) -> String { isOurs ? ourColour : colour }

    // MARK: Parts

    /// Draws an axis at the bottom, with a line to the top at each tick.
    mutating func axis(_ scale: SVGScale, label: String, top: Double, bottom: Double) {
        for tick in scale.ticks {
            guard let x = scale.place(tick) else { continue }
            line(x, top, x, bottom)
            write(Self.number(tick), x, bottom + 18, .middle)
        }
        write(label, (scale.start + scale.end) / 2, bottom + 38, .middle)
    }

    mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        let ends = (Self.short(x1), Self.short(y1), Self.short(x2), Self.short(y2))
        add(
            #"<line x1="\#(ends.0)" y1="\#(ends.1)" x2="\#(ends.2)" y2="\#(ends.3)" stroke="gainsboro"/>"#)
    }

    mutating func write(
        _ text: String, _ x: Double, _ y: Double, _ anchor: Anchor = .start, size: Int? = nil,
        colour: String? = nil, isBold: Bool = false
    ) {
        let attributes =
            (anchor == .start ? "" : #" text-anchor="\#(anchor.rawValue)""#)
            + (size.map { #" font-size="\#($0)""# } ?? "") + (colour.map { #" fill="\#($0)""# } ?? "")
            + (isBold ? #" font-weight="bold""# : "")
        add(#"<text x="\#(Self.short(x))" y="\#(Self.short(y))"\#(attributes)>\#(Self.escaped(text))</text>"#)
    }

    /// Writes upwards, centred on a point.
    mutating func writeUpwards(_ text: String, _ x: Double, _ y: Double) {
        let place = "translate(\(Self.short(x)) \(Self.short(y))) rotate(-90)"
        add(#"<text text-anchor="middle" transform="\#(place)">\#(Self.escaped(text))</text>"#)
    }

    mutating func dot(_ x: Double, _ y: Double, radius: Int, _ colour: String, opacity: Double = 1) {
        let more = opacity < 1 ? #" fill-opacity="\#(opacity)""# : ""
        add(
            #"<circle cx="\#(Self.short(x))" cy="\#(Self.short(y))" r="\#(radius)" fill="\#(colour)"\#(more)/>"#
        )
    }

    mutating func cross(_ x: Double, _ y: Double, _ colour: String) {
        let ends = (Self.short(x - 3), Self.short(x + 3), Self.short(y - 3), Self.short(y + 3))
        add(
            #"<path d="M\#(ends.0) \#(ends.2)L\#(ends.1) \#(ends.3)M\#(ends.0) \#(ends.3)L\#(ends.1) \#(ends.2)" "#
                + #"stroke="\#(colour)" stroke-width="1.5"/>"#)
    }

    mutating func curve(_ places: [(x: Double, y: Double)], _ colour: String, width: Double) {
        add(
            #"<polyline points="\#(Self.path(places))" fill="none" stroke="\#(colour)" stroke-width="\#(width)"/>"#
        )
    }

    /// Draws the area between a curve and the height `bottom`.
    mutating func area(_ places: [(x: Double, y: Double)], bottom: Double, _ colour: String) {
        guard let first = places.first, let last = places.last else { return }
        let outline = Self.path([(first.x, bottom)] + places + [(last.x, bottom)])
        // The stroke makes a single narrow bar visible.
        add(#"<polygon points="\#(outline)" fill="\#(colour)" stroke="\#(colour)" stroke-width="1.2"/>"#)
    }

    mutating func box(_ x: Double, _ y: Double, width: Int, height: Int, _ colour: String) {
        add(
            #"<rect x="\#(Self.short(x))" y="\#(Self.short(y))" width="\#(width)" height="\#(height)" "#
                + #"fill="\#(colour)"/>"#)
    }

    private mutating func add(_ element: String) { lines.append(element) }

    // MARK: Numbers and words

    static func short(_ value: Double) -> String { String(format: "%.1f", value) }

    static func number(_ value: Double) -> String { String(format: "%g", value) }

    private static func path(_ places: [(x: Double, y: Double)]) -> String {
        places.map { "\(short($0.x)),\(short($0.y))" }.joined(separator: " ")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
