// SPDX-License-Identifier: MIT

/// The loop that converts one sample layout to another.
///
/// Common pairs have a loop of their own. For all other pairs, a block on the stack holds the samples as the high
/// bits of an `Int32`, or for floats as a `Double`. Both keep every bit of every source.
enum SampleKernel: Sendable {
    case copy
    case swap
    case signed16ToFloat32
    case float32ToSigned16
    case blocks

    init(from input: SampleLayout, to output: SampleLayout) {
        if input.hasSameBits(as: output) {
            self = input.isSwapped == output.isSwapped ? .copy : .swap
        } else if input.isNative, output.isNative, !input.isUnsigned, !output.isUnsigned {
            switch (input.isFloat, input.bits, output.isFloat, output.bits) {
            case (false, 16, true, 32): self = .signed16ToFloat32
            case (true, 32, false, 16): self = .float32ToSigned16
            default: self = .blocks
            }
        } else {
            self = .blocks
        }
    }

    /// Converts `samples` adjacent samples.
    ///
    /// SAFETY: the caller has checked that both memories hold the samples and do not overlap.
    @unsafe
    func convert(
        samples: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer, _ input: SampleLayout,
        _ output: SampleLayout
    ) {
        switch self {
        case .copy: unsafe to.copyMemory(from: from, byteCount: samples * input.containerBytes)
        case .swap: unsafe SampleSwap.swap(samples: samples, bytes: input.containerBytes, from: from, to: to)
        case .signed16ToFloat32: unsafe Self.signed16ToFloat32(samples: samples, from: from, to: to)
        case .float32ToSigned16: unsafe Self.float32ToSigned16(samples: samples, from: from, to: to)
        case .blocks:
            unsafe SampleBlocks.convert(
                samples: samples, from: from, stride: input.containerBytes, to: to,
                stride: output.containerBytes,
                input, output)
        }
    }

    /// Converts `samples` samples that are `stride` bytes apart.
    @unsafe
    func convert(
        samples: Int, from: UnsafeRawPointer, stride fromStride: Int, to: UnsafeMutableRawPointer,
        stride toStride: Int, _ input: SampleLayout, _ output: SampleLayout
    ) {
        if fromStride == input.containerBytes, toStride == output.containerBytes {
            unsafe convert(samples: samples, from: from, to: to, input, output)
        } else if case .copy = self {
            // Not through blocks, which would drop the payload of a NaN and the bits beside the valid ones.
            // A length that is known to the compiler is a move, and not a call for each sample.
            switch input.containerBytes {
            case 2: unsafe Self.copy(UInt16.self, samples, from, fromStride, to, toStride)
            case 4: unsafe Self.copy(UInt32.self, samples, from, fromStride, to, toStride)
            case 8: unsafe Self.copy(UInt64.self, samples, from, fromStride, to, toStride)
            default:
                for index in 0..<samples {
                    unsafe (to + index &* toStride)
                        .copyMemory(from: from + index &* fromStride, byteCount: input.containerBytes)
                }
            }
        } else if case .swap = self {
            for index in 0..<samples {
                unsafe SampleSwap.swap(
                    samples: 1, bytes: input.containerBytes, from: from + index &* fromStride,
                    to: to + index &* toStride)
            }
        } else {
            unsafe SampleBlocks.convert(
                samples: samples, from: from, stride: fromStride, to: to, stride: toStride, input, output)
        }
    }

    /// Copies samples of a size, which are `stride` bytes apart, of any alignment.
    @unsafe
    private static func copy<Bits: FixedWidthInteger & BitwiseCopyable>(
        _ type: Bits.Type, _ samples: Int, _ from: UnsafeRawPointer, _ fromStride: Int,
        _ to: UnsafeMutableRawPointer, _ toStride: Int
    ) {
        for index in 0..<samples {
            let bits = unsafe from.loadUnaligned(fromByteOffset: index &* fromStride, as: type)
            unsafe to.storeBytes(of: bits, toByteOffset: index &* toStride, as: type)
        }
    }

    private static func signed16ToFloat32(samples: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer) {
        for index in 0..<samples {
            let sample = unsafe from.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
            unsafe to.storeBytes(of: Float(sample) * 0x1p-15, toByteOffset: index &* 4, as: Float.self)
        }
    }

    private static func float32ToSigned16(samples: Int, from: UnsafeRawPointer, to: UnsafeMutableRawPointer) {
        for index in 0..<samples {
            let sample = unsafe from.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
            let number = sample == sample ? sample : 0
            let low = number < -1 ? -1 : number
            // The last mantissa bit of the sum is worth 1, so the sum is rounded, and its low bits are the integer.
            let clipped = low > 0x1.fffcp-1 ? 0x1.fffcp-1 : low
            let rounded = clipped * 0x1p15 + 0x1.8p23
            unsafe to.storeBytes(
                of: Int16(truncatingIfNeeded: rounded.bitPattern), toByteOffset: index &* 2, as: Int16.self)
        }
    }
}
