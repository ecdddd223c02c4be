// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// Writes 32-bit floats in any of the usual formats of clients.
package enum SampleWriter {
    /// Writes a slice, and sets the sizes of the buffers. Returns false if the list does not fit.
    @unsafe package static func write(
        _ samples: PlanarSamples, _ format: AudioStreamBasicDescription,
        to list: UnsafeMutableAudioBufferListPointer
    ) -> Bool {
        let isInterleaved = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let bytes = samples.frames * Int(format.mBytesPerFrame)
        let list = unsafe list
        guard Int(format.mChannelsPerFrame) == samples.channels,
            unsafe list.count == (isInterleaved ? 1 : samples.channels),
            unsafe list.allSatisfy({ unsafe $0.mData != nil && Int($0.mDataByteSize) >= bytes })
        else { return false }
        let stride = isInterleaved ? samples.channels : 1
        for channel in 0..<samples.channels {
            guard let memory = unsafe list[isInterleaved ? 0 : channel].mData else { return false }
            let source = unsafe samples[channel]
            let first = isInterleaved ? channel : 0
            switch (isFloat, format.mBitsPerChannel) {
            case (true, 32):
                let output = unsafe memory.assumingMemoryBound(to: Float.self) + first
                for index in 0..<samples.frames { unsafe output[index * stride] = source[index] }
            case (true, 64):
                let output = unsafe memory.assumingMemoryBound(to: Double.self) + first
                for index in 0..<samples.frames { unsafe output[index * stride] = Double(source[index]) }
            case (false, 16):
                let output = unsafe memory.assumingMemoryBound(to: Int16.self) + first
                for index in 0..<samples.frames {
                    let value = unsafe (source[index] * 0x1p15).rounded(.toNearestOrEven)
                    unsafe output[index * stride] = Int16(max(-32_768, min(value.isNaN ? 0 : value, 32_767)))
                }
            case (false, 32):
                let output = unsafe memory.assumingMemoryBound(to: Int32.self) + first
                for index in 0..<samples.frames {
                    let value = unsafe (Double(source[index]) * 0x1p31).rounded(.toNearestOrEven)
                    unsafe output[index * stride] = Int32(
                        max(-2_147_483_648, min(value.isNaN ? 0 : value, 2_147_483_647)))
                }
            default: return false
            }
        }
        for index in unsafe list.indices { unsafe list[index].mDataByteSize = UInt32(bytes) }
        return true
    }
}
