// SPDX-License-Identifier: MIT

/// The text encoding of an ID3v2 frame.
enum ID3Text: UInt8 {
    case latin1, utf16, utf16BigEndian, utf8

    /// The strings in a frame, which may contain several. The last string may be unterminated or incomplete.
    func strings(_ bytes: ArraySlice<UInt8>) -> [String] {
        var strings: [String] = []
        var rest = bytes
        while !rest.isEmpty, strings.count < Self.mostStrings {
            let (string, behind) = firstString(rest)
            strings.append(string)
            rest = behind
        }
        return strings
    }

    /// The first string, and the bytes after its terminating zero.
    func firstString(_ bytes: ArraySlice<UInt8>) -> (text: String, rest: ArraySlice<UInt8>) {
        switch self {
        case .latin1, .utf8:
            let end = bytes.firstIndex(of: 0) ?? bytes.endIndex
            return (text(bytes[..<end]), bytes[min(end + 1, bytes.endIndex)...])
        case .utf16, .utf16BigEndian:
            var end = bytes.startIndex
            while end + 1 < bytes.endIndex, bytes[end] != 0 || bytes[end + 1] != 0 { end += 2 }
            return (text(bytes[..<min(end, bytes.endIndex)]), bytes[min(end + 2, bytes.endIndex)...])
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        switch self {
        // QUIRK: much text declared as Latin-1 has another encoding, sometimes UTF-8.
        case .latin1, .utf8: return unsafe Array(bytes).withUnsafeBytes { unsafe TagText.decode($0) }
        case .utf16, .utf16BigEndian:
            let isMarkedBig = bytes.starts(with: [0xFE, 0xFF])
            let isMarked = isMarkedBig || bytes.starts(with: [0xFF, 0xFE])
            // QUIRK: programs that omit a mandatory byte order mark write little-endian text, as on Windows.
            let isBig = isMarked ? isMarkedBig : self == .utf16BigEndian
            let body = isMarked ? bytes.dropFirst(2) : bytes
            let units = stride(from: body.startIndex, to: body.endIndex - 1, by: 2).map { index in
                let (first, second) = (UInt16(body[index]), UInt16(body[index + 1]))
                return isBig ? first << 8 | second : second << 8 | first
            }
            return String(decoding: units, as: UTF16.self)
        }
    }

    private static let mostStrings = 256
}

/// The genres of ID3v1 by number.
enum ID3Genre {
    /// The name for a string such as "(17)", "17" or "(17)Rock & Roll"; other text unchanged.
    static func text(_ text: String) -> String {
        if let number = Int(text) { return name(number) ?? text }
        guard text.hasPrefix("("), let close = text.firstIndex(of: ")") else { return text }
        // Text after a number names a more specific genre.
        let refinement = text[text.index(after: close)...]
        guard let number = Int(text[text.index(after: text.startIndex)..<close]) else { return text }
        return refinement.isEmpty ? name(number) ?? text : String(refinement)
    }

    /// The name for a number; nil beyond the eighty of the first version.
    static func name(_ number: Int) -> String? {
        names.indices.contains(number) ? String(names[number]) : nil
    }

    private static let names = """
        Blues|Classic Rock|Country|Dance|Disco|Funk|Grunge|Hip-Hop|Jazz|Metal|New Age|Oldies|Other|Pop|R&B|Rap|\
        Reggae|Rock|Techno|Industrial|Alternative|Ska|Death Metal|Pranks|Soundtrack|Euro-Techno|Ambient|Trip-Hop|\
        Vocal|Jazz+Funk|Fusion|Trance|Classical|Instrumental|Acid|House|Game|Sound Clip|Gospel|Noise|AlternRock|\
        Bass|Soul|Punk|Space|Meditative|Instrumental Pop|Instrumental Rock|Ethnic|Gothic|Darkwave|\
        Techno-Industrial|Electronic|Pop-Folk|Eurodance|Dream|Southern Rock|Comedy|Cult|Gangsta|Top 40|\
        Christian Rap|Pop/Funk|Jungle|Native American|Cabaret|New Wave|Psychadelic|Rave|Showtunes|Trailer|Lo-Fi|\
        Tribal|Acid Punk|Acid Jazz|Polka|Retro|Musical|Rock & Roll|Hard Rock
        """.split(separator: "|")
}

/// The ID3v1 tag: 128 bytes at the end of a file.
enum ID3TrailingTag {
    static let byteCount = 128

    /// The metadata of the tag; empty if there is none.
    static func metadata(in bytes: [UInt8]) -> FileMetadata {
        guard bytes.count == byteCount, bytes.starts(with: "TAG".utf8) else { return FileMetadata() }
        var contents = FileMetadata()
        func add(_ key: String, _ field: Range<Int>) {
            guard let text = InformationText.decode(bytes[field]) else { return }
            contents.information.append(InformationKeys.information(key, text))
        }
        add("title", 3..<33)
        add("artist", 33..<63)
        add("album", 63..<93)
        add("recorded date", 93..<97)
        // If the second to last byte is zero, the last one is the track number.
        let hasTrack = bytes[125] == 0 && bytes[126] != 0
        add("comments", 97..<(hasTrack ? 125 : 127))
        if hasTrack {
            contents.information.append(AudioFileInformation("track number", String(bytes[126])))
        }
        if let genre = ID3Genre.name(Int(bytes[127])) {
            contents.information.append(AudioFileInformation("genre", genre))
        }
        return contents
    }
}
