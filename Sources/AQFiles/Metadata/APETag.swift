// SPDX-License-Identifier: MIT

/// An APE tag, version 1 or 2, at the end of a file: items with a name and a value.
enum APETag {
    /// The loudness in the last tag of a file that has any, as text metadata with names in lower case; empty if there is
    /// none.
    static func replayGain(in file: OpenFile) -> [AudioFileInformation] {
        for end in TrailingTags.ends(in: file) {
            let loudness = replayGain(in: file, before: end)
            if !loudness.isEmpty { return loudness }
        }
        return []
    }

    /// The loudness in the tag that ends at an offset, as text metadata with names in lower case; empty if there is none.
    private static func replayGain(in file: OpenFile, before end: Int64) -> [AudioFileInformation] {
        guard end >= Int64(footerBytes),
            let footer = file.whole(at: end - Int64(footerBytes), count: footerBytes),
            footer.starts(with: "APETAGEX".utf8)
        else { return [] }
        var fields = FieldCursor(footer[12...], isBigEndian: false)
        guard let byteCount = fields.read(UInt32.self), let count = fields.read(UInt32.self),
            footerBytes...mostBytes ~= Int(byteCount), Int64(byteCount) <= end,
            let items = file.whole(at: end - Int64(byteCount), count: Int(byteCount) - footerBytes)
        else { return [] }
        return read(items, count: min(Int(count), mostItems))
    }

    private static func read(_ items: [UInt8], count: Int) -> [AudioFileInformation] {
        var information: [AudioFileInformation] = []
        var rest = items[...]
        for _ in 0..<count {
            var cursor = FieldCursor(rest, isBigEndian: false)
            guard let valueBytes = cursor.read(UInt32.self), let flags = cursor.read(UInt32.self) else {
                break
            }
            let named = rest.dropFirst(8)
            guard let nameEnd = named.prefix(mostNameBytes).firstIndex(of: 0) else { break }
            let value = named[(nameEnd + 1)...]
            guard Int(valueBytes) <= value.count else { break }
            let name = String(decoding: named[..<nameEnd], as: UTF8.self).lowercased()
            // Bits 1 and 2 are 0 for text.
            if flags & 6 == 0, name.hasPrefix("replaygain_"),
                let text = InformationText.decode(value.prefix(Int(valueBytes)))
            {
                information.append(AudioFileInformation(name, text))
            }
            rest = value.dropFirst(Int(valueBytes))
        }
        return information
    }

    private static let footerBytes = 32
    private static let mostBytes = 16 << 20
    private static let mostItems = 4096
    private static let mostNameBytes = 256
}
