// SPDX-License-Identifier: MIT

#if HAVE_AV_CODECS
import CAQAVCodec
import CoreAudioTypes

enum AVCodecID: Sendable {
    case aac
    case alac
    case ima4
    case mp3

    /// Makes the codec of a format's packets; nil if this module does not use libavcodec for the format.
    init?(_ formatID: AudioFormatID) {
        switch formatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2: self = .aac
        case kAudioFormatAppleLossless: self = .alac
        case kAudioFormatAppleIMA4: self = .ima4
        case kAudioFormatMPEGLayer3: self = .mp3
        default: return nil
        }
    }

    var number: Int32 {
        switch self {
        case .aac: AQ_AV_AAC
        case .alac: AQ_AV_ALAC
        case .ima4: AQ_AV_IMA_QT
        case .mp3: AQ_AV_MP3
        }
    }

    /// Returns the reason why a format cannot be encoded or decoded; nil if it can.
    static func failure(of formatID: AudioFormatID, isEncoding: Bool) -> String? {
        let kind = isEncoding ? "encoder" : "decoder"
        guard let codec = AVCodecID(formatID) else { return "no \(kind) for it" }
        if isEncoding, formatID == kAudioFormatMPEG4AAC_HE || formatID == kAudioFormatMPEG4AAC_HE_V2 {
            return "libavcodec encodes AAC only without band replication"
        }
        // SAFETY: the text is never freed or changed.
        if let failure = unsafe aq_av_failure() {
            return unsafe "libavcodec cannot be loaded: " + String(cString: failure)
        }
        let isBuilt = isEncoding ? aq_av_has_encoder(codec.number) : aq_av_has_decoder(codec.number)
        return isBuilt ? nil : "libavcodec was built without its \(kind)"
    }
}
#endif
