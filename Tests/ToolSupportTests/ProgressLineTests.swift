import Testing
import ToolSupport

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
        "leaves out what matters least as the window narrows",
        arguments: [
            (80, "> 0:12 / 3:45  [#############----|--]  2/7  Air on the G String"),
            (48, "> 0:12 / 3:45  [#######-|-]  2/7  Air on the G …"),
            (40, "> 0:12 / 3:45  2/7  Air on the G String"),
            (20, "> 0:12/3:45  Air on…"),
            (12, "> 0:12/3:45"),
            (5, "> 0:…"),
            (1, "…"),
            (0, ""),
        ])
    func widths(columns: Int, expected: String) {
        #expect(line.text(columns: columns) == expected)
    }

    @Test("never exceeds the width, whatever the title", arguments: 0...120)
    func neverTooWide(columns: Int) {
        for title in ["", "a", "日本語の題名はとても長い", "e\u{301}e\u{301}e\u{301}", "👩‍👩‍👧‍👦🇩🇪❤️ love", "\u{1B}[2J\nx"] {
            var line = line
            line.title = String(repeating: title, count: 9)
            line.gain = 0.5
            #expect(DisplayText.columns(of: line.text(columns: columns)) <= columns)
        }
    }

    @Test("shows a pause, the volume and an unknown length")
    func variants() {
        var line = ProgressLine(elapsedSeconds: 3700, totalSeconds: nil, title: "standard input")
        line.isPaused = true
        line.gain = 0.5
        #expect(line.text(columns: 79) == "= 1:01:40  -6.0 dB  standard input")
        line.gain = 0
        #expect(line.text(columns: 79) == "= 1:01:40  mute  standard input")
    }

    @Test("keeps its columns while the time grows")
    func steadyColumns() {
        let early = ProgressLine(elapsedSeconds: 5, totalSeconds: 4000, title: "t").text(columns: 79)
        let late = ProgressLine(elapsedSeconds: 3999, totalSeconds: 4000, title: "t").text(columns: 79)
        #expect(early == ">    0:05 / 1:06:40  t")
        #expect(early.count == late.count)
    }

    @Test(
        "the meter runs from -60 dB to full scale",
        arguments: [
            (0, 0, "--------------------"), (0.001, 0.001, "--------------------"),
            (1, 1, "####################"),
            (0.0316228, 0.0316228, "##########----------"), (4, 9, "####################"),
            (.nan, .infinity, "--------------------"),
        ] as [(Float, Float, String)])
    func meter(rms: Float, peak: Float, bar: String) {
        var line = ProgressLine(elapsedSeconds: 0, totalSeconds: nil, title: "")
        line.level = .init(rms: rms, peak: peak)
        #expect(line.text(columns: 80) == "> 0:00  [\(bar)]")
    }
}

@Suite("DisplayText")
struct DisplayTextTests {
    @Test(
        "what commands a terminal is made harmless",
        arguments: [
            ("plain é 日本", "plain é 日本"), ("\u{1B}]0;title\u{07}", "?]0;title?"), ("a\r\nb\tc", "a  b c"),
            ("\u{9B}31m", "?31m"), ("\u{202E}gpj.exe", "?gpj.exe"), ("\0\u{7F}", "??"), ("\u{2028}", " "),
        ])
    func sanitized(text: String, expected: String) {
        #expect(DisplayText.sanitized(text) == expected)
    }

    @Test(
        "columns as terminals count them",
        arguments: [
            ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("\u{E9}", 1), ("한국", 4), ("ｆ", 2), ("😀", 2), ("❤️", 2),
            ("\u{200B}", 0), ("", 0),
        ])
    func columns(text: String, columns: Int) {
        #expect(DisplayText.columns(of: text) == columns)
    }

    @Test(
        "cuts between characters and marks the cut",
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"), ("日本語", 1, "…"), ("abc", 0, ""), ("e\u{301}bc", 2, "e\u{301}…"),
        ])
    func truncated(text: String, columns: Int, expected: String) {
        #expect(DisplayText.truncated(text, toColumns: columns) == expected)
    }

    @Test("a diagnostic is one line, whatever it quotes")
    func diagnostic() {
        let diagnostics = Diagnostics(toolName: "aqplay")
        #expect(diagnostics.line("cannot open 'a\nb\u{1B}[1m'") == "aqplay: cannot open 'a b?[1m'\n")
    }
}
