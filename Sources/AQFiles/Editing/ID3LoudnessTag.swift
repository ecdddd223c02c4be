// SPDX-License-Identifier: MIT

/// The loudness in an ID3v2 tag at the start of MPEG audio. All other frames are kept byte for byte.
enum ID3LoudnessTag {
    static func parts(
        of file: EditableFile, tag range: Range<Int64>, _ gain: ReplayGain
    ) throws(AudioFileError) -> FileParts {
        let tag = try bytes(
            replacing: file.read(at: range.lowerBound, count: Int(range.upperBound - range.lowerBound)), gain)
        return FileParts(parts: [.new(tag), .stored(range.upperBound..<file.byteCount)])
    }

    /// The tag with other values.
    ///
    /// - Parameter tag: A whole tag, of version 2.2, 2.3 or 2.4; empty for none.
    /// - Throws: `unsupported` for other versions, and for a tag that cannot be read to its end.
    static func bytes(replacing tag: [UInt8], _ gain: ReplayGain) throws(AudioFileError) -> [UInt8] {
        var frames = try ID3Frames(tag)
        let texts = gain.tagTexts
        let names = Set(texts.map(\.name))
        frames.remove { frame in
            if let name = frame.ownName { return names.contains(name.uppercased()) }
            // A volume of the same use would contradict the new values.
            guard let use = frame.volumeUse?.lowercased() else { return false }
            return use == "track" || use == "album" && names.contains("REPLAYGAIN_ALBUM_GAIN")
        }
        for text in texts {
            if let value = text.value { frames.append(name: text.name, value: value) }
        }
        return try frames.tag(ofAtLeast: tag.count)
    }
}

/// The frames of an ID3v2 tag, as stored.
struct ID3Frames {
    /// A frame with its header.
    struct Frame {
        let bytes: ArraySlice<UInt8>
        let id: String
        /// The original contents; nil if they are compressed or encrypted.
        let body: ArraySlice<UInt8>?

        /// The name of a text that is not one of the standard.
        var ownName: String? {
            guard id == "TXXX" || id == "TXX", let body, let encoding = body.first.flatMap(ID3Text.init)
            else {
                return nil
            }
            return encoding.firstString(body.dropFirst()).text
        }

        /// The use of a relative volume.
        var volumeUse: String? {
            guard id == "RVA2" || id == "XRVA", let body else { return nil }
            return ID3Text.latin1.firstString(body).text
        }
    }

    private let version: UInt8
    private let isUnsynchronised: Bool
    private var frames: [Frame] = []

    /// - Throws: `unsupported` for another version, and for contents that are no frames.
    init(_ tag: [UInt8]) throws(AudioFileError) {
        guard tag.count > Self.headerBytes else {
            (version, isUnsynchronised) = (4, false)
            return
        }
        let flags = tag[5]
        version = tag[3]
        guard 2...4 ~= version, version > 2 || flags & 0x40 == 0 else {
            throw AudioFileError(.unsupported, "its ID3 tag has version 2.\(version), or is compressed")
        }
        isUnsynchronised = version == 4 && flags & 0x80 != 0
        // The last ten bytes may repeat the header.
        let footerBytes = version == 4 && flags & 0x10 != 0 ? Self.headerBytes : 0
        var rest = tag[Self.headerBytes..<max(Self.headerBytes, tag.count - footerBytes)]
        // In these versions, lengths count the original bytes.
        if version < 4, flags & 0x80 != 0 { rest = ID3Reader.resynchronised(rest)[...] }
        if version > 2, flags & 0x40 != 0 {
            guard rest.count >= 4 else { throw Self.invalid }
            let length = ID3Reader.number(rest.prefix(4), isSynchsafe: version == 4) + (version == 4 ? 0 : 4)
            guard length <= rest.count else { throw Self.invalid }
            // Not kept: it contains a checksum of the frames.
            rest = rest.dropFirst(length)
        }
        try read(rest)
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>) throws(AudioFileError) {
        let headerBytes = version == 2 ? 6 : 10
        var rest = bytes
        while rest.count >= headerBytes, rest.first != 0 {
            let header = Array(rest.prefix(headerBytes))
            let name = header[..<(version == 2 ? 3 : 4)]
            let length = bodyBytes(header, rest.dropFirst(headerBytes))
            // Some programs end three letters with a zero.
            guard ID3Reader.isName(name.prefix(3)), length <= rest.count - headerBytes,
                frames.count < Self.mostFrames
            else { throw Self.invalid }
            let frame = rest.prefix(headerBytes + length)
            frames.append(
                Frame(
                    bytes: frame, id: String(decoding: name, as: UTF8.self),
                    body: body(of: frame.dropFirst(headerBytes), flags: version == 2 ? 0 : header[9])))
            rest = rest.dropFirst(headerBytes + length)
        }
        guard rest.allSatisfy({ $0 == 0 }) else { throw Self.invalid }
    }

