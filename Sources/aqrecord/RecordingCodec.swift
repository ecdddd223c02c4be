// SPDX-License-Identifier: MIT

import AQCodecs
import AQFiles
import CoreAudioTypes

/// The codec of a recording.
enum RecordingCodec: String, CaseIterable {
    /// Linear PCM. In MP3 and FLAC files it is the input of the file's own writer.
    case pcm
    case aac, alac, ima4, mp3, vorbis, opus, ulaw, alaw

    var formatID: AudioFormatID {
        switch self {
        case .pcm: kAudioFormatLinearPCM
        case .aac: kAudioFormatMPEG4AAC
        case .alac: kAudioFormatAppleLossless
        case .ima4: kAudioFormatAppleIMA4
        case .mp3: kAudioFormatMPEGLayer3
        // No ID is published for Vorbis, which the file's writer encodes.
        case .vorbis: kAudioFormatLinearPCM
        case .opus: kAudioFormatOpus
        case .ulaw: kAudioFormatULaw
        case .alaw: kAudioFormatALaw
        }
    }

    /// The name in messages.
    var name: String {
        switch self {
        case .pcm: "linear PCM"
        case .aac: "AAC"
        case .alac: "Apple Lossless"
        case .ima4: "IMA 4:1"
        case .mp3: "MP3"
        case .vorbis: "Vorbis"
        case .opus: "Opus"
        case .ulaw: "µ-law"
        case .alaw: "A-law"
        }
    }

    /// Whether the encoder has a bit rate.
    var hasBitRate: Bool { [.aac, .mp3, .vorbis, .opus].contains(self) }

    /// Returns the default codec of a file type.
    static func usual(in type: AudioFileType) -> RecordingCodec {
        switch type {
        case .m4a, .adts: .aac
        case .mp3: .mp3
        case .oggVorbis: .vorbis
        case .oggOpus: .opus
        case .wave, .rf64, .aiff, .aiffC, .caf, .wave64, .flac: .pcm
        }
    }

    /// Returns whether a file type can contain the codec.
    func fits(_ type: AudioFileType) -> Bool {
        switch type {
        case .caf: self != .vorbis && self != .opus
        case .m4a: self == .aac || self == .alac
        case .adts: self == .aac
        case .mp3: self == .mp3
        case .oggVorbis: self == .vorbis || self == .opus
        case .oggOpus: self == .opus
        case .wave, .rf64, .aiff, .aiffC, .wave64: [.pcm, .ulaw, .alaw].contains(self)
        case .flac: self == .pcm
        }
    }

    /// Returns the codecs that a file type can contain, for messages.
    static func names(in type: AudioFileType) -> String {
        allCases.filter { $0.fits(type) }.map(\.rawValue).joined(separator: ", ")
    }

    /// Returns the encoding of the packets; nil if the file's writer accepts PCM.
    func encoding(
        in type: AudioFileType, sampleRate: Double, channels: Int, bits: Int, bitRate: Int?
    ) -> RecordingEncoding? {
        guard self != .pcm, ![.mp3, .oggVorbis, .oggOpus].contains(type) else { return nil }
        return RecordingEncoding(
            format: .encoded(formatID, framesPerPacket: 0, channels: channels, sampleRate: sampleRate),
            settings: CodecSettings(
                bitRate: hasBitRate ? bitRate : nil, bitDepth: self == .alac ? bits : nil))
    }
}

/// The format and settings of an encoding.
struct RecordingEncoding {
    /// The format, the rate and the channels; the encoder sets the other fields.
    var format: AudioStreamBasicDescription
    var settings: CodecSettings

    func makeEncoder() throws(CodecError) -> any PacketEncoder {
        try makePacketEncoder(for: format, settings: settings)
    }
}
