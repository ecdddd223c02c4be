import CSndFile
import CoreAudioTypes

/// Owner of a libsndfile handle that encodes into memory.
@safe final class SndFileEncoder {
    /// What has been encoded.
    let output: EncodedBytes
    let settings: EncoderSettings
    /// Nil once finished.
    private var handle: OpaquePointer?

    /// Starts the encoder, which may write a header at once.
    ///
    /// - Throws: `unsupported` if the library was built without this encoder, or refuses the settings.
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
        // The level before the mode: the library refuses a mode for which it has no level.
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
        // Otherwise the header would come with the first samples, and a file without any would have none.
        unsafe sf_command(handle, CInt(SFC_UPDATE_HEADER_NOW), nil, 0)
    }

    deinit { finish() }

    /// Encodes interleaved integers in the high bits.
    ///
    /// QUIRK: libsndfile 1.2 hands LAME only half of each block of 16-bit stereo samples, so all integers go
    /// through 32 bits.
    ///
    /// The corresponding C function is `sf_writef_int`.
    func encode(_ samples: [CInt], frames: Int) throws(AudioFileError) {
        guard let handle = unsafe handle, frames > 0 else { return }
        try check(unsafe sf_writef_int(handle, samples, sf_count_t(frames)), frames: frames)
    }

    /// Encodes interleaved floating-point samples.
    ///
    /// The corresponding C function is `sf_writef_float`.
    func encode(_ samples: [Float], frames: Int) throws(AudioFileError) {
        guard let handle = unsafe handle, frames > 0 else { return }
        try check(unsafe sf_writef_float(handle, samples, sf_count_t(frames)), frames: frames)
    }

    /// Encodes what the encoder has held back, and completes the header; does nothing the second time.
    ///
    /// The corresponding C function is `sf_close`.
    func finish() {
        guard let open = unsafe handle else { return }
        unsafe handle = nil
        // What it would report is a failure to write, and memory does not fail.
        unsafe sf_close(open)
    }

    private func check(_ written: sf_count_t, frames: Int) throws(AudioFileError) {
        guard Int(written) != frames else { return }
        let reason = unsafe SndFileHandle.sentence(String(cString: sf_strerror(handle)))
        throw AudioFileError(.unwritable, "libsndfile encoded \(written) of \(frames) frames: \(reason)")
    }
}
