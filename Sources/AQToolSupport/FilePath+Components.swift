// SPDX-License-Identifier: MIT

public import AQFiles

/// The components of a path, and the extension of a name.
extension FilePath {
    /// The part after the last dot of the last component, in lower case; empty without one.
    public var lowercasedExtension: String {
        guard let dot = dotOfExtension else { return "" }
        return FilePath(bytes: bytes[(dot + 1)...]).description.lowercased()
    }

    /// Returns whether the extension is `name` in upper or lower case. `name` must be ASCII in lower case.
    public func hasExtension(_ name: String) -> Bool {
        guard let dot = dotOfExtension else { return false }
        return bytes[(dot + 1)...].elementsEqual(name.utf8) { byte, letter in
            (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte) == letter
        }
    }

    /// The path without its extension, and the extension with its dot. A name that begins with its only dot
    /// has no extension.
    public var splitExtension: (stem: FilePath, dotExtension: FilePath) {
        guard let dot = dotOfExtension else { return (self, "") }
        return (FilePath(bytes: bytes[..<dot]), FilePath(bytes: bytes[dot...]))
    }

    private var dotOfExtension: Int? {
        let name = lastComponent
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        return dot
    }

    /// The last component without slashes; empty if the path has only slashes.
    private var lastComponent: ArraySlice<UInt8> {
        let slash = UInt8(ascii: "/")
        guard let last = bytes.lastIndex(where: { $0 != slash }) else { return [] }
        let start = bytes[...last].lastIndex(of: slash).map { $0 + 1 }
        return bytes[(start ?? 0)...last]
    }

    /// The last component.
    public var name: FilePath {
        let name = lastComponent
        return name.isEmpty ? self : FilePath(bytes: name)
    }

    /// `name` inside this directory.
    public func joined(_ name: FilePath) -> FilePath {
        let slash = UInt8(ascii: "/")
        if bytes.isEmpty || name.bytes.first == slash { return name }
        return bytes.last == slash ? self + name : self + "/" + name
    }

    /// The path before the last component; empty if there is none.
    public var directory: FilePath {
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return FilePath(bytes: bytes[...slash])
    }

    /// The bytes of both, in sequence.
    public static func + (left: FilePath, right: FilePath) -> FilePath {
        FilePath(bytes: left.bytes + right.bytes)
    }
}
