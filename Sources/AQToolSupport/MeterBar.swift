// SPDX-License-Identifier: MIT

/// A level as a bar, from -60 to 0 dB, with a mark at the peak.
public enum MeterBar {
    /// The first eighths of a block, from one to seven.
    private static let eighths: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// A bar of `cells` columns up to the level `rms`, with a mark at the level `peak`, both linear.
    public static func text(rms: Float, peak: Float, cells: Int, style: BarStyle) -> String {
        guard cells > 0 else { return "" }
        return switch style {
        case .ascii: asciiText(rms, peak, cells)
        case .blocks: blockText(rms, peak, cells)
        }
    }

    private static func asciiText(_ rms: Float, _ peak: Float, _ cells: Int) -> String {
        let filled = position(rms, steps: cells)
        let peak = position(peak, steps: cells)
        var bar = ""
        for cell in 1...cells {
            bar += cell == peak && peak > filled ? "|" : cell <= filled ? "#" : "-"
        }
        return bar
    }

    private static func blockText(_ rms: Float, _ peak: Float, _ cells: Int) -> String {
        let filled = position(rms, steps: cells * 8)
        let peakCell = (position(peak, steps: cells * 8) + 7) / 8
        var bar = String(repeating: "█", count: filled / 8)
        if filled % 8 > 0 { bar.append(eighths[filled % 8 - 1]) }
        let used = (filled + 7) / 8
        guard peakCell > used else { return bar + spaces(cells - used) }
        return bar + spaces(peakCell - used - 1) + "┃" + spaces(cells - peakCell)
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    private static func position(_ level: Float, steps: Int) -> Int {
        let decibels = GainParser.decibels(level)
        guard decibels.isFinite, decibels > -60 else { return 0 }
        return min(steps, Int((decibels / 60 + 1) * Float(steps) + 0.5))
    }
}
