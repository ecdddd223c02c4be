// SPDX-License-Identifier: MIT

/// Vorbis comments, also used in FLAC and Opus: "NAME=text" in UTF-8, after the encoder's name.
enum VorbisComments {
    /// The metadata of all complete comments.
    static func metadata(_ bytes: ArraySlice<UInt8>) -> FileMetadata {
        var contents = FileMetadata()
        var cursor = FieldCursor(bytes, isBigEndian: false)
        guard cursor.readCounted() != nil, let count = cursor.read(UInt32.self) else { return contents }
        var trackTotal: String?
        for _ in 0..<min(Int(count), mostComments) {
            guard let comment = cursor.readCounted() else { break }
            guard let sign = comment.firstIndex(of: 0x3D) else { continue }
            let name = String(decoding: comment[..<sign], as: UTF8.self).uppercased()
            if name == picture {
                guard contents.artwork == nil, let block = Base64.decode(comment[(sign + 1)...]) else {
                    continue
                }
                contents.artwork = FLACPicture.artwork(block[...])
                continue
            }
            guard let text = InformationText.decode(comment[(sign + 1)...]) else { continue }
            if ["TRACKTOTAL", "TOTALTRACKS"].contains(name) {
                trackTotal = text
                continue
            }
            let key = InformationKeys.key(of: name, in: InformationKeys.vorbis)
            guard let key = key ?? InformationText.clean(name.lowercased()) else { continue }
            contents.information.append(InformationKeys.information(key, text))
        }
        if let trackTotal, let index = contents.information.firstIndex(where: { $0.key == "track number" }),
            !contents.information[index].value.contains("/")
        {
            contents.information[index].value += "/\(trackTotal)"
        }
        return contents
    }

    /// Makes the bytes of comments.
    ///
    /// - Parameters:
    ///   - artwork: A picture to store as a comment; nil for none.
    ///   - vendor: The encoder's name as stored by the encoder.
    static func bytes(
        of information: [AudioFileInformation], artwork: AudioFileArtwork? = nil, vendor: [UInt8]
    ) -> [UInt8] {
        var comments: [[UInt8]] = []
        for (key, values) in InformationKeys.withOneDate(information).grouped {
            let known = InformationKeys.vorbis.first { $0.key == key }?.code
            let name = known.map { Array($0.utf8) } ?? name(of: key)
            for value in values { comments.append(name + [0x3D] + value.utf8.filter { $0 != 0 }) }
        }
        if let artwork {
            comments.append(Array("\(picture)=".utf8) + Base64.encode(FLACPicture.bytes(of: artwork)))
        }
        var bytes = HeaderBytes()
        append(vendor, to: &bytes)
        bytes.append(little: UInt32(comments.count))
        for comment in comments { append(comment, to: &bytes) }
        return bytes.bytes
    }

    private static func append(_ text: [UInt8], to bytes: inout HeaderBytes) {
        bytes.append(little: UInt32(clamping: text.count))
        bytes.append(raw: text)
    }

    /// A key with only the characters allowed in a name: ASCII without the equals sign.
    private static func name(of key: String) -> [UInt8] {
        key.uppercased().unicodeScalars.map { 0x20...0x7D ~= $0.value && $0 != "=" ? UInt8($0.value) : 0x5F }
    }

    private static let picture = "METADATA_BLOCK_PICTURE"
    private static let mostComments = 4096
}

/// Base64 encoding (RFC 4648).
enum Base64 {
    static func encode(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for index in 0..<4 {
                text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 0x3F] : 0x3D)
            }
        }
        return text
    }

    /// Decodes text; nil if it contains other characters.
    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var (bits, bitCount): (UInt32, Int) = (0, 0)
        for character in text where character != 0x3D {
            guard let value = value(of: character) else { return nil }
            (bits, bitCount) = (bits << 6 | value, bitCount + 6)
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        return bytes
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case 0x41...0x5A: UInt32(character - 0x41)
        case 0x61...0x7A: UInt32(character - 0x61) + 26
        case 0x30...0x39: UInt32(character - 0x30) + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}

/// FLAC's picture block (RFC 9639, 8.8), which Ogg stores in a comment.
enum FLACPicture {
    static func artwork(_ block: ArraySlice<UInt8>) -> AudioFileArtwork? {
        var cursor = FieldCursor(block)
        guard cursor.skip(4), let type = cursor.readCounted(), cursor.readCounted() != nil,
            // Width, height, depth and number of colours.
            cursor.skip(16), let picture = cursor.readCounted(), !picture.isEmpty,
            !type.elementsEqual("-->".utf8)
        else { return nil }
        return AudioFileArtwork(bytes: Array(picture), mimeType: String(decoding: type, as: UTF8.self))
    }

    /// The block's contents for a front cover.
    static func bytes(of artwork: AudioFileArtwork) -> [UInt8] {
        var block = HeaderBytes()
        block.append(big: UInt32(3))
        let type = Array(artwork.mimeType.utf8)
        block.append(big: UInt32(type.count))
        block.append(raw: type)
        // No description; 0 for unknown colour properties.
        let size = artwork.pixelSize
        for number in [0, size?.width ?? 0, size?.height ?? 0, 0, 0, artwork.bytes.count] {
            block.append(big: UInt32(clamping: number))
        }
        block.append(raw: artwork.bytes)
        return block.bytes
    }
}
