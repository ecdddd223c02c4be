// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The samples appended to a file that is encoded, converted to the types that encoders accept.
struct EncoderInput {
    let sampleRate: Int
    private let frameBytes: Int
    private let bytesPerSample: Int
    private let isFloat: Bool

    /// Checks that samples of the format can be encoded to files of the type.
    ///
    /// - Parameter format: Packed interleaved samples, signed or floating-point, in the machine's byte order.
    init(format: AudioStreamBasicDescription, of type: AudioFileType) throws(AudioFileError) {
        let bits = format.mBitsPerChannel
        _ = try type.pcmFormat(
            sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame), bits: Int(bits),
            isFloat: format.isFloat)
        guard format.isPacked, format.isInterleaved, format.isNativeEndian || bits == 8 else {
            throw AudioFileError(
                .unsupported, "its encoder takes packed, interleaved samples in the machine's byte order")
        }
        guard format.isSignedInteger || format.isFloat else {
            throw AudioFileError(
                .unsupported, "its encoder takes signed integers or 32-bit floating-point samples")
        }
        guard let sampleRate = Int(exactly: format.mSampleRate) else {
            throw AudioFileError(
                .unsupported, "\(type.name) files have whole rates only, not \(format.mSampleRate) Hz")
        }
        self.sampleRate = sampleRate
        frameBytes = Int(format.mBytesPerFrame)
        bytesPerSample = Int(bits) / 8
        isFloat = format.isFloat
    }

    func frames(in bytes: UnsafeRawBufferPointer) throws(AudioFileError) -> Int {
        guard bytes.count % frameBytes == 0 else {
            throw AudioFileError(
                .unsupported, "\(bytes.count) bytes are not a whole number of frames of \(frameBytes) bytes")
        }
        return bytes.count / frameBytes
    }

    /// Passes on frames in blocks of limited length.
    func divide(
        _ bytes: UnsafeRawBufferPointer, frames: Int,
        _ encode: (_ block: UnsafeRawBufferPointer, _ frames: Int) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        for first in stride(from: 0, to: frames, by: Self.blockFrames) {
            let count = min(Self.blockFrames, frames - first)
            try unsafe encode(
                UnsafeRawBufferPointer(rebasing: bytes[first * frameBytes..<(first + count) * frameBytes]),
                count)
        }
    }

    /// Converts samples to integers, in the high bits.
    func integers(_ bytes: UnsafeRawBufferPointer) -> [Int32] {
        (0..<bytes.count / bytesPerSample).map { sample in
            switch bytesPerSample {
            case 1: unsafe Int32(bytes.load(fromByteOffset: sample, as: Int8.self)) << 24
            case 2: unsafe Int32(bytes.loadUnaligned(fromByteOffset: 2 * sample, as: Int16.self)) << 16
            case 3: unsafe Self.int24(bytes, at: 3 * sample)
            default: unsafe bytes.loadUnaligned(fromByteOffset: 4 * sample, as: Int32.self)
            }
        }
    }

    /// Converts samples of any type to floating point; full scale is -1 to 1.
    func floats(_ bytes: UnsafeRawBufferPointer) -> [Float] {
        guard isFloat else { return unsafe integers(bytes).map { Float($0) / 0x1p31 } }
        return (0..<bytes.count / 4).map { sample in
            Self.bounded(unsafe bytes.loadUnaligned(fromByteOffset: 4 * sample, as: Float.self))
        }
    }

    private static func int24(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int32 {
        let (first, middle, last) = unsafe (
            UInt32(bytes[offset]), UInt32(bytes[offset + 1]), UInt32(bytes[offset + 2])
        )
        return Int32(
            bitPattern: AudioStreamBasicDescription.isNativeBigEndian
                ? first << 24 | middle << 16 | last << 8 : last << 24 | middle << 16 | first << 8)
    }

    /// Limits a sample.
    ///
    /// QUIRK: LAME 3.100 ends the process if a sample is not a number, and makes noise of huge samples.
    private static func bounded(_ sample: Float) -> Float {
        sample.isNaN ? 0 : min(max(sample, -maximum), maximum)
    }

    /// The limit of samples: 24 dB over full scale, far above any intended level.
    private static let maximum: Float = 16
    private static let blockFrames = 4096
}
