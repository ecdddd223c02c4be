// SPDX-License-Identifier: MIT

/// The lines of a text, which end with a line feed, a carriage return, or both, without spaces around them.
///
/// A byte order mark of UTF-8 at the start is skipped.
struct TextLines: Sequence, IteratorProtocol {
    private var rest: ArraySlice<UInt8>
    private var number = 0
    private var isAtEnd = false

    init(_ bytes: ArraySlice<UInt8>) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        rest = bytes.starts(with: mark) ? bytes.dropFirst(3) : bytes
    }

    /// Returns the next line and its number, from 1; nil after the last line.
    mutating func next() -> (number: Int, bytes: ArraySlice<UInt8>)? {
        guard !isAtEnd else { return nil }
        number += 1
        guard let end = rest.firstIndex(where: { $0 == Self.lineFeed || $0 == Self.carriageReturn }) else {
            isAtEnd = true
            return (number, Self.trimmed(rest))
        }
        let line = Self.trimmed(rest[..<end])
        let isPair = rest[end] == Self.carriageReturn && rest[(end + 1)...].first == Self.lineFeed
        rest = rest[(end + (isPair ? 2 : 1))...]
        return (number, line)
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let start = bytes.drop(while: isSpace)
        guard let last = start.lastIndex(where: { !isSpace($0) }) else { return [] }
        return start[...last]
    }
}
