// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The chunks, metadata and markers in containers that libsndfile reads.
///
/// The details are read on request, because playback does not need them. Unreadable parts are left out; reading the
/// audio reports the reason.
struct ContainerDetails {
    private(set) var chunks: [AudioFileChunk] = []
    private(set) var dataRange: Range<Int64>?
    /// The container's own metadata, completed from an ID3 tag inside it.
    var metadata = FileMetadata()
    /// The metadata of an ID3 tag in or before the container.
    var tagged = FileMetadata()
    /// The markers, in the order in which the file stores them.
    var markers: [AudioFileMarker] = []
    var regions: [AudioFileRegion] = []
    /// The names of markers and regions, by number.
    var names: [UInt32: String] = [:]

    let file: OpenFile
    private let fileBytes: Int64
    private(set) var isBigEndian = false
    /// The range of the audio, if it extends beyond the declared length; otherwise nil.
    private let prolongedAudio: Range<Int64>?

    /// Reads the details of the whole file; a pipe has none.
    ///
    /// - Parameter prolongedAudio: Audio that extends to the end of the file, whatever its declared length.
    init(file: OpenFile, prolongedAudio: Range<Int64>? = nil) {
        self.file = file
        self.prolongedAudio = prolongedAudio
        fileBytes = file.bytes ?? 0
        guard file.bytes != nil, let head = bytes(at: 0, count: 24) else { return }
        var start: Int64 = 0
        if let tagBytes = StreamTag.id3Bytes(head) {
            add(ChunkGrammar.code("ID3 "), at: 0, byteCount: tagBytes - 10, depth: 0)
            tagged = ID3Reader.metadata(in: TagBytes(file, 0..<tagBytes))
            start = tagBytes
        }
        guard let mark = fields(at: start, count: 12)?.mark(at: 0) else { return }
        switch mark {
        case "RIFF", "RF64", "BW64": walk(.riff(isBigEndian: false), from: start)
        case "RIFX": walk(.riff(isBigEndian: true), from: start)
        case "FORM": walk(.aiff, from: start)
        case "riff": walk(.wave64, from: start)
        case ".snd", "dns.":
            isBigEndian = mark == ".snd"
            readSunHeader(at: start)
        case "fLaC": readFLACBlocks(from: start + 4)
        case "OggS": metadata = OggComments.metadata(in: TagBytes(file, start..<fileBytes))
        default: break
        }
        metadata.fill(from: tagged)
        finishMarkers()
    }

    private mutating func walk(_ grammar: ChunkGrammar, from start: Int64) {
        isBigEndian = grammar.isBigEndian
        walk(ChunkWalk(grammar, from: start + grammar.firstChunkOffset, to: fileBytes), depth: 0)
    }

    /// Reads chunks, and the chunks inside lists.
    private mutating func walk(_ first: ChunkWalk, depth: Int) {
        var walk = first
        while chunks.count < FormatLimits.mostChunks,
            let header = bytes(at: walk.offset, count: walk.headerCount), let chunk = walk.next(header)
        {
            guard chunk.declaredBytes >= 0 else { return }
            if chunk.name == "ds64", let sizes = bytes(at: chunk.contents.lowerBound, count: 16) {
                walk.takeSizes(sizes)
            }
            let isAudio = depth == 0 && chunk.type == walk.grammar.sound && dataRange == nil
            let isProlonged = isAudio && chunk.contents.lowerBound == prolongedAudio?.lowerBound
            let contents = isProlonged ? prolongedAudio ?? chunk.contents : chunk.contents
            add(chunk.type, at: chunk.offset, byteCount: Int64(contents.count), depth: depth)
            let held = contents.lowerBound..<min(contents.upperBound, walk.end)
            switch chunk.name {
            case "data" where isAudio: dataRange = held
            case "SSND" where isAudio:
                // Two numbers come first: the distance from them to the audio, and an unused block size.
                let gap = fields(at: held.lowerBound, count: 4)?.value(at: 0) ?? 0
                dataRange = min(held.lowerBound + 8 + min(gap, fileBytes), held.upperBound)..<held.upperBound
            case _ where walk.grammar == .wave64: break
            case "LIST" where depth == 0 && held.count >= 4:
                self.walk(
                    ChunkWalk(walk.grammar, from: held.lowerBound + 4, to: held.upperBound), depth: 1)
            default: read(chunk.name, held)
            }
            // After an unreliable length, data that resembles a chunk is audio.
            guard contents.upperBound < walk.end else { return }
        }
    }

    private mutating func readSunHeader(at start: Int64) {
        guard let fields = fields(at: start, count: 12), fields.value(at: 4) <= fileBytes else { return }
        let (begin, count) = (fields.value(at: 4), fields.value(at: 8))
        let held = fileBytes - begin
        dataRange = begin..<begin + (count == 0 ? held : min(count, held))
    }

    /// Reads the blocks before the audio of FLAC: a type, whose high bit marks the last block, and a 24-bit length.
    private mutating func readFLACBlocks(from first: Int64) {
        var offset = first
        for _ in 0..<FormatLimits.mostChunks {
            guard let header = bytes(at: offset, count: 4) else { return }
            let type = header[0] & 0x7F
            let byteCount = header[1...].reduce(0) { $0 << 8 | Int($1) }
            if [FLACBlocks.comments, FLACBlocks.picture].contains(type),
                let block = bytes(at: offset + 4, count: byteCount)
            {
                FLACBlocks.read(type: type, block[...], into: &metadata)
            }
            offset += 4 + Int64(byteCount)
            guard header[0] & 0x80 == 0 else { break }
        }
        if offset <= fileBytes { dataRange = offset..<fileBytes }
    }

    private mutating func add(_ type: UInt32, at offset: Int64, byteCount: Int64, depth: Int) {
        chunks.append(
            AudioFileChunk(
                type: FourCharacterCode(rawValue: type), offset: offset, byteCount: max(byteCount, 0),
                depth: depth))
    }
}

extension ContainerDetails {
    /// The bytes at an offset; nil if they are not all present.
    func bytes(at offset: Int64, count: Int) -> [UInt8]? {
        offset < 0 ? nil : file.whole(at: offset, count: count)
    }

    /// The fields at an offset, in the file's byte order; nil if they are not all present.
    func fields(at offset: Int64, count: Int) -> FieldReader? {
        bytes(at: offset, count: count).map { FieldReader(bytes: $0, isBigEndian: isBigEndian) }
    }
}
