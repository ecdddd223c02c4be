// SPDX-License-Identifier: MIT

import AQCodecs
import CAQAudioToolbox
import CoreAudioTypes

/// The answers of Audio Format Services, by property.
enum FormatAnswers {
    static func byteCount(
        of property: AudioFormatPropertyID, _ specifier: FormatSpecifier
    ) throws(StatusError) -> Int {
        // The value of this property contains the query, which is not available when the size is requested.
        guard property != kAudioFormatProperty_FormatInfo else {
            return MemoryLayout<AudioStreamBasicDescription>.size
        }
        return try answer(property, specifier).byteCount
    }

    /// The value of a property other than `kAudioFormatProperty_FormatInfo`.
    ///
    /// - Throws: `kAudioFormatUnsupportedPropertyError` if there is no such property; the errors of the
    ///   property's function.
    static func answer(
        _ property: AudioFormatPropertyID, _ specifier: FormatSpecifier
    ) throws(StatusError) -> PropertyAnswer {
        switch property {
        case kAudioFormatProperty_FormatName: try formatName(specifier)
        case kAudioFormatProperty_FormatIsVBR, kAudioFormatProperty_FormatIsExternallyFramed:
            try .flag(specifier.value(AudioStreamBasicDescription.self).hasPacketsOfDifferentSizes)
        case kAudioFormatProperty_FormatEmploysDependentPackets:
            try .flag(specifier.value(AudioStreamBasicDescription.self).hasDependentPackets)
        case kAudioFormatProperty_FormatIsEncrypted: try isEncrypted(specifier)
        case kAudioFormatProperty_FormatList: try formatList(specifier)
        case kAudioFormatProperty_OutputFormatList: try outputFormatList(specifier)
        case kAudioFormatProperty_FirstPlayableFormatFromList: try firstPlayableFormat(specifier)
        case kAudioFormatProperty_ASBDFromESDS: try descriptionFromESDS(specifier)
        case kAudioFormatProperty_ChannelLayoutFromESDS: try layoutFromESDS(specifier)
        case kAudioFormatProperty_ASBDFromMPEGPacket: try descriptionFromPacket(specifier)
        case kAudioFormatProperty_EncodeFormatIDs: .many(CodecAvailability.encodableFormats())
        case kAudioFormatProperty_DecodeFormatIDs: .many(CodecAvailability.decodableFormats())
        case kAudioFormatProperty_Encoders: try .many(CodecFacts.encoders(of: specifier.value()))
        case kAudioFormatProperty_Decoders: try .many(CodecFacts.decoders(of: specifier.value()))
        case kAudioFormatProperty_AvailableEncodeBitRates:
            try .many(CodecFacts.encodedBitRates(of: specifier.value()))
        case kAudioFormatProperty_AvailableEncodeSampleRates:
            try .many(CodecFacts.encodedSampleRates(of: specifier.value()))
        case kAudioFormatProperty_AvailableEncodeChannelLayoutTags:
            try .many(CodecFacts.encodedLayoutTags(of: specifier.value()))
        case kAudioFormatProperty_AvailableEncodeNumberChannels:
            try .many(CodecFacts.encodedChannels(of: formatID(specifier)))
        case kAudioFormatProperty_AvailableDecodeNumberChannels:
            try .many(CodecFacts.decodedChannels(of: formatID(specifier)))
        case kAudioFormatProperty_HardwareCodecCapabilities: try hardwareCodecs(specifier)
        case kAudioFormatProperty_BitmapForLayoutTag: try bitmapForTag(specifier)
        case kAudioFormatProperty_MatrixMixMap: try mixMap(specifier)
        case kAudioFormatProperty_ChannelMap: try channelMap(specifier)
        case kAudioFormatProperty_NumberOfChannelsForLayout: try numberOfChannels(specifier)
        case kAudioFormatProperty_AreChannelLayoutsEquivalent: try areEquivalent(specifier)
        case kAudioFormatProperty_ChannelLayoutHash: try .one(specifier.layout().publishedHash)
        case kAudioFormatProperty_ValidateChannelLayout: try validateLayout(specifier)
        case kAudioFormatProperty_ChannelLayoutForTag: try layoutForTag(specifier)
        case kAudioFormatProperty_TagForChannelLayout: try tagForLayout(specifier)
        case kAudioFormatProperty_ChannelLayoutName: try .text(specifier.layout().fullName)
        case kAudioFormatProperty_ChannelLayoutSimpleName: try .text(specifier.layout().simpleName)
        case kAudioFormatProperty_ChannelLayoutForBitmap: try layoutForBitmap(specifier)
        case kAudioFormatProperty_ChannelName: try .text(channelName(specifier).full)
        case kAudioFormatProperty_ChannelShortName: try .text(channelName(specifier).short)
        case kAudioFormatProperty_TagsForNumberOfChannels:
            try .many(PublishedLayoutTags.tags(channels: specifier.value()))
        case kAudioFormatProperty_PanningMatrix: try panningMatrix(specifier)
        case kAudioFormatProperty_BalanceFade: try balanceFade(specifier)
        case kAudioFormatProperty_ID3TagSize: try tagSize(specifier)
        case kAudioFormatProperty_ID3TagToDictionary: try tagToDictionary(specifier)
        default: throw StatusError(kAudioFormatUnsupportedPropertyError)
        }
    }

    /// The format ID of a description, the only field that the queries for numbers of channels use.
    private static func formatID(_ specifier: FormatSpecifier) throws(StatusError) -> AudioFormatID {
        try specifier.value(AudioStreamBasicDescription.self).mFormatID
    }
}
