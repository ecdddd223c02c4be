// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// Reads interleaved linear PCM in any form of the containers, sixteen samples at a time, to measure its
/// level and to find loud frames.
struct SampleScanner {
    private enum Encoding { case unsigned8, signed8, signed16, signed24, signed32, float32 }

    /// The level from which on a sample counts as clipped. Samples of more than 16 bits use the same limit, because
    /// most of them come from a device of 16 bits, whose largest sample has this level.
    static let clippingLevel: Float = 32_767 / 32_768

    let channels: Int
    let bytesPerFrame: Int
    private let encoding: Encoding
    private let isSwapped: Bool
    private let clippingLevel: Float

    /// Returns nil for unsupported samples: those of 64 bits, or those that do not fill their container.
    init?(_ format: AudioStreamBasicDescription) {
        guard format.isLinearPCM, format.isInterleaved, format.isPacked, format.fractionBits == 0,
            format.mChannelsPerFrame > 0
        else { return nil }
        switch (format.mBitsPerChannel, format.isFloat, format.isSignedInteger) {
        case (8, false, false): encoding = .unsigned8
        case (8, false, true): encoding = .signed8
        case (16, false, true): encoding = .signed16
        case (24, false, true): encoding = .signed24
        case (32, false, true): encoding = .signed32
        case (32, true, _): encoding = .float32
        default: return nil
        }
        clippingLevel = format.mBitsPerChannel == 8 ? 127 / 128 : SampleScanner.clippingLevel
        channels = Int(format.mChannelsPerFrame)
        bytesPerFrame = Int(format.mBytesPerFrame)
        isSwapped = format.isBigEndian != AudioStreamBasicDescription.isNativeBigEndian
    }

    /// The number of whole frames in `bytes`.
    func frames(in bytes: UnsafeRawBufferPointer) -> Int { bytes.count / bytesPerFrame }

    // MARK: Levels

    /// Adds the frames in `bytes` to `totals`.
    func measure(_ bytes: UnsafeRawBufferPointer, into totals: inout LevelTotals) {
        let frames = unsafe frames(in: bytes)
        guard frames > 0, let base = bytes.baseAddress else { return }
        let samples = frames * channels
        var index = 0
        if channels <= SampleScanner.laneCount {
            // As many whole frames as fit, so that each lane always contains the same channel.
            let step = SampleScanner.laneCount / channels * channels
            while index + SampleScanner.laneCount <= samples {
                unsafe measureBlock(base, &index, samples, step, &totals)
            }
        }
        while index < samples {
            totals.add(unsafe sample(base, index), channel: index % channels, clippingLevel)
            index += 1
        }
        totals.frames += Int64(frames)
    }

    private static let laneCount = 16
    /// The number of samples whose squares are summed in single precision.
    private static let samplesPerBlock = 8192

    private func measureBlock(
        _ base: UnsafeRawPointer, _ index: inout Int, _ samples: Int, _ step: Int, _ totals: inout LevelTotals
    ) {
        var peaks = SIMD16<Float>()
        var squares = SIMD16<Float>()
        let end = min(samples, index + SampleScanner.samplesPerBlock)
        while index < end, index + SampleScanner.laneCount <= samples {
            let values = magnitudes(unsafe lanes(base, index))
            peaks.replace(with: values, where: values .> peaks)
            squares.addProduct(values, values)
            let isClipped = values .>= clippingLevel
            if any(isClipped) {
                for lane in 0..<step where isClipped[lane] { totals.clippedSamples += 1 }
            }
            index += step
        }
        for lane in 0..<step {
            totals.add(peak: peaks[lane], squares: Double(squares[lane]), channel: lane % channels)
        }
    }

    // MARK: Loud frames

    /// The first frame in `range` with a sample of at least `level`.
    func firstFrame(
        atOrAbove level: Float, of bytes: UnsafeRawBufferPointer, in range: Range<Int>
    ) -> Int? {
        guard let base = bytes.baseAddress, !range.isEmpty else { return nil }
        let end = range.upperBound * channels
        var index = range.lowerBound * channels
        while index + SampleScanner.laneCount <= end {
            let isLoud = magnitudes(unsafe lanes(base, index)) .>= level
            if any(isLoud) {
                for lane in 0..<SampleScanner.laneCount where isLoud[lane] {
                    return (index + lane) / channels
                }
            }
            index += SampleScanner.laneCount
        }
        while index < end {
            if abs(unsafe sample(base, index)) >= level { return index / channels }
            index += 1
        }
        return nil
    }

