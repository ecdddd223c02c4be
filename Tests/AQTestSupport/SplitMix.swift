// SPDX-License-Identifier: MIT

/// Numbers determined by a seed, so that failures can be repeated.
public struct SplitMix: RandomNumberGenerator {
    public var state: UInt64

    public init(_ seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed &>> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed &>> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed &>> 31
    }

    /// A number from -1 to 1, for noise: `random(in:)` takes a microsecond in a debug build.
    public mutating func noise() -> Double { Double(Int64(bitPattern: next())) * 0x1p-63 }

    /// True with a probability of one in a number.
    public mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &self) == 0 }
}
