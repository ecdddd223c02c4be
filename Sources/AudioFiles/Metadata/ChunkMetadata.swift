/// The chunks of WAVE and AIFF for text metadata, a picture and markers.
enum ChunkMetadata {
    /// The maximum size of a header with its text chunks. The header is rewritten at every append: within one page of
    /// memory, a killed process has written all of it or nothing. Longer chunks follow the samples after these are
    /// complete.
    static let mostLeadingBytes = 4000

    /// The bytes of the client's chunks for a header.
    ///
    /// - Throws: `unsupported` if the header would be too long, or unreadable for some programs.
    static func leading(
        _ chunks: [AudioFileChunkContents], behind lead: HeaderBytes, in grammar: ChunkGrammar
    ) throws(AudioFileError) -> [UInt8] {
        let bytes = grammar.bytes(of: chunks)
        guard lead.count + bytes.count <= mostLeadingBytes else {
            throw AudioFileError(
                .unsupported, "chunks of \(bytes.count) bytes are too large to come before the audio")
        }
        // A WAVE file may become RF64.
        guard chunks.allSatisfy({ grammar.canLead(contentsBytes: $0.contents.count, isRF64: true) }) else {
            throw AudioFileError(.unsupported, "chunks of odd sizes must come after the audio")
        }
        return bytes
    }

    /// WAVE: an INFO list, an ID3 tag for everything that INFO cannot hold, and cue points with names.
    static func waveChunks(_ metadata: FileMetadata) throws(AudioFileError) -> [UInt8] {
        var chunks = HeaderBytes()
        var list = HeaderBytes()
        list.append("INFO")
        let tags = InformationKeys.withOneDate(metadata.information).grouped
        var isComplete = metadata.artwork == nil
        for (key, values) in tags {
            guard let code = InformationKeys.riff.first(where: { $0.key == key })?.code else {
                isComplete = false
                continue
            }
            for value in values { append(code, terminated(value), isBigEndian: false, to: &list) }
        }
        if list.count > 4 { append("LIST", list.bytes, isBigEndian: false, to: &chunks) }
        // Complete, because readers of the tag ignore the list.
        if !isComplete {
            append("id3 ", try ID3Writer.bytes(of: metadata), isBigEndian: false, to: &chunks)
        }
        appendCues(metadata.markers, to: &chunks)
        return chunks.bytes
    }

    /// AIFF: four text chunks, an ID3 tag for everything that they cannot hold, and markers.
    static func aiffChunks(_ metadata: FileMetadata) throws(AudioFileError) -> [UInt8] {
        var chunks = HeaderBytes()
        var isComplete = metadata.artwork == nil
        for (key, values) in metadata.information.grouped {
            // QUIRK: libsndfile 1.2 does not open files with longer ones.
            guard let code = InformationKeys.aiff.first(where: { $0.key == key })?.code,
                values.allSatisfy({ $0.utf8.count < 8000 })
            else {
                isComplete = false
                continue
            }
            for value in values {
                append(code, value.utf8.filter { $0 != 0 }, isBigEndian: true, to: &chunks)
            }
        }
        if !isComplete {
            append("ID3 ", try ID3Writer.bytes(of: metadata), isBigEndian: true, to: &chunks)
        }
        appendMarkers(metadata.markers, to: &chunks)
        return chunks.bytes
    }

    private static func append(
        _ code: String, _ contents: [UInt8], isBigEndian: Bool, to bytes: inout HeaderBytes
    ) {
        guard !contents.isEmpty else { return }
        bytes.append(raw: Array(code.utf8))
        let count = UInt32(clamping: contents.count)
        if isBigEndian { bytes.append(big: count) } else { bytes.append(little: count) }
        bytes.append(raw: contents)
        // Chunks begin at even offsets.
        if contents.count % 2 != 0 { bytes.append(raw: [0]) }
    }

    private static func terminated(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 0 } + [0] }

    /// Numbered positions, in records of 24 bytes, and a list of their names.
    private static func appendCues(_ markers: [AudioFileMarker], to chunks: inout HeaderBytes) {
        let numbered = numbered(markers, mostIdentifier: .max)
        guard !numbered.isEmpty else { return }
        var cues = HeaderBytes()
        var names = HeaderBytes()
        cues.append(little: UInt32(numbered.count))
        names.append("adtl")
        for (identifier, frame, name) in numbered {
            cues.append(little: identifier)
            cues.append(little: frame)
            cues.append("data")
            // The chunk, and the block that contains the position, begin at 0.
            cues.append(little: UInt64(0))
            cues.append(little: frame)
            guard !name.isEmpty else { continue }
            var label = HeaderBytes()
            label.append(little: identifier)
            label.append(raw: terminated(name))
            append("labl", label.bytes, isBigEndian: false, to: &names)
        }
        append("cue ", cues.bytes, isBigEndian: false, to: &chunks)
        if names.count > 4 { append("LIST", names.bytes, isBigEndian: false, to: &chunks) }
    }

    /// Numbered positions, each with a name as a length byte and text, padded to even.
    private static func appendMarkers(_ markers: [AudioFileMarker], to chunks: inout HeaderBytes) {
        let numbered = numbered(markers, mostIdentifier: UInt32(Int16.max)).prefix(Int(Int16.max))
        guard !numbered.isEmpty else { return }
        var list = HeaderBytes()
        list.append(big: UInt16(numbered.count))
        for (identifier, frame, name) in numbered {
            list.append(big: UInt16(identifier))
            list.append(big: frame)
            let text = shortened(name)
            list.append(raw: [UInt8(text.count)] + text)
            if text.count % 2 == 0 { list.append(raw: [0]) }
        }
        append("MARK", list.bytes, isBigEndian: true, to: &chunks)
    }

    /// The markers whose positions fit 32 bits, renumbered if their numbers are too large or not unique.
    private static func numbered(
        _ markers: [AudioFileMarker], mostIdentifier: UInt32
    ) -> [(identifier: UInt32, frame: UInt32, name: String)] {
        let fitting = markers.compactMap { marker in
            UInt32(exactly: marker.framePosition.rounded()).map { (marker.identifier, $0, marker.name) }
        }
        let identifiers = Set(fitting.map(\.0))
        let isKept =
            identifiers.count == fitting.count && identifiers.allSatisfy { 1...mostIdentifier ~= $0 }
        return fitting.enumerated().map { index, marker in
            (isKept ? marker.0 : UInt32(truncatingIfNeeded: index + 1), marker.1, marker.2)
        }
    }

    /// A name truncated to what a length byte can count, between characters.
    private static func shortened(_ name: String) -> [UInt8] {
        var text = name.utf8.count > 255 ? String(name.prefix(255)) : name
        while text.utf8.count > 255 { text.removeLast() }
        return text.utf8.filter { $0 != 0 }
    }
}