    private func bodyBytes(_ header: [UInt8], _ rest: ArraySlice<UInt8>) -> Int {
        guard version > 2 else { return ID3Reader.number(header[3..<6], isSynchsafe: false) }
        let plain = ID3Reader.number(header[4..<8], isSynchsafe: false)
        guard version == 4 else { return plain }
        let synchsafe = ID3Reader.number(header[4..<8], isSynchsafe: true)
        // QUIRK: some programs write plain lengths in 2.4, as in `ID3Reader`.
        if header[4..<8].contains(where: { $0 >= 0x80 }) { return plain }
        return plain == synchsafe || isFrame(rest, behind: synchsafe) || !isFrame(rest, behind: plain)
            ? synchsafe : plain
    }

    private func isFrame(_ bytes: ArraySlice<UInt8>, behind count: Int) -> Bool {
        guard count <= bytes.count else { return false }
        let name = bytes.dropFirst(count).prefix(4)
        return ID3Reader.isName(name) || name.allSatisfy { $0 == 0 }
    }

    private func body(of contents: ArraySlice<UInt8>, flags: UInt8) -> ArraySlice<UInt8>? {
        switch version {
        case 3: return flags & 0xC0 == 0 ? contents.dropFirst(flags & 0x20 != 0 ? 1 : 0) : nil
        case 4:
            guard flags & 0x0C == 0 else { return nil }
            let body = contents.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0))
            return isUnsynchronised || flags & 0x02 != 0 ? ID3Reader.resynchronised(body)[...] : body
        default: return contents
        }
    }

    mutating func remove(where isRemoved: (Frame) -> Bool) { frames.removeAll(where: isRemoved) }

    /// Appends a text with a name of its own, both in ASCII.
    mutating func append(name: String, value: String) {
        let contents = [0] + Array(name.utf8) + [0] + Array(value.utf8)
        let id = version == 2 ? "TXX" : "TXXX"
        var frame = HeaderBytes()
        frame.append(raw: Array(id.utf8))
        // Shorter than 128 bytes, so both kinds of length are the same.
        if version == 2 {
            frame.append(raw: [0, 0, UInt8(contents.count)])
        } else {
            frame.append(raw: [0, 0, 0, UInt8(contents.count), 0, 0])
        }
        frame.append(raw: contents)
        frames.append(Frame(bytes: frame.bytes[...], id: id, body: contents[...]))
    }

    /// The bytes of the tag, with zeros at the end up to a size, or for later changes.
    ///
    /// - Throws: `unsupported` if the tag's length needs more than 28 bits.
    func tag(ofAtLeast byteCount: Int) throws(AudioFileError) -> [UInt8] {
        let contents = frames.flatMap(\.bytes)
        var padding = byteCount - Self.headerBytes - contents.count
        if padding < 0 { padding = Self.usualPadding }
        // QUIRK: libsndfile 1.2 cannot read RF64 after a chunk of odd length.
        padding += (contents.count + padding) % 2
        let length = contents.count + padding
        guard length < 1 << 28 else {
            throw AudioFileError(.unsupported, "its ID3 tag would be larger than 256 MB")
        }
        var tag = HeaderBytes()
        tag.append("ID3")
        tag.append(raw: [version, 0, isUnsynchronised ? 0x80 : 0])
        tag.append(raw: (0..<4).map { UInt8(length >> (7 * (3 - $0)) & 0x7F) })
        return tag.bytes + contents + [UInt8](repeating: 0, count: padding)
    }

    private static let invalid = AudioFileError(
        .unsupported, "its ID3 tag contains data that is not a frame, and that would be lost")
    private static let headerBytes = 10
    private static let usualPadding = 1024
    private static let mostFrames = 4096
}
