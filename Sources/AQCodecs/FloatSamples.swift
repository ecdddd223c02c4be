// SPDX-License-Identifier: MIT

/// Conversions of floats to doubles, and of doubles and integers to floats.
///
/// SAFETY, for all functions: the caller has checked that the memory holds `count` samples, `stride` bytes apart.
enum FloatSamples {
    @unsafe
    static func load(
        _ count: Int, from: UnsafeRawPointer, stride: Int, _ layout: SampleLayout,
        into doubles: UnsafeMutablePointer<Double>
    ) {
        if layout.bits == 64 {
            for index in 0..<count {
                let word = unsafe from.loadUnaligned(fromByteOffset: index &* stride, as: UInt64.self)
                unsafe doubles[index] = Double(bitPattern: layout.isSwapped ? word.byteSwapped : word)
            }
        } else {
            for index in 0..<count {
                let word = unsafe from.loadUnaligned(fromByteOffset: index &* stride, as: UInt32.self)
                unsafe doubles[index] = Double(Float(bitPattern: layout.isSwapped ? word.byteSwapped : word))
            }
        }
    }

    @unsafe
    static func store(
        _ count: Int, _ doubles: UnsafeMutablePointer<Double>, _ layout: SampleLayout,
        to: UnsafeMutableRawPointer, stride: Int
    ) {
        if layout.bits == 64 {
            for index in 0..<count {
                unsafe store(doubles[index], layout, to: to + index &* stride)
            }
        } else {
            for index in 0..<count {
                unsafe store(Float(doubles[index]), layout, to: to + index &* stride)
            }
        }
    }

    /// Writes the integers in the high bits of `integers`, as floats of full scale -1 to 1.
    @unsafe
    static func store(
        _ count: Int, _ integers: UnsafeMutablePointer<Int32>, _ layout: SampleLayout,
        to: UnsafeMutableRawPointer, stride: Int
    ) {
        if layout.bits == 64 {
            for index in 0..<count {
                unsafe store(Double(integers[index]) * 0x1p-31, layout, to: to + index &* stride)
            }
        } else if stride == 4, !layout.isSwapped {
            for index in 0..<count {
                unsafe to.storeBytes(
                    of: Float(integers[index]) * 0x1p-31, toByteOffset: index &* 4, as: Float.self)
            }
        } else {
            for index in 0..<count {
                unsafe store(Float(integers[index]) * 0x1p-31, layout, to: to + index &* stride)
            }
        }
    }

    @inline(__always)
    private static func store(_ sample: Float, _ layout: SampleLayout, to: UnsafeMutableRawPointer) {
        let word = sample.bitPattern
        unsafe to.storeBytes(of: layout.isSwapped ? word.byteSwapped : word, as: UInt32.self)
    }

    @inline(__always)
    private static func store(_ sample: Double, _ layout: SampleLayout, to: UnsafeMutableRawPointer) {
        let word = sample.bitPattern
        unsafe to.storeBytes(of: layout.isSwapped ? word.byteSwapped : word, as: UInt64.self)
    }
}
