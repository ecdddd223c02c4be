// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The loudness in the items of an MPEG-4 file that is not fragmented. All other boxes are kept byte for byte, except
/// the offsets of chunks that follow the items.
enum MP4LoudnessTag {
    static func parts(of file: EditableFile, _ gain: ReplayGain) throws(AudioFileError) -> FileParts {
        let movie = try movieRange(in: file)
        let box = try file.read(at: movie.lowerBound, count: Int(movie.upperBound - movie.lowerBound))
        guard let header = MP4BoxHeader(MP4Bytes(box)) else { throw MP4BoxList.damaged }
        var boxes = try MP4BoxList(box[header.headerBytes...])
        try boxes.change("udta") { udta throws(AudioFileError) in
            try udta.change("meta") { meta throws(AudioFileError) in try setItems(in: &meta, gain) }
        }
        let newBytes = Int64(8 + boxes.byteCount)
        let shift = MP4ChunkShift(movieEnd: movie.upperBound, bytes: newBytes - Int64(box.count))
        try shift.apply(to: &boxes)
        return FileParts(
            parts: [
                .stored(0..<movie.lowerBound), .new(try MP4BoxList.box("moov", boxes.bytes)),
                .stored(movie.upperBound..<file.byteCount),
            ], comparesPackets: true)
    }

    /// Finds the movie's box among the outermost ones.
    private static func movieRange(in file: EditableFile) throws(AudioFileError) -> Range<Int64> {
        var offset: Int64 = 0
        var movie: Range<Int64>?
        for _ in 0..<mostBoxes {
            guard offset < file.byteCount else { break }
            let rest = file.byteCount - offset
            let head = MP4Bytes(
                try file.read(at: offset, count: Int(min(rest, Int64(MP4BoxHeader.mostBytes)))))
            guard let header = MP4BoxHeader(head) else { throw MP4BoxList.damaged }
            let length = header.boxBytes ?? rest
            guard length <= rest else { throw MP4BoxList.damaged }
            switch header.type.description {
            case "'moov'":
                guard movie == nil, length <= mostMovieBytes else { throw MP4BoxList.damaged }
                movie = offset..<offset + length
            // Their offsets are not changed here.
            case "'moof'", "'sidx'", "'mfra'", "'meta'": throw unsupported
            default: break
            }
            offset += length
        }
        guard let movie, offset == file.byteCount else { throw MP4BoxList.damaged }
        return movie
    }

    /// Replaces the items in a metadata box, which is empty if it is new.
    private static func setItems(in meta: inout MP4BoxList, _ gain: ReplayGain) throws(AudioFileError) {
        if meta.isEmpty {
            // Version, and the handler of iTunes' items.
            meta.lead = [0, 0, 0, 0]
            let handler = [UInt8](repeating: 0, count: 8) + Array("mdirappl".utf8)
            try meta.append(MP4BoxList.box("hdlr", handler + [UInt8](repeating: 0, count: 9)))
        }
        if let handler = meta.contents("hdlr"), !handler.dropFirst(8).starts(with: "mdir".utf8) {
            throw AudioFileError(.unsupported, "its metadata is not in the iTunes format")
        }
        let texts = gain.tagTexts
        let names = Set(texts.map(\.name))
        try meta.change("ilst") { items throws(AudioFileError) in
            items.remove("----") { item in
                guard let name = MP4Bytes(Array(item)).box("name")?.part(from: 4, count: 64).text else {
                    return false
                }
                return names.contains(name.uppercased())
            }
            for text in texts {
                guard let value = text.value else { continue }
                let name = text.name.lowercased()
                try items.append(
                    MP4BoxList.box(
                        "----",
                        MP4BoxList.box("mean", [0, 0, 0, 0] + Array("com.apple.iTunes".utf8))
                            + MP4BoxList.box("name", [0, 0, 0, 0] + Array(name.utf8))
                            // UTF-8, in any country.
                            + MP4BoxList.box("data", [0, 0, 0, 1, 0, 0, 0, 0] + Array(value.utf8))))
            }
        }
    }

    private static let unsupported = AudioFileError(
        .unsupported, "tags are not written to fragmented files, nor to those with other indexes")
    private static let mostMovieBytes: Int64 = 1 << 26
    private static let mostBoxes = 1 << 16
}

/// The change of the offsets of all chunks after a movie box of another size.
struct MP4ChunkShift {
    /// The end of the movie box in the old file.
    let movieEnd: Int64
    /// The number of bytes by which what follows is moved.
    let bytes: Int64

    func apply(to movie: inout MP4BoxList) throws(AudioFileError) {
        guard movie.contents("mvex") == nil else {
            throw AudioFileError(.unsupported, "tags are not written to fragmented files")
        }
        guard bytes != 0 else { return }
        try movie.changeAll("trak") { track throws(AudioFileError) in
            try track.changeAll("mdia") { media throws(AudioFileError) in
                try media.changeAll("minf") { information throws(AudioFileError) in
                    try information.changeAll("stbl") { table throws(AudioFileError) in
                        guard table.contents("saio") == nil else {
                            throw AudioFileError(.unsupported, "its audio is encrypted")
                        }
                        try table.changeContents("stco") { bytes throws(AudioFileError) in
                            try shift(&bytes, entryBytes: 4)
                        }
                        try table.changeContents("co64") { bytes throws(AudioFileError) in
                            try shift(&bytes, entryBytes: 8)
                        }
                    }
                }
            }
        }
    }

    private func shift(_ table: inout [UInt8], entryBytes: Int) throws(AudioFileError) {
        let fields = MP4Bytes(table)
        let count = fields.entries(claimed: fields.uint32(at: 4), of: entryBytes, from: 8)
        for index in 0..<count {
            let start = 8 + index * entryBytes
            guard let offset = fields.number(at: start, byteCount: entryBytes), offset >= UInt64(movieEnd)
            else { continue }
            let (moved, overflow) = offset.addingReportingOverflow(UInt64(bitPattern: bytes))
            let isValid = bytes < 0 ? overflow : !overflow
            guard isValid, entryBytes == 8 || moved <= UInt64(UInt32.max) else {
                throw AudioFileError(.containerFull, "its audio would move beyond the offsets of 4 GB")
            }
            for byte in 0..<entryBytes {
                table[start + byte] = UInt8(truncatingIfNeeded: moved >> UInt64(8 * (entryBytes - 1 - byte)))
            }
        }
    }
}
