import CoreAudioTypes

/// The file type indicated by the first bytes of a file.
enum FileSignature: Equatable {
    /// A container that libsndfile reads.
    case container
    /// Core Audio Format.
    case caf
    /// The MPEG-4 container, or QuickTime's.
    case mpeg4
    /// Possibly a packet of AAC or MPEG audio.
    case packet
    /// A known type that is not audio; the string completes "it is …".
    case foreign(String)
    /// An audio type that is not supported; the string begins "… is not supported".
    case unsupported(String)
    /// Text, which a server may also send before the audio.
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
        } else if head.count >= 2, head[0] == 0xFF, head[1] & 0xE0 == 0xE0 {
            self = .packet
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
        } else if let (_, name) = Self.otherCodecs.first(where: { head.starts(with: $0.mark.utf8) }) {
            self = .unsupported(name)
        } else if head.starts(with: [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]) {
            self = .unsupported("the ASF container (WMA)")
        } else if Self.isText(head) {
            self = .text
        } else {
            self = .unknown
        }
    }

    /// Formats with a signature of their own.
    private static let otherCodecs: [(mark: String, name: String)] = [
        ("ADIF", "AAC in an ADIF file"), ("wvpk", "WavPack"), ("MAC ", "Monkey's Audio"),
        ("MPCK", "Musepack"),
        ("MP+", "Musepack"), ("TTA1", "True Audio"), ("#!AMR", "AMR"), ("DSD ", "DSD in a DSF file"),
    ]

    /// Whether QuickTime files or pieces of MPEG-4 streams may begin like this, instead of with a type.
    private static func isBox(_ head: [UInt8]) -> Bool {
        guard head.count >= 8, !isText(head) else { return false }
        let types = ["moov", "mdat", "wide", "free", "skip", "pnot", "styp", "sidx", "moof"]
        return types.contains { head[4..<8].elementsEqual($0.utf8) }
    }

    private static func isText(_ head: [UInt8]) -> Bool {
        !head.isEmpty && head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || 0x09...0x0D ~= $0 || $0 == 0x1B }
    }
}
