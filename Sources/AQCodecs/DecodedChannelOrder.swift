// SPDX-License-Identifier: MIT

public import CoreAudioTypes
import AQMagicCookies

/// The order of channels in the output of the decoders of AAC, Opus and Apple Lossless, and in the input of their
/// encoders.
///
/// This is the order of WAVE files: front left and right, centre, low frequency, then all other channels. A file's
/// own layout, such as `kAudioChannelLayoutTag_AAC_5_1`, describes the order in its packets.
public enum DecodedChannelOrder {
    /// Returns the label of each channel that a decoder outputs or an encoder takes.
    ///
    /// - Parameters:
    ///   - format: The format of the packets.
    ///   - magicCookie: The stream's magic cookie; if empty or damaged, AAC is assumed to have its usual channels.
    /// - Returns: The labels; nil if the format is none of these, there are not 1 to 8 channels, or the channels have no
    ///   usual order: more than two in AAC's channel configuration 0, configuration 14, and Opus in another order than that
    ///   of Vorbis.
    public static func labels(
        of format: AudioStreamBasicDescription, magicCookie: [UInt8] = []
    ) -> [AudioChannelLabel]? {
        let channels = Int(clamping: format.mChannelsPerFrame)
        let tag: AudioChannelLayoutTag?
        switch format.mFormatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
            let config = try? AACCookie.audioSpecificConfig(inCookie: magicCookie)
            tag = aacTag(channels: channels, configuration: config.map { Int($0.channelConfiguration) })
        case kAudioFormatOpus:
            let family = (try? OpusHeader(bytes: magicCookie))?.mappingFamily ?? 1
            return family <= 1 && 1...8 ~= channels ? ChannelLabels.defaults(channels: channels) : nil
        case kAudioFormatAppleLossless:
            tag = channels == 8 ? kAudioChannelLayoutTag_MPEG_7_1_A : commonTag(channels: channels)
        default: tag = nil
        }
        return tag.flatMap { ChannelLayoutTags.labels(of: $0) }
    }

    /// Returns the label of each channel that a decoder outputs or an encoder takes, for packets with a known layout.
    ///
    /// Channels of the layout that the codec has take their positions in the codec's order. Channels that the codec
    /// labels otherwise, such as the surrounds of four channels, take the remaining positions, in their order.
    ///
    /// - Parameters:
    ///   - packetLabels: The label of each channel in the packets, from a file.
    ///   - format: The format of the packets.
    ///   - magicCookie: The stream's magic cookie; if empty or damaged, AAC is assumed to have its usual channels.
    /// - Returns: The given labels; in the given order if the codec has no order of its own.
    public static func labels(
        _ packetLabels: [AudioChannelLabel], inPacketsOf format: AudioStreamBasicDescription,
        magicCookie: [UInt8] = []
    ) -> [AudioChannelLabel] {
        var format = format
        format.mChannelsPerFrame = UInt32(clamping: packetLabels.count)
        guard let order = labels(of: format, magicCookie: magicCookie), order.count == packetLabels.count
        else {
            return packetLabels
        }
        var left = packetLabels
        let placed = order.map { label in left.firstIndex(of: label).map { left.remove(at: $0) } }
        return placed.map { $0 ?? left.removeFirst() }
    }

    /// Returns the tag of AAC's channel configurations. Those from 11 to 14 cannot be derived from a number of
    /// channels.
    private static func aacTag(channels: Int, configuration: Int?) -> AudioChannelLayoutTag? {
        switch configuration {
        case 0: channels <= 2 ? commonTag(channels: channels) : nil
        case 11: kAudioChannelLayoutTag_MPEG_6_1_A
        case 14: nil
        // QUIRK: configuration 7 has two more front channels, but encoders write it for two side channels.
        default: channels == 8 ? kAudioChannelLayoutTag_WAVE_7_1 : commonTag(channels: channels)
        }
    }

    private static func commonTag(channels: Int) -> AudioChannelLayoutTag? {
        switch channels {
        case 1: kAudioChannelLayoutTag_Mono
        case 2: kAudioChannelLayoutTag_Stereo
        case 3: kAudioChannelLayoutTag_MPEG_3_0_A
        case 4: kAudioChannelLayoutTag_MPEG_4_0_A
        case 5: kAudioChannelLayoutTag_MPEG_5_0_A
        case 6: kAudioChannelLayoutTag_MPEG_5_1_A
        case 7: kAudioChannelLayoutTag_MPEG_6_1_A
        default: nil
        }
    }
}
