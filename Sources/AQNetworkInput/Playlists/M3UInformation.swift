// SPDX-License-Identifier: MIT

/// The line of an M3U list that describes the next entry: `#EXTINF:SECONDS ATTRIBUTES,TITLE`.
struct M3UInformation {
    var title: String?
    /// Whether the length is -1.
    var isLive = false

    init() {}

    /// Parses a line; nil if it is another comment.
    init?(_ line: ArraySlice<UInt8>) {
        let mark = "#EXTINF:".utf8
        guard line.starts(with: mark) else { return nil }
        let rest = TextLines.trimmed(line.dropFirst(mark.count))
        isLive = rest.starts(with: "-1".utf8) && !rest.dropFirst(2).prefix(1).allSatisfy(Self.isNumeric)
        // Attributes between the length and the comma may contain commas in quotes.
        var isQuoted = false
        let comma = rest.firstIndex { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
        guard let comma = comma ?? rest.firstIndex(of: UInt8(ascii: ",")) else { return }
        let words = StreamText.decode(rest[(comma + 1)...].prefix(Playlist.mostLineBytes))
        title = words.isEmpty ? nil : words
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        URLEscapes.isDigit(byte) || byte == UInt8(ascii: ".")
    }
}
