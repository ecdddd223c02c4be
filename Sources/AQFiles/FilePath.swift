// SPDX-License-Identifier: MIT

import Glibc

/// The path of a file, as bytes in any encoding.
///
/// A string literal is a path; other strings are converted by ``init(_:)``. The ``description`` of a path is safe to
/// display.
public struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The bytes, without the zero byte that ends a C string.
    public let bytes: [UInt8]

    /// Makes a path from bytes. A zero byte ends the path, as in C.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

    /// Makes a path from the bytes before a zero byte.
    @unsafe public init(cString: UnsafePointer<CChar>) {
        self.init(
            bytes: unsafe UnsafeBufferPointer(start: cString, count: strlen(cString)).map {
                UInt8(bitPattern: $0)
            })
    }

    /// Makes a path from UTF-8 text. A zero byte ends the path, as in C.
    public init(_ text: String) { self.init(bytes: text.utf8) }

    public init(stringLiteral text: String) { self.init(text) }

    /// The bytes and a zero byte, for C functions.
    public var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    /// The path as text; nil if its bytes are not UTF-8.
    public var string: String? { String(validating: bytes, as: UTF8.self) }

    /// The path for display: bytes that are not UTF-8, and characters that control a terminal or the text direction,
    /// are shown as `\xe9`, byte by byte. Other text is not changed.
    public var description: String {
        if let string, !string.unicodeScalars.contains(where: Self.isControl) { return string }
        var shown = ""
        var rest = bytes[...]
        while let first = rest.first {
            let length = Self.sequenceLength(first)
            if let text = String(validating: rest.prefix(length), as: UTF8.self),
                !text.unicodeScalars.contains(where: Self.isControl)
            {
                shown += text
                rest = rest.dropFirst(length)
            } else {
                shown += "\\x" + (first < 0x10 ? "0" : "") + String(first, radix: 16)
                rest = rest.dropFirst()
            }
        }
        return shown
    }

    /// The length of a UTF-8 character in bytes, from its first byte.
    private static func sequenceLength(_ first: UInt8) -> Int {
        switch first {
        case 0xF0...: 4
        case 0xE0...: 3
        case 0xC0...: 2
        default: 1
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
        // Marks that change the text direction, and the byte order mark.
        case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: true
        default: false
        }
    }
}
