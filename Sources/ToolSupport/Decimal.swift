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
        let fraction = String(units.magnitude % UInt64(scale))
        return "\(sign)\(whole).\(String(repeating: "0", count: decimals - fraction.utf8.count))\(fraction)"
    }
}
