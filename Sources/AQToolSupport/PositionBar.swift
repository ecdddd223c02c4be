// SPDX-License-Identifier: MIT

/// A part of a whole, as a bar.
public enum PositionBar {
    /// A bar of `cells` columns, filled up to `fraction` of 1.
    public static func text(fraction: Double, cells: Int, style: BarStyle) -> String {
        guard cells > 0 else { return "" }
        let fraction = fraction.isFinite ? min(max(fraction, 0), 1) : 0
        let halves = Int(fraction * Double(cells * 2))
        switch style {
        case .ascii:
            return String(repeating: "=", count: halves / 2)
                + String(repeating: "-", count: cells - halves / 2)
        case .blocks:
            let isOdd = halves % 2 == 1
            return String(repeating: "━", count: halves / 2) + (isOdd ? "╸" : "")
                + String(repeating: "─", count: cells - (halves + 1) / 2)
        }
    }
}
