#if HAVE_AV_CODECS
import CAVCodec
import CoreAudioTypes

/// A codec of libavcodec.
enum AVCodecID: Sendable {
    case aac
    case alac
    case ima4
    case mp3

    /// The codec of a format's packets; nil if this module does not use libavcodec for it.
    init?(_ formatID: AudioFormatID) {
        switch formatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: self = .aac
        case kAudioFormatAppleLossless: self = .alac
        case kAudioFormatAppleIMA4: self = .ima4
        case kAudioFormatMPEGLayer3: self = .mp3
        default: return nil
        }
    }

    /// The codec's number for the C functions.
    var number: Int32 {
        switch self {
        case .aac: AQ_AV_AAC
        case .alac: AQ_AV_ALAC
        case .ima4: AQ_AV_IMA_QT
        case .mp3: AQ_AV_MP3
        }
    }

    /// The reason why the format cannot be encoded; nil if it can.
    static func encoderFailure(of formatID: AudioFormatID) -> String? {
        guard let codec = AVCodecID(formatID) else { return "no encoder for it" }
        if formatID == kAudioFormatMPEG4AAC_HE || formatID == kAudioFormatMPEG4AAC_HE_V2 {
            return "libavcodec encodes AAC without band replication only"
        }
        return loadFailure
            ?? (aq_av_has_encoder(codec.number) ? nil : "libavcodec was built without its encoder")
    }

    /// The reason why the format cannot be decoded; nil if it can.
    static func decoderFailure(of formatID: AudioFormatID) -> String? {
        guard let codec = AVCodecID(formatID) else { return "no decoder for it" }
        return loadFailure
            ?? (aq_av_has_decoder(codec.number) ? nil : "libavcodec was built without its decoder")
    }

    /// The reason why the library cannot be loaded; nil after it has been loaded.
    private static var loadFailure: String? {
        // SAFETY: the text is never freed or written to again.
        unsafe aq_av_failure().map { unsafe "libavcodec cannot be loaded: " + String(cString: $0) }
    }
}
#endif
