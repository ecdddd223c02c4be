import ToolSupport

/// What a playlist's entry names.
extension FilePath {
    /// The path that a playlist's entry names.
    ///
    /// - Parameters:
    ///   - location: A path, or a `file:` URL with percent escapes.
    ///   - directory: Of the list, to which a relative path belongs.
    /// - Throws: ``UsageError`` with the reason when it is not a local file.
    static func resolve(_ location: String, in directory: String) throws(UsageError) -> String {
        guard let scheme = scheme(of: location) else { return join(directory, location) }
        guard scheme == "file" else { throw UsageError("only local files can be played") }
        var path = Substring(location).dropFirst("file:".count)
        if path.hasPrefix("//") {
            path = path.dropFirst(2)
            let host = path.prefix { $0 != "/" }
            guard host.isEmpty || host.lowercased() == "localhost" else {
                throw UsageError("it is a file of another host, '\(host)'")
            }
            path = path.dropFirst(host.count)
        }
        guard let decoded = percentDecoded(path), !decoded.isEmpty else {
            throw UsageError("its URL has no valid path")
        }
        return join(directory, decoded)
    }

    /// The scheme of a URL with an authority, or of a `file:` URL; nil for a path.
    private static func scheme(of location: String) -> String? {
        guard let colon = location.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = location[..<colon]
        let isScheme = scheme.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        let rest = location[location.index(after: colon)...]
        guard isScheme, !scheme.isEmpty else { return nil }
        let name = scheme.lowercased()
        return rest.hasPrefix("//") || (name == "file" && rest.hasPrefix("/")) ? name : nil
    }

    /// Nil if the bytes are not UTF-8, or hold the null that no path can.
    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(isHexDigit),
                let value = UInt8(String(Substring(digits)), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
