// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CAQAVCodec
import CoreAudioTypes

/// The settings with which a decoder or an encoder of libavcodec is opened.
struct AVSettings: Sendable {
    /// A sample format in which libavcodec's codecs and this module exchange samples.
    enum Sample: Sendable {
        case signed16
        /// Integers packed in three bytes.
        case signed24
        case signed32
        case float

        var number: Int32 {
            switch self {
            case .signed16: AQ_AV_S16
            case .signed24: AQ_AV_S24
            case .signed32: AQ_AV_S32
            case .float: AQ_AV_FLOAT
            }
        }
    }

    var codec: AVCodecID
    var sample: Sample
    var sampleRate: Int
    var channels: Int
    /// Decoders: the number of frames that each packet gives.
    var packetFrames = 0
    /// Decoders: the size of the largest packet in bytes.
    var packetBytes = 0
    /// Decoders: the magic cookie in the codec's own form.
    var extradata: [UInt8] = []
    /// Encoders: the bit rate in bits per second; 0 if the codec does not use one.
    var bitRate = 0
    /// Encoders: the effort as a number of the codec; nil for its default.
    var effort: Int?
    /// Encoders of AAC: the name of the search for scale factors; nil for the default.
    var search: StaticString?

    static let maximumChannels = Int(AQ_AV_CHANNELS)

    /// The channel mask of WAVE files for the speakers, in the order of ``DecodedChannelOrder``.
    private var channelMask: UInt64 {
        switch channels {
        case 1: 0x4
        case 2: 0x3
        case 3: 0x7
        case 4: 0x107
        case 5: 0x37
        case 6: 0x3F
        case 7: 0x13F
        default: codec == .alac ? 0xFF : 0x63F
        }
    }

    func pcmFormat(sampleRate: Double) -> AudioStreamBasicDescription {
        switch sample {
        case .signed16: .signedInteger(bits: 16, channels: channels, sampleRate: sampleRate)
        case .signed24: .signedInteger(bits: 24, channels: channels, sampleRate: sampleRate)
        case .signed32: .signedInteger(bits: 32, channels: channels, sampleRate: sampleRate)
        case .float: .float(channels: channels, sampleRate: sampleRate)
        }
    }

    /// Opens a decoder or an encoder, which the caller has to close.
    ///
    /// - Parameter function: `aq_av_decoder_open` or `aq_av_encoder_open`.
    /// - Returns: The handle; or nil, and the reason.
    func open(
        with function: (UnsafePointer<aq_av_settings>, UnsafeMutablePointer<CChar>) -> OpaquePointer?
    ) -> (handle: OpaquePointer?, reason: String) {
        // SAFETY: the function copies the settings and their memory, except the search, which is static. The reason
        // and its final 0 fit in the buffer.
        unsafe extradata.withUnsafeBufferPointer { extradata in
            var settings = unsafe aq_av_settings()
            unsafe settings.codec = codec.number
            unsafe settings.sample = sample.number
            unsafe settings.sample_rate = Int32(clamping: sampleRate)
            unsafe settings.channels = Int32(clamping: channels)
            unsafe settings.channel_mask = channelMask
            unsafe settings.packet_frames = Int32(clamping: packetFrames)
            unsafe settings.packet_bytes = Int32(clamping: packetBytes)
            unsafe settings.extradata = extradata.baseAddress
            unsafe settings.extradata_bytes = Int32(clamping: extradata.count)
            unsafe settings.bit_rate = Int64(bitRate)
            unsafe settings.effort = Int32(clamping: effort ?? -1)
            if let search {
                unsafe settings.search = UnsafeRawPointer(search.utf8Start).assumingMemoryBound(
                    to: CChar.self)
            }
            let opened = unsafe AVReason.collect { reason in unsafe function(&settings, reason) }
            return unsafe (opened.result, opened.reason)
        }
    }
}

/// Access to the reasons for failures that the C functions write.
enum AVReason {
    /// Calls a function with memory for a reason, and returns that reason.
    static func collect<Result>(
        _ call: (UnsafeMutablePointer<CChar>) -> Result
    ) -> (result: Result, reason: String) {
        let bytes = Int(AQ_AV_REASON_BYTES)
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: bytes)
        defer { unsafe text.deallocate() }
        unsafe text.initialize(repeating: 0, count: bytes)
        let result = unsafe call(text)
        // SAFETY: the C functions end the reason with a 0.
        return (result, unsafe String(cString: text))
    }
}
#endif
