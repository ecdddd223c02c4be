// SPDX-License-Identifier: MIT

import CAQFLAC

/// The owner of one libFLAC encoder, which keeps its frames in memory.
@safe final class FLACEncoder {
    /// Whole FLAC frames in the order of the stream.
    struct Output {
        var bytes: [UInt8] = []
        /// The end of each FLAC frame in ``bytes``.
        var ends: [Int] = []
        /// The number of PCM frames in each FLAC frame.
        var frames: [Int64] = []
    }

    /// The contents of STREAMINFO. The encoder sets the checksum and the sizes of frames when it is finished.
    private(set) var streamInfo = FLAC__StreamMetadata_StreamInfo()

    /// The library's name for comments.
    var vendor: String { unsafe String(cString: flac.vendor.pointee) }

    private let flac: aq_flac_functions
    private let bits: Int32
    private var output = Output()
    /// The libFLAC encoder; nil once finished.
    private var handle: UnsafeMutablePointer<FLAC__StreamEncoder>?

    /// - Throws: `unsupported` if FLAC does not have the format, or the library is missing or rejects it.
    ///
    /// The corresponding C function is `FLAC__stream_encoder_init_stream`.
    init(sampleRate: Int, channels: Int, bits: Int) throws(AudioFileError) {
        // Above 65535 Hz a frame's header stores the rate in units of 10 Hz (RFC 9639, 9.1.2).
        guard 1...655_350 ~= sampleRate, sampleRate <= 65_535 || sampleRate % 10 == 0 else {
            throw AudioFileError(
                .unsupported,
                "FLAC files have rates up to 655350 Hz, multiples of 10 above 65535 Hz, not \(sampleRate) Hz")
        }
        guard 1...8 ~= channels else {
            throw AudioFileError(.unsupported, "FLAC files have 1 to 8 channels, not \(channels)")
        }
        guard [8, 16, 24].contains(bits) else {
            throw AudioFileError(.unsupported, "FLAC files have 8, 16 or 24 bits, not \(bits)")
        }
        self.bits = Int32(bits)
        unsafe flac = try LoadedLibrary.functions(for: "FLAC", aq_flac)
        guard let handle = unsafe flac.stream_encoder_new() else {
            throw AudioFileError(.unsupported, "libFLAC has no memory for an encoder")
        }
        unsafe self.handle = handle
        unsafe _ = flac.stream_encoder_set_sample_rate(handle, UInt32(sampleRate))
        unsafe _ = flac.stream_encoder_set_channels(handle, UInt32(channels))
        unsafe _ = flac.stream_encoder_set_bits_per_sample(handle, UInt32(bits))
        // From level 3 on the encoder holds back 4096 frames, which is half a second at low rates.
        unsafe _ = flac.stream_encoder_set_compression_level(handle, sampleRate < 8192 ? 2 : 5)
        let status = unsafe flac.stream_encoder_init_stream(
            handle, Self.write, nil, nil, Self.finished, Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_ENCODER_INIT_STATUS_OK else {
            throw AudioFileError(.unsupported, "libFLAC refuses the format (status \(status.rawValue))")
        }
        let blockFrames = unsafe flac.stream_encoder_get_blocksize(handle)
        (streamInfo.min_blocksize, streamInfo.max_blocksize) = (blockFrames, blockFrames)
        streamInfo.sample_rate = UInt32(sampleRate)
        streamInfo.channels = UInt32(channels)
        streamInfo.bits_per_sample = UInt32(bits)
    }

    deinit { finish() }

    /// Encodes interleaved samples, stored in the highest bits of the integers.
    ///
    /// The corresponding C function is `FLAC__stream_encoder_process_interleaved`.
    func encode(_ samples: [Int32], frames: Int) throws(AudioFileError) {
        guard let handle = unsafe handle, frames > 0 else { return }
        let unused = 32 - bits
        let isEncoded = unsafe flac.stream_encoder_process_interleaved(
            handle, samples.map { $0 >> unused }, UInt32(frames))
        guard isEncoded != 0 else {
            let reason = unsafe LoadedLibrary.text(flac.stream_encoder_get_resolved_state_string(handle))
            throw AudioFileError(.unwritable, "libFLAC does not encode: \(reason)")
        }
    }

    /// Encodes the samples that the encoder holds back, and completes ``streamInfo``. A second call does nothing.
    ///
    /// The corresponding C function is `FLAC__stream_encoder_finish`.
    func finish() {
        guard let open = unsafe handle else { return }
        unsafe handle = nil
        // The call can only report a failed write, and writes to memory do not fail.
        unsafe _ = flac.stream_encoder_finish(open)
        unsafe flac.stream_encoder_delete(open)
    }

    /// Returns the frames encoded since the last call.
    func takeOutput() -> Output {
        defer { output = Output() }
        return output
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> FLACEncoder? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<FLACEncoder>.fromOpaque(context).takeUnretainedValue()
    }

    /// The callback that stores a whole frame. Bytes without samples are metadata, which ``FLACHeader`` writes instead.
    private static let write: FLAC__StreamEncoderWriteCallback = { _, bytes, byteCount, samples, _, context in
        guard samples > 0, let encoder = unsafe FLACEncoder.of(context) else {
            return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
        }
        unsafe encoder.output.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: byteCount))
        encoder.output.ends.append(encoder.output.bytes.count)
        encoder.output.frames.append(Int64(samples))
        return FLAC__STREAM_ENCODER_WRITE_STATUS_OK
    }

    private static let finished: FLAC__StreamEncoderMetadataCallback = { _, metadata, context in
        guard let info = unsafe metadata?.pointee.data.stream_info else { return }
        unsafe FLACEncoder.of(context)?.streamInfo = info
    }
}
