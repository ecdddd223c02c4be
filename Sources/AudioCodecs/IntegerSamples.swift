/// Reads integers of any layout to the high bits of `Int32`, and writes them from there.
///
/// SAFETY, for all functions: the caller has checked that the memory holds `count` samples, `stride` bytes apart.
enum IntegerSamples {
    /// Reads `count` samples; what the container holds beside the valid bits is dropped.
    @unsafe
    static func load(
        _ count: Int, from: UnsafeRawPointer, stride: Int, _ layout: SampleLayout,
        into integers: UnsafeMutablePointer<Int32>
    ) {
        let shift = UInt32(layout.bitsAbove)
        let mask = UInt32.max << UInt32(32 - layout.bits)
        let flip: UInt32 = layout.isUnsigned ? 0x8000_0000 : 0
        let (isSwapped, bytes) = (layout.isSwapped, layout.containerBytes)
        @inline(__always)
        func loop(_ container: (UnsafeRawPointer) -> UInt32) {
            for index in 0..<count {
                let word = unsafe container(from + index &* stride)
                unsafe integers[index] = Int32(bitPattern: (word &<< shift & mask) ^ flip)
            }
        }
        // Each container as the high bytes of a word.
        switch bytes {
        case 1: unsafe loop { unsafe UInt32($0.load(as: UInt8.self)) &<< 24 }
        case 2:
            unsafe loop {
                let word = unsafe $0.loadUnaligned(as: UInt16.self)
                return UInt32(isSwapped ? word.byteSwapped : word) &<< 16
            }
        case 3:
            let (first, last) = isSwapped == littleEndian ? (UInt32(24), UInt32(8)) : (8, 24)
            unsafe loop {
                unsafe UInt32($0.load(as: UInt8.self)) &<< first
                    | UInt32(($0 + 1).load(as: UInt8.self)) &<< 16
                    | UInt32(($0 + 2).load(as: UInt8.self)) &<< last
            }
        default:
            unsafe loop {
                let word = unsafe $0.loadUnaligned(as: UInt32.self)
                return isSwapped ? word.byteSwapped : word
            }
        }
    }

    /// Writes `count` samples; bits of the container below the valid ones are 0, those above repeat the sign.
    @unsafe
    static func store(
        _ count: Int, _ integers: UnsafeMutablePointer<Int32>, _ layout: SampleLayout,
        to: UnsafeMutableRawPointer, stride: Int
    ) {
        let shift = Int32(layout.bitsAbove)
        let mask = UInt32.max << UInt32(32 - layout.bits)
        let (isSwapped, isUnsigned, bytes) = (layout.isSwapped, layout.isUnsigned, layout.containerBytes)
        @inline(__always)
        func loop(_ write: (UInt32, UnsafeMutableRawPointer) -> Void) {
            for index in 0..<count {
                let word = unsafe UInt32(bitPattern: integers[index]) & mask
                let container =
                    isUnsigned
                    ? (word ^ 0x8000_0000) &>> UInt32(bitPattern: shift)
                    : UInt32(bitPattern: Int32(bitPattern: word) &>> shift)
                unsafe write(container, to + index &* stride)
            }
        }
        switch bytes {
        case 1: unsafe loop { unsafe $1.storeBytes(of: UInt8(truncatingIfNeeded: $0 &>> 24), as: UInt8.self) }
        case 2:
            unsafe loop {
                let word = UInt16(truncatingIfNeeded: $0 &>> 16)
                unsafe $1.storeBytes(of: isSwapped ? word.byteSwapped : word, as: UInt16.self)
            }
        case 3:
            let (first, last) = isSwapped == littleEndian ? (UInt32(24), UInt32(8)) : (8, 24)
            unsafe loop {
                unsafe $1.storeBytes(of: UInt8(truncatingIfNeeded: $0 &>> first), as: UInt8.self)
                unsafe ($1 + 1).storeBytes(of: UInt8(truncatingIfNeeded: $0 &>> 16), as: UInt8.self)
                unsafe ($1 + 2).storeBytes(of: UInt8(truncatingIfNeeded: $0 &>> last), as: UInt8.self)
            }
        default: unsafe loop { unsafe $1.storeBytes(of: isSwapped ? $0.byteSwapped : $0, as: UInt32.self) }
        }
    }

    private static let littleEndian = UInt16(littleEndian: 1) == 1
}
