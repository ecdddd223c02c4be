// SPDX-License-Identifier: MIT

/// A block of metadata in a radio stream: `StreamTitle='…';StreamUrl='…';`, padded with zeros.
package struct IcyMetadata: Equatable, Sendable {
    /// The title; empty between songs, nil if the block states none.
    package let title: String?
    /// The text of `StreamUrl`, of which stations make various uses; nil if the block states none.
    package let address: String?

    /// Parses a block. Values contain unescaped quotes, so each ends at `';`, or at the end of the block.
    ///
    /// - Parameter block: The bytes after the length byte.
    package init(_ block: ArraySlice<UInt8>) {
        var (title, address): (String?, String?)
        var rest = block.prefix { $0 != 0 }
        while let equals = Self.position(of: "='", in: rest) {
            let name = rest[..<equals].drop { $0 <= 0x20 }
            let start = equals + 2
            let end = Self.position(of: "';", in: rest[start...])
            let value = end.map { rest[start..<$0] } ?? Self.unfinished(rest[start...])
            if title == nil, name.elementsEqual("StreamTitle".utf8) { title = StreamText.decode(value) }
            if address == nil, name.elementsEqual("StreamUrl".utf8) { address = StreamText.decode(value) }
            rest = end.map { rest[($0 + 2)...] } ?? []
        }
        self.title = title
        self.address = address
    }

    /// A value without its end: without the last quote, or else without a character of UTF-8 that is incomplete.
    private static func unfinished(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        if value.last == UInt8(ascii: "'") { return value.dropLast() }
        for count in 0...min(3, value.count) {
            let shorter = value.dropLast(count)
            if String(validating: shorter, as: UTF8.self) != nil { return shorter }
        }
        return value
    }

    private static func position(of pair: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let pair = Array(pair.utf8)
        return zip(bytes.indices, zip(bytes, bytes.dropFirst())).first { $0.1 == (pair[0], pair[1]) }?.0
    }
}
