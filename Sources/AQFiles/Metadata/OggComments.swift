// SPDX-License-Identifier: MIT

/// The comments of an Ogg stream (RFC 3533), in the second packet of its first logical stream.
enum OggComments {
    static func metadata(in bytes: TagBytes) -> FileMetadata {
        var packets = OggPackets(bytes)
        guard let first = packets.next() else { return FileMetadata() }
        if first.starts(with: [0x7F] + Array("FLAC".utf8)) { return flacMetadata(&packets) }
        guard let comments = packets.next() else { return FileMetadata() }
        let leads = [vorbisMark, opusMark, Array("Speex".utf8)]
        if first.starts(with: "Speex".utf8) { return VorbisComments.metadata(comments[...]) }
        guard let lead = leads.first(where: comments.starts) else { return FileMetadata() }
        return VorbisComments.metadata(comments[lead.count...])
    }

    /// Makes the contents of a packet of comments, which begin with the codec's mark. A picture is a comment.
    static func bytes(of metadata: FileMetadata, vendor: [UInt8], after mark: [UInt8]) -> [UInt8] {
        mark + VorbisComments.bytes(of: metadata.information, artwork: metadata.artwork, vendor: vendor)
    }

    static let vorbisMark: [UInt8] = [3] + Array("vorbis".utf8)
    static let opusMark = Array("OpusTags".utf8)
    /// The largest size of the packets up to the comments.
    static let mostBytes = 24 << 20

    /// Reads the metadata blocks of FLAC, which are packets in Ogg.
    private static func flacMetadata(_ packets: inout OggPackets) -> FileMetadata {
        var contents = FileMetadata()
        while let block = packets.next(), block.count >= 4, block[0] != 0xFF {
            FLACBlocks.read(type: block[0] & 0x7F, block[4...], into: &contents)
            if block[0] & 0x80 != 0 { break }
        }
        return contents
    }
}

/// The first packets of the first logical stream, assembled from its pages.
private struct OggPackets {
    private let bytes: TagBytes
    private var offset: Int64 = 0
    private var serial: UInt32?
    /// The lengths of the current page's unread segments, and the offset of the next segment.
    private var lengths: ArraySlice<UInt8> = []
    private var bodyOffset: Int64 = 0
    private var readBytes = 0

    init(_ bytes: TagBytes) { self.bytes = bytes }

    /// Returns the next packet; nil if there is none, or it is incomplete or longer than any tag.
    mutating func next() -> [UInt8]? {
        var packet: [UInt8] = []
        while true {
            if lengths.isEmpty, !readPage() { return nil }
            // A packet ends with the first segment shorter than 255 bytes.
            let run = lengths.prefix { $0 == 255 }
            let last = lengths.dropFirst(run.count).first
            let count = run.count * 255 + Int(last ?? 0)
            readBytes += count
            guard readBytes <= OggComments.mostBytes, let part = bytes.read(bodyOffset, count) else {
                return nil
            }
            packet += part
            bodyOffset += Int64(count)
            lengths = lengths.dropFirst(run.count + (last == nil ? 0 : 1))
            if last != nil { return packet }
        }
    }

    /// Finds the stream's next page, and its table of segment lengths; returns false if there is none.
    private mutating func readPage() -> Bool {
        for _ in 0..<Self.mostPages {
            guard let header = bytes.read(offset, OggPage.headerBytes),
                let table = bytes.read(offset + Int64(OggPage.headerBytes), Int(header[26])),
                let page = OggPage((header + table)[...])
            else { return false }
            let body = offset + Int64(page.headerByteCount)
            offset += Int64(page.byteCount)
            if serial == nil { serial = page.serial }
            // Pages of other streams may come in between.
            guard serial == page.serial, !table.isEmpty else { continue }
            (lengths, bodyOffset) = (table[...], body)
            return true
        }
        return false
    }

    private static let mostPages = 1024
}

enum FLACBlocks {
    static let comments: UInt8 = 4
    static let picture: UInt8 = 6

    /// Reads a block if it contains text or a picture.
    static func read(type: UInt8, _ block: ArraySlice<UInt8>, into contents: inout FileMetadata) {
        switch type {
        case comments: contents.fill(from: VorbisComments.metadata(block))
        case picture:
            // The type after the first bytes distinguishes front covers (3) from other pictures.
            let isFront = block.dropFirst(3).first == 3
            if contents.artwork == nil || isFront {
                contents.artwork = FLACPicture.artwork(block) ?? contents.artwork
            }
        default: break
        }
    }
}
