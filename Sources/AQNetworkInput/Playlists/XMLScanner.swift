// SPDX-License-Identifier: MIT

/// A scanner of elements and text in XML, which accepts faults: unescaped `&`, unknown entities, missing end tags.
///
/// It reads neither attributes nor declarations, so no entity refers to another. Each byte is visited a fixed number of
/// times.
struct XMLScanner {
    enum Token: Equatable {
        /// A start tag by its name in lower case, without namespace prefix. An empty element has no token.
        case start(String)
        case end(String)
        /// Text with decoded entities, or a CDATA section. Text may be split.
        case text([UInt8])
    }

    private var rest: ArraySlice<UInt8>
    /// The first byte whose line is not counted.
    private var counted: Int
    /// The number of the line, from 1, in which the last tag or section ends.
    private(set) var line = 1

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
        counted = bytes.startIndex
        bytesOfLines = bytes
    }

    private let bytesOfLines: ArraySlice<UInt8>

    /// Returns the next token; nil at the end.
    mutating func next() -> Token? {
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                let text = rest.prefix { $0 != UInt8(ascii: "<") }
                rest = rest[text.endIndex...]
                return .text(XMLEntities.decoded(text))
            }
            if rest.starts(with: "<!--".utf8) {
                skip(through: "-->", from: 4)
            } else if rest.starts(with: "<![CDATA[".utf8) {
                let contents = rest.dropFirst(9)
                skip(through: "]]>", from: 9)
                let end = rest.startIndex - contents.startIndex
                let isClosed = rest.startIndex >= contents.startIndex + 3 && hasEnded("]]>")
                return .text(Array(contents.prefix(isClosed ? end - 3 : end)))
            } else if rest.starts(with: "<?".utf8) {
                skip(through: "?>", from: 2)
            } else if rest.starts(with: "<!".utf8) {
                skip(through: ">", from: 2)
            } else if let token = nextTag() {
                return token
            }
        }
        return nil
    }

    /// Reads a tag; nil for an empty element, or at the end.
    private mutating func nextTag() -> Token? {
        var quote: UInt8?
        let tag = rest.dropFirst().prefix { byte in
            if quote != nil {
                if byte == quote { quote = nil }
                return true
            }
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { quote = byte }
            return byte != UInt8(ascii: ">")
        }
        let isComplete = tag.endIndex < rest.endIndex
        advance(to: isComplete ? tag.endIndex + 1 : tag.endIndex)
        guard isComplete else { return nil }
        let isEnd = tag.first == UInt8(ascii: "/")
        if !isEnd && tag.last == UInt8(ascii: "/") { return nil }
        let name = tag.dropFirst(isEnd ? 1 : 0).prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        let text = String(decoding: local.prefix(32).map(URLEscapes.lowercased), as: UTF8.self)
        return isEnd ? .end(text) : .start(text)
    }

    /// Continues after the next occurrence of `mark`; at the end if there is none.
    private mutating func skip(through mark: String, from offset: Int) {
        let mark = Array(mark.utf8)
        var index = rest.startIndex + offset
        while index < rest.endIndex, !rest[index...].starts(with: mark) { index += 1 }
        advance(to: min(index + mark.count, rest.endIndex))
    }

    private func hasEnded(_ mark: String) -> Bool {
        bytesOfLines[..<rest.startIndex].suffix(mark.utf8.count).elementsEqual(mark.utf8)
    }

    private mutating func advance(to index: Int) {
        rest = rest[index...]
        for position in counted..<index {
            let byte = bytesOfLines[position]
            let isLine =
                byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r") && bytesOfLines[(position + 1)...].first != UInt8(ascii: "\n")
            if isLine { line += 1 }
        }
        counted = index
    }
}
