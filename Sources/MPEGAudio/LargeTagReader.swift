/// Reads the text of an ID3v2 tag too large to be held in memory: pictures are stepped over, not read.
///
/// libmpg123 reads a tag whole. That is left to it while tags are small.
struct LargeTagReader {
    private let source: MPEGByteSource
    private let end: Int64
    private let version: UInt8

    /// Reads title, artist and album of the tag at the beginning of a file.
    ///
    /// - Parameter tagBytes: What the tag's header claims; the file may be shorter.
    static func tags(in source: MPEGByteSource, tagBytes: Int64) -> MPEGTags {
        let head = unsafe source.bytes(at: 0, leastBytes: 14)
        guard head.count >= 14, unsafe 2...4 ~= head[3] else { return MPEGTags() }
        let version = unsafe head[3]
        let flags = unsafe head[5]
        // Unsynchronised as a whole, lengths count bytes that are not there: too odd, at this size, to follow.
        guard version == 4 || flags & 0x80 == 0 else { return MPEGTags() }
        var start: Int64 = 10
        if version > 2, flags & 0x40 != 0 {
            // The extended header counts its length field in version 4 only.
            let length = unsafe number(head[10..<14], isSynchsafe: version == 4)
            start += Int64(length) + (version == 4 ? 0 : 4)
        }
        let reader = LargeTagReader(
            source: source, end: min(tagBytes, source.fileBytes ?? tagBytes), version: version)
        return reader.read(from: start)
    }

    private func read(from start: Int64) -> MPEGTags {
        var tags = MPEGTags()
        let headerBytes = version == 2 ? 6 : 10
        var offset = start
        for _ in 0..<Self.mostFrames where offset + Int64(headerBytes) <= end {
            let header = unsafe source.bytes(at: offset, leastBytes: headerBytes)
            // Zeros are padding: no frame comes after them.
            guard header.count >= headerBytes, unsafe header[0] != 0 else { break }
            let name = unsafe String(decoding: header[..<(version == 2 ? 3 : 4)], as: UTF8.self)
            let digits = unsafe version == 2 ? header[3..<6] : header[4..<8]
            // QUIRK: some programs write plain lengths in version 4; a high bit gives them away.
            let isSynchsafe = unsafe version == 4 && digits.allSatisfy { $0 < 0x80 }
            let length = unsafe Self.number(digits, isSynchsafe: isSynchsafe)
            // Compressed, encrypted or otherwise changed frames are not for display.
            let isPlain = unsafe version == 2 || header[9] == 0
            let contents = offset + Int64(headerBytes)
            guard contents + Int64(length) <= end else { break }
            if isPlain, 1...Self.longestText ~= length {
                switch name {
                case "TIT2", "TT2": tags.title = text(at: contents, bytes: length)
                case "TPE1", "TP1": tags.artist = text(at: contents, bytes: length)
                case "TALB", "TAL": tags.album = text(at: contents, bytes: length)
                default: break
                }
            }
            offset = contents + Int64(length)
        }
        return tags
    }

    private func text(at offset: Int64, bytes: Int) -> String? {
        let shown = unsafe source.bytes(at: offset, leastBytes: bytes)
        guard shown.count >= bytes, let encoding = unsafe shown.first else { return nil }
        let body = unsafe UnsafeRawBufferPointer(rebasing: shown[1..<bytes])
        switch encoding {
        case 0: return unsafe String(body.prefix { $0 != 0 }.map { Character(Unicode.Scalar($0)) })
        case 1, 2:
            let isLittle = unsafe encoding == 1 && body.starts(with: [0xFF, 0xFE])
            let hasMark = unsafe isLittle || body.starts(with: [0xFE, 0xFF])
            let units = stride(from: hasMark ? 2 : 0, to: body.count - 1, by: 2).map { place in
                let (first, second) = unsafe (UInt16(body[place]), UInt16(body[place + 1]))
                return isLittle ? second << 8 | first : first << 8 | second
            }
            return String(decoding: units.prefix { $0 != 0 }, as: UTF16.self)
        case 3: return unsafe String(decoding: body.prefix { $0 != 0 }, as: UTF8.self)
        default: return nil
        }
    }

    private static func number(_ digits: Slice<UnsafeRawBufferPointer>, isSynchsafe: Bool) -> Int {
        unsafe digits.reduce(0) { isSynchsafe ? $0 << 7 | Int($1 & 0x7F) : $0 << 8 | Int($1) }
    }

    /// Frames that are looked at before the tag counts as nonsense.
    private static let mostFrames = 1024
    /// Bytes of a text that is worth showing.
    private static let longestText = 8192
}
