// SPDX-License-Identifier: MIT

/// An http or https URL, normalised: without fragment and dot segments, in printable ASCII.
///
/// Bytes that a URL cannot contain (spaces, bytes above 0x7E, `"<>\^{|}` and the backtick) are percent-escaped, and so
/// is a `%` without two digits. Scheme and host are lower case, and a default port is removed.
public struct RemoteAddress: Hashable, Sendable, CustomStringConvertible {
    /// The whole URL, with the user name and password if there are any. Not for messages.
    public let text: String

    /// Whether the connection is encrypted: the scheme is https.
    public let isSecure: Bool

    /// Offsets in the UTF-8 of ``text``.
    private let authorityStart: UInt16
    private let hostStart: UInt16
    private let pathStart: UInt16
    private let pathEnd: UInt16

    /// The size of the longest URL, before and after the escaping, in bytes.
    public static let mostBytes = 8192

    /// Parses an absolute URL; nil if it is not http or https, has no valid host, contains control characters, or is
    /// longer than ``mostBytes``.
    public init?(_ text: String) { self.init(bytes: text.utf8) }

    /// Parses the bytes of an absolute URL, in any encoding.
    public init?(bytes: some Collection<UInt8>) {
        guard let reference = URLReference(bytes), let scheme = reference.scheme,
            let authority = reference.authority
        else { return nil }
        self.init(scheme: scheme, authority: authority, path: reference.path, query: reference.query)
    }

    /// The address of a reference in a document at this address (RFC 3986, 5.2); nil if it is not http or https.
    public func resolved(_ reference: String) -> RemoteAddress? { resolved(bytes: reference.utf8) }

    /// The address of a reference, by its bytes.
    public func resolved(bytes: some Collection<UInt8>) -> RemoteAddress? {
        guard let reference = URLReference(bytes), let base = URLReference(text.utf8) else { return nil }
        if reference.scheme != nil { return RemoteAddress(bytes: bytes) }
        let authority = reference.authority ?? base.authority ?? []
        var (path, query) = (reference.path, reference.query)
        if reference.authority == nil {
            if path.isEmpty {
                path = base.path
                query = query ?? base.query
            } else if path.first != UInt8(ascii: "/") {
                path = (base.path.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? []) + path
            }
        }
        return RemoteAddress(scheme: base.scheme ?? [], authority: authority, path: path, query: query)
    }

    private init?(
        scheme: ArraySlice<UInt8>, authority: ArraySlice<UInt8>, path: ArraySlice<UInt8>,
        query: ArraySlice<UInt8>?
    ) {
        switch String(decoding: scheme, as: UTF8.self).lowercased() {
        case "http": isSecure = false
        case "https": isSecure = true
        default: return nil
        }
        guard let authority = URLAuthority(authority, defaultPort: isSecure ? 443 : 80) else { return nil }
        var bytes = Array((isSecure ? "https://" : "http://").utf8)
        let authorityStart = bytes.count
        if let user = authority.user { bytes += user + "@".utf8 }
        let hostStart = bytes.count
        bytes += authority.hostAndPort
        let pathStart = bytes.count
        bytes += URLEscapes.escaped(URLReference.withoutDotSegments(path), in: .path)
        let pathEnd = bytes.count
        if let query { bytes += "?".utf8 + URLEscapes.escaped(query, in: .query) }
        guard bytes.count <= Self.mostBytes else { return nil }
        self.text = String(decoding: bytes, as: UTF8.self)
        self.authorityStart = UInt16(authorityStart)
        self.hostStart = UInt16(hostStart)
        self.pathStart = UInt16(pathStart)
        self.pathEnd = UInt16(pathEnd)
    }

    /// The URL for messages: without user name and password.
    public var description: String {
        part(0, authorityStart) + part(hostStart, UInt16(text.utf8.count))
    }

    /// The host without port: a name in lower case, an IPv4 address, or an IPv6 address in brackets.
    public var host: String {
        let hostAndPort = part(hostStart, pathStart)
        guard let colon = hostAndPort.lastIndex(of: ":"), !hostAndPort[colon...].contains("]") else {
            return hostAndPort
        }
        return String(hostAndPort[..<colon])
    }

    /// The part after the last dot of the path's last component, in lower case; empty without one.
    public var pathExtension: String {
        let name = part(pathStart, pathEnd).split(separator: "/", omittingEmptySubsequences: false).last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    private func part(_ start: UInt16, _ end: UInt16) -> String {
        let bytes = text.utf8
        let first = bytes.index(bytes.startIndex, offsetBy: Int(start))
        return String(text[first..<bytes.index(bytes.startIndex, offsetBy: Int(end))])
    }
}