    /// The last frame in `range` with a sample of at least `level`.
    func lastFrame(
        atOrAbove level: Float, of bytes: UnsafeRawBufferPointer, in range: Range<Int>
    ) -> Int? {
        guard let base = bytes.baseAddress, !range.isEmpty else { return nil }
        let start = range.lowerBound * channels
        var index = range.upperBound * channels
        while index - SampleScanner.laneCount >= start {
            index -= SampleScanner.laneCount
            let isLoud = magnitudes(unsafe lanes(base, index)) .>= level
            if any(isLoud) {
                for lane in (0..<SampleScanner.laneCount).reversed() where isLoud[lane] {
                    return (index + lane) / channels
                }
            }
        }
        while index > start {
            index -= 1
            if abs(unsafe sample(base, index)) >= level { return index / channels }
        }
        return nil
    }

    // MARK: Samples

    /// Returns absolute values. A value that is not a number counts as silence.
    @inline(__always)
    private func magnitudes(_ values: SIMD16<Float>) -> SIMD16<Float> {
        let bits = unsafe unsafeBitCast(values, to: SIMD16<UInt32>.self) & 0x7FFF_FFFF
        let magnitudes = unsafe unsafeBitCast(bits, to: SIMD16<Float>.self)
        return magnitudes.replacing(with: 0, where: magnitudes .!= magnitudes)
    }

    /// Returns sixteen samples from `index` on; full scale is 1.
    @inline(__always)
    private func lanes(_ base: UnsafeRawPointer, _ index: Int) -> SIMD16<Float> {
        // SAFETY: callers check that sixteen samples from `index` on are inside their memory.
        switch encoding {
        case .unsigned8:
            let raw = unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            return (SIMD16<Float>(raw) - 128) / 128
        case .signed8:
            let raw = unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<Int8>.self)
            return SIMD16<Float>(raw) / 128
        case .signed16:
            var raw = unsafe base.loadUnaligned(fromByteOffset: index &* 2, as: SIMD16<UInt16>.self)
            if isSwapped { raw = raw &<< 8 | raw &>> 8 }
            return SIMD16<Float>(SIMD16<Int16>(truncatingIfNeeded: raw)) / 32_768
        case .signed24:
            var raw = SIMD16<Int32>()
            for lane in 0..<16 { raw[lane] = unsafe signed24(base, index &+ lane) }
            return SIMD16<Float>(raw) / 8_388_608
        case .signed32:
            return SIMD16<Float>(SIMD16<Int32>(truncatingIfNeeded: unsafe words(base, index)))
                / 2_147_483_648
        case .float32:
            return unsafe unsafeBitCast(unsafe words(base, index), to: SIMD16<Float>.self)
        }
    }

    @inline(__always)
    private func words(_ base: UnsafeRawPointer, _ index: Int) -> SIMD16<UInt32> {
        let raw = unsafe base.loadUnaligned(fromByteOffset: index &* 4, as: SIMD16<UInt32>.self)
        guard isSwapped else { return raw }
        return raw &<< 24 | (raw & 0xFF00) &<< 8 | (raw &>> 8) & 0xFF00 | raw &>> 24
    }

    /// Returns one sample; full scale is 1.
    private func sample(_ base: UnsafeRawPointer, _ index: Int) -> Float {
        // SAFETY: callers check that the sample is inside their memory.
        switch encoding {
        case .unsigned8:
            return (Float(unsafe base.load(fromByteOffset: index, as: UInt8.self)) - 128) / 128
        case .signed8: return Float(unsafe base.load(fromByteOffset: index, as: Int8.self)) / 128
        case .signed16:
            let raw = unsafe base.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
            return Float(isSwapped ? raw.byteSwapped : raw) / 32_768
        case .signed24: return Float(unsafe signed24(base, index)) / 8_388_608
        case .signed32:
            let raw = unsafe base.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self)
            return Float(isSwapped ? raw.byteSwapped : raw) / 2_147_483_648
        case .float32:
            let raw = unsafe base.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
            let value = Float(bitPattern: isSwapped ? raw.byteSwapped : raw)
            return value.isNaN ? 0 : value
        }
    }

    @inline(__always)
    private func signed24(_ base: UnsafeRawPointer, _ index: Int) -> Int32 {
        let first = Int32(unsafe base.load(fromByteOffset: index &* 3, as: UInt8.self))
        let middle = Int32(unsafe base.load(fromByteOffset: index &* 3 &+ 1, as: UInt8.self))
        let last = Int32(unsafe base.load(fromByteOffset: index &* 3 &+ 2, as: UInt8.self))
        let isBigEndian = isSwapped != AudioStreamBasicDescription.isNativeBigEndian
        let (low, high) = isBigEndian ? (last, first) : (first, last)
        // Shifted left and right again, to extend the sign.
        return (high &<< 24 | middle &<< 16 | low &<< 8) &>> 8
    }
}
