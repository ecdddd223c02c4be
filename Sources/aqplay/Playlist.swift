import ToolSupport

/// The text of an M3U, M3U8 or PLS list. Pure: it does not look at what the entries name.
struct Playlist: Equatable {
    struct Entry: Equatable {
        /// Of the list, from 1.
        var line: Int
        /// As written: a path, absolute or relative to the list, or a URL.
        var location: String
        var title: String?
    }

    var entries: [Entry] = []

    /// Whether the path's extension is that of a list.
    static func isPlaylist(path: String) -> Bool {
        // By its bytes: the first sound waits for this, and would for a text in lower case and a list of others.
        FilePath.hasExtension("m3u", path) || FilePath.hasExtension("m3u8", path)
            || FilePath.hasExtension("pls", path)
    }

    /// Reads a list's text; a list that begins with `[playlist]` is PLS, whatever its name.
    ///
    /// - Parameter bytes: UTF-8 with or without a byte order mark, else taken for Latin-1, as old M3U files are.
    init(_ bytes: [UInt8]) {
        var text = String(validating: bytes, as: UTF8.self) ?? String(latin1: bytes)
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        // A carriage return with a line feed is one character to Swift and a newline as well.
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
            .map { Self.trimmed($0) }
        if lines.first(where: { !$0.isEmpty })?.lowercased() == "[playlist]" {
            readPLS(lines)
        } else {
            readM3U(lines)
        }
    }

    private mutating func readM3U(_ lines: [Substring]) {
        var title: String?
        for (index, line) in lines.enumerated() where !line.isEmpty {
            if line.first == "#" {
                guard line.hasPrefix("#EXTINF:"), let comma = line.firstIndex(of: ",") else { continue }
                let words = Self.trimmed(line[line.index(after: comma)...])
                title = words.isEmpty ? nil : String(words)
            } else {
                entries.append(Entry(line: index + 1, location: String(line), title: title))
                title = nil
            }
        }
    }

    private mutating func readPLS(_ lines: [Substring]) {
        var numbered: [(number: Int, entry: Entry)] = []
        var titles: [Int: String] = [:]
        for (index, line) in lines.enumerated() {
            guard let equals = line.firstIndex(of: "=") else { continue }
            let key = Self.trimmed(line[..<equals]).lowercased()
            let value = String(Self.trimmed(line[line.index(after: equals)...]))
            guard !value.isEmpty else { continue }
            if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) {
                numbered.append((number, Entry(line: index + 1, location: value, title: nil)))
            } else if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) {
                titles[number] = value
            }
        }
        // By number, and by line where numbers are the same.
        numbered.sort { ($0.number, $0.entry.line) < ($1.number, $1.entry.line) }
        entries = numbered.map { number, entry in
            Entry(line: entry.line, location: entry.location, title: titles[number])
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop { $0 == " " || $0 == "\t" }
        guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
        return start[...last]
    }
}

extension String {
    /// Text whose bytes are the first 256 characters of Unicode.
    fileprivate init(latin1 bytes: [UInt8]) {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        self.init(scalars)
    }
}
