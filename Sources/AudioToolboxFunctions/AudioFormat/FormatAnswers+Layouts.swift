import CAudioToolbox
import CoreAudioTypes

/// Facts about channel layouts.
extension FormatAnswers {
    /// The bitmap of a tag's channels.
    ///
    /// - Throws: `unknownFormat` for an unknown tag, `unsupportedDataFormat` if one of its channels has no
    ///   bit, or if the order differs from that of the bits.
    static func bitmapForTag(_ specifier: FormatSpecifier) throws(AudioFormatError) -> PropertyAnswer {
        let layout = try layout(tag: specifier.value())
        var bitmap: UInt32 = 0
        for label in layout.labels {
            guard let bit = ChannelBits.bit(of: label), bitmap >> bit == 0 else {
                throw AudioFormatError.unsupportedDataFormat
            }
            bitmap |= 1 << bit
        }
        return .one(bitmap)
    }

    /// The number of channels of a layout; for an unknown tag, the number that it contains.
    static func numberOfChannels(_ specifier: FormatSpecifier) throws(AudioFormatError) -> PropertyAnswer {
        do throws(AudioFormatError) {
            return try .one(UInt32(clamping: specifier.layout().channels))
        } catch {
            guard error == .unknownFormat else { throw error }
            let channels = try specifier.value(AudioChannelLayoutTag.self) & 0xFFFF
            guard channels > 0 else { throw AudioFormatError.unknownFormat }
            return .one(channels)
        }
    }

    /// Whether two layouts have the same channels in the same order.
    static func areEquivalent(_ specifier: FormatSpecifier) throws(AudioFormatError) -> PropertyAnswer {
        let pair = try specifier.layoutPair()
        return .flag(pair.input.isEquivalent(to: pair.output))
    }

    /// No value, if the layout is valid.
    ///
    /// - Throws: `parameter` for one that contradicts itself, `unknownFormat` for unknown tags, bits and
    ///   labels.
    static func validateLayout(_ specifier: FormatSpecifier) throws(AudioFormatError) -> PropertyAnswer {
        // Bytes that are too short for a layout are an error here, too.
        guard !specifier.isEmpty, let tag = try? specifier.value(AudioChannelLayoutTag.self) else {
            throw AudioFormatError.parameter
        }
        // One tag has channels of unknown order.
        if PublishedLayoutTags.isPublished(tag) { return .nothing }
        let layout: ChannelLayout
        do throws(AudioFormatError) {
            layout = try specifier.layout()
        } catch {
            throw error == .badSpecifierSize ? AudioFormatError.parameter : error
        }
        guard layout.channels > 0 else { throw AudioFormatError.parameter }
        let isBitmap = tag == kAudioChannelLayoutTag_UseChannelBitmap
        for label in layout.labels {
            // A bit without a speaker is not a channel, although a description may have an unknown label.
            guard ChannelNames.isPublished(label), !isBitmap || label != kAudioChannelLabel_Unknown else {
                throw AudioFormatError.unknownFormat
            }
        }
        return .nothing
    }

    /// The layout of a tag, with a description of each channel.
    ///
    /// - Throws: `unknownFormat` for an unknown tag, and for the two that announce a bitmap or descriptions.
    static func layoutForTag(_ specifier: FormatSpecifier) throws(AudioFormatError) -> PropertyAnswer {
        try .bytes(layout(tag: specifier.value()).describedBytes)
    }

    /// The layout of a bitmap, with a description of each channel.
    static func layoutForBitmap(_ specifier: FormatSpecifier) throws(AudioFormatError) -> PropertyAnswer {
        let bitmap = try AudioChannelBitmap(rawValue: specifier.value())
        return .bytes(ChannelLayout(bitmap: bitmap).describedBytes)
    }

    /// The tag of a layout.
    ///
    /// - Throws: `unsupportedDataFormat` if none has its channels in its order.
    static func tagForLayout(_ specifier: FormatSpecifier) throws(AudioFormatError) -> PropertyAnswer {
        guard let tag = try specifier.layout().commonTag else { throw AudioFormatError.unsupportedDataFormat }
        return .one(tag)
    }

    /// The names of a channel.
    ///
    /// - Throws: `unknownFormat` for an unknown label.
    static func channelName(_ specifier: FormatSpecifier) throws(AudioFormatError) -> ChannelNames.Name {
        let label = try specifier.value(AudioChannelDescription.self).mChannelLabel
        guard let name = ChannelNames.name(of: label) else { throw AudioFormatError.unknownFormat }
        return name
    }

    private static func layout(tag: AudioChannelLayoutTag) throws(AudioFormatError) -> ChannelLayout {
        do throws(ChannelLayoutError) {
            return try ChannelLayout(tag: tag)
        } catch {
            throw AudioFormatError(error)
        }
    }
}

/// The bits of channel bitmaps.
private enum ChannelBits {
    /// The number of a label's bit; nil if it has none.
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
