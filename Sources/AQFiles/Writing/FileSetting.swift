// SPDX-License-Identifier: MIT

/// Data that a client stores in a file before the first packet.
enum FileSetting {
    case magicCookie([UInt8])
    case information([AudioFileInformation])
    case artwork(AudioFileArtwork)
    case markers([AudioFileMarker])
    case regions([AudioFileRegion])
    /// All chunks of the client ahead of the audio.
    case chunks([AudioFileChunkContents])

    /// The name of the data, for messages.
    var name: String {
        switch self {
        case .magicCookie: "the magic cookie"
        case .information: "the tags"
        case .artwork: "the picture"
        case .markers: "the markers"
        case .regions: "the regions"
        case .chunks: "chunks before the audio"
        }
    }

    /// The error of file types that cannot store the data.
    var refusal: AudioFileError {
        let reason =
            switch self {
            case .magicCookie: "this file type cannot contain a magic cookie"
            case .information: "tags cannot be written to this file type"
            case .artwork: "this file type cannot contain a picture"
            case .markers: "markers cannot be written to this file type"
            case .regions: "regions cannot be written to this file type"
            case .chunks: "this file type does not consist of chunks"
            }
        return AudioFileError(.unsupported, reason)
    }
}

extension FileMetadata {
    /// Stores text or a picture, or markers if the file type has them.
    ///
    /// - Throws: `unsupported` for other data.
    mutating func set(_ setting: FileSetting, hasMarkers: Bool = false) throws(AudioFileError) {
        switch setting {
        case .information(let information): self.information = information
        case .artwork(let artwork): self.artwork = artwork
        case .markers(let markers) where hasMarkers: self.markers = markers
        default: throw setting.refusal
        }
    }
}
