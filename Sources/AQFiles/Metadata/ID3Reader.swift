// SPDX-License-Identifier: MIT

/// A reader of an ID3v2 tag, version 2.2, 2.3 or 2.4, at any position in a file.
///
/// Frames are visited one by one, and only those with metadata are read. An unsynchronised tag of version 2.2 or 2.3 is
/// decoded in memory first, up to 16 MiB. Reading ends at invalid data; all metadata before it is kept.
package struct ID3Reader {
    private let bytes: TagBytes
    private let end: Int64
    private let version: UInt8
    /// Whether every frame is unsynchronised individually (2.4).
    private let isUnsynchronised: Bool
    private var contents = FileMetadata()
    /// The day and month, which 2.3 stores apart from the year.
    private var dayAndMonth: String?
    private var hasFrontCover = false
    /// The loudness in RVA2 frames, as text metadata.
    private var volumes: [AudioFileInformation] = []

    /// The metadata of the tag at the start of the bytes; empty if there is none.
    static func metadata(in bytes: TagBytes) -> FileMetadata {
        guard let head = bytes.read(0, headerBytes), head.starts(with: "ID3".utf8), 2...4 ~= head[3] else {
            return FileMetadata()
        }
        let (version, flags) = (head[3], head[5])
        // In 2.2 this flag means a compression that was never defined.
        if version == 2, flags & 0x40 != 0 { return FileMetadata() }
        let tagEnd = min(Int64(headerBytes) + Int64(number(head[6..<10], isSynchsafe: true)), bytes.count)
        var (source, end) = (bytes, tagEnd)
        if version < 4, flags & 0x80 != 0 {
            // Lengths count the original bytes, so all bytes are decoded before frames are searched.
            guard tagEnd <= mostUnsynchronisedBytes, let all = bytes.read(0, Int(tagEnd)) else {
                return FileMetadata()
            }
            let plain = Array(all.prefix(headerBytes)) + resynchronised(all.dropFirst(headerBytes))
            (source, end) = (TagBytes(plain), Int64(plain.count))
        }
        var reader = ID3Reader(
            bytes: source, end: end, version: version, isUnsynchronised: version == 4 && flags & 0x80 != 0)
        var start = Int64(headerBytes)
        if version > 2, flags & 0x40 != 0 {
            guard let length = source.read(start, 4) else { return FileMetadata() }
            // The extended header includes its own length only in 2.4.
            start += Int64(number(length[...], isSynchsafe: version == 4)) + (version == 4 ? 0 : 4)
        }
        reader.readFrames(from: start)
        return reader.contents
    }

    private init(bytes: TagBytes, end: Int64, version: UInt8, isUnsynchronised: Bool) {
        self.bytes = bytes
        self.end = end
        self.version = version
        self.isUnsynchronised = isUnsynchronised
    }

    private mutating func readFrames(from start: Int64) {
        let frameHeaderBytes = version == 2 ? 6 : 10
        var offset = start
        for _ in 0..<Self.mostFrames where offset <= end - Int64(frameHeaderBytes) {
            // Zeros are padding, after which there are no frames.
            guard let header = bytes.read(offset, frameHeaderBytes), Self.isName(header[..<3]) else { break }
            let name = String(decoding: header[..<(version == 2 ? 3 : 4)], as: UTF8.self)
            let contentsStart = offset + Int64(frameHeaderBytes)
            let length = frameBytes(header, at: contentsStart)
            guard Int64(length) <= end - contentsStart else { break }
            let flags = version == 2 ? 0 : header[9]
            if Self.isWanted(name),
                let body = body(at: contentsStart, bytes: length, name: name, flags: flags)
            {
                read(name, body)
            }
            offset = contentsStart + Int64(length)
        }
        finishDate()
        let known = Set(contents.information.map { $0.key.lowercased() })
        contents.information += volumes.filter { !known.contains($0.key) }
    }

    private func frameBytes(_ header: [UInt8], at contentsStart: Int64) -> Int {
        guard version > 2 else { return Self.number(header[3..<6], isSynchsafe: false) }
        let plain = Self.number(header[4..<8], isSynchsafe: false)
        guard version == 4 else { return plain }
        let synchsafe = Self.number(header[4..<8], isSynchsafe: true)
        // QUIRK: some programs write plain lengths in 2.4. They are recognised by a high bit, or because the next frame
        // begins only where a plain length ends.
        if header[4..<8].contains(where: { $0 >= 0x80 }) { return plain }
        guard plain != synchsafe, !isFrame(at: contentsStart + Int64(synchsafe)) else { return synchsafe }
        return isFrame(at: contentsStart + Int64(plain)) ? plain : synchsafe
    }

    /// Returns whether frames can continue, or end, at an offset.
    private func isFrame(at offset: Int64) -> Bool {
        if offset == end { return true }
        guard offset < end, let name = bytes.read(offset, min(4, Int(end - offset))) else { return false }
        return Self.isName(name[...]) || name.allSatisfy { $0 == 0 }
    }

    /// The original contents of a frame, before the transformations in its flags; nil if these are not supported.
    private func body(at offset: Int64, bytes count: Int, name: String, flags: UInt8) -> [UInt8]? {
        let most = Self.isPicture(name) ? AudioFileArtwork.mostBytes : InformationText.mostBytes
        guard 1...most ~= count, var body = bytes.read(offset, count) else { return nil }
        var extraBytes = 0
        var isUnsynchronised = isUnsynchronised
        switch version {
        case 3:
            guard flags & 0xC0 == 0 else { return nil }
            extraBytes = flags & 0x20 != 0 ? 1 : 0
        case 4:
            guard flags & 0x0C == 0 else { return nil }
            isUnsynchronised = isUnsynchronised || flags & 0x02 != 0
            extraBytes = (flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0)
        default: break
        }
        body.removeFirst(min(extraBytes, body.count))
        return isUnsynchronised ? Self.resynchronised(body) : body
    }

    private mutating func read(_ name: String, _ body: [UInt8]) {
        switch name {
        case "APIC", "PIC": readPicture(body, isOld: name == "PIC")
        case "COMM", "COM", "USLT", "ULT": readComment(body, isLyrics: name.hasPrefix("U"))
        case "TXXX", "TXX":
            guard let encoding = body.first.flatMap(ID3Text.init(rawValue:)) else { return }
            let parts = encoding.strings(body.dropFirst())
            guard let key = parts.first.flatMap(InformationText.clean) else { return }
            // ffmpeg stores comments like this.
            let known = ["comment": "comments"][key.lowercased()]
            for value in parts.dropFirst() { add(known ?? key, value) }
        case "RVA2", "XRVA": readVolume(body)
        case "TYER", "TYE": for value in Self.strings(body) { add("recorded date", value) }
        case "TDAT", "TDA": dayAndMonth = Self.strings(body).first
        case "TCON", "TCO": for value in Self.strings(body) { add("genre", ID3Genre.text(value)) }
        default:
            let key = InformationKeys.id3.first { name == $0.code || name == $0.old }?.key ?? name
            for value in Self.strings(body) { add(key, value) }
        }
    }

    private mutating func add(_ key: String, _ value: String) {
        guard contents.information.count < Self.mostFrames, let value = InformationText.clean(value) else {
            return
        }
        contents.information.append(InformationKeys.information(key, value))
    }

    /// Reads an encoding, a three-letter language, a description, and the comment.
    private mutating func readComment(_ body: [UInt8], isLyrics: Bool) {
        guard body.count > 4, let encoding = ID3Text(rawValue: body[0]) else { return }
        let (about, rest) = encoding.firstString(body.dropFirst(4))
        // iTunes stores its own numbers in comments.
        guard isLyrics || !about.hasPrefix("iTun"), let text = encoding.strings(rest).first else { return }
        add(isLyrics ? "lyrics" : "comments", text)
    }

    private mutating func readPicture(_ body: [UInt8], isOld: Bool) {
        guard !hasFrontCover, let encoding = body.first.flatMap(ID3Text.init(rawValue:)) else { return }
        var rest = body.dropFirst()
        var type = ""
        if isOld {
            guard rest.count > 4 else { return }
            type = "image/" + String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
            rest = rest.dropFirst(3)
        } else {
            (type, rest) = ID3Text.latin1.firstString(rest)
        }
        // Some frames contain the URL of a picture instead of a picture.
        guard type != "-->", type != "image/-->", let kind = rest.first else { return }
        let picture = Array(encoding.firstString(rest.dropFirst()).rest)
        let isFrontCover = kind == 3
        guard !picture.isEmpty, contents.artwork == nil || isFrontCover else { return }
        hasFrontCover = isFrontCover
        contents.artwork = AudioFileArtwork(
            bytes: picture, mimeType: type.contains("/") ? type : "application/octet-stream")
    }

    /// Reads a relative volume: the name of its use, then records of a channel, an adjustment in 512ths of a decibel, and
    /// a peak of any number of bits (ID3v2.4, 4.11). Version 2.3 stores the same in XRVA.
    private mutating func readVolume(_ body: [UInt8]) {
        let (name, records) = ID3Text.latin1.firstString(body[...])
        let use = [
            "track": "track", "mix": "track", "radio": "track", "album": "album", "audiophile": "album",
        ]
        guard let use = use[name.lowercased()], volumes.count < 4 else { return }
        var rest = records
        while rest.count >= 4 {
            let fields = Array(rest.prefix(4))
            let peakBytes = (Int(fields[3]) + 7) / 8
            let peak = rest.dropFirst(4).prefix(peakBytes)
            rest = rest.dropFirst(4 + peakBytes)
            // Only the master volume applies to all channels.
            guard fields[0] == 1 else { continue }
            let steps = Int16(bitPattern: UInt16(fields[1]) << 8 | UInt16(fields[2]))
            volumes.append(
                AudioFileInformation("replaygain_\(use)_gain", "\(Double(steps) / 512) dB"))
            if 1...32 ~= fields[3], peak.count == peakBytes {
                let value = peak.reduce(0.0) { $0 * 256 + Double($1) }
                // Full scale is half of the range.
                let full = Double(UInt64(1) << (8 * UInt64(peakBytes) - 1))
                volumes.append(AudioFileInformation("replaygain_\(use)_peak", "\(value / full)"))
            }
            return
        }
    }

    /// Combines the date of 2.3 from a year, and a day and month.
    private mutating func finishDate() {
        guard let digits = dayAndMonth, digits.utf8.count == 4, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let index = contents.information.firstIndex(where: { $0.key == "year" })
        else { return }
        let year = contents.information[index].value
        contents.information[index] = AudioFileInformation(
            "recorded date", "\(year)-\(digits.suffix(2))-\(digits.prefix(2))")
    }
}

