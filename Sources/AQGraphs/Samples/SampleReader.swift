// SPDX-License-Identifier: MIT

package import CoreAudioTypes

/// Reads a client's samples, in any of the usual formats, as 32-bit floats.
@safe package struct SampleReader: @unchecked Sendable {
    // SAFETY: the maker of a value keeps the memory alive for as long as frames are read.

    private enum Kind { case float32, float64, int16, int32 }

    private let kind: Kind
    /// The address of each channel's first sample.
    private let channels: [UnsafeRawPointer]
    /// The distance of a channel's samples, in samples.
    private let stride: Int

    /// Returns nil for other formats than native 16-bit and 32-bit integers, and 32-bit and 64-bit floats, and if the
    /// list does not fit.
    ///
    /// - Parameter list: One buffer for each channel, or one for all.
    @unsafe package init?(_ format: AudioStreamBasicDescription, _ list: UnsafeMutableAudioBufferListPointer)
    {
        let isFloat = format.mFormatFlags & kAudioFormatFlagIsFloat != 0
        switch (isFloat, format.mBitsPerChannel) {
        case (true, 32): kind = .float32
        case (true, 64): kind = .float64
        case (false, 16): kind = .int16
        case (false, 32): kind = .int32
        default: return nil
        }
        let count = Int(format.mChannelsPerFrame)
        let isInterleaved = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0
        guard format.mFormatID == kAudioFormatLinearPCM,
            format.mFormatFlags & kAudioFormatFlagIsBigEndian == 0,
            unsafe list.count == (isInterleaved ? 1 : count)
        else { return nil }
        stride = isInterleaved ? count : 1
        var addresses: [UnsafeRawPointer] = unsafe []
        for channel in 0..<count {
            guard let memory = unsafe list[isInterleaved ? 0 : channel].mData else { return nil }
            unsafe addresses.append(
                UnsafeRawPointer(memory) + (isInterleaved ? channel * Int(format.mBitsPerChannel) / 8 : 0))
        }
        unsafe channels = unsafe addresses
    }

    /// Copies the frames from `start` on to `target`. Channels that there are not are silent.
    package func read(from start: Int, into target: PlanarSamples) {
        for channel in 0..<target.channels {
            let output = unsafe target[channel]
            guard unsafe channel < channels.count else {
                unsafe output.update(repeating: 0, count: target.frames)
                continue
            }
            let (address, first) = unsafe (channels[channel], start * stride)
            switch kind {
            case .float32:
                let samples = unsafe address.assumingMemoryBound(to: Float.self) + first
                if stride == 1 {
                    unsafe output.update(from: samples, count: target.frames)
                } else {
                    for index in 0..<target.frames { unsafe output[index] = samples[index * stride] }
                }
            case .float64:
                let samples = unsafe address.assumingMemoryBound(to: Double.self) + first
                for index in 0..<target.frames { unsafe output[index] = Float(samples[index * stride]) }
            case .int16:
                let samples = unsafe address.assumingMemoryBound(to: Int16.self) + first
                for index in 0..<target.frames {
                    unsafe output[index] = Float(samples[index * stride]) * 0x1p-15
                }
            case .int32:
                let samples = unsafe address.assumingMemoryBound(to: Int32.self) + first
                for index in 0..<target.frames {
                    unsafe output[index] = Float(samples[index * stride]) * 0x1p-31
                }
            }
        }
    }
}
