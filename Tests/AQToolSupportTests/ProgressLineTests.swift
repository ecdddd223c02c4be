// SPDX-License-Identifier: MIT

import AQExpectations
import Testing
import AQToolSupport

@Suite("ProgressLine")
struct ProgressLineTests {
    private var line: ProgressLine {
        var line = ProgressLine(elapsedSeconds: 12.9, totalSeconds: 225, title: "Air on the G String")
        line.level = .init(rms: 0.1, peak: 0.5)
        line.trackNumber = 2
        line.trackCount = 7
        return line
    }

    @Test(
        "leaves out the least important parts as the window narrows",
        arguments: [
            (
                119,
                """
                > 0:12 / 3:45  ━──────────────────────  [███████████▍   ┃ ]  2/7  -6.0 dB  Air on the G String
                """
            ),
            (79, "> 0:12 / 3:45  ╸──────────────  [███████▍ ┃ ]  2/7  -6.0 dB  Air on the G Stri…"),
            (59, "> 0:12 / 3:45  ╸──────────  [█████▍ ┃]  2/7  Air on the G …"),
            (39, "> 0:12 / 3:45  ────────  Air on the G …"),
            (30, "> 0:12 / 3:45  2/7  Air on th…"),
            (20, "> 0:12/3:45  Air on…"),
            (12, "> 0:12/3:45"),
            (5, "> 0:…"),
            (1, "…"),
            (0, ""),
        ])
    func widths(columns: Int, expected: String) {
        var line = line
        line.gain = 0.5
        expectEqual(line.text(columns: columns, style: .blocks), expected)
    }

    @Test("shows a speed other than the normal one")
    func speed() {
        var line = line
        line.speed = 1.1
        expectEqual(
            line.text(columns: 79, style: .ascii),
            "> 0:12 / 3:45  1.10x  ---------------  [#######--|-]  2/7  Air on the G String")
        expectEqual(line.text(columns: 12, style: .ascii), "> 0:12/3:45")
    }

    @Test("has a meter if there is no length for a bar")
    func unknownLength() {
        var line = line
        line.totalSeconds = nil
        expectEqual(line.text(columns: 39, style: .ascii), "> 0:12  [#####-|-]  2/7  Air on the G …")
    }

    @Test(
        "shows a volume that was just changed at any width, instead of other parts",
        arguments: [
            (79, "> 0:12 / 3:45  ---------------  [#######--|-]  2/7  0.0 dB  Air on the G String"),
            (39, "> 0:12 / 3:45  --------  0.0 dB  Air o…"), (23, "> 0:12/3:45  0.0 dB"),
            (18, "> 0:12  0.0 dB"), (12, "> 0.0 dB"), (7, "0.0 dB"), (6, "0.0 dB"), (4, "0.0…"),
        ])
    func newVolume(columns: Int, expected: String) {
        var line = line
        line.isGainNew = true
        expectEqual(line.text(columns: columns, style: .ascii), expected)
    }

    @Test("never exceeds the width, whatever the title", arguments: 0...120)
    func neverTooWide(columns: Int) {
        for title in ["", "a", "日本語の題名はとても長い", "e\u{301}e\u{301}e\u{301}", "👩‍👩‍👧‍👦🇩🇪❤️ love", "\u{1B}[2J\nx"] {
            var line = line
            line.title = String(repeating: title, count: 9)
            line.gain = 0.5
            for style in [BarStyle.ascii, .blocks] {
                #expect(DisplayText.columns(of: line.text(columns: columns, style: style)) <= columns)
                line.isGainNew = true
                #expect(DisplayText.columns(of: line.text(columns: columns, style: style)) <= columns)
            }
        }
    }

    @Test("shows a pause, the volume and an unknown length")
    func variants() {
        var line = ProgressLine(elapsedSeconds: 3700, totalSeconds: nil, title: "standard input")
        line.isPaused = true
        line.gain = 0.5
        expectEqual(line.text(columns: 79, style: .ascii), "= 1:01:40  -6.0 dB  standard input")
        line.gain = 0
        expectEqual(line.text(columns: 79, style: .ascii), "= 1:01:40  mute  standard input")
    }

