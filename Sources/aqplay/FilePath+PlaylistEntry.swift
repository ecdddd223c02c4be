// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The paths of playlist entries.
extension FilePath {
    /// Returns the path of a playlist's entry, which may be relative to the list.
    ///
    /// - Parameters:
    ///   - location: A path, or a `file:` URL with percent escapes.
    ///   - isReference: Whether a path has percent escapes too.
    /// - Throws: ``UsageError`` with the reason if the entry is not a local file.
    static func local(_ location: FilePath, isReference: Bool = false) throws(UsageError) -> FilePath {
        guard let scheme = scheme(of: location) else {
            guard isReference else { return location }
            guard let decoded = percentDecoded(location.bytes[...]) else {
                throw UsageError("its URL has no valid path")
            }
            return FilePath(bytes: decoded)
        }
        guard scheme != "http", scheme != "https" else { throw UsageError("its URL is not valid") }
        guard scheme == "file" else {
            throw UsageError("only files and http and https addresses can be played")
        }
        return try ofFileAddress(location)
    }

    /// The scheme of a URL with an authority, or of a `file:` URL; nil for a path.
    private static func scheme(of location: FilePath) -> String? {
        guard let colon = location.bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = location.bytes[..<colon]
        let isScheme = scheme.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "."):
                true
            default: false
            }
        }
        let rest = location.bytes[(colon + 1)...]
        guard isScheme, !scheme.isEmpty else { return nil }
        let name = FilePath(bytes: scheme).description.lowercased()
        return rest.starts(with: "//".utf8) || (name == "file" && rest.first == UInt8(ascii: "/"))
            ? name : nil
    }
}
