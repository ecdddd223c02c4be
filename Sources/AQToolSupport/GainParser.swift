// SPDX-License-Identifier: MIT

import Glibc

/// Gains on a command line and in a progress line.
public enum GainParser {
    /// The linear gain that `text` means: `0` to `1`, or decibels such as `-6dB`.
    ///
    /// - Parameter option: The option of the value, for the message.
    /// - Throws: ``UsageError`` if it is neither, or above 1.
    public static func gain(_ text: String, option: String) throws(UsageError) -> Float {
        let gain = numberOfDecibels(text).map { pow(10, $0 / 20) } ?? DecimalParser.number(text)
        guard let gain, gain >= 0, gain <= 1 else {
            throw UsageError(
                "invalid volume '\(text)' for '\(option)'; write 0 to 1, or decibels such as -6dB")
        }
        return Float(gain)
    }

    /// The decibels that `text` means, with or without `dB` at the end: `-30`, `6dB`.
    ///
    /// - Throws: ``UsageError`` if it is not a number, or not in `range`.
    public static func decibels(
        _ text: String, option: String, in range: ClosedRange<Double>
    ) throws(UsageError) -> Float {
        guard let decibels = numberOfDecibels(text) ?? DecimalParser.number(text), range.contains(decibels)
        else {
            throw UsageError(
                "invalid level '\(text)' for '\(option)'; write decibels, "
                    + "\(Int(range.lowerBound)) to \(Int(range.upperBound)), such as -12dB")
        }
        return Float(decibels)
    }

    /// The number before a `dB` at the end.
    private static func numberOfDecibels(_ text: String) -> Double? {
        guard text.utf8.count > 2, text.suffix(2).lowercased() == "db" else { return nil }
        let digits = text.dropLast(2)
        return DecimalParser.number(digits.utf8.last == UInt8(ascii: " ") ? digits.dropLast() : digits)
    }

    /// `gain` in decibels, 0 dB for a gain of 1; minus infinity for silence.
    public static func decibels(_ gain: Float) -> Float {
        gain > 0 ? 20 * log10f(gain) : -.infinity
    }

    /// The linear gain of `decibels`.
    public static func gain(decibels: Float) -> Float { powf(10, decibels / 20) }

    /// `gain` as `-6.0 dB`, or `mute`.
    public static func text(_ gain: Float) -> String {
        let decibels = decibels(gain)
        return decibels > -100 ? "\(Decimal.text(Double(decibels), decimals: 1)) dB" : "mute"
    }
}
