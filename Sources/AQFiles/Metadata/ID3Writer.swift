// SPDX-License-Identifier: MIT

/// A writer of ID3v2.4 tags with UTF-8 text.
///
/// Version 2.3 lacks UTF-8 and splits dates, and players have long supported 2.4.
enum ID3Writer {
    /// Makes the tag; empty if there is no metadata.
    ///
    /// - Throws: `unsupported` if the tag's length needs more than 28 bits.
    static func bytes(of metadata: FileMetadata) throws(AudioFileError) -> [UInt8] {
        var frames = HeaderBytes()
        for (key, values) in InformationKeys.withOneDate(metadata.information).grouped {
            append(key, values, to: &frames)
        }
        if let artwork = metadata.artwork {
            // The front cover, without a description.
            appendFrame("APIC", [0] + Array(artwork.mimeType.utf8) + [0, 3, 0] + artwork.bytes, to: &frames)
        }
        guard frames.count > 0 else { return [] }
        // QUIRK: libsndfile 1.2 cannot read RF64 after a chunk of odd length.
        if frames.count % 2 != 0 { frames.append(raw: [0]) }
        guard frames.count < 1 << 28 else {
            throw AudioFileError(
                .unsupported, "tags and a picture of \(frames.count) bytes do not fit an ID3 tag of 256 MB")
        }
        var tag = HeaderBytes()
        tag.append("ID3")
        tag.append(raw: [4, 0, 0])
        tag.append(big: synchsafe(frames.count))
        return tag.bytes + frames.bytes
    }

    private static func append(_ key: String, _ values: [String], to frames: inout HeaderBytes) {
        // Zeros in values are removed, because they separate values.
        let values = values.map { $0.utf8.filter { $0 != 0 } }
        switch key {
        case "comments": appendUntitled("COMM", values, to: &frames)
        case "lyrics": appendUntitled("USLT", values, to: &frames)
        case "recorded date" where !isDate(values): appendOwn(key, values, to: &frames)
        default:
            if let code = InformationKeys.id3.first(where: { $0.key == key })?.code ?? frameCode(key) {
                appendFrame(code, [3] + Array(values.joined(separator: [0])), to: &frames)
            } else {
                appendOwn(key, values, to: &frames)
            }
        }
    }

    /// Appends text under a custom name.
    private static func appendOwn(_ key: String, _ values: [[UInt8]], to frames: inout HeaderBytes) {
        let name = key.utf8.filter { $0 != 0 }
        appendFrame("TXXX", [3] + name + [0] + Array(values.joined(separator: [0])), to: &frames)
    }

    /// Appends the text of a frame that may exist once per language and title, here without either.
    private static func appendUntitled(_ code: String, _ values: [[UInt8]], to frames: inout HeaderBytes) {
        let lines = Array(values.joined(separator: "\n".utf8))
        appendFrame(code, [3] + Array("XXX".utf8) + [0] + lines, to: &frames)
    }

    private static func appendFrame(_ code: String, _ contents: [UInt8], to frames: inout HeaderBytes) {
        frames.append(raw: Array(code.utf8))
        // Longer contents make the tag too long anyway.
        frames.append(big: synchsafe(min(contents.count, 1 << 28 - 1)))
        frames.append(raw: [0, 0])
        frames.append(raw: contents)
    }

    /// The key itself if it is the name of a text frame that was read from another tag; otherwise nil.
    private static func frameCode(_ key: String) -> String? {
        let isCode =
            key.utf8.count == 4 && key.hasPrefix("T") && key != "TXXX"
            && key.utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
        return isCode ? key : nil
    }

    /// Returns whether all values are dates: year, month, day and time as far as known, in that order (ID3v2.4, 4).
    private static func isDate(_ values: [[UInt8]]) -> Bool {
        values.allSatisfy { value in
            [4, 7, 10, 13, 16, 19].contains(value.count)
                && zip(value, "0000-00-00T00:00:00".utf8).allSatisfy { byte, form in
                    form == 0x30 ? 0x30...0x39 ~= byte : byte == form
                }
        }
    }

    private static func synchsafe(_ number: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(number >> (7 * $1) & 0x7F) << (8 * $1) }
    }
}
