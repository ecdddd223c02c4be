// SPDX-License-Identifier: MIT

import CAQFLAC
import AQTestSupport

/// Noise that libFLAC encodes, with the offsets of its frames.
final class FLACBytes {
    let samples: [Int32]
    let bits: Int
    let channels: Int
    let blockFrames: Int
    /// The file, whose header counts its frames if that is requested.
    private(set) var file: [UInt8] = []
    /// The offset of the first frame, and the end of each frame.
    private(set) var ends: [Int] = []

    /// - Parameter amplitude: Nil for samples of all bits.
    init(
        bits: Int = 16, channels: Int = 2, sampleRate: Int = 48_000, blockFrames: Int = 4096,
        frames: Int = 20_000, amplitude: Int32? = nil, isCounted: Bool = true, seed: UInt64 = 1
    ) {
        var random = SplitMix(seed)
        let most = amplitude ?? Int32.max >> Int32(32 - bits)
        // Never silent, so silence marks lost frames.
        samples = (0..<frames * channels).map { _ in
            let noise = random.noise()
            return (1 + Int32(Double(most - 1) * abs(noise))) * (noise < 0 ? -1 : 1)
        }
        (self.bits, self.channels, self.blockFrames) = (bits, channels, blockFrames)
        var reason: UnsafePointer<CChar>?
        guard let flac = unsafe aq_flac(&reason)?.pointee, let encoder = unsafe flac.stream_encoder_new()
        else {
            fatalError("no encoder")
        }
        defer { unsafe flac.stream_encoder_delete(encoder) }
        unsafe _ = flac.stream_encoder_set_sample_rate(encoder, UInt32(sampleRate))
        unsafe _ = flac.stream_encoder_set_channels(encoder, UInt32(channels))
        unsafe _ = flac.stream_encoder_set_bits_per_sample(encoder, UInt32(bits))
        unsafe _ = flac.stream_encoder_set_compression_level(encoder, 2)
        unsafe _ = flac.stream_encoder_set_streamable_subset(encoder, 0)
        unsafe _ = flac.stream_encoder_set_blocksize(encoder, UInt32(blockFrames))
        if isCounted { unsafe _ = flac.stream_encoder_set_total_samples_estimate(encoder, UInt64(frames)) }
        let status = unsafe flac.stream_encoder_init_stream(
            encoder, Self.write, nil, nil, nil, Unmanaged.passUnretained(self).toOpaque())
        precondition(status == FLAC__STREAM_ENCODER_INIT_STATUS_OK, "\(status)")
        unsafe _ = flac.stream_encoder_process_interleaved(encoder, samples, UInt32(frames))
        unsafe _ = flac.stream_encoder_finish(encoder)
    }

    private static let write: FLAC__StreamEncoderWriteCallback = { _, bytes, byteCount, samples, _, context in
        guard let context = unsafe context else { return FLAC__STREAM_ENCODER_WRITE_STATUS_FATAL_ERROR }
        let sound = unsafe Unmanaged<FLACBytes>.fromOpaque(context).takeUnretainedValue()
        if samples > 0, sound.ends.isEmpty { sound.ends.append(sound.file.count) }
        unsafe sound.file.append(contentsOf: UnsafeBufferPointer(start: bytes, count: byteCount))
        if samples > 0 { sound.ends.append(sound.file.count) }
        return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
    }

    var header: [UInt8] { Array(file[..<ends[0]]) }

    var frameCount: Int { samples.count / channels }

    /// The samples from a FLAC frame on, as they are read.
    func pcm(fromBlock block: Int = 0) -> [UInt8] {
        let width = (bits + 7) / 8
        let shift = Int32(8 * width - bits)
        var bytes: [UInt8] = []
        for sample in samples[min(block * blockFrames * channels, samples.count)...] {
            let high = UInt32(bitPattern: sample &<< shift)
            bytes.append(UInt8(truncatingIfNeeded: high))
            if width > 1 { bytes.append(UInt8(truncatingIfNeeded: high &>> 8)) }
            if width > 2 { bytes.append(UInt8(truncatingIfNeeded: high &>> 16)) }
            if width > 3 { bytes.append(UInt8(truncatingIfNeeded: high &>> 24)) }
        }
        return bytes
    }

    /// FLAC in Ogg, a page for each frame.
    func ogg(serial: UInt32 = 1) -> [UInt8] {
        let counts = ends.indices.map { Int64(min($0 * blockFrames, frameCount)) }
        return OggBytes.flac(file, ends: ends, counts: counts, serial: serial)
    }
}
