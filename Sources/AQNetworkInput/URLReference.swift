// SPDX-License-Identifier: MIT

/// The components of a URL or of a reference to one (RFC 3986, appendix B), as written, without the fragment.
struct URLReference {
    /// The scheme; nil if the reference is relative.
    let scheme: ArraySlice<UInt8>?
    /// User, host and port; nil without `//`.
    let authority: ArraySlice<UInt8>?
    let path: ArraySlice<UInt8>
    /// The query without `?`; nil without one.
    let query: ArraySlice<UInt8>?

    /// Splits a reference; nil if it contains control characters, or is longer than an address may be.
    init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count <= RemoteAddress.mostBytes, !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return nil }
        var rest = Array(bytes)[...]
        if let fragment = rest.firstIndex(of: UInt8(ascii: "#")) { rest = rest[..<fragment] }
        scheme = Self.scheme(of: rest)
        if let scheme { rest = rest.dropFirst(scheme.count + 1) }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        } else {
            query = nil
        }
        if rest.starts(with: "//".utf8) {
            rest = rest.dropFirst(2)
            authority = rest.prefix { $0 != UInt8(ascii: "/") }
            rest = rest[(authority?.endIndex ?? rest.startIndex)...]
        } else {
            authority = nil
        }
        path = rest
    }

    private static func scheme(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let scheme = bytes.prefix(while: URLEscapes.isScheme)
        guard let first = scheme.first, URLEscapes.isLetter(first), scheme.endIndex < bytes.endIndex,
            bytes[scheme.endIndex] == UInt8(ascii: ":")
        else { return nil }
        return scheme
    }

    /// The path of an absolute URL, in which `.` and `..` are followed (RFC 3986, 5.2.4).
    static func withoutDotSegments(_ path: ArraySlice<UInt8>) -> [UInt8] {
        let segments = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        var kept: [ArraySlice<UInt8>] = []
        for (index, segment) in segments.enumerated() {
            let isParent = segment.elementsEqual("..".utf8)
            if isParent { _ = kept.popLast() }
            if !isParent && !segment.elementsEqual(".".utf8) {
                kept.append(segment)
            } else if index == segments.count - 1 {
                kept.append([])
            }
        }
        return Array("/".utf8) + kept.joined(separator: "/".utf8)
    }
}
