// SPDX-License-Identifier: MIT

/// The expansion of ITU-T G.711: the 16-bit sample for each code of A-law and µ-law.
///
/// A code is a sign, a segment of 3 bits and a step of 4 bits; it represents the middle of its interval.
enum G711 {
    /// The 13-bit values of A-law from table 1 of the recommendation, times 8. Even bits are inverted in
    /// transmission.
    static let alawSamples: [Int16] = (0...255).map { (code: UInt8) in
        let bits = code ^ 0x55
        let segment = Int16(bits >> 4 & 7)
        let step = Int16(bits & 15)
        let magnitude = segment == 0 ? 2 * step + 1 : (2 * step + 33) << (segment - 1)
        return (bits & 0x80 == 0 ? -magnitude : magnitude) * 8
    }

    /// The 14-bit values of µ-law from table 2 of the recommendation, times 4. All bits are inverted in transmission.
    static let ulawSamples: [Int16] = (0...255).map { (code: UInt8) in
        let bits = ~code
        let segment = Int16(bits >> 4 & 7)
        let step = Int16(bits & 15)
        let magnitude = (2 * step + 33) << segment - 33
        return (bits & 0x80 == 0 ? magnitude : -magnitude) * 4
    }
}
