/// A level as a bar of characters, from -60 to 0 dB.
public enum MeterBar {
    /// `cells` characters: `#` up to the level `rms`, `|` at the level `peak`, both linear.
    public static func text(rms: Float, peak: Float, cells: Int) -> String {
        guard cells > 0 else { return "" }
        let filled = position(rms, cells: cells)
        let peak = position(peak, cells: cells)
        var bar = ""
        for cell in 1...cells {
            bar += cell == peak && peak > filled ? "|" : cell <= filled ? "#" : "-"
        }
        return bar
    }

    private static func position(_ level: Float, cells: Int) -> Int {
        let decibels = GainParser.decibels(level)
        guard decibels.isFinite, decibels > -60 else { return 0 }
        return min(cells, Int((decibels / 60 + 1) * Float(cells) + 0.5))
    }
}
