import AudioFiles
import CoreAudioTypes

/// The codecs of file types.
extension AudioFileType {
    /// Whether a sample rate can have a fraction.
    var holdsAnyRate: Bool { [.aiff, .aiffC, .caf].contains(self) }

    /// The default codec of the file type.
    var defaultCoding: DataFormat.Coding {
        switch self {
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64: .anyLinearPCM
        case .mp3: .encoded(kAudioFormatMPEGLayer3)
        case .flac: .encoded(kAudioFormatFLAC)
        case .adts, .m4a: .encoded(kAudioFormatMPEG4AAC)
        }
    }

    /// The codec with which the file's own writer encodes linear PCM.
    var linearInputCodec: AudioFormatID? {
        switch self {
        case .mp3: kAudioFormatMPEGLayer3
        case .flac: kAudioFormatFLAC
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64, .adts, .m4a: nil
        }
    }

    /// Returns whether the file type can store packets of a codec.
    func holds(_ id: AudioFormatID) -> Bool {
        switch self {
        case .caf: id != kAudioFormatFLAC
        case .m4a: [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless].contains(id)
        case .adts: id == kAudioFormatMPEG4AAC
        case .mp3: id == kAudioFormatMPEGLayer3
        case .wave, .rf64, .aiff, .aiffC, .wave64, .flac: false
        }
    }

    /// Returns whether packets of a source can be stored unchanged.
    func holdsPackets(of format: AudioStreamBasicDescription) -> Bool {
        let id = format.mFormatID
        let isHighEfficiency = [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2].contains(id)
        return holds(id) || isHighEfficiency && self == .m4a
    }
}
