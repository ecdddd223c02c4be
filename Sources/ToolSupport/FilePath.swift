/// Paths as text: their parts, and what a name says of a file.
public enum FilePath {
    /// What follows the last dot of the last component, in lower case; empty without one.
    public static func lowercasedExtension(of path: String) -> String {
        guard let dot = dotOfExtension(in: path) else { return "" }
        return String(path[path.utf8.index(after: dot)...]).lowercased()
    }

    /// Whether the extension of `path` is `name`, which is ASCII in lower case; that of `path` may be in any.
    public static func hasExtension(_ name: String, _ path: String) -> Bool {
        guard let dot = dotOfExtension(in: path) else { return false }
        return path.utf8[dot...].dropFirst().elementsEqual(name.utf8) { byte, letter in
            (UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte) == letter
        }
    }

    /// `path` without the last dot of its last component and what follows, and that; a name that begins with
    /// its only dot has no extension.
    public static func splitExtension(of path: String) -> (stem: String, dotExtension: String) {
        guard let dot = dotOfExtension(in: path) else { return (path, "") }
        return (String(path[..<dot]), String(path[dot...]))
    }

    private static func dotOfExtension(in path: String) -> String.Index? {
        let name = lastComponent(of: path)
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        return dot
    }

    /// Without slashes; empty if there is nothing else.
    private static func lastComponent(of path: String) -> Substring.UTF8View {
        let bytes = path.utf8
        let slash = UInt8(ascii: "/")
        guard let last = bytes.lastIndex(where: { $0 != slash }) else { return bytes.prefix(0) }
        let start = bytes[...last].lastIndex(of: slash).map { bytes.index(after: $0) }
        return bytes[(start ?? bytes.startIndex)...last]
    }

    /// The last component, for display.
    public static func name(of path: String) -> String {
        let name = lastComponent(of: path)
        return name.isEmpty ? path : String(Substring(name))
    }

    /// `name` inside `directory`.
    public static func join(_ directory: String, _ name: String) -> String {
        directory.isEmpty || name.utf8.first == UInt8(ascii: "/")
            ? name : directory.utf8.last == UInt8(ascii: "/") ? directory + name : "\(directory)/\(name)"
    }

    /// Everything before the last component: empty for a name alone.
    public static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
        return String(path[...slash])
    }
}
