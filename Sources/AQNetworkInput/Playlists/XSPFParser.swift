// SPDX-License-Identifier: MIT

import AQFiles

/// The tracks of an XSPF list: the first `location`, `title` and `creator` directly within each `track`.
struct XSPFParser {
    private enum Field: String { case location, title, creator }

    private struct Track {
        var fields: [Field: [UInt8]] = [:]
        var line = 0
        var locationBytes = 0
        /// The number of open elements within the track.
        var depth = 0
        /// The field whose text is being read.
        var field: Field?
    }

    private var scanner: XMLScanner
    private var track: Track?

    init(_ bytes: ArraySlice<UInt8>) { scanner = XMLScanner(bytes) }

    /// Returns the next track with a location, and the size of the location; nil at the end of the list.
    mutating func next() -> (entry: Playlist.Entry, bytes: Int)? {
        while let token = scanner.next() {
            switch token {
            case .start("track"): track = Track()
            case .end("track"):
                defer { track = nil }
                if let entry = track.flatMap(Self.entry) { return entry }
            case .start(let name): open(name)
            case .end: close()
            case .text(let text): append(text)
            }
        }
        return nil
    }

    private mutating func open(_ name: String) {
        guard var opened = track else { return }
        opened.depth += 1
        if opened.depth == 1, let field = Field(rawValue: name), opened.fields[field] == nil {
            opened.field = field
            opened.fields[field] = []
            if field == .location { opened.line = scanner.line }
        }
        track = opened
    }

    private mutating func close() {
        guard let depth = track?.depth else { return }
        if depth <= 1 { track?.field = nil }
        track?.depth = max(0, depth - 1)
    }

    private mutating func append(_ text: [UInt8]) {
        guard let field = track?.field, track?.depth == 1 else { return }
        if field == .location { track?.locationBytes += text.count }
        let room = Playlist.mostLineBytes - (track?.fields[field]?.count ?? 0)
        track?.fields[field]?.append(contentsOf: text.prefix(room))
    }

    private static func entry(of track: Track) -> (entry: Playlist.Entry, bytes: Int)? {
        let text = track.fields[.location] ?? []
        let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
        let location = text.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard !location.isEmpty else { return nil }
        let names = [Field.creator, .title].compactMap { field in
            track.fields[field].map(StreamText.decode).flatMap { $0.isEmpty ? nil : $0 }
        }
        let isNamed = track.fields[.title].map(StreamText.decode)?.isEmpty == false
        let entry = Playlist.Entry(
            line: track.line, location: FilePath(bytes: location), isReference: true,
            title: isNamed ? names.joined(separator: " - ") : nil)
        return (entry, track.locationBytes)
    }
}
