// SPDX-License-Identifier: MIT

/// The metadata of a file: text, a picture, markers.
struct FileMetadata: Equatable {
    var information: [AudioFileInformation] = []
    var artwork: AudioFileArtwork?
    var markers: [AudioFileMarker] = []
    var regions: [AudioFileRegion] = []

    /// Adds metadata of another part of the file for keys that are missing here.
    mutating func fill(from other: FileMetadata) {
        let known = Set(information.map(\.key))
        information += other.information.filter { !known.contains($0.key) }
        artwork = artwork ?? other.artwork
    }

    func value(_ key: String) -> String? {
        information.first { $0.key == key }?.value
    }

    /// Title, artist and album for display.
    var tags: AudioFileTags {
        AudioFileTags(
            title: TagText.clean(value("title")), artist: TagText.clean(value("artist")),
            album: TagText.clean(value("album")))
    }
}

extension [AudioFileInformation] {
    /// All values of each key, in the order of the first values, without empty values.
    var grouped: [(key: String, values: [String])] {
        var indices: [String: Int] = [:]
        var groups: [(key: String, values: [String])] = []
        for entry in self where !entry.value.isEmpty {
            if let index = indices[entry.key] {
                groups[index].values.append(entry.value)
            } else {
                indices[entry.key] = groups.count
                groups.append((entry.key, [entry.value]))
            }
        }
        return groups
    }
}

/// The bytes of a file or of memory that contain a tag.
struct TagBytes {
    let count: Int64
    /// A closure that reads all bytes of a range; nil if there are fewer.
    let read: (_ offset: Int64, _ count: Int) -> [UInt8]?

    init(_ bytes: [UInt8]) {
        count = Int64(bytes.count)
        read = { offset, count in
            guard offset >= 0, count >= 0, offset <= Int64(bytes.count - count) else { return nil }
            return Array(bytes[Int(offset)..<Int(offset) + count])
        }
    }

    /// Uses a range of a regular file, limited to its size. Unreadable bytes count as no tag; reading the audio reports
    /// the error.
    init(_ file: OpenFile, _ range: Range<Int64>) {
        let end = Swift.min(range.upperBound, file.bytes ?? 0)
        let start = Swift.min(range.lowerBound, end)
        let total = end - start
        count = total
        read = { offset, count in
            guard offset >= 0, count >= 0, Int64(count) <= total, offset <= total - Int64(count),
                let bytes = try? file.read(at: start + offset, count: count), bytes.count == count
            else { return nil }
            return bytes
        }
    }
}

/// Text from tags: complete, with its lines, but without characters that could end a string or move a cursor.
enum InformationText {
    /// Decodes UTF-8 if it is well-formed, else Latin-1; nil if nothing is left.
    static func decode(_ bytes: some Collection<UInt8>) -> String? {
        let text = unsafe Array(bytes.prefix { $0 != 0 }).withUnsafeBytes { unsafe TagText.decode($0) }
        return clean(text)
    }

    /// Removes control characters except tabs and line ends; nil if nothing is left.
    static func clean(_ text: String) -> String? {
        let kept = text.unicodeScalars.filter {
            $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\t"
        }
        guard let last = kept.lastIndex(where: { !$0.properties.isWhitespace }),
            let first = kept.firstIndex(where: { !$0.properties.isWhitespace })
        else { return nil }
        return String(Substring(kept[first...last]))
    }

    /// The size of the largest text that is read.
    static let mostBytes = 4 << 20
}
