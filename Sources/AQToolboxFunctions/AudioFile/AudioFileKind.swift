// SPDX-License-Identifier: MIT

import AQFiles
import CAQAudioToolbox
import CoreAudioTypes

/// A file type with its number, its extensions, and its type in other systems.
struct AudioFileKind: Sendable {
    /// The published number, for example `kAudioFileWAVEType`.
    let type: AudioFileTypeID
    let name: String
    /// The extensions of file names, in lower case and without the dot, the usual one first.
    let extensions: [String]
    /// The uniform type identifiers, the usual one first.
    let typeIdentifiers: [String]
    /// The media types, the usual one first.
    let mimeTypes: [String]
    /// The four-character codes of older file systems, the usual one first.
    let hfsCodes: [UInt32]
    /// The formats that files of the type can be written with; for a type that is only read, the formats that
    /// files are read as.
    let formatIDs: [AudioFormatID]
    /// The engine's type for writing; nil for a type that is only read.
    var writtenType: AudioFileType?
    /// The formats to which the engine's writer encodes samples, for extended audio files, and the types of the writer.
    var encodedTypes: [AudioFormatID: AudioFileType] = [:]

    /// The file type of a number; nil for types that cannot be read here.
    static func kind(of type: AudioFileTypeID) -> AudioFileKind? { all.first { $0.type == type } }

    /// The number of a file's type; nil for types without a published number.
    ///
    /// - Parameter hint: The client's hint, which decides if neither contents nor name do.
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

    /// Returns whether files of this type can store packets of a format. The engine decides about samples.
    func holds(_ format: AudioStreamBasicDescription) -> Bool {
        guard formatIDs.contains(format.mFormatID) else { return false }
        // For other samples the engine would make an AIFF-C file.
        guard type == kAudioFileAIFFType else { return true }
        return format.isSignedInteger && (format.isBigEndian || format.mBitsPerChannel == 8)
    }

    /// The type of an MPEG-4 file, by the extension of its name: the contents of all types are the same.
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
