// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

/// The available codecs, and the settings that they accept.
enum CodecFacts {
    /// The published number for any number of channels.
    static let anyNumber = UInt32.max

    /// The encoder of a format; empty if there is none.
    static func encoders(of formatID: AudioFormatID) -> [AudioClassDescription] {
        CodecAvailability.encoder(of: formatID).isAvailable
            ? [codec(kAudioEncoderComponentType, formatID)] : []
    }

    /// The decoder of a format; empty if there is none.
    static func decoders(of formatID: AudioFormatID) -> [AudioClassDescription] {
        CodecAvailability.decoder(of: formatID).isAvailable
            ? [codec(kAudioDecoderComponentType, formatID)] : []
    }

    /// The bit rates of an encoder, for the whole stream, at any sample rate and number of channels; empty if
    /// there is no choice.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no encoder.
    static func encodedBitRates(of formatID: AudioFormatID) throws(StatusError) -> [AudioValueRange] {
        try requireEncoder(of: formatID)
        switch formatID {
        // From the minimum of one channel to the maximum of eight at the highest rate: 6144 bits for each
        // packet and channel.
        case kAudioFormatMPEG4AAC: return [AudioValueRange(mMinimum: 8000, mMaximum: 96_000 * 6 * 8)]
        case kAudioFormatMPEGLayer3: return points(layer3BitRates)
        default: return []
        }
    }

    /// The sample rates of an encoder: a range for each rate, or one range if it accepts any rate.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no encoder.
    static func encodedSampleRates(of formatID: AudioFormatID) throws(StatusError) -> [AudioValueRange] {
        try requireEncoder(of: formatID)
        switch formatID {
        case kAudioFormatMPEG4AAC: return points(aacRates)
        case kAudioFormatMPEGLayer3: return points(layer3Rates)
        default:
            return [AudioValueRange(mMinimum: 1, mMaximum: AudioStreamBasicDescription.maximumSampleRate)]
        }
    }

    /// The channel orders that an encoder accepts.
    ///
    /// - Parameter format: The encoded format; 0 channels select the layouts of every number of channels.
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no encoder.
    static func encodedLayoutTags(
        of format: AudioStreamBasicDescription
    ) throws(StatusError) -> [AudioChannelLayoutTag] {
        try requireEncoder(of: format.mFormatID)
        let channels = format.mChannelsPerFrame
        guard takesAnyChannels(format.mFormatID) else {
            return layoutTags(of: format.mFormatID).filter { channels == 0 || $0 & 0xFFFF == channels }
        }
        // Any order is possible, since the samples do not depend on the order.
        let numbers = channels > 0 ? [channels] : Array(1...mostNamedChannels)
        return numbers.flatMap { PublishedLayoutTags.tags(channels: $0) }
    }

    /// The numbers of channels that an encoder accepts; ``anyNumber`` alone if it accepts any number.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no encoder.
    static func encodedChannels(of formatID: AudioFormatID) throws(StatusError) -> [UInt32] {
        try requireEncoder(of: formatID)
        return takesAnyChannels(formatID) ? [anyNumber] : layoutTags(of: formatID).map { $0 & 0xFFFF }
    }

    /// The numbers of channels that a decoder accepts; ``anyNumber`` alone if it accepts any number.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if there is no decoder.
    static func decodedChannels(of formatID: AudioFormatID) throws(StatusError) -> [UInt32] {
        guard CodecAvailability.decoder(of: formatID).isAvailable else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        switch formatID {
        case _ where takesAnyChannels(formatID): return [anyNumber]
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatAppleLossless: return Array(1...8)
        // Parametric stereo always has two channels.
        case kAudioFormatMPEG4AAC_HE_V2: return [2]
        default: return [1, 2]
        }
    }

    private static func takesAnyChannels(_ formatID: AudioFormatID) -> Bool {
        [kAudioFormatLinearPCM, kAudioFormatALaw, kAudioFormatULaw].contains(formatID)
    }

    private static func requireEncoder(of formatID: AudioFormatID) throws(StatusError) {
        guard CodecAvailability.encoder(of: formatID).isAvailable else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
    }

    // COMPAT: programs search for this manufacturer to find a software codec.
    private static func codec(_ type: OSType, _ formatID: AudioFormatID) -> AudioClassDescription {
        AudioClassDescription(
            mType: type, mSubType: formatID, mManufacturer: kAppleSoftwareAudioCodecManufacturer)
    }

    /// The layout tags of an encoder: one for each number of channels that it accepts.
    private static func layoutTags(of formatID: AudioFormatID) -> [AudioChannelLayoutTag] {
        switch formatID {
        case kAudioFormatMPEG4AAC: commonTags + [kAudioChannelLayoutTag_WAVE_7_1]
        case kAudioFormatAppleLossless:
            commonTags + [kAudioChannelLayoutTag_MPEG_6_1_A, kAudioChannelLayoutTag_MPEG_7_1_A]
        default: Array(commonTags.prefix(2))
        }
    }

    private static func points(_ values: [Double]) -> [AudioValueRange] {
        values.map { AudioValueRange(mMinimum: $0, mMaximum: $0) }
    }

    /// The number of channels of the largest published layout.
    private static let mostNamedChannels: UInt32 = 24

    // The layouts that the engine's encoders check their settings against.
    private static let commonTags: [AudioChannelLayoutTag] = [
        kAudioChannelLayoutTag_Mono, kAudioChannelLayoutTag_Stereo, kAudioChannelLayoutTag_MPEG_3_0_A,
        kAudioChannelLayoutTag_MPEG_4_0_A, kAudioChannelLayoutTag_MPEG_5_0_A,
        kAudioChannelLayoutTag_MPEG_5_1_A,
    ]
    private static let aacRates: [Double] = [
        7350, 8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    ]
    private static let layer3Rates: [Double] = [
        8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000,
    ]
    private static let layer3BitRates: [Double] = [
        8000, 16_000, 24_000, 32_000, 40_000, 48_000, 56_000, 64_000, 80_000, 96_000, 112_000, 128_000,
        144_000, 160_000, 192_000, 224_000, 256_000, 320_000,
    ]
}

extension FormatAnswers {
    /// The number of the listed codecs that the hardware can run at once: none.
    static func hardwareCodecs(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        _ = try specifier.values(AudioClassDescription.self)
        return .one(0 as UInt32)
    }
}
