// SPDX-License-Identifier: MIT

public import AQFiles

/// The entries of an M3U, M3U8, PLS or XSPF list, as written. The files of the entries are not checked.
public struct Playlist: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        /// The number of the line in the list, from 1.
        public var line: Int
        /// The entry as written: a path, absolute or relative to the list, or a URL.
        public var location: FilePath
        /// Whether ``location`` is a URL reference, in which `%20` is a space also without a scheme (XSPF).
        public var isReference: Bool
        /// The title, or artist and title, without control characters.
        public var title: String?
        /// Whether the list states that the entry has no end: a length of -1.
        public var isLive: Bool

        public init(
            line: Int, location: FilePath, isReference: Bool = false, title: String? = nil,
            isLive: Bool = false
        ) {
            self.line = line
            self.location = location
            self.isReference = isReference
            self.title = title
            self.isLive = isLive
        }
    }

    /// The entries, in the order of playing.
    public private(set) var entries: [Entry] = []
    /// The numbers of lines with an entry that was left out, because it is longer than ``mostLineBytes``.
    public private(set) var tooLongLines: [Int] = []
    /// Whether entries beyond ``mostEntries`` were left out.
    public private(set) var isTruncated = false

    /// The number of entries that are kept.
    public static let mostEntries = 200_000
    /// The size of the longest entry in bytes.
    public static let mostLineBytes = 16_384

    /// Parses a list. A list that begins with `[playlist]` is PLS, one that begins with `<` is XSPF, and any other is
    /// M3U, whatever its name.
    ///
    /// - Parameter bytes: UTF-8 with or without a byte order mark. Titles that are not UTF-8 are read as Windows-1252,
    ///   as in old M3U files. Locations are bytes.
    public init(_ bytes: [UInt8]) {
        let first = TextLines(bytes[...]).first { !$0.bytes.isEmpty }?.bytes ?? []
        if first.first == UInt8(ascii: "<") {
            readXSPF(bytes)
        } else if first.map(URLEscapes.lowercased).elementsEqual("[playlist]".utf8) {
            readPLS(TextLines(bytes[...]))
        } else {
            readM3U(TextLines(bytes[...]))
        }
    }

    private mutating func readM3U(_ lines: TextLines) {
        var information = M3UInformation()
        for (number, line) in lines where !line.isEmpty && !isTruncated {
            if line.first == UInt8(ascii: "#") {
                if let read = M3UInformation(line) { information = read }
            } else {
                append(
                    Entry(
                        line: number, location: FilePath(bytes: line.prefix(Self.mostLineBytes)),
                        title: information.title, isLive: information.isLive),
                    bytes: line.count)
                information = M3UInformation()
            }
        }
    }

    private mutating func readPLS(_ lines: TextLines) {
        var parser = PLSParser()
        for (number, line) in lines where !parser.isFull { parser.read(line, number: number) }
        for (entry, bytes) in parser.entries { append(entry, bytes: bytes) }
        if parser.isFull { isTruncated = true }
    }

    private mutating func readXSPF(_ bytes: [UInt8]) {
        var parser = XSPFParser(bytes[...])
        while !isTruncated, let (entry, bytes) = parser.next() { append(entry, bytes: bytes) }
    }

    /// - Parameter bytes: The size of the location as written.
    private mutating func append(_ entry: Entry, bytes: Int) {
        if bytes > Self.mostLineBytes {
            tooLongLines.append(entry.line)
        } else if entries.count < Self.mostEntries {
            entries.append(entry)
        } else {
            isTruncated = true
        }
    }
}
