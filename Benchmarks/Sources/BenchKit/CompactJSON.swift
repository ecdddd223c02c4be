// SPDX-License-Identifier: MIT

/// Makes JSON small, and its differences readable, with few decimals and a line for each result.
public enum CompactJSON {
    /// Returns the same JSON with at most `decimals` digits after each decimal point, and line breaks down to `depth`
    /// levels.
    ///
    /// Further digits are cut off. Numbers with an exponent keep all digits.
    public static func text(_ json: some Sequence<UInt8>, decimals: Int = 4, depth: Int = 2) -> [UInt8] {
        var result: [UInt8] = []
        var level = 0
        var isInString = false
        var isEscaped = false
        /// The digits of a number after its decimal point.
        var fraction: [UInt8]?
        for byte in json {
            if isInString {
                result.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            if let digits = fraction {
                if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
                    fraction = digits + [byte]
                    continue
                }
                let hasExponent = byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E")
                append(digits, decimals: hasExponent ? digits.count : decimals, to: &result)
                fraction = nil
            }
            switch byte {
            case UInt8(ascii: "."):
                fraction = []
                continue
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): level += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
            default: break
            }
            result.append(byte)
            let opensOrParts =
                byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
            if opensOrParts && level <= depth { result.append(UInt8(ascii: "\n")) }
        }
        if let digits = fraction { append(digits, decimals: decimals, to: &result) }
        result.append(UInt8(ascii: "\n"))
        return result
    }

    /// Appends a decimal point and digits, without trailing zeros. Appends nothing if only zeros remain.
    private static func append(_ digits: [UInt8], decimals: Int, to result: inout [UInt8]) {
        var kept = digits.prefix(decimals)
        while kept.last == UInt8(ascii: "0") { kept.removeLast() }
        guard !kept.isEmpty else { return }
        result.append(UInt8(ascii: "."))
        result += kept
    }
}
