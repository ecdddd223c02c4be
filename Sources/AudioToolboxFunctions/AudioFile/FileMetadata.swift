import AudioFiles

/// The tags, markers and regions of a file that is being written; nil for those that were not set.
struct FileMetadata {
    var information: [AudioFileInformation]?
    var markers: [AudioFileMarker]?
    var regions: [AudioFileRegion]?

    var isEmpty: Bool { information == nil && markers == nil && regions == nil }

    /// Returns whether a file type accepts this metadata after the first packet, to be written when the audio is
    /// complete: the type must have chunks for the metadata.
    func isAcceptedLate(by type: AudioFileType) -> Bool {
        switch type {
        case .caf: true
        case .wave, .rf64, .aiff, .aiffC: regions == nil
        case .wave64, .mp3, .flac, .adts, .m4a: false
        }
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
