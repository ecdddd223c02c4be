// SPDX-License-Identifier: MIT

import AQFiles

/// Tags, pictures and markers of a conversion.
extension Conversion {
    /// Copies the input's tags, picture and markers to the output.
    ///
    /// - Parameter framesPerFrame: The number of output frames for one input frame.
    /// - Returns: The items that the output cannot hold, one line each.
    func copyMetadata(
        of file: AudioFile, to writer: AudioFileWriter, _ plan: Plan, framesPerFrame: Double
    ) throws(AudioFileError) -> [String] {
        var lost: [String] = []
        func keep(_ what: String, _ set: () throws(AudioFileError) -> Void) throws(AudioFileError) {
            do throws(AudioFileError) {
                try set()
            } catch {
                guard error.code == .unsupported else { throw error }
                lost.append("\(writer.type.name) files cannot hold \(what)")
            }
        }
        let tags =
            plan.isCopy ? file.information : file.information.filter { !Self.ofEncoding.contains($0.key) }
        if !tags.isEmpty {
            try keep("title, artist and other tags") { () throws(AudioFileError) in
                try writer.setInformation(tags)
            }
        }
        if let artwork = file.artwork {
            try keep("the picture") { () throws(AudioFileError) in try writer.setArtwork(artwork) }
        }
        let markers = Self.moved(file.markers, into: plan.range, framesPerFrame: framesPerFrame)
        if !markers.isEmpty {
            try keep("markers") { () throws(AudioFileError) in try writer.setMarkers(markers) }
        }
        if !file.regions.isEmpty { lost.append("regions are not converted") }
        return lost
    }

    /// Returns the markers in a range. Their positions count from its start, at the output's rate.
    private static func moved(
        _ markers: [AudioFileMarker], into range: Plan.Range, framesPerFrame: Double
    ) -> [AudioFileMarker] {
        let start = Double(range.start)
        let end = range.end.map(Double.init) ?? .infinity
        return markers.filter { start...max(start, end) ~= $0.framePosition }.map { marker in
            var moved = marker
            moved.framePosition = (marker.framePosition - start) * framesPerFrame
            return moved
        }
    }

    /// Tags that describe one encoding of the audio, and are wrong for another.
    private static let ofEncoding: Set<String> = [
        "approximate duration in seconds", "nominal bit rate", "channel layout", "source bit depth",
    ]
}
