// SPDX-License-Identifier: MIT

public import CAQCoreMedia
import CoreAudioTypes

extension CMFormatDescription {
    /// The kind of media that a description is for.
    public struct MediaType: RawRepresentable, Hashable, Sendable {
        public let rawValue: FourCharCode

        public init(rawValue: FourCharCode) { self.rawValue = rawValue }

        public static let audio = MediaType(rawValue: kCMMediaType_Audio)
    }

    /// The codec of the media, which is the format ID of audio.
    public struct MediaSubType: RawRepresentable, Hashable, Sendable {
        public let rawValue: FourCharCode

        public init(rawValue: FourCharCode) { self.rawValue = rawValue }

        public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
        public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
        public static let mpeg4AAC_HE = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE)
        public static let mpeg4AAC_HE_V2 = MediaSubType(rawValue: kAudioFormatMPEG4AAC_HE_V2)
        public static let mpeg4AAC_LD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_LD)
        public static let mpeg4AAC_ELD = MediaSubType(rawValue: kAudioFormatMPEG4AAC_ELD)
        public static let appleLossless = MediaSubType(rawValue: kAudioFormatAppleLossless)
        public static let appleIMA4 = MediaSubType(rawValue: kAudioFormatAppleIMA4)
        public static let mpegLayer1 = MediaSubType(rawValue: kAudioFormatMPEGLayer1)
        public static let mpegLayer2 = MediaSubType(rawValue: kAudioFormatMPEGLayer2)
        public static let mpegLayer3 = MediaSubType(rawValue: kAudioFormatMPEGLayer3)
        public static let uLaw = MediaSubType(rawValue: kAudioFormatULaw)
        public static let aLaw = MediaSubType(rawValue: kAudioFormatALaw)
        public static let ac3 = MediaSubType(rawValue: kAudioFormatAC3)
        public static let enhancedAC3 = MediaSubType(rawValue: kAudioFormatEnhancedAC3)
        public static let amr = MediaSubType(rawValue: kAudioFormatAMR)
        public static let flac = MediaSubType(rawValue: kAudioFormatFLAC)
        public static let opus = MediaSubType(rawValue: kAudioFormatOpus)
    }

    /// The kind of media.
    ///
    /// The corresponding C function is `CMFormatDescriptionGetMediaType`.
    public var mediaType: MediaType { MediaType(rawValue: CMFormatDescriptionGetMediaType(self)) }

    /// The codec.
    ///
    /// The corresponding C function is `CMFormatDescriptionGetMediaSubType`.
    public var mediaSubType: MediaSubType {
        MediaSubType(rawValue: CMFormatDescriptionGetMediaSubType(self))
    }
}
