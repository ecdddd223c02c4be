public import CoreAudioTypes

extension AudioFileType {
    /// What each channel is for in a file of this kind, whatever it is told; nil for kinds that can say it, or some of
    /// it.
    ///
    /// It is the order that the packets have.
    public func fixedChannelLabels(of format: AudioStreamBasicDescription) -> [AudioChannelLabel]? {
        let channels = Int(clamping: format.mChannelsPerFrame)
        switch self {
        case .m4a, .adts: return MP4Coding.mpegLabels(channels: channels, of: format.mFormatID)
        case .mp3: return ChannelLabels.defaults(channels: channels)
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64, .flac: return nil
        }
    }
}
