// SPDX-License-Identifier: MIT

import AQFiles

/// The keys of a PLS list: `FileN`, `TitleN` and `LengthN`, in any case and order.
struct PLSParser {
    private var files: [(number: Int, entry: Playlist.Entry, bytes: Int)] = []
    private var titles: [Int: String] = [:]
    private var liveNumbers: Set<Int> = []

    /// Whether no more keys are read.
    var isFull: Bool { max(files.count, titles.count, liveNumbers.count) > Playlist.mostEntries }

    /// Reads a line `KEY=VALUE`.
    mutating func read(_ line: ArraySlice<UInt8>, number lineNumber: Int) {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals - line.startIndex <= 32 else {
            return
        }
        let key = String(
            decoding: TextLines.trimmed(line[..<equals]).map(URLEscapes.lowercased), as: UTF8.self)
        let value = TextLines.trimmed(line[(equals + 1)...])
        guard !value.isEmpty else { return }
        let kept = value.prefix(Playlist.mostLineBytes)
        if key.hasPrefix("file"), let number = Int(key.dropFirst(4)) {
            let entry = Playlist.Entry(line: lineNumber, location: FilePath(bytes: kept))
            files.append((number, entry, value.count))
        } else if key.hasPrefix("title"), let number = Int(key.dropFirst(5)) {
            titles[number] = StreamText.decode(kept)
        } else if key.hasPrefix("length"), let number = Int(key.dropFirst(6)) {
            if value.elementsEqual("-1".utf8) {
                liveNumbers.insert(number)
            } else {
                liveNumbers.remove(number)
            }
        }
    }

    /// The entries, sorted by number, and by line if numbers are equal, with the sizes of their locations as written.
    var entries: [(entry: Playlist.Entry, bytes: Int)] {
        files.sorted { ($0.number, $0.entry.line) < ($1.number, $1.entry.line) }.map { number, entry, bytes in
            var entry = entry
            entry.title = titles[number].flatMap { $0.isEmpty ? nil : $0 }
            entry.isLive = liveNumbers.contains(number)
            return (entry, bytes)
        }
    }
}
