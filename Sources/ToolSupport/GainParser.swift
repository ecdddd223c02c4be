import Glibc

/// Loudness as a command line gives it and as a progress line shows it.
public enum GainParser {
    /// The linear gain that `text` spells: `0` to `1`, or decibels such as `-6dB`.
    ///
    /// - Parameter option: The option the value belongs to, for the message.
    /// - Throws: ``UsageError`` when it is neither, or louder than the file itself.
    public static func gain(_ text: String, option: String) throws(UsageError) -> Float {
        let gain: Double?
        if text.utf8.count > 2, text.suffix(2).lowercased() == "db" {
            let digits = text.dropLast(2)
            let number = digits.utf8.last == UInt8(ascii: " ") ? digits.dropLast() : digits
            gain = DecimalParser.number(number).map { pow(10, $0 / 20) }
        } else {
            gain = DecimalParser.number(text)
        }
        guard let gain, gain >= 0, gain <= 1 else {
            throw UsageError(
                "invalid volume '\(text)' for '\(option)'; write 0 to 1, or decibels such as -6dB")
        }
        return Float(gain)
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
