// SPDX-License-Identifier: MIT

import CAQAudioToolbox
import CoreAudioTypes
import AQMagicCookies

/// The formats that one stream can be decoded as: HE-AAC also as its core, without its extension.
struct FormatLayers {
    /// The formats, richest first; at least one.
    let formats: [AudioStreamBasicDescription]
    /// The format that every decoder of the stream supports.
    let base: AudioStreamBasicDescription
    /// The tag of the channel order in the packets, without the extension.
    let baseTag: AudioChannelLayoutTag

    /// Makes the layers of an AAC stream.
    init(config: AudioSpecificConfig) {
        var core = config
        core.extensionObjectType = nil
        core.extensionSampleRate = nil
        base = core.format
        baseTag = Self.tag(of: config)
        guard config.extensionObjectType != nil else {
            formats = [base]
            return
        }
        var formats = [config.format]
        if config.extensionObjectType == Self.parametricStereo {
            // Without parametric stereo the stream is HE-AAC, with the channels of the core.
            var replicated = config
            replicated.extensionObjectType = Self.bandReplication
            formats.append(replicated.format)
        }
        self.formats = formats + [base]
    }

    /// Makes the layers of a stream from its format and its magic cookie.
    ///
    /// - Parameter cookie: Empty if the stream has none.
    /// - Throws: `kAudioFormatUnsupportedDataFormatError` for an unknown format, or a damaged cookie.
    init(format: AudioStreamBasicDescription, cookie: [UInt8]) throws(StatusError) {
        switch format.mFormatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
            guard !cookie.isEmpty else { break }
            guard let config = try? AACCookie.audioSpecificConfig(inCookie: cookie) else {
                throw StatusError(kAudioFormatUnsupportedDataFormatError)
            }
            self.init(config: config)
            return
        case kAudioFormatAppleLossless:
            guard !cookie.isEmpty else { break }
            guard let config = try? ALACSpecificConfig(bytes: cookie) else {
                throw StatusError(kAudioFormatUnsupportedDataFormatError)
            }
            self.init(only: config.format, tag: config.channelLayoutTag)
            return
        default: break
        }
        guard let complete = format.completed else {
            throw StatusError(kAudioFormatUnsupportedDataFormatError)
        }
        self.init(only: complete, tag: nil)
    }

    private init(only format: AudioStreamBasicDescription, tag: AudioChannelLayoutTag?) {
        formats = [format]
        base = format
        baseTag = tag ?? Self.usualTag(channels: format.mChannelsPerFrame)
    }

    var items: [AudioFormatListItem] {
        formats.map { format in
            let isLikeBase = format.mChannelsPerFrame == base.mChannelsPerFrame
            let tag = isLikeBase ? baseTag : kAudioChannelLayoutTag_Stereo
            return AudioFormatListItem(mASBD: format, mChannelLayoutTag: tag)
        }
    }

    /// The default layout of a number of channels.
    static func usualTag(channels: UInt32) -> AudioChannelLayoutTag {
        let labels = ChannelLabels.defaults(channels: Int(min(channels, 0xFFFF)))
        return ChannelLayoutTags.tag(of: labels) ?? kAudioChannelLayoutTag_Unknown | min(channels, 0xFFFF)
    }

    /// The tag of an AAC channel configuration (ISO/IEC 14496-3, table 1.19).
    private static func tag(of config: AudioSpecificConfig) -> AudioChannelLayoutTag {
        switch config.channelConfiguration {
        case 1: kAudioChannelLayoutTag_Mono
        case 2: kAudioChannelLayoutTag_Stereo
        case 3: kAudioChannelLayoutTag_MPEG_3_0_B
        case 4: kAudioChannelLayoutTag_MPEG_4_0_B
        case 5: kAudioChannelLayoutTag_MPEG_5_0_D
        case 6: kAudioChannelLayoutTag_MPEG_5_1_D
        case 7: kAudioChannelLayoutTag_MPEG_7_1_B
        case 11: kAudioChannelLayoutTag_AAC_6_1
        case 12: kAudioChannelLayoutTag_AAC_7_1_B
        case 14: kAudioChannelLayoutTag_AAC_7_1_C
        // The packets define the channels one by one; one and two channels have only one order.
        default:
            config.channels <= 2
                ? usualTag(channels: UInt32(clamping: config.channels))
                : kAudioChannelLayoutTag_Unknown | UInt32(clamping: config.channels)
        }
    }

    private static let bandReplication: UInt8 = 5
    private static let parametricStereo: UInt8 = 29
}
