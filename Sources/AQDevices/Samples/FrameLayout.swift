// SPDX-License-Identifier: MIT

import CAQRealTime

/// The layout of a frame in a client's buffers: the part of a ``SampleFormat`` that the audio path uses.
struct FrameLayout: Sendable {
    let encoding: SampleFormat.Encoding
    let channels: Int
    let bytesPerFrame: Int
    let sampleBytes: Int
    /// Whether the byte order of the client's samples differs from the device's.
    private let isSwapped: Bool

    init(_ format: SampleFormat) {
        encoding = format.encoding
        channels = format.channels
        bytesPerFrame = format.bytesPerFrame
        sampleBytes = format.encoding.byteCount
        isSwapped = format.isBigEndian && format.encoding.byteCount > 1
    }

    // REAL-TIME from here on.

    /// Copies samples between a client's buffer and a device's, and reverses their bytes if the byte orders differ.
    /// Both may be the same memory.
    @_noLocks func copy(
        _ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer, bytes: Int
    ) {
        if isSwapped {
            unsafe SampleKernels.copySwapping(
                from: source, to: target, bytes: bytes, sampleBytes: sampleBytes)
        } else if unsafe source != UnsafeRawPointer(target) {
            unsafe aq_copy(target, source, bytes)
        }
    }

    @_noLocks func writeSilence(to target: UnsafeMutableRawPointer, bytes: Int) {
        unsafe SampleKernels.writeSilence(to: target, bytes: bytes, encoding: encoding)
    }

    /// Multiplies native-endian samples.
    @_noLocks func scale(_ target: UnsafeMutableRawPointer, frames: Int, gain: Float) {
        unsafe SampleKernels.scale(target, samples: frames &* channels, encoding: encoding, gain: gain)
    }
}
