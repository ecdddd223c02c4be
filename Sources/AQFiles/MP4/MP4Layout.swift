// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The outermost boxes of a file, read one after another, and a list of its boxes.
struct MP4Layout {
    private let file: OpenFile
    /// The offset of the next outermost box; nil after the last.
    private(set) var nextOffset: Int64? = 0
    /// The listed boxes up to the current offset.
    private(set) var chunks: [AudioFileChunk] = []
    /// The faults, one line each.
    private(set) var faults: [String] = []
    private var passedBoxes = 0

    init(_ file: OpenFile) { self.file = file }

    /// An outermost box; its contents are read on request.
    struct Part {
        var type: FourCharacterCode
        var fileOffset: Int64
        var contentsOffset: Int64
        var contentsBytes: Int64
    }

    /// Moves to the next box; nil at the end, or if there is no valid box.
    mutating func next() throws(AudioFileError) -> Part? {
        guard let offset = nextOffset else { return nil }
        let bytes = MP4Bytes(try file.read(at: offset, count: MP4BoxHeader.mostBytes))
        guard let header = MP4BoxHeader(bytes) else {
            if bytes.count > 0 { faults.append("the data at byte \(offset) is not part of such a file") }
            nextOffset = nil
            return nil
        }
        passedBoxes += 1
        guard passedBoxes <= Self.mostBoxes else {
            faults.append(
                "it has more than \(Self.mostBoxes) boxes; those from byte \(offset) on are not read")
            nextOffset = nil
            return nil
        }
        let contentsOffset = offset + Int64(header.headerBytes)
        let room = max(file.byteCount - contentsOffset, 0)
        let promised = header.boxBytes.map { $0 - Int64(header.headerBytes) } ?? room
        if promised > room {
            faults.append(
                "box \(header.type) at byte \(offset) should have \(promised) bytes, "
                    + "of which \(room) are there")
        }
        let contentsBytes = min(promised, room)
        nextOffset = contentsOffset + contentsBytes
        list(header.type, at: offset, bytes: contentsBytes, depth: 0)
        return Part(
            type: header.type, fileOffset: offset, contentsOffset: contentsOffset,
            contentsBytes: contentsBytes)
    }

    /// Reads the contents of a box.
    ///
    /// - Throws: `damaged` for a box too large for memory.
    func contents(of part: Part) throws(AudioFileError) -> MP4Bytes {
        let bytes = part.contentsBytes
        guard bytes <= Self.mostIndexBytes else {
            throw AudioFileError(.damaged, "its box \(part.type) of \(bytes) bytes is too long to be read")
        }
        return MP4Bytes(
            try file.read(at: part.contentsOffset, count: Int(bytes)), fileOffset: part.contentsOffset)
    }

    mutating func listBoxes(in contents: MP4Bytes, depth: Int = 1) {
        guard depth < 8 else { return }
        for box in contents.boxes() {
            guard chunks.count < FormatLimits.mostChunks else { return }
            list(box.type, at: box.fileOffset, bytes: Int64(box.contents.count), depth: depth)
            if Self.containers.contains(box.type) {
                listBoxes(in: box.contents, depth: depth + 1)
            } else if box.type == FourCharacterCode(mp4: "meta") {
                listBoxes(in: box.contents.part(from: 4), depth: depth + 1)
            }
        }
    }

    private mutating func list(_ type: FourCharacterCode, at offset: Int64, bytes: Int64, depth: Int) {
        guard chunks.count < FormatLimits.mostChunks else { return }
        chunks.append(AudioFileChunk(type: type, offset: offset, byteCount: bytes, depth: depth))
    }

    private static let containers: Set<FourCharacterCode> = Set(
        (["trak", "edts", "mdia", "minf", "dinf", "stbl", "udta", "mvex", "traf"] as [StaticString])
            .map { FourCharacterCode(mp4: $0) })

    /// The size of the largest index that is read: twice that of a week of AAC.
    private static let mostIndexBytes: Int64 = 1 << 26
    private static let mostBoxes = 1 << 20
}
