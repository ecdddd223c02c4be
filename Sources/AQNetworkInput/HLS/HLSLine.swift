// SPDX-License-Identifier: MIT

/// A line of an HLS playlist.
enum HLSLine {
    /// A tag by its name without `#`, and the text after the colon.
    case tag(String, value: ArraySlice<UInt8>)
    /// A URL reference in ASCII, with other bytes escaped; nil if it is too long or has control characters.
    case reference(String?)
    /// An empty line or a comment.
    case other

    init(_ line: ArraySlice<UInt8>) {
        if line.isEmpty {
            self = .other
        } else if line.starts(with: "#EXT".utf8) {
            let name = line.dropFirst().prefix(64).prefix { $0 != UInt8(ascii: ":") }
            self = .tag(String(decoding: name, as: UTF8.self), value: line[name.endIndex...].dropFirst())
        } else if line.first == UInt8(ascii: "#") {
            self = .other
        } else {
            self = .reference(Self.reference(line))
        }
    }

    /// The text of a URL reference.
    static func reference(_ bytes: ArraySlice<UInt8>) -> String? {
        guard !bytes.isEmpty, bytes.count <= RemoteAddress.mostBytes,
            !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let escaped = bytes.flatMap { $0 < 0x80 ? [$0] : URLEscapes.escape($0) }
        return String(decoding: escaped, as: UTF8.self)
    }
}
