// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes

extension FormatAnswers {
    /// The bitmap of a tag's channels.
    ///
    /// - Throws: `kAudioFormatUnknownFormatError` for an unknown tag,
    ///   `kAudioFormatUnsupportedDataFormatError` if one of its channels has no bit, or if the order differs
    ///   from that of the bits.
    static func bitmapForTag(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let layout = try layout(tag: specifier.value())
        var bitmap: UInt32 = 0
        for label in layout.labels {
            guard let bit = ChannelBits.bit(of: label), bitmap >> bit == 0 else {
                throw StatusError(kAudioFormatUnsupportedDataFormatError)
            }
            bitmap |= 1 << bit
        }
        return .one(bitmap)
    }

    /// The number of channels of a layout; for an unknown tag, the number in the tag.
    static func numberOfChannels(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        do throws(StatusError) {
            return try .one(UInt32(clamping: specifier.layout().channels))
        } catch {
            guard error.status == kAudioFormatUnknownFormatError else { throw error }
            let channels = try specifier.value(AudioChannelLayoutTag.self) & 0xFFFF
            guard channels > 0 else { throw StatusError(kAudioFormatUnknownFormatError) }
            return .one(channels)
        }
    }

    /// Returns whether two layouts have the same channels in the same order.
    static func areEquivalent(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let pair = try specifier.layoutPair()
        return .flag(pair.input.isEquivalent(to: pair.output))
    }

    /// Checks a layout; the answer has no value.
    ///
    /// - Throws: `kAudio_ParamError` for a layout that is incomplete or has no channels,
    ///   `kAudioFormatUnknownFormatError` for unknown tags, bits and labels.
    static func validateLayout(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        // Too few bytes for a layout are an invalid layout here, not a wrong size.
        guard !specifier.isEmpty, let tag = try? specifier.value(AudioChannelLayoutTag.self) else {
            throw StatusError(kAudio_ParamError)
        }
        // The order of channels is unknown for one published tag.
        if PublishedLayoutTags.isPublished(tag) { return .nothing }
        let layout: ChannelLayout
        do throws(StatusError) {
            layout = try specifier.layout()
        } catch {
            throw error.status == kAudioFormatBadSpecifierSizeError ? StatusError(kAudio_ParamError) : error
        }
        guard layout.channels > 0 else { throw StatusError(kAudio_ParamError) }
        let isBitmap = tag == kAudioChannelLayoutTag_UseChannelBitmap
        for label in layout.labels {
            // The label `Unknown` is valid in a description, but not as a bit without a speaker.
            guard ChannelNames.isPublished(label), !isBitmap || label != kAudioChannelLabel_Unknown else {
                throw StatusError(kAudioFormatUnknownFormatError)
            }
        }
        return .nothing
    }

    /// The layout of a tag, with a description of each channel.
    ///
    /// - Throws: `kAudioFormatUnknownFormatError` for an unknown tag, and for the two tags that announce a
    ///   bitmap or descriptions.
    static func layoutForTag(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        try .bytes(layout(tag: specifier.value()).describedBytes)
    }

    /// The layout of a bitmap, with a description of each channel.
    static func layoutForBitmap(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        let bitmap = try AudioChannelBitmap(rawValue: specifier.value())
        return .bytes(ChannelLayout(bitmap: bitmap).describedBytes)
    }

    /// The tag of a layout.
    ///
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` if no tag has the layout's channels in this order.
    static func tagForLayout(_ specifier: FormatSpecifier) throws(StatusError) -> PropertyAnswer {
        guard let tag = try specifier.layout().commonTag else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        return .one(tag)
    }

    /// The names of a channel.
    ///
    /// - Throws: `kAudioFormatUnknownFormatError` for an unknown label.
    static func channelName(_ specifier: FormatSpecifier) throws(StatusError) -> ChannelNames.Name {
        let label = try specifier.value(AudioChannelDescription.self).mChannelLabel
        guard let name = ChannelNames.name(of: label) else {
            throw StatusError(kAudioFormatUnknownFormatError)
        }
        return name
    }

    private static func layout(tag: AudioChannelLayoutTag) throws(StatusError) -> ChannelLayout {
        do throws(ChannelLayoutError) {
            return try ChannelLayout(tag: tag)
        } catch {
            throw StatusError(error)
        }
    }
}

private enum ChannelBits {
    /// The number of a label's bit; nil if the label has no bit.
    static func bit(of label: AudioChannelLabel) -> UInt32? {
        switch label {
        case 1...18: label - 1
        case kAudioChannelLabel_Mono: 2
        case kAudioChannelLabel_LeftTopMiddle: 21
        case kAudioChannelLabel_RightTopMiddle: 23
        case kAudioChannelLabel_LeftTopRear: 24
        case kAudioChannelLabel_CenterTopRear: 25
        case kAudioChannelLabel_RightTopRear: 26
        default: nil
        }
    }
}
