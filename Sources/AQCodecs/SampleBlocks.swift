// SPDX-License-Identifier: MIT

/// Conversion of every pair of layouts, through a block on the stack.
enum SampleBlocks {
    /// The number of samples in a block. 1 KiB of doubles fits on every stack.
    private static let capacity = 128

    /// SAFETY: the caller has checked that both memories hold `samples` samples, `stride` bytes apart.
    @unsafe
    static func convert(
        samples: Int, from: UnsafeRawPointer, stride fromStride: Int, to: UnsafeMutableRawPointer,
        stride toStride: Int, _ input: SampleLayout, _ output: SampleLayout
    ) {
        unsafe withUnsafeTemporaryAllocation(of: Int32.self, capacity: capacity) { integers in
            unsafe withUnsafeTemporaryAllocation(of: Double.self, capacity: capacity) { doubles in
                guard let integers = integers.baseAddress, let doubles = doubles.baseAddress else {
                    return
                }
                var done = 0
                while done < samples {
                    let count = min(capacity, samples - done)
                    let source = unsafe from + done * fromStride
                    let target = unsafe to + done * toStride
                    if input.isFloat {
                        unsafe FloatSamples.load(
                            count, from: source, stride: fromStride, input, into: doubles)
                        if output.isFloat {
                            unsafe FloatSamples.store(count, doubles, output, to: target, stride: toStride)
                        } else {
                            unsafe quantise(count, doubles, bits: output.bits, into: integers)
                            unsafe IntegerSamples.store(count, integers, output, to: target, stride: toStride)
                        }
                    } else {
                        unsafe IntegerSamples.load(
                            count, from: source, stride: fromStride, input, into: integers)
                        if output.isFloat {
                            unsafe FloatSamples.store(count, integers, output, to: target, stride: toStride)
                        } else {
                            if output.bits < input.bits { unsafe round(count, integers, toBits: output.bits) }
                            unsafe IntegerSamples.store(count, integers, output, to: target, stride: toStride)
                        }
                    }
                    done += count
                }
            }
        }
    }

    /// Rounds floats to integers of `bits` bits, in the high bits of the result.
    private static func quantise(
        _ count: Int, _ doubles: UnsafeMutablePointer<Double>, bits: Int,
        into integers: UnsafeMutablePointer<Int32>
    ) {
        let scale = Double(UInt64(1) << UInt64(bits - 1))
        let shift = UInt32(32 - bits)
        for index in 0..<count {
            let sample = unsafe doubles[index]
            let number = sample == sample ? sample * scale : 0
            let low = number < -scale ? -scale : number
            let clipped = low > scale - 1 ? scale - 1 : low
            // The last mantissa bit of the sum is worth 1, so the sum is rounded, and its low bits are the integer.
            let rounded = UInt32(truncatingIfNeeded: (clipped + 0x1.8p52).bitPattern)
            unsafe integers[index] = Int32(bitPattern: rounded &<< shift)
        }
    }

    /// Rounds samples to their `bits` high bits, ties up, without overflow at the top.
    private static func round(_ count: Int, _ integers: UnsafeMutablePointer<Int32>, toBits bits: Int) {
        let half = Int32(bitPattern: 1 << UInt32(31 - bits))
        let highest = Int32.max &- half
        for index in 0..<count {
            let sample = unsafe integers[index]
            unsafe integers[index] = (sample > highest ? highest : sample) &+ half
        }
    }
}
