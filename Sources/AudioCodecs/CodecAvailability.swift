public import CoreAudioTypes

/// Whether this build has a codec on this machine, and the reason if not.
///
/// AAC, Apple Lossless, IMA 4:1 and the encoder of MP3 are libavcodec's, which is loaded at the first query
/// for one of them.
public struct CodecAvailability: Sendable, Equatable {
    /// The reason why there is no codec, in the words that follow the attempted operation; nil if there is
    /// one.
    public let reason: String?
    /// Whether there is a codec, although it may not support every rate or number of channels.
    public var isAvailable: Bool { reason == nil }

    /// Returns whether packets of a format can be decoded.
    public static func decoder(of formatID: AudioFormatID) -> CodecAvailability {
        switch formatID {
        case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3:
            #if HAVE_MPEG_AUDIO
            return CodecAvailability(reason: nil)
            #else
            return CodecAvailability(reason: "unsupported, built without MPEG audio")
            #endif
        default: return codec(of: formatID, isEncoding: false)
        }
    }

    /// Returns whether packets of a format can be encoded.
    public static func encoder(of formatID: AudioFormatID) -> CodecAvailability {
        codec(of: formatID, isEncoding: true)
    }

    private static func codec(of formatID: AudioFormatID, isEncoding: Bool) -> CodecAvailability {
        switch formatID {
        case kAudioFormatLinearPCM, kAudioFormatALaw, kAudioFormatULaw: return CodecAvailability(reason: nil)
        default:
            #if HAVE_AV_CODECS
            return CodecAvailability(reason: AVCodecID.failure(of: formatID, isEncoding: isEncoding))
            #else
            let formats = [
                kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2,
                kAudioFormatAppleLossless, kAudioFormatAppleIMA4, kAudioFormatMPEGLayer3,
            ]
            return CodecAvailability(
                reason: formats.contains(formatID)
                    ? "unsupported, built without AVCodecs" : "no \(isEncoding ? "en" : "de")coder for it")
            #endif
        }
    }

    /// The formats known to this package that can be encoded.
    public static func encodableFormats() -> [AudioFormatID] {
        knownFormats.filter { encoder(of: $0).isAvailable }
    }

    /// The formats known to this package that can be decoded.
    public static func decodableFormats() -> [AudioFormatID] {
        knownFormats.filter { decoder(of: $0).isAvailable }
    }

    private static let knownFormats = [
        kAudioFormatLinearPCM, kAudioFormatALaw, kAudioFormatULaw, kAudioFormatMPEG4AAC,
        kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2, kAudioFormatAppleLossless,
        kAudioFormatAppleIMA4, kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3,
    ]
}