extension ID3Reader {
    private static func strings(_ body: [UInt8]) -> [String] {
        guard let encoding = body.first.flatMap(ID3Text.init(rawValue:)) else { return [] }
        return encoding.strings(body.dropFirst())
    }

    private static func isWanted(_ name: String) -> Bool {
        // The length in milliseconds and the size may belong to another file.
        if ["TLEN", "TLE", "TSIZ", "TSI"].contains(name) { return false }
        return name.hasPrefix("T") || isPicture(name)
            || ["COMM", "COM", "USLT", "ULT", "RVA2", "XRVA"].contains(name)
    }

    private static func isPicture(_ name: String) -> Bool { name == "APIC" || name == "PIC" }

    static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.allSatisfy { 0x41...0x5A ~= $0 || 0x30...0x39 ~= $0 }
    }

    static func number(_ digits: ArraySlice<UInt8>, isSynchsafe: Bool) -> Int {
        digits.reduce(0) { isSynchsafe ? $0 << 7 | Int($1 & 0x7F) : $0 << 8 | Int($1) }
    }

    /// Removes the zeros inserted after each 0xFF.
    static func resynchronised(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var last: UInt8 = 0
        for byte in bytes {
            if last != 0xFF || byte != 0 { result.append(byte) }
            last = byte
        }
        return result
    }

    private static let headerBytes = 10
    /// The number of frames after which the tag counts as invalid.
    private static let mostFrames = 4096
    private static let mostUnsynchronisedBytes: Int64 = 1 << 24
}
