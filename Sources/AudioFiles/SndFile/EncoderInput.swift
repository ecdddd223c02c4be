import CoreAudioTypes

/// Converts appended samples to one of the two formats that the encoders accept.
struct EncoderInput {
    /// The most frames converted at once.
    static let chunkFrames = 4096

    private enum Sample {
        case int8, int16, int24, int32, float32
    }

    private let sample: Sample
    private let channels: Int
    private var integers: [CInt] = []
    private var floats: [Float] = []

    /// - Parameter format: Packed interleaved samples, signed or floating-point, in the machine's byte order.
    init(format: AudioStreamBasicDescription) throws(AudioFileError) {
        let bits = format.mBitsPerChannel
        guard format.isPacked, format.isInterleaved, format.isNativeEndian || bits == 8 else {
            throw AudioFileError(
                .unsupported, "its encoder takes packed, interleaved samples in the machine's byte order")
        }
        switch (bits, format.isFloat, format.isSignedInteger) {
        case (8, _, true): sample = .int8
        case (16, _, true): sample = .int16
        case (24, _, true): sample = .int24
        case (32, _, true): sample = .int32
        case (32, true, _): sample = .float32
        default:
            throw AudioFileError(
                .unsupported, "its encoder takes signed integers or 32-bit floating-point samples")
        }
        channels = Int(format.mChannelsPerFrame)
        let room = channels * Self.chunkFrames
        if sample == .float32 {
            floats = [Float](repeating: 0, count: room)
        } else {
            integers = [CInt](repeating: 0, count: room)
        }
    }

    /// Encodes at most ``chunkFrames`` whole frames.
    mutating func encode(_ bytes: UnsafeRawBufferPointer, by encoder: SndFileEncoder) throws(AudioFileError) {
        let bytesPerSample =
            switch sample {
            case .int8: 1
            case .int16: 2
            case .int24: 3
            case .int32, .float32: 4
            }
        let samples = bytes.count / bytesPerSample
        switch sample {
        case .int8:
            for place in 0..<samples {
                integers[place] = unsafe CInt(bytes.load(fromByteOffset: place, as: Int8.self)) << 24
            }
        case .int16:
            for place in 0..<samples {
                integers[place] =
                    unsafe CInt(bytes.loadUnaligned(fromByteOffset: 2 * place, as: Int16.self)) << 16
            }
        case .int24:
            for place in 0..<samples { integers[place] = unsafe Self.int24(bytes, at: 3 * place) }
        case .int32:
            for place in 0..<samples {
                integers[place] = unsafe bytes.loadUnaligned(fromByteOffset: 4 * place, as: CInt.self)
            }
        case .float32:
            for place in 0..<samples {
                floats[place] = Self.bounded(
                    unsafe bytes.loadUnaligned(fromByteOffset: 4 * place, as: Float.self))
            }
            try encoder.encode(floats, frames: samples / channels)
            return
        }
        try encoder.encode(integers, frames: samples / channels)
    }

    private static func int24(_ bytes: UnsafeRawBufferPointer, at place: Int) -> CInt {
        let (first, middle, last) = unsafe (
            UInt32(bytes[place]), UInt32(bytes[place + 1]), UInt32(bytes[place + 2])
        )
        return CInt(
            bitPattern: AudioStreamBasicDescription.isNativeBigEndian
                ? first << 24 | middle << 16 | last << 8 : last << 24 | middle << 16 | first << 8)
    }

    /// QUIRK: LAME 3.100 ends the process if a sample is no number, and makes noise of huge ones.
    private static func bounded(_ sample: Float) -> Float {
        sample.isNaN ? 0 : min(max(sample, -maximum), maximum)
    }

    /// 24 dB over full scale, far above any intended level.
    private static let maximum: Float = 16
}
