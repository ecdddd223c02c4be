// SPDX-License-Identifier: MIT

import CoreAudioTypes

extension AudioFileEditor {
    /// Replaces the text metadata. A picture is kept.
    ///
    /// - Throws: `unsupported` if this file type has no text metadata; otherwise the errors of
    ///   ``setChunk(_:index:contents:)``, after which only some of the chunks may have been changed.
    ///
    /// The corresponding C property is `kAudioFilePropertyInfoDictionary`.
    public func setInformation(_ information: [AudioFileInformation]) throws(AudioFileError) {
        try named { () throws(AudioFileError) in
            let map = try ChunkMap(file)
            let picture = try AudioFile.open(path: path).artwork
            let metadata = FileMetadata(information: information, artwork: picture)
            switch map.grammar {
            case .riff(isBigEndian: false):
                try replace(["LIST INFO", "id3 "], by: ChunkMetadata.waveChunks(metadata))
            case .aiff:
                try replace(
                    InformationKeys.aiff.map(\.code) + ["ID3 "], by: ChunkMetadata.aiffChunks(metadata))
            case .caf:
                let info = AudioFileChunkContents("info", CAFInformation.bytes(of: information))
                try replace(["info"], by: information.isEmpty ? [] : [info])
            case .riff, .wave64:
                throw AudioFileError(.unsupported, "tags cannot be written to this file type")
            }
        }
    }

    /// Replaces the markers.
    ///
    /// - Throws: `unsupported` if this file type has no markers; otherwise the errors of
    ///   ``setChunk(_:index:contents:)``, after which only some of the chunks may have been changed.
    ///
    /// The corresponding C property is `kAudioFilePropertyMarkerList`.
    public func setMarkers(_ markers: [AudioFileMarker]) throws(AudioFileError) {
        try named { () throws(AudioFileError) in
            let map = try ChunkMap(file)
            let metadata = FileMetadata(markers: markers)
            switch map.grammar {
            case .riff(isBigEndian: false):
                try replace(["cue ", "LIST adtl"], by: ChunkMetadata.waveChunks(metadata))
            case .aiff:
                try replace(["MARK"], by: ChunkMetadata.aiffChunks(metadata))
            case .caf: try replaceMarkersAndRegions(markers, AudioFile.open(path: path).regions)
            case .riff, .wave64:
                throw AudioFileError(.unsupported, "markers cannot be written to this file type")
            }
        }
    }

    /// Replaces the regions.
    ///
    /// - Throws: `unsupported` if this file type has no regions; otherwise the errors of
    ///   ``setChunk(_:index:contents:)``, after which only some of the chunks may have been changed.
    ///
    /// The corresponding C property is `kAudioFilePropertyRegionList`.
    public func setRegions(_ regions: [AudioFileRegion]) throws(AudioFileError) {
        try named { () throws(AudioFileError) in
            guard try ChunkMap(file).grammar == .caf else {
                throw AudioFileError(.unsupported, "regions can be written to CAF files only")
            }
            try replaceMarkersAndRegions(AudioFile.open(path: path).markers, regions)
        }
    }

    /// Replaces markers and regions together, because they share the chunk with their names.
    private func replaceMarkersAndRegions(
        _ markers: [AudioFileMarker], _ regions: [AudioFileRegion]
    ) throws(AudioFileError) {
        try replace(["mark", "regn", "strg"], by: CAFMarkers.chunks(markers: markers, regions: regions))
    }

    /// Replaces chunks of certain types, or lists of certain types.
    private func replace(
        _ kinds: [String], by chunks: [AudioFileChunkContents]
    ) throws(AudioFileError) {
        for kind in kinds {
            let type = FourCharacterCode(rawValue: ChunkGrammar.code(String(kind.prefix(4))))
            let listType = Array(kind.utf8.dropFirst(5))
            let new = chunks.filter { $0.type == type && $0.contents.starts(with: listType) }
            let old = try numbers(of: type, listType)
            for (chunk, index) in zip(new, old) {
                try put(type, index, chunk.contents)
            }
            // Removed from the last on, because removing a chunk renumbers those after it.
            for index in old.dropFirst(new.count).reversed() { try take(type, index) }
            for chunk in new.dropFirst(old.count) {
                try put(type, ChunkMap(file).chunks(type.rawValue).count, chunk.contents)
            }
        }
    }

    /// Returns the numbers of the chunks of a type whose contents begin with a list's type.
    private func numbers(
        of type: FourCharacterCode, _ listType: [UInt8]
    ) throws(AudioFileError) -> [Int] {
        var numbers: [Int] = []
        for (index, chunk) in try ChunkMap(file).chunks(type.rawValue).enumerated() {
            guard chunk.contents.count >= listType.count,
                try file.read(at: chunk.contents.lowerBound, count: listType.count) == listType
            else { continue }
            numbers.append(index)
        }
        return numbers
    }
}
