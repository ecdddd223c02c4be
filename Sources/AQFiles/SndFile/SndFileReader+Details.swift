// SPDX-License-Identifier: MIT

import CAQSndFile

extension SndFileReader {
    var chunks: [AudioFileChunk] { details.chunks }

    var dataRange: Range<Int64>? { details.dataRange }

    var markers: [AudioFileMarker] { details.markers }

    var regions: [AudioFileRegion] { details.regions }

    /// The container's own metadata; for unknown containers, that of the library.
    var information: [AudioFileInformation] {
        let information = details.metadata.information
        if !information.isEmpty { return information }
        return Self.fields.compactMap { field, key in
            handle.text(field).map { AudioFileInformation(key, $0) }
        }
    }

    var artwork: AudioFileArtwork? { details.metadata.artwork }

    private static let fields = [
        (SF_STR_TITLE, "title"), (SF_STR_ARTIST, "artist"), (SF_STR_ALBUM, "album"),
        (SF_STR_TRACKNUMBER, "track number"), (SF_STR_GENRE, "genre"), (SF_STR_DATE, "recorded date"),
        (SF_STR_COMMENT, "comments"), (SF_STR_COPYRIGHT, "copyright"), (SF_STR_LICENSE, "license"),
        (SF_STR_SOFTWARE, "encoding application"),
    ]
}
