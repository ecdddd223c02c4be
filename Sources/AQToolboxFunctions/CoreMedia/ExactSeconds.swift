// SPDX-License-Identifier: MIT

import CAQCoreMedia

/// A number of seconds as a fraction that holds the result of one operation on times without rounding.
///
/// The numerator has 96 bits at most: multiplied by a timescale it still fits.
struct ExactSeconds {
    private var numerator: Int128
    private var denominator: Int128
    /// Whether bits were lost already.
    private var isRounded = false

    private static let numeratorBits = 96

    /// Makes numerator / denominator seconds; nil if they are more than a time can be.
    init?(_ numerator: Int128, over denominator: Int128) {
        // More than 2^96 / 2^31 seconds, which are too many for any timescale.
        guard Self.bits(of: numerator) <= Self.numeratorBits else { return nil }
        self.numerator = numerator
        self.denominator = denominator
    }

    /// Makes the sum of two numbers.
    init(_ left: CMTime, plus right: CMTime) {
        numerator =
            Int128(left.value) * Int128(right.timescale) + Int128(right.value) * Int128(left.timescale)
        denominator = Int128(left.timescale) * Int128(right.timescale)
    }

    /// Makes the difference of two numbers.
    init(_ left: CMTime, minus right: CMTime) {
        numerator =
            Int128(left.value) * Int128(right.timescale) - Int128(right.value) * Int128(left.timescale)
        denominator = Int128(left.timescale) * Int128(right.timescale)
    }

    /// Makes the product of a number and a finite factor; nil if it is more than a time can be.
    init?(_ time: CMTime, times factor: Float64) {
        denominator = Int128(time.timescale)
        guard !factor.isZero, time.value != 0 else {
            numerator = 0
            return
        }
        // The factor as an odd integer and a power of two.
        let fractionBits = Float64.significandBitCount
        let wholeSignificand = Int64(factor.significand * Float64(1 << fractionBits))
        let zeros = wholeSignificand.trailingZeroBitCount
        var exponent = Int(factor.exponent) - fractionBits + zeros
        numerator = Int128(time.value) * Int128(wholeSignificand >> zeros)
        if factor < 0 { numerator = -numerator }

        let excess = max(Self.bits(of: numerator) - Self.numeratorBits, 0)
        exponent += shiftNumerator(by: excess)
        if exponent > 0 {
            guard Self.bits(of: numerator) + exponent <= Self.numeratorBits else { return nil }
            numerator <<= exponent
        } else {
            // The denominator, of 31 bits, has room for so many more.
            let room = 90
            if exponent < -room { exponent += shiftNumerator(by: -room - exponent) }
            denominator <<= -exponent
        }
    }

    /// Drops the lowest bits of the numerator, and returns their number.
    private mutating func shiftNumerator(by bits: Int) -> Int {
        guard bits > 0 else { return 0 }
        let sign: Int128 = numerator < 0 ? -1 : 1
        let magnitude = Int128(numerator.magnitude)
        let remaining = bits < 127 ? magnitude >> bits : 0
        if bits >= 127 || remaining << bits != magnitude { isRounded = true }
        numerator = sign * remaining
        return bits
    }

    private static func bits(of number: Int128) -> Int {
        UInt128.bitWidth - number.magnitude.leadingZeroBitCount
    }

    /// The time with a timescale, or with half of it and so on if the value does not fit, or infinity.
    func time(timescale: Int32, epoch: Int64 = 0, isRounded wasRounded: Bool) -> CMTime {
        var timescale = timescale
        while true {
            let (value, isExact) = value(timescale: timescale, .default)
            if let value = Int64(exactly: value) {
                return .number(
                    value, timescale, epoch: epoch, isRounded: wasRounded || isRounded || !isExact)
            }
            if timescale == 1 { return .infinity(isNegative: numerator < 0) }
            timescale /= 2
        }
    }

    /// The numerator for a timescale, rounded, and whether nothing was lost.
    func value(timescale: Int32, _ method: CMTimeRoundingMethod) -> (Int128, isExact: Bool) {
        let (quotient, remainder) = (numerator * Int128(timescale))
            .quotientAndRemainder(dividingBy: denominator)
        guard remainder != 0 else { return (quotient, true) }
        let isNegative = numerator < 0
        let isAway =
            switch method {
            case .roundTowardZero: false
            case .roundAwayFromZero: true
            case .roundTowardPositiveInfinity: !isNegative
            case .roundTowardNegativeInfinity: isNegative
            default: remainder.magnitude >= denominator.magnitude - remainder.magnitude
            }
        return (isAway ? quotient + (isNegative ? -1 : 1) : quotient, false)
    }
}
