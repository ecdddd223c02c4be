/// Paths as text: their parts, and what a name says of a file.
public enum FilePath {
    /// What follows the last dot of the last component, in lower case; empty without one.
    public static func lowercasedExtension(of path: String) -> String {
        guard let dot = dotOfExtension(in: path) else { return "" }
        return String(path[path.utf8.index(after: dot)...]).lowercased()
    }

    /// `path` without the last dot of its last component and what follows, and that; a name that begins with
    /// its only dot has no extension.
    public static func splitExtension(of path: String) -> (stem: String, dotExtension: String) {
        guard let dot = dotOfExtension(in: path) else { return (path, "") }
        return (String(path[..<dot]), String(path[dot...]))
    }

    private static func dotOfExtension(in path: String) -> String.Index? {
        let name = path.utf8.split(separator: UInt8(ascii: "/")).last ?? Substring(path).utf8
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return nil }
        return dot
    }

    /// The last component, for display.
    public static func name(of path: String) -> String {
        path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
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
