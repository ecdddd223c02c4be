// SPDX-License-Identifier: MIT

import AQFiles

/// The tags, markers and regions of a file that is being written; nil for those that were not set.
struct FileMetadata {
    var information: [AudioFileInformation]?
    var markers: [AudioFileMarker]?
    var regions: [AudioFileRegion]?

    var isEmpty: Bool { information == nil && markers == nil && regions == nil }

    /// Returns whether a file type accepts this metadata after the first packet, to be written when the audio is
    /// complete.
    func isAcceptedLate(by type: AudioFileType) -> Bool {
        (information == nil || type.acceptsTags(afterFirstPacket: true))
            && (markers == nil || type.hasMarkers) && (regions == nil || type.hasRegions)
    }

    /// Replaces the metadata that `other` sets.
    mutating func update(with other: FileMetadata) {
        information = other.information ?? information
        markers = other.markers ?? markers
        regions = other.regions ?? regions
    }

    func apply(to writer: AudioFileWriter) throws(AudioFileError) {
        if let information { try writer.setInformation(information) }
        if let markers { try writer.setMarkers(markers) }
        if let regions { try writer.setRegions(regions) }
    }

    func apply(to editor: AudioFileEditor) throws(AudioFileError) {
        if let information { try editor.setInformation(information) }
        if let markers { try editor.setMarkers(markers) }
        if let regions { try editor.setRegions(regions) }
    }
}

extension AudioFileType {
    /// Whether markers can be written to files of this type, at any time: the type has chunks for them.
    var hasMarkers: Bool {
        switch self {
        case .caf, .wave, .rf64, .aiff, .aiffC: true
        case .wave64, .mp3, .flac, .adts, .m4a, .oggVorbis, .oggOpus: false
        }
    }

    /// Whether regions can be written to files of this type, at any time.
    var hasRegions: Bool { self == .caf }

    /// Returns whether tags can be written to files of this type: after the first packet only to chunks.
    func acceptsTags(afterFirstPacket isLate: Bool) -> Bool {
        switch self {
        case .caf, .wave, .rf64, .aiff, .aiffC: true
        case .mp3, .flac, .adts, .m4a, .oggVorbis, .oggOpus: !isLate
        case .wave64: false
        }
    }
}
