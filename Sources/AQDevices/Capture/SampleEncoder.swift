// SPDX-License-Identifier: MIT

/// Converts full-scale 32-bit samples to a stream's encoding.
enum SampleEncoder {
    /// Encodes native-endian samples in place. The result is never larger than the input.
    static func encode(_ data: UnsafeMutableRawPointer, samples: Int, as encoding: SampleFormat.Encoding) {
        switch encoding {
        case .signed32: return
        case .float32:
            for index in 0..<samples {
                let value = unsafe data.load(fromByteOffset: index &* 4, as: Int32.self)
                unsafe data.storeBytes(
                    of: Float(value) * (1 / 2_147_483_648), toByteOffset: index &* 4, as: Float.self)
            }
        case .signed24:
            for index in 0..<samples {
                let value = unsafe data.load(fromByteOffset: index &* 4, as: Int32.self)
                unsafe SampleKernels.store24(data, index, value >> 8)
            }
        case .signed16:
            for index in 0..<samples {
                let value = unsafe data.load(fromByteOffset: index &* 4, as: Int32.self)
                unsafe data.storeBytes(
                    of: Int16(truncatingIfNeeded: value >> 16), toByteOffset: index &* 2, as: Int16.self)
            }
        case .unsigned8:
            for index in 0..<samples {
                let value = unsafe data.load(fromByteOffset: index &* 4, as: Int32.self)
                unsafe data.storeBytes(
                    of: UInt8(truncatingIfNeeded: (value >> 24) &+ 128), toByteOffset: index, as: UInt8.self)
            }
        }
    }
}
