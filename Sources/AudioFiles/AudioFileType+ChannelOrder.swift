public import CoreAudioTypes

extension AudioFileType {
    /// Returns the channel labels that this file type always has; nil for types that can store labels, even if only
    /// some, and for FLAC.
    ///
    /// The order of the labels is that of the channels in the packets.
    public func fixedChannelLabels(of format: AudioStreamBasicDescription) -> [AudioChannelLabel]? {
        let channels = Int(clamping: format.mChannelsPerFrame)
        switch self {
        case .m4a, .adts: return MP4Coding.mpegLabels(channels: channels, of: format.mFormatID)
        case .mp3: return ChannelLabels.defaults(channels: channels)
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64, .flac: return nil
        }
    }
}
