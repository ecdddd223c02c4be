// SPDX-License-Identifier: MIT

/// Bit rates in messages.
enum BitRateText {
    /// A bit rate in the unit of command lines and data sheets: `8 kbit/s`, `5.999 kbit/s`.
    static func kilobits(_ bitRate: Int) -> String {
        let (thousands, rest) = bitRate.magnitude.quotientAndRemainder(dividingBy: 1000)
        var text = "\(bitRate < 0 ? "-" : "")\(thousands)"
        if rest > 0 {
            var digits = String(String(1000 + rest).dropFirst())
            while digits.hasSuffix("0") { digits.removeLast() }
            text += "." + digits
        }
        return text + " kbit/s"
    }
}
