// SPDX-License-Identifier: MIT

/// The conversion of libFLAC's samples, one array of 32-bit integers for each channel, to interleaved samples.
enum FLACSamples {
    /// Interleaves samples in the smallest integers that hold all bits, aligned high: of 8, 16 and 32 bits in the
    /// native byte order, of 24 bits with the lowest byte first.
    static func interleaved(
        _ channels: UnsafePointer<UnsafePointer<Int32>?>, channelCount: Int, frames: Int, bits: Int
    ) -> [UInt8] {
        let width = (bits + 7) / 8
        let shift = Int32(8 * width - bits)
        let byteCount = frames * channelCount * width
        return unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { memory, initializedCount in
            let room = UnsafeMutableRawBufferPointer(memory)
            for channel in 0..<channelCount {
                guard let samples = unsafe channels[channel] else { return }
                let source = unsafe UnsafeBufferPointer(start: samples, count: frames)
                switch width {
                case 1: unsafe store(source, Int8.self, shift, channel, channelCount, room)
                case 2: unsafe store(source, Int16.self, shift, channel, channelCount, room)
                case 3: unsafe store24(source, shift, channel, channelCount, room)
                default: unsafe store(source, Int32.self, shift, channel, channelCount, room)
                }
            }
            initializedCount = byteCount
        }
    }

    @inline(__always)
    private static func store<Sample: FixedWidthInteger>(
        _ source: UnsafeBufferPointer<Int32>, _: Sample.Type, _ shift: Int32, _ channel: Int,
        _ channelCount: Int, _ room: UnsafeMutableRawBufferPointer
    ) {
        let stride = MemoryLayout<Sample>.size * channelCount
        var offset = MemoryLayout<Sample>.size * channel
        for index in source.indices {
            let sample = unsafe source[index]
            unsafe room.storeBytes(
                of: Sample(truncatingIfNeeded: sample << shift), toByteOffset: offset, as: Sample.self)
            offset += stride
        }
    }

    private static func store24(
        _ source: UnsafeBufferPointer<Int32>, _ shift: Int32, _ channel: Int, _ channelCount: Int,
        _ room: UnsafeMutableRawBufferPointer
    ) {
        var offset = 3 * channel
        for index in source.indices {
            let sample = unsafe source[index]
            let value = UInt32(bitPattern: sample << shift)
            unsafe room[offset] = UInt8(truncatingIfNeeded: value)
            unsafe room[offset + 1] = UInt8(truncatingIfNeeded: value >> 8)
            unsafe room[offset + 2] = UInt8(truncatingIfNeeded: value >> 16)
            offset += 3 * channelCount
        }
    }
}
