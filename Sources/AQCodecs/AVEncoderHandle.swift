// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CAQAVCodec
import CoreAudioTypes

@safe struct AVEncoderHandle: ~Copyable {
    let pointer: OpaquePointer

    /// Opens an encoder.
    ///
    /// - Parameter format: The format of the packets, for error messages.
    init(_ settings: AVSettings, encoding format: AudioStreamBasicDescription) throws(CodecError) {
        if let reason = AVCodecID.failure(of: format.mFormatID, isEncoding: true) {
            throw CodecError(.unsupportedFormat, cannot: "encode", format, reason)
        }
        let (pointer, reason) = unsafe settings.open { unsafe aq_av_encoder_open($0, $1) }
        guard let pointer = unsafe pointer else {
            throw CodecError(.unsupportedFormat, "cannot encode \(format.summary): \(reason)")
        }
        unsafe self.pointer = pointer
    }

    deinit { unsafe aq_av_encoder_close(pointer) }

    var packetFrames: Int { Int(unsafe aq_av_encoder_packet_frames(pointer)) }
    var primingFrames: Int { max(0, Int(unsafe aq_av_encoder_priming_frames(pointer))) }

    /// The magic cookie in the codec's own form.
    var extradata: [UInt8] {
        var bytes: Int32 = 0
        // SAFETY: the pointer is valid for `bytes` bytes while the encoder is open.
        let start = unsafe aq_av_encoder_extradata(pointer, &bytes)
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(bytes)))
    }
}
#endif
