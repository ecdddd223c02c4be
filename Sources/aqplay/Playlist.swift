import AudioFiles
import ToolSupport

/// The entries of an M3U, M3U8 or PLS list. The files of the entries are not checked.
struct Playlist: Equatable {
    struct Entry: Equatable {
        /// The number of the line in the list, from 1.
        var line: Int
        /// The entry as written: a path, absolute or relative to the list, or a URL.
        var location: FilePath
        var title: String?
    }

    var entries: [Entry] = []

    /// Returns whether the path has the extension of a playlist.
    static func isPlaylist(path: FilePath) -> Bool {
        // Compared as bytes, because the first audio waits for the result, and a comparison of lower-case text takes
        // longer.
        path.hasExtension("m3u") || path.hasExtension("m3u8")
            || path.hasExtension("pls")
    }

    /// Parses a list. A list that begins with `[playlist]` is PLS, whatever its name.
    ///
    /// - Parameter bytes: UTF-8 with or without a byte order mark. Titles that are not UTF-8 are read as Latin-1, as in
    ///   old M3U files. Locations are bytes.
    init(_ bytes: [UInt8]) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let lines = Self.lines(bytes.starts(with: mark) ? bytes[3...] : bytes[...])
        if lines.first(where: { !$0.isEmpty }).map({ Self.text($0).lowercased() }) == "[playlist]" {
            readPLS(lines)
        } else {
            readM3U(lines)
        }
    }

    private mutating func readM3U(_ lines: [ArraySlice<UInt8>]) {
        var title: String?
        for (index, line) in lines.enumerated() where !line.isEmpty {
            if line.first == UInt8(ascii: "#") {
                guard line.starts(with: "#EXTINF:".utf8), let comma = line.firstIndex(of: UInt8(ascii: ","))
                else { continue }
                let words = Self.trimmed(line[(comma + 1)...])
                title = words.isEmpty ? nil : Self.text(words)
            } else {
                entries.append(Entry(line: index + 1, location: FilePath(bytes: line), title: title))
                title = nil
            }
        }
    }

    private mutating func readPLS(_ lines: [ArraySlice<UInt8>]) {
        var numbered: [(number: Int, entry: Entry)] = []
        var titles: [Int: String] = [:]
        for (index, line) in lines.enumerated() {
            guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let key = Self.text(Self.trimmed(line[..<equals])).lowercased()
            let value = Self.trimmed(line[(equals + 1)...])
            guard !value.isEmpty else { continue }
            if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) {
                numbered.append(
                    (number, Entry(line: index + 1, location: FilePath(bytes: value), title: nil)))
            } else if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) {
                titles[number] = Self.text(value)
            }
        }
        // Sorted by number, and by line if numbers are equal.
        numbered.sort { ($0.number, $0.entry.line) < ($1.number, $1.entry.line) }
        entries = numbered.map { number, entry in
            Entry(line: entry.line, location: entry.location, title: titles[number])
        }
    }

    /// Splits text into lines, which end with a line feed, a carriage return, or both.
    private static func lines(_ bytes: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes
        while let end = rest.firstIndex(where: { $0 == lineFeed || $0 == carriageReturn }) {
            lines.append(trimmed(rest[..<end]))
            let isPair = rest[end] == carriageReturn && rest[(end + 1)...].first == lineFeed
            rest = rest[(end + (isPair ? 2 : 1))...]
        }
        lines.append(trimmed(rest))
        return lines
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let start = bytes.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...last]
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(latin1: bytes)
    }
}

extension String {
    /// Makes text from bytes that are the first 256 characters of Unicode.
    init(latin1 bytes: some Sequence<UInt8>) {
        var scalars = String.UnicodeScalarView()
        for byte in bytes { scalars.append(Unicode.Scalar(byte)) }
        self.init(scalars)
    }
}
