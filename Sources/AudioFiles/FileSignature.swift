/// What the first bytes of a file say it is.
enum FileSignature: Equatable {
    /// A container that libsndfile reads.
    case container
    /// Core Audio Format.
    case caf
    /// The MPEG-4 container, or QuickTime's.
    case mpeg4
    /// AAC in an ADTS stream.
    case adts
    /// An ID3 tag or an MPEG audio header.
    case mpegAudio
    /// Something known that is no sound; the text completes "it is …".
    case foreign(String)
    /// Sound of a kind that is not read here; the text begins "… is not supported".
    case unsupported(String)
    /// Text, which may also be what a server said before the sound it sent.
    case text
    case unknown

    init(head: [UInt8]) {
        func has(_ text: StaticString, at offset: Int = 0) -> Bool {
            let mark = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
            return unsafe head.dropFirst(offset).starts(with: mark)
        }
        if has("RIFF") || has("RIFX") || has("RF64") || has("BW64") || has("FORM")
            || has(".snd")
            || has("dns.") || has("riff") || has("fLaC") || has("OggS")
        {
            self = .container
        } else if has("caff") {
            self = .caf
        } else if has("ID3") {
            self = .mpegAudio
        } else if head.count >= 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 {
            // Layer 0 with this sync is AAC; 0xFFFE begins UTF-16 text just as well as layer I of MPEG-1.
            self = head[1] & 0xF6 == 0xF0 ? .adts : .mpegAudio
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .foreign("a PNG image")
        } else if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .foreign("a JPEG image")
        } else if has("GIF8") {
            self = .foreign("a GIF image")
        } else if has("%PDF") {
            self = .foreign("a PDF document")
        } else if has("PK\u{3}\u{4}") {
            self = .foreign("a ZIP archive")
        } else if head.starts(with: [0x7F, 0x45, 0x4C, 0x46]) {
            self = .foreign("a program")
        } else if has("ftyp", at: 4) || Self.isBox(head) {
            self = .mpeg4
        } else if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) {
            self = .unsupported("the Matroska container")
        } else if Self.isText(head) {
            self = .text
        } else {
            self = .unknown
        }
    }

    /// True for what files of QuickTime and pieces of MPEG-4 streams may begin with, instead of a type.
    private static func isBox(_ head: [UInt8]) -> Bool {
        guard head.count >= 8, !isText(head) else { return false }
        let types = ["moov", "mdat", "wide", "free", "skip", "pnot", "styp", "sidx", "moof"]
        return types.contains { head[4..<8].elementsEqual($0.utf8) }
    }

    private static func isText(_ head: [UInt8]) -> Bool {
        !head.isEmpty && head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 || $0 == 0x1B }
    }
}

/// The tag that may stand in front of a file.
enum ID3Tag {
    /// Bytes of the ID3v2 tag that `head` begins, header and footer counted; nil if it begins none.
    static func bytes(head: [UInt8]) -> Int64? {
        guard head.count >= 10, head.starts(with: "ID3".utf8) else { return nil }
        let contents = head[6..<10].reduce(0 as Int64) { $0 << 7 | Int64($1 & 0x7F) }
        return contents + (head[5] & 0x10 == 0 ? 10 : 20)
    }
}
