import AudioFiles
import CAudioToolbox
import CoreAudioTypes

/// A kind of file as clients know it: by number, by the end of its name, by the types of other systems.
struct AudioFileKind: Sendable {
    /// Such as `kAudioFileWAVEType`.
    let type: AudioFileTypeID
    /// For display.
    let name: String
    /// What names end in, in lower case and without the dot, the usual one first.
    let extensions: [String]
    /// Uniform type identifiers, the usual one first.
    let typeIdentifiers: [String]
    /// Media types, the usual one first.
    let mimeTypes: [String]
    /// Codes of four characters that older file systems keep, the usual one first.
    let hfsCodes: [UInt32]
    /// What it can be written with; of a kind that is only read, what it is read as.
    let formatIDs: [AudioFormatID]
    /// How the engine writes it; nil if it only reads it.
    var writtenType: AudioFileType?

    /// The kind of a number; nil for kinds that are not read here.
    static func kind(of type: AudioFileTypeID) -> AudioFileKind? { all.first { $0.type == type } }

    /// The number of the kind that a file is; nil for kinds without a published number.
    ///
    /// - Parameter hint: What the client took it for; believed where neither contents nor name tell.
    static func type(of file: AudioFile, hint: AudioFileTypeID = 0) -> AudioFileTypeID? {
        switch file.containerName {
        case "WAVE": return kAudioFileWAVEType
        case "RF64": return kAudioFileRF64Type
        case "Wave64": return kAudioFileWave64Type
        case "AIFF": return kAudioFileAIFFType
        case "AIFF-C": return kAudioFileAIFCType
        case "CAF": return kAudioFileCAFType
        case "AU": return kAudioFileNextType
        case "FLAC": return kAudioFileFLACType
        case "Ogg": return kAudioFileOggType
        case "ADTS", "AAC in an ADTS stream": return kAudioFileAAC_ADTSType
        case "MP3", "MPEG audio":
            switch file.format.mFormatID {
            case kAudioFormatMPEGLayer1: return kAudioFileMP1Type
            case kAudioFormatMPEGLayer2: return kAudioFileMP2Type
            default: return kAudioFileMP3Type
            }
        case "MPEG-4", "QuickTime": return mpeg4Type(ofPath: file.path, hint: hint)
        default: return nil
        }
    }

    /// True if files of this kind can be written with packets of a format. Its samples are another matter, which the
    /// engine decides.
    func holds(_ format: AudioStreamBasicDescription) -> Bool {
        guard formatIDs.contains(format.mFormatID) else { return false }
        // The engine would make an AIFF-C file of these.
        guard type == kAudioFileAIFFType else { return true }
        return format.isSignedInteger && (format.isBigEndian || format.mBitsPerChannel == 8)
    }

    /// The brands of MPEG-4 files are told apart by their names: all hold the same.
    private static func mpeg4Type(ofPath path: FilePath, hint: AudioFileTypeID) -> AudioFileTypeID {
        let name = path.description.lowercased()
        let kinds = [
            kAudioFileM4AType, kAudioFileM4BType, kAudioFile3GPType, kAudioFile3GP2Type, kAudioFileMPEG4Type,
        ]
        let found = kinds.first { type in
            kind(of: type)?.extensions.contains { name.hasSuffix("." + $0) } ?? false
        }
        return found ?? (kinds.contains(hint) ? hint : kAudioFileMPEG4Type)
    }
}
