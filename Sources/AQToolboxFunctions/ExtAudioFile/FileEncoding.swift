// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// The encoding of a file whose writer encodes samples itself: FLAC, or Opus in Ogg. The engine has no encoder that
/// returns their packets.
struct FileEncoding {
    /// The type of the engine's writer.
    let type: AudioFileType
    /// The format of the encoded audio.
    private(set) var format: AudioStreamBasicDescription
    /// Whether the bit depth is that of the client's samples.
    private let isDepthOpen: Bool

    /// Returns nil if the file is made of samples or packets.
    ///
    /// - Throws: `kAudioFileUnsupportedDataFormatError` for a format that files of the type cannot be encoded to.
    init?(_ fileType: AudioFileTypeID, _ format: AudioStreamBasicDescription) throws(StatusError) {
        guard let types = AudioFileKind.kind(of: fileType)?.encodedTypes, !types.isEmpty else { return nil }
        guard let type = types[format.mFormatID], format.rateOrChannelsFailure == nil,
            format.mFormatFlags == 0 || Self.depth(of: format) != nil
        else { throw StatusError(kAudioFileUnsupportedDataFormatError) }
        self.type = type
        isDepthOpen = ExtendedFile.isDepthOpen(in: format)
        self.format = .encoded(
            format.mFormatID, framesPerPacket: 0, channels: Int(clamping: format.mChannelsPerFrame),
            sampleRate: format.mSampleRate)
        self.format.mFormatFlags = format.mFormatFlags
        self.format.mFramesPerPacket = Self.framesPerPacket(of: format)
    }

    /// Whether the encoder has a bit rate to choose.
    var hasBitRate: Bool { type == .oggOpus }

    /// Returns the samples to append to the file: 16 or 24 bits for FLAC, floats for Opus.
    ///
    /// - Parameter client: The client's samples, whose bits are kept up to 24, if the format has no depth.
    func samples(of client: AudioStreamBasicDescription) -> AudioStreamBasicDescription {
        let (channels, rate) = (Int(format.mChannelsPerFrame), format.mSampleRate)
        guard type == .flac else { return .float(channels: channels, sampleRate: rate) }
        let isDeep = client.isFloat || client.mBitsPerChannel > 16
        let bits = isDepthOpen ? (isDeep ? 24 : 16) : Self.depth(of: format) ?? 16
        return .signedInteger(
            bits: bits, isBigEndian: AudioStreamBasicDescription.isNativeBigEndian, channels: channels,
            sampleRate: rate)
    }

    /// Sets the depth in the format's flags to that of the samples in the file.
    mutating func adoptDepth(of samples: AudioStreamBasicDescription) {
        guard type == .flac, isDepthOpen else { return }
        format.mFormatFlags =
            samples.mBitsPerChannel > 16
            ? kAppleLosslessFormatFlag_24BitSourceData : kAppleLosslessFormatFlag_16BitSourceData
    }

    /// Checks a bit rate.
    ///
    /// - Throws: `kAudio_ParamError` if the encoder does not support it.
    func check(bitRate: Int) throws(StatusError) {
        do throws(AudioFileError) {
            try type.checkBitRate(
                bitRate, sampleRate: format.mSampleRate, channels: Int(format.mChannelsPerFrame))
        } catch { throw StatusError(kAudio_ParamError) }
    }

    /// The bit depth to encode in: that of the source, with 20 encoded as 24. Nil if there is none.
    private static func depth(of format: AudioStreamBasicDescription) -> Int? {
        guard format.mFormatID == kAudioFormatFLAC else { return nil }
        switch format.mFormatFlags {
        case kAppleLosslessFormatFlag_16BitSourceData: return 16
        case kAppleLosslessFormatFlag_20BitSourceData, kAppleLosslessFormatFlag_24BitSourceData: return 24
        default: return nil
        }
    }

    /// The frames of libFLAC's blocks at its usual level, or of Opus packets of 20 ms.
    private static func framesPerPacket(of format: AudioStreamBasicDescription) -> UInt32 {
        guard format.mFormatID == kAudioFormatOpus else { return format.mSampleRate < 8192 ? 1152 : 4096 }
        return UInt32(format.mSampleRate / 50)
    }
}
