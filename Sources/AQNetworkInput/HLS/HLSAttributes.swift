// SPDX-License-Identifier: MIT

/// The attributes of a tag: `NAME=VALUE,NAME="VALUE, QUOTED"` (RFC 8216, 4.2).
struct HLSAttributes {
    private var values: [String: ArraySlice<UInt8>] = [:]

    private static let mostAttributes = 64

    /// Parses a list. Of several attributes with one name the first counts; invalid ones are skipped.
    init(_ list: ArraySlice<UInt8>) {
        var rest = list
        while !rest.isEmpty, values.count < Self.mostAttributes {
            let name = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ",") }
            rest = rest[name.endIndex...]
            guard rest.first == UInt8(ascii: "=") else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst()
            let value: ArraySlice<UInt8>
            if rest.first == UInt8(ascii: "\"") {
                value = rest.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
                rest = rest[value.endIndex...].dropFirst().drop { $0 != UInt8(ascii: ",") }
            } else {
                value = rest.prefix { $0 != UInt8(ascii: ",") }
                rest = rest[value.endIndex...]
            }
            rest = rest.dropFirst()
            let key = String(decoding: TextLines.trimmed(name).prefix(64), as: UTF8.self)
            if values[key] == nil { values[key] = value }
        }
    }

    subscript(name: String) -> ArraySlice<UInt8>? { values[name] }

    /// The value of an attribute, safe for display; nil if it is missing or empty.
    func text(_ name: String) -> String? {
        values[name].map(StreamText.decode).flatMap { $0.isEmpty ? nil : $0 }
    }

    func isYes(_ name: String) -> Bool { values[name]?.elementsEqual("YES".utf8) == true }

    /// The URL reference in an attribute; nil if it is missing or invalid.
    func reference(_ name: String) -> String? { values[name].flatMap(HLSLine.reference) }
}
