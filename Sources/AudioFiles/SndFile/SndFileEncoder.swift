import CSndFile
import CoreAudioTypes

/// Owner of a libsndfile handle that encodes into memory.
@safe final class SndFileEncoder {
    /// The encoded bytes.
    let output: EncodedBytes
    let settings: EncoderSettings
    /// Nil once finished.
    private var handle: OpaquePointer?

    /// Starts the encoder, which may write a header at once.
    ///
    /// - Throws: `unsupported` if the library lacks this encoder, or rejects the settings.
    ///
    /// The corresponding C function is `sf_open_virtual`.
    init(_ settings: EncoderSettings) throws(AudioFileError) {
        self.settings = settings
        output = EncodedBytes(stream: settings.stream)
        var info = settings.info
        var calls = EncodedBytes.calls
        let context = unsafe Unmanaged.passUnretained(output).toOpaque()
        let handle = try unsafe SndFileOpening.open(
            { unsafe sf_open_virtual(&calls, CInt(SFM_WRITE), &info, context) },
            failure: { _, reason in
                AudioFileError(
                    .unsupported, "the installed libsndfile does not encode such a file: \(reason)")
            })
        unsafe self.handle = handle
        // The level comes before the mode, because the library rejects a mode without a level.
        var level = settings.compressionLevel
        var isSet =
            unsafe sf_command(
                handle, CInt(SFC_SET_COMPRESSION_LEVEL), &level, CInt(MemoryLayout<Double>.size)) != 0
        if let mode = settings.bitRateMode {
            var value = CInt(mode)
            let isModeSet =
                unsafe sf_command(
                    handle, CInt(SFC_SET_BITRATE_MODE), &value, CInt(MemoryLayout<CInt>.size)) != 0
            isSet = isSet && isModeSet
        }
        guard isSet else {
            throw AudioFileError(.unsupported, "libsndfile refuses the quality or bit rate")
        }
        // Otherwise the header would be written with the first samples, and an empty file would have none.
        unsafe sf_command(handle, CInt(SFC_UPDATE_HEADER_NOW), nil, 0)
    }

    deinit { finish() }

    /// Encodes interleaved floating-point samples.
    ///
    /// The corresponding C function is `sf_writef_float`.
    func encode(_ samples: [Float], frames: Int) throws(AudioFileError) {
        guard let handle = unsafe handle, frames > 0 else { return }
        try check(unsafe sf_writef_float(handle, samples, sf_count_t(frames)), frames: frames)
    }

    /// Encodes the samples that the encoder holds back, and completes the header. Does nothing the second time.
    ///
    /// The corresponding C function is `sf_close`.
    func finish() {
        guard let open = unsafe handle else { return }
        unsafe handle = nil
        // It can only report a failed write, and writes to memory do not fail.
        unsafe sf_close(open)
    }

    private func check(_ written: sf_count_t, frames: Int) throws(AudioFileError) {
        guard Int(written) != frames else { return }
        let reason = unsafe SndFileHandle.sentence(String(cString: sf_strerror(handle)))
        throw AudioFileError(.unwritable, "libsndfile encoded \(written) of \(frames) frames: \(reason)")
    }
}
