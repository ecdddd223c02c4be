// SPDX-License-Identifier: MIT

public import CoreAudioTypes

/// A file type that can be written.
public enum AudioFileType: String, Sendable, CaseIterable {
    /// RIFF WAVE, converted to RF64 in place if it exceeds 4 GiB.
    case wave
    /// RF64 of EBU Tech 3306 from the first byte: WAVE of any length.
    case rf64
    /// AIFF; AIFF-C for floating-point samples and G.711, which AIFF does not support.
    case aiff
    /// AIFF-C.
    case aiffC
    /// Core Audio Format.
    case caf
    /// Sony Wave64.
    case wave64
    /// MPEG audio layer III.
    case mp3
    /// FLAC.
    case flac
    /// AAC in an ADTS stream.
    case adts
    /// MPEG-4 audio: AAC or ALAC.
    case m4a
    /// Vorbis in Ogg.
    case oggVorbis
    /// Opus in Ogg.
    case oggOpus

    /// The name of the type, as in messages. ``AudioFile/containerName`` is the same, except for MP3 ("MPEG audio"), ADTS
    /// ("AAC in an ADTS stream"), and Ogg ("Ogg" for all codecs).
    public var name: String { facts.name }

    /// The published number of the type, such as `kAudioFileWAVEType`.
    ///
    /// The corresponding C type is `AudioFileTypeID`.
    public var fourCharacterCode: FourCharacterCode {
        FourCharacterCode(rawValue: ChunkGrammar.code(facts.code))
    }

    /// The usual path extensions, in lower case without the dot, the most common first.
    public var pathExtensions: [String] { facts.pathExtensions }

    private var facts: (name: String, code: String, pathExtensions: [String]) {
        switch self {
        case .wave: ("WAVE", "WAVE", ["wav", "wave"])
        case .rf64: ("RF64", "RF64", ["rf64"])
        case .aiff: ("AIFF", "AIFF", ["aiff", "aif"])
        case .aiffC: ("AIFF-C", "AIFC", ["aifc", "aiffc"])
        case .caf: ("CAF", "caff", ["caf"])
        case .wave64: ("Wave64", "W64f", ["w64"])
        case .mp3: ("MP3", "MPG3", ["mp3"])
        case .flac: ("FLAC", "flac", ["flac"])
        case .adts: ("ADTS", "adts", ["aac", "adts"])
        case .m4a: ("MPEG-4", "m4af", ["m4a", "mp4"])
        case .oggVorbis: ("Ogg Vorbis", "Oggf", ["ogg", "oga"])
        case .oggOpus: ("Ogg Opus", "Oggf", ["opus"])
        }
    }

    /// Detects the type of a file made of chunks from its first 12 bytes; nil for all other files.
    init?(head: [UInt8]) {
        let fields = FieldReader(bytes: head, isBigEndian: true)
        switch (fields.mark(at: 0), fields.mark(at: 8)) {
        case ("RIFF", "WAVE"), ("RIFX", "WAVE"): self = .wave
        case ("RF64", "WAVE"), ("BW64", "WAVE"): self = .rf64
        case ("FORM", "AIFF"): self = .aiff
        case ("FORM", "AIFC"): self = .aiffC
        case ("caff", _): self = .caf
        case ("riff", _): self = .wave64
        default: return nil
        }
    }

    /// The chunk format of the type; nil if files of the type are not made of chunks.
    var chunkGrammar: ChunkGrammar? {
        switch self {
        case .wave, .rf64: .riff(isBigEndian: false)
        case .aiff, .aiffC: .aiff
        case .caf: .caf
        case .wave64: .wave64
        case .mp3, .flac, .adts, .m4a, .oggVorbis, .oggOpus: nil
        }
    }

    /// Returns whether clients may write a chunk of this type: the file type must be made of chunks, and the chunk must
    /// have a printable type, not describe how the audio is stored, and not be a filler.
    public func canHaveChunk(_ type: FourCharacterCode) -> Bool {
        guard let chunkGrammar else { return false }
        return type.isPrintable && !chunkGrammar.isOwned(type.rawValue)
    }

    /// Returns the file type for a path extension; nil if there is none.
    ///
    /// - Parameter pathExtension: The extension without the dot, in any case.
    public static func forPathExtension(_ pathExtension: String) -> AudioFileType? {
        let wanted = pathExtension.lowercased()
        return allCases.first { $0.pathExtensions.contains(wanted) }
    }
}
