// SPDX-License-Identifier: MIT

/// The loudness in the comments of an Ogg file with one stream of Vorbis, Opus or FLAC (RFC 3533). The pages of the
/// headers are written again; the pages of the audio only get other numbers, if at all.
enum OggLoudnessTag {
    static func parts(of file: EditableFile, _ gain: ReplayGain) throws(AudioFileError) -> FileParts {
        var headers = try OggHeaders(file)
        let comments = headers.packets[0]
        let lead = headers.codec.commentsLead
        guard comments.count >= lead.count, headers.codec == .flac || comments.starts(with: lead) else {
            throw AudioFileError(.damaged, "its second packet has no comments")
        }
        if headers.codec == .flac, comments[0] & 0x7F != FLACBlocks.comments {
            throw AudioFileError(.damaged, "its second packet has no comments")
        }
        var list = try VorbisCommentList(comments[lead.count...])
        let isOpus = headers.codec == .opus
        list.set(isOpus ? gain.r128Texts : gain.tagTexts)
        var packet = Array(comments.prefix(lead.count)) + list.bytes
        if headers.codec == .flac {
            let length = packet.count - lead.count
            guard length < 1 << 24 else {
                throw AudioFileError(.unsupported, "its comments would be larger than 16 MB")
            }
            packet.replaceSubrange(1..<4, with: [16, 8, 0].map { UInt8(length >> $0 & 0xFF) })
        }
        headers.packets[0] = packet
        let (pages, count) = headers.pages()
        let renumbering = OggRenumbering(
            serial: headers.serial, difference: UInt32(truncatingIfNeeded: count - headers.pageCount))
        let audio = headers.range.upperBound..<file.byteCount
        return FileParts(
            parts: [
                .stored(0..<headers.range.lowerBound), .new(pages),
                renumbering.difference == 0 ? .stored(audio) : .pages(audio, renumbering),
            ], isR128: isOpus)
    }
}

/// The headers of the only stream of an Ogg file after its first page.
struct OggHeaders {
    enum Codec: Equatable {
        case vorbis, opus, flac

        /// The bytes before the comments; for FLAC, their number counts.
        var commentsLead: [UInt8] {
            switch self {
            case .vorbis: [3] + Array("vorbis".utf8)
            case .opus: Array("OpusTags".utf8)
            case .flac: [0, 0, 0, 0]
            }
        }
    }

    let codec: Codec
    let serial: UInt32
    /// The packets from the second on; the first of them has the comments.
    var packets: [[UInt8]] = []
    /// The range of their pages in the file, and the number of pages.
    private(set) var range: Range<Int64>
    private(set) var pageCount = 0

    /// - Throws: `unsupported` for other codecs and for several streams; `damaged` if the headers are not complete, or
    ///   end inside a page.
    init(_ file: EditableFile) throws(AudioFileError) {
        let first = try OggPageBytes(file, at: 0)
        guard let codec = Self.codec(of: first.contents) else {
            throw AudioFileError(.unsupported, "its first stream is not Vorbis, Opus or FLAC")
        }
        (self.codec, serial) = (codec, first.page.serial)
        range = Int64(first.bytes.count)..<Int64(first.bytes.count)
        var packet: [UInt8] = []
        while true {
            let next = try OggPageBytes(file, at: range.upperBound)
            guard next.page.serial == serial, !next.page.isFirst else { throw Self.several }
            guard range.upperBound < Self.mostBytes else { throw Self.damaged }
            var contents = next.contents
            for length in next.table {
                guard !isComplete else { throw Self.damaged }
                packet += contents.prefix(Int(length))
                contents = contents.dropFirst(Int(length))
                if length < 255 {
                    packets.append(packet)
                    packet = []
                }
            }
            range = range.lowerBound..<range.upperBound + Int64(next.bytes.count)
            pageCount += 1
            if isComplete { break }
        }
        // Another stream may follow the end of the first.
        if range.upperBound < file.byteCount {
            guard try !OggPageBytes(file, at: range.upperBound).page.isFirst else { throw Self.several }
        }
    }

    /// Whether all headers are read.
    private var isComplete: Bool {
        switch codec {
        case .vorbis: packets.count == 2
        case .opus: packets.count == 1
        case .flac: packets.last.map { $0.first.map { $0 & 0x80 != 0 } ?? true } ?? false
        }
    }

