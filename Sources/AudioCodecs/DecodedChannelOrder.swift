public import CoreAudioTypes
import MagicCookies

/// The order of channels in what the decoders of AAC and Apple Lossless give and their encoders take.
///
/// It is that of WAVE files, whatever the order in the packets: front left and right, centre, low frequency,
/// then the others. A file's own layout, that of `kAudioChannelLayoutTag_AAC_5_1` say, tells the order in its
/// packets.
public enum DecodedChannelOrder {
    /// What each channel is for that a decoder gives, or an encoder takes.
    ///
    /// - Parameters:
    ///   - format: The format of the packets.
    ///   - magicCookie: The stream's cookie; without one, AAC is taken to have its usual channels.
    /// - Returns: Nil if the format is none of AAC and Apple Lossless, and where only the packets tell.
    public static func labels(
        of format: AudioStreamBasicDescription, magicCookie: [UInt8] = []
    ) -> [AudioChannelLabel]? {
        let channels = Int(clamping: format.mChannelsPerFrame)
        let tag: AudioChannelLayoutTag?
        switch format.mFormatID {
        case kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2:
            let config = try? AACCookie.audioSpecificConfig(inCookie: magicCookie)
            tag = aacTag(channels: channels, configuration: config.map { Int($0.channelConfiguration) })
        case kAudioFormatAppleLossless:
            tag = channels == 8 ? kAudioChannelLayoutTag_MPEG_7_1_A : commonTag(channels: channels)
        default: tag = nil
        }
        return tag.flatMap { ChannelLayoutTags.labels(of: $0) }
    }

    /// What each channel is for that a decoder gives, or an encoder takes, of packets whose own layout is known.
    ///
    /// Channels of the layout that the codec has go to their places there. Those that it knows by other names, such as
    /// the surrounds of four channels, go to the places that are left, in their order.
    ///
    /// - Parameters:
    ///   - packetLabels: What the channels are for in the packets, as a file tells.
    ///   - format: The format of the packets.
    ///   - magicCookie: As of ``labels(of:magicCookie:)``.
    /// - Returns: The same labels; in the same order if the codec has none of its own.
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

    /// The order of AAC's channel configurations, of which 11 to 14 are too new for a number of channels.
    private static func aacTag(channels: Int, configuration: Int?) -> AudioChannelLayoutTag? {
        switch configuration {
        case 0: channels <= 2 ? commonTag(channels: channels) : nil
        case 11: kAudioChannelLayoutTag_MPEG_6_1_A
        case 14: nil
        // QUIRK: encoders write configuration 7, which has two more channels in front, for two at the sides.
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
