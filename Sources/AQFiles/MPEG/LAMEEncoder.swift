// SPDX-License-Identifier: MIT

#if HAVE_MPEG_AUDIO
import CAQLAME
import AQMPEGAudio

/// The owner of one LAME encoder.
@safe final class LAMEEncoder {
    /// The number of frames that the encoder inserts before the audio, without the decoder's own.
    let delayFrames: Int64

    private let lame: aq_lame_functions
    private let channels: Int
    private let handle: OpaquePointer
    /// The encoded bytes that do not form a whole packet so far.
    private var rest: [UInt8] = []

    /// - Parameter bitRate: The bit rate in bits per second; nil selects a variable rate of LAME's quality 2, about 190
    ///   kbit/s in stereo at 44.1 kHz.
    /// - Throws: `unsupported` if LAME is missing or rejects the settings.
    ///
    /// The corresponding C function is `lame_init_params`.
    init(sampleRate: Int, channels: Int, bitRate: Int?) throws(AudioFileError) {
        unsafe lame = try LoadedLibrary.functions(for: "MP3", aq_lame)
        guard let handle = unsafe lame.lame_init() else {
            throw AudioFileError(.unsupported, "LAME has no memory for an encoder")
        }
        unsafe self.handle = handle
        self.channels = channels
        unsafe _ = lame.lame_set_in_samplerate(handle, CInt(sampleRate))
        unsafe _ = lame.lame_set_out_samplerate(handle, CInt(sampleRate))
        unsafe _ = lame.lame_set_num_channels(handle, CInt(channels))
        unsafe _ = lame.lame_set_mode(handle, channels == 1 ? MONO : JOINT_STEREO)
        // The tag is written by `MPEGPacketWriter`, which keeps it correct while the file grows.
        unsafe _ = lame.lame_set_bWriteVbrTag(handle, 0)
        if let bitRate {
            unsafe _ = lame.lame_set_brate(handle, CInt(bitRate / 1000))
        } else {
            unsafe _ = lame.lame_set_VBR(handle, vbr_mtrh)
            unsafe _ = lame.lame_set_VBR_quality(handle, 2)
        }
        let status = unsafe lame.lame_init_params(handle)
        delayFrames = unsafe Int64(lame.lame_get_encoder_delay(handle))
        guard status >= 0 else {
            throw AudioFileError(.unsupported, "LAME refuses the bit rate (status \(status))")
        }
    }

    deinit { unsafe _ = lame.lame_close(handle) }

    /// The name of the encoder for a tag, such as `LAME3.100`.
    ///
    /// The corresponding C function is `get_lame_very_short_version`.
    var name: String { unsafe LoadedLibrary.text(lame.get_lame_very_short_version()) }

    /// Encodes interleaved samples.
    ///
    /// - Returns: The packets that are complete.
    ///
    /// The corresponding C function is `lame_encode_buffer_ieee_float`.
    func encode(_ samples: [Float], frames: Int) throws(AudioFileError) -> [[UInt8]] {
        // The most bytes that LAME produces, by its documentation.
        try unsafe packets(mostBytes: frames * 5 / 4 + 7200) { bytes, byteCount in
            channels == 1
                ? unsafe lame.lame_encode_buffer_ieee_float(
                    handle, samples, samples, CInt(frames), bytes, byteCount)
                : unsafe lame.lame_encode_buffer_interleaved_ieee_float(
                    handle, samples, CInt(frames), bytes, byteCount)
        }
    }

    /// Encodes the samples that the encoder holds back. No samples can follow.
    ///
    /// The corresponding C function is `lame_encode_flush`.
    func finish() throws(AudioFileError) -> [[UInt8]] {
        try unsafe packets(mostBytes: 7200) { unsafe lame.lame_encode_flush(handle, $0, $1) }
    }

    /// Divides the output of a call into packets. A call may end inside a packet, because the bit reservoir holds back
    /// bytes.
    private func packets(
        mostBytes: Int, _ encode: (UnsafeMutablePointer<UInt8>?, CInt) -> CInt
    ) throws(AudioFileError) -> [[UInt8]] {
        let start = rest.count
        rest += [UInt8](repeating: 0, count: mostBytes)
        let status = unsafe rest.withUnsafeMutableBufferPointer { bytes in
            unsafe encode(bytes.baseAddress.map { unsafe $0 + start }, CInt(mostBytes))
        }
        guard status >= 0 else {
            throw AudioFileError(.unwritable, "LAME does not encode (status \(status))")
        }
        rest.removeLast(mostBytes - Int(status))
        var packets: [[UInt8]] = []
        var offset = 0
        while rest.count - offset >= 4 {
            guard
                let bytes = unsafe MPEGFrameHeader(rest.span.bytes.extracting(droppingFirst: offset))?
                    .packetBytes
            else { throw AudioFileError(.unwritable, "LAME produced bytes that are not a packet") }
            guard bytes <= rest.count - offset else { break }
            packets.append(Array(rest[offset..<offset + bytes]))
            offset += bytes
        }
        rest.removeFirst(offset)
        return packets
    }
}
#endif
