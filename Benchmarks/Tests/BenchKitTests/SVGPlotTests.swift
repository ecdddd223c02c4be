// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("Plots and tables")
struct SVGPlotTests {
    @Test("a plot is well-formed XML, whatever its names and values", arguments: [false, true])
    func wellFormed(isLogarithmic: Bool) {
        let plot = SVGPlot(
            title: "a < b & \"c\"", x: .init("x", isLogarithmic: isLogarithmic),
            y: .init("y", isLogarithmic: isLogarithmic),
            series: [
                .init(name: "<none>", points: [], style: .line),
                .init(name: "one", points: [(1, 1)], style: .both, isOurs: true),
                .init(name: "odd", points: [(0, 0), (-1, .nan), (5, .infinity), (7, 1e6)], style: .both),
            ])
        #expect(XMLParser(data: Data(plot.text.utf8)).parse())
        #expect(!plot.text.contains("nan") && !plot.text.contains("inf\""))
    }

    @Test("a plot of rows is well-formed, and leaves out what is beyond its limits")
    func strips() {
        let plot = SVGStrips(
            title: "a & b", label: "<ms>", limits: 1...100,
            rows: [
                .init(name: "<ours>", good: [1, 10, 1000], bad: [0, .nan, 2], best: 10, isOurs: true),
                .init(name: "none", good: [], bad: [], best: nil),
            ])
        #expect(XMLParser(data: Data(plot.text.utf8)).parse())
        #expect(plot.text.contains(#"cx="373.0""#))
        #expect(plot.text.components(separatedBy: "<circle").count - 1 == 3 + 2)
    }

    @Test("the best of a row is printed, also beyond the axis")
    func bestBeyond() {
        let plot = SVGStrips(
            title: "", label: "", limits: 1...100,
            rows: [.init(name: "slow", good: [120], bad: [], best: 120)])
        #expect(plot.text.contains(">120.00 ms<") && !plot.text.contains(">none<"))
    }

    @Test("all plots have white paper of their own, for dark pages")
    func paper() {
        let paper = #"<rect width="100%" height="100%" rx="6" fill="white"/>"#
        #expect(SVGStrips(title: "", label: "", limits: 1...2, rows: []).text.contains(paper))
        #expect(SVGPanels(title: "", label: "", rows: []).text.contains(paper))
        #expect(SVGPlot(title: "", x: .init("x"), y: .init("y"), series: []).text.contains(paper))
    }

    @Test("a plot of panels is well-formed, whatever is in them", arguments: [false, true])
    func panels(isLogarithmic: Bool) {
        let plot = SVGPanels(
            title: "a < b", label: "ms", limits: isLogarithmic ? -1...1 : nil, isLogarithmic: isLogarithmic,
            rows: [
                .init(name: "<none>", points: [], remark: ""),
                .init(name: "one", points: [(1, 1)], remark: "1 & 2", isOurs: true),
                .init(name: "odd", points: [(0, 0), (-1, .nan), (5, .infinity), (7, 1e6)], remark: ""),
            ])
        #expect(XMLParser(data: Data(plot.text.utf8)).parse())
        #expect(!plot.text.contains("nan") && !plot.text.contains("inf"))
        #expect(plot.text.components(separatedBy: "<po").count - 1 == (isLogarithmic ? 0 : 1))
        #expect(XMLParser(data: Data(SVGPanels(title: "", label: "", rows: []).text.utf8)).parse())
    }

    /// The text elements of a plot, with their font sizes.
    private func texts(_ plot: String) -> [(text: String, size: Double)] {
        plot.split(separator: "\n").filter { $0.hasPrefix("<text") }.map { line in
            let size = line.firstMatch(of: /font-size="(\d+)"/).flatMap { Double($0.output.1) } ?? 14
            return (String(line.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }), size)
        }
    }

    @Test("a long title is complete, in lines that fit the width, and moves the plot down")
    func longTitle() throws {
        let title =
            "Latency from callback to sink: the lowest without a gap of its own in 60 s, and more words"
        let plot = SVGStrips(title: title, label: "ms", limits: 1...100, rows: []).text
        let lines = texts(plot).filter { $0.size == 17 }.map(\.text)
        #expect(lines.count == 2 && lines.joined(separator: " ") == title)
        #expect(lines.allSatisfy { Double($0.count) * 17 * 0.62 <= 700 - 32 })
        #expect(plot.contains(#"<g transform="translate(0 20.0)">"#) && plot.contains(#"height="156""#))
        let short = SVGStrips(title: "short", label: "ms", limits: 1...100, rows: []).text
        #expect(short.contains(#"<g transform="translate(0 0.0)">"#) && short.contains(#"height="136""#))
    }

    @Test("one late value does not compress a row: it is beyond the end of the axis, which states it")
    func late() {
        let plot = SVGPanels(
            title: "", label: "ms", longest: 5,
            rows: [
                .init(name: "late", points: [(1, 0), (2, 9), (4, 9), (6, 1), (50, 1)], remark: ""),
                .init(name: "early", points: [(1, 0), (2, 9), (3, 9)], remark: ""),
            ]
        ).text
        // The frame is from 126 to 576, so a millisecond is 90 wide.
        #expect(plot.contains("216.0,") && plot.contains("306.0,") && plot.contains("576.0,"))
        #expect(texts(plot).map(\.text).filter { $0.contains("▸") } == ["to 50 ▸"])
        #expect(!texts(plot).contains { $0.text == "10" })
    }

    @Test("a linear axis begins at zero, and zero is drawn there")
    func zero() {
        let plot = SVGPanels(
            title: "", label: "ms", rows: [.init(name: "row", points: [(5, 1), (10, 1)], remark: "")]
        ).text
        #expect(plot.contains(#"<text x="126.0" y="130.0" text-anchor="middle">0</text>"#))
        #expect(plot.contains("351.0,"))
    }

    @Test("a tick with a word is labelled with the word")
    func word() {
        let plot = SVGPlot(
            title: "", x: .init("x"),
            y: .init("y", isLogarithmic: true, limits: 0.5...10, word: (0.5, "none")),
            series: [.init(name: "line", points: [(0, 1), (10, 5)], style: .line)])
        #expect(plot.text.contains(">none<") && !plot.text.contains(">0.5<"))
    }

    @Test("a plot of nothing is a plot")
    func empty() {
        let plot = SVGPlot(title: "", x: .init("x"), y: .init("y"), series: [])
        #expect(XMLParser(data: Data(plot.text.utf8)).parse())
    }

    @Test("points are where they belong: left, right, bottom and top of the frame")
    func places() {
        let plot = SVGPlot(
            title: "", x: .init("x"), y: .init("y"),
            series: [.init(name: "line", points: [(0, 0), (10, 5)], style: .line)])
        #expect(plot.text.contains(#"points="84.0,424.0 690.0,62.0""#))
    }

    @Test("a table has as many cells in every row, and no bar of a cell's own")
    func table() {
        var table = MarkdownTable(["name", "a", "b"])
        table.add(["x|y", "1"])
        #expect(table.text == "| name | a | b |\n| --- | ---: | ---: |\n| x\\|y | 1 |  |\n")
    }
}
