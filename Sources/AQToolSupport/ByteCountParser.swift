// SPDX-License-Identifier: MIT

/// File sizes on a command line and in a progress line.
public enum ByteCountParser {
    /// The number of bytes that `text` means: a number and a unit, `700M`, `1.5GiB` or `4GB`; nil for anything else,
    /// including a number alone.
    ///
    /// As in `split` and `dd`, `K`, `M`, `G` and `T`, also followed by `iB`, are powers of 1024, and `KB`, `MB`, `GB`
    /// and `TB` powers of 1000. `k` may be lower case, but not `m`, which means minutes in times.
    public static func byteCount(_ text: String) -> Int64? {
        let digits = text.prefix { $0.isNumber || $0 == "." }
        guard let number = DecimalParser.number(digits), let unit = units[String(text[digits.endIndex...])]
        else { return nil }
        let bytes = number * unit
        // The limit is larger than any disk, and smaller than the range of Int64.
        return bytes < 1e18 ? Int64(bytes) : nil
    }

    private static let units: [String: Double] = {
        var units = ["B": 1.0]
        var (binary, decimal) = (1.0, 1.0)
        for letter in ["K", "M", "G", "T"] {
            binary *= 1024
            decimal *= 1000
            (units[letter], units[letter + "iB"], units[letter + "B"]) = (binary, binary, decimal)
        }
        (units["k"], units["kB"]) = (units["K"], units["KB"])
        return units
    }()

    /// `bytes` in three or four digits: `512 B`, `1.2 MB`, `120 GB`; powers of 1000, rounded.
    public static func text(_ bytes: Int64) -> String {
        var (value, unit) = (Double(max(0, bytes)), "B")
        for next in ["kB", "MB", "GB", "TB"] where value >= 999.5 { (value, unit) = (value / 1000, next) }
        return "\(Decimal.text(value, decimals: unit == "B" || value >= 9.95 ? 0 : 1)) \(unit)"
    }
}
