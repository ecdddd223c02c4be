// SPDX-License-Identifier: MIT

/// Boxes, whose sizes precede their contents.
extension HeaderBytes {
    mutating func appendBox(_ type: StaticString, _ contents: (inout HeaderBytes) -> Void) {
        let start = count
        append(big: UInt32(0))
        append(type)
        contents(&self)
        set(big: UInt32(clamping: count - start), at: start)
    }

    /// Appends a box with a version and flags before its contents.
    mutating func appendFullBox(
        _ type: StaticString, version: UInt8 = 0, flags: UInt32 = 0, _ contents: (inout HeaderBytes) -> Void
    ) {
        appendBox(type) {
            $0.append(big: UInt32(version) << 24 | flags)
            contents(&$0)
        }
    }
}

/// Metadata as written by iTunes and similar programs.
extension HeaderBytes {
    /// Appends the user data of a movie, if there is metadata.
    ///
    /// - Parameter gaplessNote: The trims of the audio, for players that ignore edit lists; nil if there are none.
    mutating func appendMetadata(_ metadata: FileMetadata, gaplessNote: String? = nil) {
        guard metadata != FileMetadata() || gaplessNote != nil else { return }
        appendBox("udta") {
            $0.appendFullBox("meta") {
                $0.appendFullBox("hdlr") {
                    $0.append(big: UInt32(0))
                    $0.append("mdir")
                    $0.append("appl")
                    $0.append(raw: [UInt8](repeating: 0, count: 9))
                }
                $0.appendBox("ilst") {
                    if let gaplessNote { $0.appendFreeForm("iTunSMPB", gaplessNote) }
                    for line in Self.lines(metadata.information) { $0.appendInformation(line) }
                    if let artwork = metadata.artwork { $0.appendArtwork(artwork) }
                }
            }
        }
    }

    /// Makes one entry per key, because each item may occur only once; of two dates, the longer one is kept.
    private static func lines(_ information: [AudioFileInformation]) -> [AudioFileInformation] {
        InformationKeys.withOneDate(information).grouped.map { group in
            AudioFileInformation(group.key, group.values.joined(separator: "\n"))
        }
    }

    private mutating func appendArtwork(_ artwork: AudioFileArtwork) {
        let types: [String: UInt32] = ["image/gif": 12, "image/jpeg": 13, "image/png": 14, "image/bmp": 27]
        appendBox("covr") {
            $0.appendData(type: types[artwork.mimeType] ?? 0) { $0.append(raw: artwork.bytes) }
        }
    }

    /// Appends one entry; a key without an item of its own is stored under its name.
    private mutating func appendInformation(_ line: AudioFileInformation) {
        let pairs: [String: StaticString] = ["track number": "trkn", "disc number": "disk"]
        if let code = InformationKeys.mp4.first(where: { $0.key == line.key })?.code {
            appendText(InformationKeys.mp4Code(code), line.value)
        } else if line.key == "tempo", let tempo = UInt16(line.value) {
            appendBox("tmpo") {
                $0.appendData(type: 21) { $0.append(big: tempo) }
            }
        } else if let type = pairs[line.key], let pair = Self.pair(line.value) {
            appendBox(type) {
                $0.appendData(type: 0) {
                    for number in [0, pair.number, pair.total] { $0.append(big: number) }
                    if line.key == "track number" { $0.append(big: UInt16(0)) }
                }
            }
        } else {
            appendFreeForm(line.key, line.value)
        }
    }

    /// Parses a number, from 1 on, and the total; 0 if there is no total.
    private static func pair(_ text: String) -> (number: UInt16, total: UInt16)? {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let first = parts.first, let number = UInt16(first), number > 0 else { return nil }
        guard parts.count == 2 else { return (number, 0) }
        return UInt16(parts[1]).map { (number, $0) }
    }

    private mutating func appendText(_ type: UInt32, _ text: String) {
        let start = count
        append(big: UInt32(0))
        append(big: type)
        appendData(type: 1) { $0.append(raw: Array(text.utf8)) }
        set(big: UInt32(clamping: count - start), at: start)
    }

    private mutating func appendFreeForm(_ name: String, _ text: String) {
        appendBox("----") {
            $0.appendFullBox("mean") { $0.append(raw: Array("com.apple.iTunes".utf8)) }
            $0.appendFullBox("name") { $0.append(raw: Array(name.utf8)) }
            $0.appendData(type: 1) { $0.append(raw: Array(text.utf8)) }
        }
    }

    private mutating func appendData(type: UInt32, _ contents: (inout HeaderBytes) -> Void) {
        appendBox("data") {
            $0.append(big: type)
            $0.append(big: UInt32(0))
            contents(&$0)
        }
    }
}