    @Test("keeps its columns while the time grows")
    func steadyColumns() {
        let early = ProgressLine(elapsedSeconds: 5, totalSeconds: 4000, title: "t").text(
            columns: 39, style: .blocks)
        let late = ProgressLine(elapsedSeconds: 3999, totalSeconds: 4000, title: "t").text(
            columns: 39, style: .blocks)
        expectEqual(early, ">    0:05 / 1:06:40  ────────  t")
        expectEqual(early.count, late.count)
    }

    @Test(
        "the meter runs from -60 dB to full scale",
        arguments: [
            (0, 0, "--------", "        "), (0.001, 0.001, "--------", "        "),
            (1, 1, "########", "████████"), (0.0316228, 0.0316228, "####----", "████    "),
            (0.0316228, 1, "####---|", "████   ┃"), (0.02, 0.04, "###|----", "███▌┃   "),
            (0.001, 0.00112, "--------", "┃       "), (4, 9, "########", "████████"),
            (.nan, .infinity, "--------", "        "),
        ] as [(Float, Float, String, String)])
    func meter(rms: Float, peak: Float, ascii: String, blocks: String) {
        expectEqual(MeterBar.text(rms: rms, peak: peak, cells: 8, style: .ascii), ascii)
        expectEqual(MeterBar.text(rms: rms, peak: peak, cells: 8, style: .blocks), blocks)
    }

    @Test(
        "the bar of the position runs from the start to the end",
        arguments: [
            (0, "----", "────"), (0.124, "----", "────"), (0.125, "----", "╸───"), (0.25, "=---", "━───"),
            (0.9, "===-", "━━━╸"), (1, "====", "━━━━"), (1.5, "====", "━━━━"), (-1, "----", "────"),
            (.nan, "----", "────"),
        ])
    func position(fraction: Double, ascii: String, blocks: String) {
        expectEqual(PositionBar.text(fraction: fraction, cells: 4, style: .ascii), ascii)
        expectEqual(PositionBar.text(fraction: fraction, cells: 4, style: .blocks), blocks)
    }
}

@Suite("DisplayText")
struct DisplayTextTests {
    @Test(
        "control characters are made harmless",
        arguments: [
            ("plain é 日本", "plain é 日本"), ("\u{1B}]0;title\u{07}", "?]0;title?"), ("a\r\nb\tc", "a  b c"),
            ("\u{9B}31m", "?31m"), ("\u{202E}gpj.exe", "?gpj.exe"), ("\0\u{7F}", "??"), ("\u{2028}", " "),
            ("\u{061C}", "?"),
        ])
    func sanitized(text: String, expected: String) {
        expectEqual(DisplayText.sanitized(text), expected)
    }

    @Test(
        "columns are counted like a terminal that shows a text widest",
        arguments: [
            ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("\u{E9}", 1), ("한국", 4), ("ｆ", 2), ("😀", 2), ("❤️", 2),
            ("\u{200B}", 0), ("", 0), ("👩‍👩‍👧‍👦", 8), ("🇩🇪", 4), ("👍🏽", 4), ("☝", 2), ("1️⃣", 2), ("か\u{3099}", 2),
            ("\u{1112}\u{1161}\u{11AB}", 4), ("\u{0600}1", 2), ("\u{06DD}", 1), ("\u{AD}", 1), ("قُطْب", 3),
        ])
    func columns(text: String, columns: Int) {
        expectEqual(DisplayText.columns(of: text), columns)
    }

    @Test(
        "cuts between characters and marks the cut",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
            ("🇩🇪🇯🇵", 7, "🇩🇪…"), ("👩‍👩‍👧‍👦a", 8, "…"), ("日本語", 4, "日…"), ("日本語", 1, "…"), ("abc", 0, ""),
            ("e\u{301}bc", 2, "e\u{301}…"),
        ])
    func truncated(text: String, columns: Int, expected: String) {
        expectEqual(DisplayText.truncated(text, toColumns: columns), expected)
    }

    @Test("a diagnostic is one line, whatever it quotes")
    func diagnostic() {
        let diagnostics = Diagnostics(toolName: "aqplay")
        expectEqual(diagnostics.line("cannot open 'a\nb\u{1B}[1m'"), "aqplay: cannot open 'a b?[1m'\n")
    }
}
