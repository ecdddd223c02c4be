import AudioFiles

/// Tags, markers and regions of a file that is being written, which were set after its first packet, and are
/// written when its audio is complete.
struct LateMetadata {
    var information: [AudioFileInformation]?
    var markers: [AudioFileMarker]?
    var regions: [AudioFileRegion]?

    var isEmpty: Bool { information == nil && markers == nil && regions == nil }

    /// Whether a file type accepts tags and markers then: those that consist of chunks, and have chunks for
    /// them.
    static func isTaken(by type: AudioFileType) -> Bool {
        switch type {
        case .wave, .rf64, .aiff, .aiffC, .caf: true
        case .wave64, .mp3, .flac, .adts, .m4a: false
        }
    }

    /// Makes the changes to a complete file.
    func apply(to editor: AudioFileEditor) throws(AudioFileError) {
        if let information { try editor.setInformation(information) }
        if let markers { try editor.setMarkers(markers) }
        if let regions { try editor.setRegions(regions) }
    }
}