    private static func codec(of packet: ArraySlice<UInt8>) -> Codec? {
        if packet.starts(with: [1] + Array("vorbis".utf8)) { return .vorbis }
        if packet.starts(with: "OpusHead".utf8) { return .opus }
        return packet.starts(with: [0x7F] + Array("FLAC".utf8)) ? .flac : nil
    }

    /// The pages with the packets, numbered from 1.
    func pages() -> (bytes: [UInt8], count: Int) {
        var table: [UInt8] = []
        var contents: [UInt8] = []
        for packet in packets {
            table += [UInt8](repeating: 255, count: packet.count / 255) + [UInt8(packet.count % 255)]
            contents += packet
        }
        var bytes: [UInt8] = []
        var count = 0
        var (nextSegment, nextByte) = (0, 0)
        while nextSegment < table.count {
            let lengths = table[nextSegment..<min(nextSegment + 255, table.count)]
            let size = lengths.reduce(0) { $0 + Int($1) }
            // Headers have the position 0; a page in which no packet ends has -1.
            let isContinued = nextSegment > 0 && table[nextSegment - 1] == 255
            let position: UInt64 = lengths.contains { $0 < 255 } ? 0 : .max
            count += 1
            var page = HeaderBytes()
            page.append("OggS")
            page.append(raw: [0, isContinued ? 1 : 0])
            page.append(little: position)
            page.append(little: serial)
            page.append(little: UInt32(count))
            page.append(little: UInt32(0))
            page.append(raw: [UInt8(lengths.count)] + lengths + contents[nextByte..<nextByte + size])
            bytes += OggRenumbering.checked(page.bytes)
            nextSegment += lengths.count
            nextByte += size
        }
        return (bytes, count)
    }

    private static let several = AudioFileError(
        .unsupported, "it has several streams, to which one loudness does not apply")
    private static let damaged = AudioFileError(.damaged, "its headers are too long, or end inside a page")
    private static let mostBytes: Int64 = 32 << 20
}

/// A page of an Ogg file in memory.
private struct OggPageBytes {
    let page: OggPage
    let bytes: [UInt8]

    /// - Throws: `damaged` if there is no complete page.
    init(_ file: EditableFile, at offset: Int64) throws(AudioFileError) {
        let rest = max(file.byteCount - offset, 0)
        let head = try file.read(at: offset, count: Int(min(rest, Int64(OggPage.mostHeaderBytes))))
        guard let page = OggPage(head[...]), Int64(page.byteCount) <= rest else {
            throw AudioFileError(.damaged, "there is no complete page at byte \(offset)")
        }
        self.page = page
        bytes = try file.read(at: offset, count: page.byteCount)
    }

    var table: ArraySlice<UInt8> { bytes[OggPage.headerBytes..<page.headerByteCount] }
    var contents: ArraySlice<UInt8> { bytes[page.headerByteCount...] }
}

/// Other numbers for the pages of a stream, because their headers fill more or fewer pages.
struct OggRenumbering {
    let serial: UInt32
    /// The number to add, modulo 2^32.
    let difference: UInt32

    /// Copies the pages in a range, with other numbers. Bytes that are no pages are copied unchanged.
    func copy(
        _ range: Range<Int64>, of file: EditableFile, to output: EditableFile
    ) throws(AudioFileError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            guard let next = try? OggPageBytes(file, at: offset) else {
                return try output.copy(offset..<range.upperBound, of: file, to: output.byteCount)
            }
            guard !next.page.isFirst else {
                throw AudioFileError(
                    .unsupported, "it has several streams, to which one loudness does not apply")
            }
            var bytes = next.bytes
            if next.page.serial == serial {
                let number = (0..<4).reduce(0) { $0 | UInt32(bytes[18 + $1]) << (8 * UInt32($1)) }
                let changed = number &+ difference
                for index in 0..<4 { bytes[18 + index] = UInt8(changed >> (8 * UInt32(index)) & 0xFF) }
                bytes = Self.checked(bytes)
            }
            try output.write(bytes, at: output.byteCount)
            offset += Int64(bytes.count)
        }
    }

    /// The page with its checksum.
    static func checked(_ page: [UInt8]) -> [UInt8] {
        var page = page
        for index in 22..<26 { page[index] = 0 }
        let checksum = OggPage.checksum(of: page[...])
        for index in 0..<4 { page[22 + index] = UInt8(checksum >> (8 * UInt32(index)) & 0xFF) }
        return page
    }
}
