// SPDX-License-Identifier: MIT

public import CoreAudioTypes

extension AudioFileType {
    /// Returns the channel labels that this file type always has; nil for types that can store labels, even if only
    /// some.
    ///
    /// The order of the labels is that of the channels in the packets.
    public func fixedChannelLabels(of format: AudioStreamBasicDescription) -> [AudioChannelLabel]? {
        let channels = Int(clamping: format.mChannelsPerFrame)
        switch self {
        case .m4a, .adts: return MP4Coding.mpegLabels(channels: channels, of: format.mFormatID)
        // The usual order is also that of RFC 9639, section 9.1.3. The writers of Ogg convert it to that of Vorbis.
        case .mp3, .flac, .oggVorbis, .oggOpus: return ChannelLabels.defaults(channels: channels)
        // Floating-point samples and G.711 are written with a header without a channel mask.
        case .wave64:
            return format.isFloat || format.isG711 ? ChannelLabels.defaults(channels: channels) : nil
        case .wave, .rf64, .aiff, .aiffC, .caf: return nil
        }
    }
}
