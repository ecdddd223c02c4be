// SPDX-License-Identifier: MIT

import AQFiles
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
        case .oggVorbis: .encoded(DataFormat.vorbis)
        case .oggOpus: .encoded(kAudioFormatOpus)
        }
    }

    /// The codec with which the file's own writer encodes linear PCM.
    var linearInputCodec: AudioFormatID? {
        switch self {
        case .mp3: kAudioFormatMPEGLayer3
        case .flac: kAudioFormatFLAC
        case .oggVorbis: DataFormat.vorbis
        case .oggOpus: kAudioFormatOpus
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64, .adts, .m4a: nil
        }
    }

    /// Whether the file's own writer has a bit rate.
    var writerHasBitRate: Bool { [.mp3, .oggVorbis, .oggOpus].contains(self) }

    /// Returns the type for a codec: that of Opus if the type is Vorbis, because both have the same names.
    func holding(_ coding: DataFormat.Coding?) -> AudioFileType {
        self == .oggVorbis && coding == .encoded(kAudioFormatOpus) ? .oggOpus : self
    }

    /// Returns whether the file type can store packets of a codec.
    func holds(_ id: AudioFormatID) -> Bool {
        switch self {
        case .caf: ![kAudioFormatFLAC, DataFormat.vorbis, kAudioFormatOpus].contains(id)
        case .m4a: [kAudioFormatMPEG4AAC, kAudioFormatAppleLossless].contains(id)
        case .adts: id == kAudioFormatMPEG4AAC
        case .mp3: id == kAudioFormatMPEGLayer3
        case .wave, .rf64, .aiff, .aiffC, .wave64: [kAudioFormatULaw, kAudioFormatALaw].contains(id)
        case .flac, .oggVorbis, .oggOpus: false
        }
    }

    /// Returns whether packets of a source can be stored unchanged.
    func holdsPackets(of format: AudioStreamBasicDescription) -> Bool {
        let id = format.mFormatID
        let isHighEfficiency = [kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2].contains(id)
        return holds(id) || isHighEfficiency && self == .m4a
    }
}
