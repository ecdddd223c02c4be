// SPDX-License-Identifier: MIT

/// Numbers with a fixed count of decimals, without a locale and without `printf`.
public enum Decimal {
    /// `value` rounded to `decimals` decimals; `0` if that is not possible.
    public static func text(_ value: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = (value * scale).rounded()
        guard scaled.magnitude < 9e15 else { return "0" }
        let units = Int64(scaled)
        let whole = units.magnitude / UInt64(scale)
        let sign = units < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        return "\(sign)\(whole).\(digits(units.magnitude % UInt64(scale), count: decimals))"
    }

    /// A whole number with leading zeros, in at least `count` digits.
    public static func digits(_ value: some BinaryInteger, count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.utf8.count)) + digits
    }
}
