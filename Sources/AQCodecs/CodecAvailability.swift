// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// The availability of a codec in this build on this machine, or the reason why it is missing.
///
/// libavcodec provides AAC, Apple Lossless, IMA 4:1 and the encoder of MP3, and libopus the decoder of Opus. The first
/// query for one of them loads the library.
public struct CodecAvailability: Sendable, Equatable {
    /// The reason why the codec is missing, as a phrase for the end of an error message; nil if the codec is available.
    public let reason: String?
    /// Whether the codec is available, although it may not support every rate or number of channels.
    public var isAvailable: Bool { reason == nil }

    /// Returns the availability of a decoder of a format.
    public static func decoder(of formatID: AudioFormatID) -> CodecAvailability {
        switch formatID {
        case kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3:
            #if HAVE_MPEG_AUDIO
            return CodecAvailability(reason: nil)
            #else
            return CodecAvailability(reason: "unsupported, built without MPEG audio")
            #endif
        case kAudioFormatOpus: return CodecAvailability(reason: OpusPacketDecoder.loadFailure)
        default: return codec(of: formatID, isEncoding: false)
        }
    }

    /// Returns the availability of an encoder of a format.
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

    /// Returns the formats known to this package that can be encoded.
    public static func encodableFormats() -> [AudioFormatID] {
        knownFormats.filter { encoder(of: $0).isAvailable }
    }

    /// Returns the formats known to this package that can be decoded.
    public static func decodableFormats() -> [AudioFormatID] {
        knownFormats.filter { decoder(of: $0).isAvailable }
    }

    private static let knownFormats = [
        kAudioFormatLinearPCM, kAudioFormatALaw, kAudioFormatULaw, kAudioFormatMPEG4AAC,
        kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2, kAudioFormatAppleLossless,
        kAudioFormatAppleIMA4, kAudioFormatMPEGLayer1, kAudioFormatMPEGLayer2, kAudioFormatMPEGLayer3,
        kAudioFormatOpus,
    ]
}
