// SPDX-License-Identifier: MIT

/// The compression of ITU-T G.711: the code of each 16-bit sample.
///
/// For negative samples the interval of a code is closed towards zero, as in ones' complement. A-law uses the 13 high
/// bits of a sample, µ-law 14. Codes of equal magnitude differ only in the sign.
extension G711 {
    /// Returns the A-law code of a sample.
    @inline(__always)
    static func alawCode(_ sample: Int16) -> UInt8 {
        let magnitude = UInt16(bitPattern: sample < 0 ? ~sample : sample) &>> 4
        let sign: UInt8 = sample < 0 ? 0 : 0x80
        if magnitude < 16 { return (UInt8(truncatingIfNeeded: magnitude) | sign) ^ 0x55 }
        let segment = UInt16(truncatingIfNeeded: 12 - magnitude.leadingZeroBitCount)
        let step = magnitude &>> (segment &- 1) & 15
        return (UInt8(truncatingIfNeeded: segment &<< 4 | step) | sign) ^ 0x55
    }

    /// Returns the µ-law code of a sample.
    @inline(__always)
    static func ulawCode(_ sample: Int16) -> UInt8 {
        let distance = UInt16(bitPattern: sample < 0 ? ~sample : sample) &>> 2
        let magnitude = min(distance &+ 33, 0x1FFF)
        let segment = UInt16(truncatingIfNeeded: 10 - magnitude.leadingZeroBitCount)
        let step = magnitude &>> (segment &+ 1) & 15
        return ~(UInt8(truncatingIfNeeded: segment &<< 4 | step) | (sample < 0 ? 0x80 : 0))
    }
}
