// SPDX-License-Identifier: MIT

/// The chunks of WAVE and AIFF for text metadata, a picture and markers.
enum ChunkMetadata {
    /// The largest size of a header with its text chunks, in bytes. The header is rewritten at every append: within one
    /// page of memory, a killed process has written all of it or nothing. Longer chunks follow the samples.
    static let mostLeadingBytes = 4000

    /// The bytes of the client's chunks in a header.
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
        // A WAVE file may become RF64, in which odd sizes are misread.
        guard chunks.allSatisfy({ grammar.canLead(contentsBytes: $0.contents.count, isRF64: true) }) else {
            throw AudioFileError(.unsupported, "chunks of odd sizes must come after the audio")
        }
        return bytes
    }

    /// Makes the chunks of WAVE: an INFO list, an ID3 tag if INFO cannot hold all metadata, and named cue points.
    static func waveChunks(_ metadata: FileMetadata) throws(AudioFileError) -> [AudioFileChunkContents] {
        var list: [AudioFileChunkContents] = []
        let tags = InformationKeys.withOneDate(metadata.information).grouped
        var isComplete = metadata.artwork == nil
        for (key, values) in tags {
            guard let code = InformationKeys.riff.first(where: { $0.key == key })?.code else {
                isComplete = false
                continue
            }
            list += values.map { AudioFileChunkContents(code, terminated($0)) }
        }
        var chunks = Self.list("INFO", list)
        // The tag is complete, because its readers ignore the list.
        if !isComplete { chunks.append(AudioFileChunkContents("id3 ", try ID3Writer.bytes(of: metadata))) }
        return chunks.filter { !$0.contents.isEmpty } + cues(metadata.markers)
    }

    /// Makes the chunks of AIFF: four text chunks, an ID3 tag if they cannot hold all metadata, and markers.
    static func aiffChunks(_ metadata: FileMetadata) throws(AudioFileError) -> [AudioFileChunkContents] {
        var chunks: [AudioFileChunkContents] = []
        var isComplete = metadata.artwork == nil
        for (key, values) in metadata.information.grouped {
            // QUIRK: libsndfile 1.2 does not open files with longer text chunks.
            guard let code = InformationKeys.aiff.first(where: { $0.key == key })?.code,
                values.allSatisfy({ $0.utf8.count < 8000 })
            else {
                isComplete = false
                continue
            }
            chunks += values.map { value in AudioFileChunkContents(code, value.utf8.filter { $0 != 0 }) }
        }
        if !isComplete { chunks.append(AudioFileChunkContents("ID3 ", try ID3Writer.bytes(of: metadata))) }
        return chunks.filter { !$0.contents.isEmpty } + markers(metadata.markers)
    }

    /// Makes a list of WAVE; nothing if there are no contents.
    private static func list(
        _ type: String, _ contents: [AudioFileChunkContents]
    ) -> [AudioFileChunkContents] {
        let bytes = Array(type.utf8) + ChunkGrammar.riff(isBigEndian: false).bytes(of: contents)
        return contents.isEmpty ? [] : [AudioFileChunkContents("LIST", bytes)]
    }

    private static func terminated(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 0 } + [0] }

    /// Makes cue points, in records of 24 bytes, and a list of their names.
    private static func cues(_ markers: [AudioFileMarker]) -> [AudioFileChunkContents] {
        let numbered = numbered(markers, mostIdentifier: .max)
        guard !numbered.isEmpty else { return [] }
        var cues = HeaderBytes()
        var names: [AudioFileChunkContents] = []
        cues.append(little: UInt32(numbered.count))
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
            names.append(AudioFileChunkContents("labl", label.bytes))
        }
        return [AudioFileChunkContents("cue ", cues.bytes)] + list("adtl", names)
    }

    /// Makes numbered positions, each with a name as a length byte and text, padded to even.
    private static func markers(_ markers: [AudioFileMarker]) -> [AudioFileChunkContents] {
        let numbered = numbered(markers, mostIdentifier: UInt32(Int16.max)).prefix(Int(Int16.max))
        guard !numbered.isEmpty else { return [] }
        var list = HeaderBytes()
        list.append(big: UInt16(numbered.count))
        for (identifier, frame, name) in numbered {
            list.append(big: UInt16(identifier))
            list.append(big: frame)
            let text = shortened(name)
            list.append(raw: [UInt8(text.count)] + text)
            if text.count % 2 == 0 { list.append(raw: [0]) }
        }
        return [AudioFileChunkContents("MARK", list.bytes)]
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

    /// Truncates a name to 255 bytes, between characters.
    private static func shortened(_ name: String) -> [UInt8] {
        var text = name.utf8.count > 255 ? String(name.prefix(255)) : name
        while text.utf8.count > 255 { text.removeLast() }
        return text.utf8.filter { $0 != 0 }
    }
}
