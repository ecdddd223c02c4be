// SPDX-License-Identifier: MIT

import CAQRealTime

/// The inner loops of the audio path: copying, swapping bytes, applying gain.
///
/// Memory may be unaligned, because clients choose the address of their buffers.
enum SampleKernels {
    /// Copies samples of `sampleBytes` each, and reverses the bytes of each. REAL-TIME.
    @_noLocks static func copySwapping(
        from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, bytes: Int, sampleBytes: Int
    ) {
        switch sampleBytes {
        case 2:
            var offset = 0
            while offset < bytes {
                let value = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt16.self)
                unsafe target.storeBytes(of: value.byteSwapped, toByteOffset: offset, as: UInt16.self)
                offset &+= 2
            }
        case 3:
            var index = 0
            while index < bytes / 3 {
                unsafe store24(target, index, load24(source, index).byteSwapped >> 8)
                index &+= 1
            }
        case 4:
            var offset = 0
            while offset < bytes {
                let value = unsafe source.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
                unsafe target.storeBytes(of: value.byteSwapped, toByteOffset: offset, as: UInt32.self)
                offset &+= 4
            }
        default:
            unsafe aq_copy(target, source, bytes)
        }
    }

    /// Writes the silence of an encoding. REAL-TIME.
    @_noLocks static func writeSilence(
        to target: UnsafeMutableRawPointer, bytes: Int, encoding: SampleFormat.Encoding
    ) {
        switch encoding {
        case .unsigned8: unsafe aq_fill(target, 0x80, bytes)
        case .signed16, .signed24, .signed32, .float32: unsafe aq_zero(target, bytes)
        }
    }

    /// Multiplies native-endian samples in place by `gain`, and clips integers. REAL-TIME.
    @_noLocks static func scale(
        _ data: UnsafeMutableRawPointer, samples: Int, encoding: SampleFormat.Encoding, gain: Float
    ) {
        var index = 0
        switch encoding {
        case .float32:
            while index < samples {
                let value = unsafe data.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
                unsafe data.storeBytes(of: value * gain, toByteOffset: index &* 4, as: Float.self)
                index &+= 1
            }
        case .signed16:
            while index < samples {
                let value = unsafe data.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)
                let scaled = min(max(Float(value) * gain, -32768), 32767)
                unsafe data.storeBytes(
                    of: Int16(aq_round(scaled)), toByteOffset: index &* 2, as: Int16.self)
                index &+= 1
            }
        case .signed32:
            let wide = Double(gain)
            while index < samples {
                let value = unsafe data.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self)
                let scaled = min(max(Double(value) * wide, -2_147_483_648), 2_147_483_647)
                unsafe data.storeBytes(
                    of: Int32(aq_round_wide(scaled)), toByteOffset: index &* 4, as: Int32.self)
                index &+= 1
            }
        case .signed24:
            while index < samples {
                let scaled = min(max(Float(unsafe load24(data, index)) * gain, -8_388_608), 8_388_607)
                unsafe store24(data, index, Int32(aq_round(scaled)))
                index &+= 1
            }
        case .unsigned8:
            while index < samples {
                let value = Float(unsafe data.load(fromByteOffset: index, as: UInt8.self)) - 128
                let scaled = min(max(value * gain, -128), 127) + 128
                unsafe data.storeBytes(
                    of: UInt8(aq_round(scaled)), toByteOffset: index, as: UInt8.self)
                index &+= 1
            }
        }
    }

    /// Multiplies the two channels of native-endian stereo in place, each by its own gain. REAL-TIME.
    ///
    /// A channel with gain 1 is not changed.
    @_noLocks static func scaleStereo(
        _ data: UnsafeMutableRawPointer, frames: Int, encoding: SampleFormat.Encoding, sampleBytes: Int,
        left: Float, right: Float
    ) {
        var frame = 0
        while frame < frames {
            let sample = unsafe data + 2 &* frame &* sampleBytes
            if left != 1 { unsafe scale(sample, samples: 1, encoding: encoding, gain: left) }
            if right != 1 {
                unsafe scale(sample + sampleBytes, samples: 1, encoding: encoding, gain: right)
            }
            frame &+= 1
        }
    }

    /// One native-endian sample as a number from -1 to 1. REAL-TIME.
    @_noLocks static func value(
        _ data: UnsafeRawPointer, _ index: Int, encoding: SampleFormat.Encoding
    ) -> Float {
        switch encoding {
        case .float32: unsafe data.loadUnaligned(fromByteOffset: index &* 4, as: Float.self)
        case .signed16:
            Float(unsafe data.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)) * (1 / 32_768)
        case .signed32:
            Float(unsafe data.loadUnaligned(fromByteOffset: index &* 4, as: Int32.self)) * (1 / 2_147_483_648)
        case .signed24: Float(unsafe load24(data, index)) * (1 / 8_388_608)
        case .unsigned8: (Float(unsafe data.load(fromByteOffset: index, as: UInt8.self)) - 128) * (1 / 128)
        }
    }

    @_noLocks private static func load24(_ data: UnsafeRawPointer, _ index: Int) -> Int32 {
        let offset = index &* 3
        let low = UInt32(unsafe data.load(fromByteOffset: offset, as: UInt8.self))
        let middle = UInt32(unsafe data.load(fromByteOffset: offset &+ 1, as: UInt8.self))
        let high = UInt32(unsafe data.load(fromByteOffset: offset &+ 2, as: UInt8.self))
        return Int32(bitPattern: (low << 8) | (middle << 16) | (high << 24)) >> 8
    }

    /// Stores the lower 24 bits of a number. REAL-TIME.
    @_noLocks static func store24(_ data: UnsafeMutableRawPointer, _ index: Int, _ value: Int32) {
        let offset = index &* 3
        unsafe data.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: offset, as: UInt8.self)
        unsafe data.storeBytes(
            of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: offset &+ 1, as: UInt8.self)
        unsafe data.storeBytes(
            of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: offset &+ 2, as: UInt8.self)
    }
}
