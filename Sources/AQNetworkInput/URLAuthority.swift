// SPDX-License-Identifier: MIT

/// User, host and port of a URL, normalised.
struct URLAuthority {
    /// The user name, with a colon and the password if there is one.
    let user: [UInt8]?
    /// The host in lower case, with a colon and the port unless it is the default.
    let hostAndPort: [UInt8]

    /// Parses an authority; nil if the host or port is invalid.
    init?(_ bytes: ArraySlice<UInt8>, defaultPort: Int) {
        var rest = bytes
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            user = URLEscapes.escaped(rest[..<at], in: .user)
            rest = rest[(at + 1)...]
        } else {
            user = nil
        }
        let isNumeric = rest.first == UInt8(ascii: "[")
        var host = rest
        var port = rest[rest.endIndex...]
        let hostEnd = isNumeric ? rest.firstIndex(of: UInt8(ascii: "]")) ?? rest.startIndex : rest.startIndex
        if let colon = rest[hostEnd...].firstIndex(of: UInt8(ascii: ":")) {
            host = rest[..<colon]
            port = rest[(colon + 1)...]
        }
        guard let host = isNumeric ? Self.numericHost(host) : Self.namedHost(host) else { return nil }
        if port.isEmpty {
            hostAndPort = host
        } else {
            guard port.count <= 5, port.allSatisfy(URLEscapes.isDigit),
                let number = Int(String(decoding: port, as: UTF8.self)), 1...65_535 ~= number
            else { return nil }
            hostAndPort = number == defaultPort ? host : host + ":\(number)".utf8
        }
    }

    private static let mostHostBytes = 255

    /// An IPv6 address in brackets.
    private static func numericHost(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard 4...mostHostBytes ~= bytes.count, bytes.last == UInt8(ascii: "]") else { return nil }
        let address = bytes.dropFirst().dropLast()
        let isAddress = address.allSatisfy { byte in
            URLEscapes.hexDigit(byte) != nil || byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
        }
        return isAddress && address.contains(UInt8(ascii: ":")) ? bytes.map(URLEscapes.lowercased) : nil
    }

    /// A name or IPv4 address. Bytes that are not ASCII are escaped (RFC 3986, 3.2.2); ASCII must not be.
    private static func namedHost(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = bytes
        var name: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case 0x80...: name += URLEscapes.escape(byte)
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let high = URLEscapes.hexDigit(rest[rest.startIndex]),
                    let low = URLEscapes.hexDigit(rest[rest.startIndex + 1]), high >= 8
                else { return nil }
                name += URLEscapes.escape(high << 4 | low)
                rest = rest.dropFirst(2)
            case _ where URLEscapes.isUnreserved(byte): name.append(URLEscapes.lowercased(byte))
            default: return nil
            }
        }
        return 1...mostHostBytes ~= name.count ? name : nil
    }
}
