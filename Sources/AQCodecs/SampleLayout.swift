// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The layout of one sample of linear PCM in memory.
struct SampleLayout: Sendable, Equatable {
    /// The size of the container: 1 to 4 bytes, or 8 for 64-bit floats.
    let containerBytes: Int
    let bits: Int
    let isFloat: Bool
    let isUnsigned: Bool
    let isSwapped: Bool
    /// The number of bits in the container above the valid ones; 0 if the valid bits are aligned high or fill the
    /// container.
    let bitsAbove: Int

    init(of format: AudioStreamBasicDescription) throws(CodecError) {
        guard format.isLinearPCM else {
            throw CodecError(.unsupportedFormat, cannot: "convert", format, "not linear PCM")
        }
        guard format.validationFailure == nil, let bytes = format.sampleContainerBytes else {
            throw CodecError(
                .invalidFormat, cannot: "convert", format, "\(format.validationFailure ?? "no sample size")")
        }
        // A fraction of all bits except the sign has the same meaning as an integer without fraction.
        guard format.fractionBits == 0 || format.fractionBits == Int(format.mBitsPerChannel) - 1 else {
            throw CodecError(.unsupportedFormat, cannot: "convert", format, "fixed-point samples")
        }
        containerBytes = bytes
        bits = Int(format.mBitsPerChannel)
        isFloat = format.isFloat
        isUnsigned = !format.isFloat && !format.isSignedInteger
        isSwapped = bytes > 1 && !format.isNativeEndian
        bitsAbove = format.isPacked || format.isAlignedHigh ? 0 : bytes * 8 - bits
    }

    /// Returns whether the samples differ at most in byte order.
    func hasSameBits(as other: SampleLayout) -> Bool {
        containerBytes == other.containerBytes && bits == other.bits && isFloat == other.isFloat
            && isUnsigned == other.isUnsigned && bitsAbove == other.bitsAbove
    }

    /// Whether samples have the machine's byte order and fill their container.
    var isNative: Bool { !isSwapped && bits == containerBytes * 8 }
}
