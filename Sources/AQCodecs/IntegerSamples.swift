// SPDX-License-Identifier: MIT

/// Conversions of integers of any layout to the high bits of `Int32`, and back.
///
/// SAFETY, for all functions: the caller has checked that the memory holds `count` samples, `stride` bytes apart.
enum IntegerSamples {
    /// Reads `count` samples, without the bits of the container that are not valid.
    @unsafe
    static func load(
        _ count: Int, from: UnsafeRawPointer, stride: Int, _ layout: SampleLayout,
        into integers: UnsafeMutablePointer<Int32>
    ) {
        let shift = UInt32(layout.bitsAbove)
        let mask = UInt32.max << UInt32(32 - layout.bits)
        let flip: UInt32 = layout.isUnsigned ? 0x8000_0000 : 0
        let isSwapped = layout.isSwapped
        @inline(__always)
        func loop(_ range: Range<Int>, _ container: (UnsafeRawPointer) -> UInt32) {
            for index in range {
                let word = unsafe container(from + index &* stride)
                unsafe integers[index] = Int32(bitPattern: (word &<< shift & mask) ^ flip)
            }
        }
        // Each container becomes the high bytes of a word.
        switch layout.containerBytes {
        case 1: unsafe loop(0..<count) { unsafe UInt32($0.load(as: UInt8.self)) &<< 24 }
        case 2:
            unsafe loop(0..<count) {
                let word = unsafe $0.loadUnaligned(as: UInt16.self)
                return UInt32(isSwapped ? word.byteSwapped : word) &<< 16
            }
        case 3:
            let words = wholeWords(count, stride: stride)
            if isLittleEndian(layout) {
                unsafe loop(0..<words) {
                    unsafe UInt32(littleEndian: $0.loadUnaligned(as: UInt32.self)) &<< 8
                }
                unsafe loop(words..<count) { unsafe bytes($0, first: 8, last: 24) }
            } else {
                unsafe loop(0..<words) {
                    unsafe UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self)) & 0xFFFF_FF00
                }
                unsafe loop(words..<count) { unsafe bytes($0, first: 24, last: 8) }
            }
        default:
            unsafe loop(0..<count) {
                let word = unsafe $0.loadUnaligned(as: UInt32.self)
                return isSwapped ? word.byteSwapped : word
            }
        }
    }

    /// Writes `count` samples. Bits of the container below the valid ones are 0, those above repeat the sign.
    @unsafe
    static func store(
        _ count: Int, _ integers: UnsafeMutablePointer<Int32>, _ layout: SampleLayout,
        to: UnsafeMutableRawPointer, stride: Int
    ) {
        let shift = Int32(layout.bitsAbove)
        let mask = UInt32.max << UInt32(32 - layout.bits)
        let (isSwapped, isUnsigned) = (layout.isSwapped, layout.isUnsigned)
        @inline(__always)
        func loop(_ range: Range<Int>, _ write: (UInt32, UnsafeMutableRawPointer) -> Void) {
            for index in range {
                let word = unsafe UInt32(bitPattern: integers[index]) & mask
                let container =
                    isUnsigned
                    ? (word ^ 0x8000_0000) &>> UInt32(bitPattern: shift)
                    : UInt32(bitPattern: Int32(bitPattern: word) &>> shift)
                unsafe write(container, to + index &* stride)
            }
        }
        switch layout.containerBytes {
        case 1:
            unsafe loop(0..<count) {
                unsafe $1.storeBytes(of: UInt8(truncatingIfNeeded: $0 &>> 24), as: UInt8.self)
            }
        case 2:
            unsafe loop(0..<count) {
                let word = UInt16(truncatingIfNeeded: $0 &>> 16)
                unsafe $1.storeBytes(of: isSwapped ? word.byteSwapped : word, as: UInt16.self)
            }
        case 3:
            let words = wholeWords(count, stride: stride)
            if isLittleEndian(layout) {
                unsafe loop(0..<words) { unsafe $1.storeBytes(of: ($0 &>> 8).littleEndian, as: UInt32.self) }
                unsafe loop(words..<count) { unsafe store($0, to: $1, first: 8, last: 24) }
            } else {
                unsafe loop(0..<words) { unsafe $1.storeBytes(of: $0.bigEndian, as: UInt32.self) }
                unsafe loop(words..<count) { unsafe store($0, to: $1, first: 24, last: 8) }
            }
        default:
            unsafe loop(0..<count) {
                unsafe $1.storeBytes(of: isSwapped ? $0.byteSwapped : $0, as: UInt32.self)
            }
        }
    }

    /// Returns the number of 3-byte samples that may be read and written as 4-byte words. If samples are adjacent in
    /// ascending order, these are all except the last, because the fourth byte belongs to the next sample.
    private static func wholeWords(_ count: Int, stride: Int) -> Int {
        stride == 3 ? max(count - 1, 0) : 0
    }

    @inline(__always)
    private static func bytes(_ from: UnsafeRawPointer, first: UInt32, last: UInt32) -> UInt32 {
        unsafe UInt32(from.load(as: UInt8.self)) &<< first
            | UInt32((from + 1).load(as: UInt8.self)) &<< 16
            | UInt32((from + 2).load(as: UInt8.self)) &<< last
    }

    @inline(__always)
    private static func store(_ word: UInt32, to: UnsafeMutableRawPointer, first: UInt32, last: UInt32) {
        unsafe to.storeBytes(of: UInt8(truncatingIfNeeded: word &>> first), as: UInt8.self)
        unsafe (to + 1).storeBytes(of: UInt8(truncatingIfNeeded: word &>> 16), as: UInt8.self)
        unsafe (to + 2).storeBytes(of: UInt8(truncatingIfNeeded: word &>> last), as: UInt8.self)
    }

    private static func isLittleEndian(_ layout: SampleLayout) -> Bool {
        layout.isSwapped != (UInt16(littleEndian: 1) == 1)
    }
}
