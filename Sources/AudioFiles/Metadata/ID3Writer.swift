/// Writes a tag of ID3v2.4 with text in UTF-8.
///
/// Not 2.3: that has no UTF-8, and cuts dates into pieces. Players have read 2.4 for twenty years.
enum ID3Writer {
    /// The tag; empty if there is nothing to say.
    ///
    /// - Throws: `unsupported` if it is longer than its 28 bits of length can say.
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
        // QUIRK: libsndfile 1.2 loses its way in RF64 behind a chunk of odd length.
        if frames.count % 2 != 0 { frames.append(raw: [0]) }
        guard frames.count < 1 << 28 else {
            throw AudioFileError(
                .unsupported, "texts and a picture of \(frames.count) bytes do not fit a tag of 256 MB")
        }
        var tag = HeaderBytes()
        tag.append("ID3")
        tag.append(raw: [4, 0, 0])
        tag.append(big: synchsafe(frames.count))
        return tag.bytes + frames.bytes
    }

    private static func append(_ key: String, _ values: [String], to frames: inout HeaderBytes) {
        // A zero stands between the values of a text.
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

    /// A text under a name of its own.
    private static func appendOwn(_ key: String, _ values: [[UInt8]], to frames: inout HeaderBytes) {
        let name = key.utf8.filter { $0 != 0 }
        appendFrame("TXXX", [3] + name + [0] + Array(values.joined(separator: [0])), to: &frames)
    }

    /// Texts of a frame that there can be one of for each language and title: here of none.
    private static func appendUntitled(_ code: String, _ values: [[UInt8]], to frames: inout HeaderBytes) {
        let lines = Array(values.joined(separator: "\n".utf8))
        appendFrame(code, [3] + Array("XXX".utf8) + [0] + lines, to: &frames)
    }

    private static func appendFrame(_ code: String, _ contents: [UInt8], to frames: inout HeaderBytes) {
        frames.append(raw: Array(code.utf8))
        // Longer ones make the tag too long in any case.
        frames.append(big: synchsafe(min(contents.count, 1 << 28 - 1)))
        frames.append(raw: [0, 0])
        frames.append(raw: contents)
    }

    /// The key itself where it is the name of a frame of text that was read from another tag.
    private static func frameCode(_ key: String) -> String? {
        let isCode =
            key.utf8.count == 4 && key.hasPrefix("T") && key != "TXXX"
            && key.utf8.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
        return isCode ? key : nil
    }

    /// Year, month, day and time as far as they are known, in that order (ID3v2.4, 4).
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
