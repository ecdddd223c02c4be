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
