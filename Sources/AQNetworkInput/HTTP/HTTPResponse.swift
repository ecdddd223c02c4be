// SPDX-License-Identifier: MIT

import CoreAudioTypes

/// The status and the header of a response, from its lines.
package struct HTTPResponse: Equatable {
    package private(set) var status = 0
    /// The names in lower case, and the values, as they were sent.
    package private(set) var fields: [(name: String, value: String)] = []
    /// The address after redirections.
    package var address = ""

    private var byteCount = 0

    package init() {}

    /// The largest size of a header, in bytes, with the headers of redirections.
    package static let mostBytes = 256 << 10
    /// The largest number of fields.
    package static let mostFields = 256

    package static func == (one: HTTPResponse, other: HTTPResponse) -> Bool {
        one.status == other.status && one.address == other.address
            && one.fields.elementsEqual(other.fields) { $0 == $1 }
    }

    /// Takes one line without its end. A status line begins a new response, as after a redirection.
    ///
    /// - Returns: False if the header is larger than permitted.
    package mutating func take(line: UnsafeRawBufferPointer) -> Bool {
        byteCount += line.count
        guard byteCount <= Self.mostBytes, fields.count < Self.mostFields else { return false }
        // Bytes that are not UTF-8 are Latin-1 (RFC 9110, 5.5).
        let bytes = unsafe Array(line)
        let text =
            String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        if text.hasPrefix("HTTP/") || text.hasPrefix("ICY ") {
            fields = []
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else if let colon = text.firstIndex(of: ":") {
            let value = text[text.index(after: colon)...]
            fields.append((text[..<colon].lowercased(), Self.trimmed(value)))
        }
        return true
    }

    /// The value of the first field with a name, which is given in lower case.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// The size of the body; nil if the header does not state it.
    package var contentLength: Int64? {
        self["content-length"].flatMap { Int64($0) }.flatMap { 0...Self.mostLength ~= $0 ? $0 : nil }
    }

    /// The largest size of a body that is believed, in bytes.
    private static let mostLength: Int64 = 1 << 50

    /// The first byte of the body, and the size of the whole file, in a partial response; nil in others.
    package var contentRange: (start: Int64, total: Int64?)? {
        guard status == 206, let range = self["content-range"], range.lowercased().hasPrefix("bytes ") else {
            return nil
        }
        let parts = range.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let start = Int64(parts[0].prefix { $0 != "-" }),
            (0..<Self.mostLength).contains(start)
        else { return nil }
        return (start, Int64(parts[1]).flatMap { $0 > start && $0 <= Self.mostLength ? $0 : nil })
    }

    /// Whether parts of the body can be requested.
    package var acceptsRanges: Bool { self["accept-ranges"]?.lowercased() == "bytes" }

    /// The coding of the body that was not requested; nil if it is plain.
    package var contentCoding: String? {
        self["content-encoding"].flatMap { ["", "identity"].contains($0.lowercased()) ? nil : $0 }
    }

    /// The mark of this version of the file, for `If-Range`; nil if there is no reliable one.
    package var validator: String? {
        if let tag = self["etag"], !tag.hasPrefix("W/"), !tag.isEmpty { return tag }
        return self["last-modified"]
    }

    /// Whether the body is a broadcast that has no end.
    package var isBroadcast: Bool {
        fields.contains { $0.name.hasPrefix("icy-") || $0.name.hasPrefix("ice-") }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
