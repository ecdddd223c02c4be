import Glibc
import ToolSupport

/// A folder that outputs go to.
enum OutputFolder {
    /// Makes it, and those that it lies in, unless they are there.
    ///
    /// - Throws: ``ConversionError``.
    static func make(_ path: String) throws(ConversionError) {
        guard !path.isEmpty, unsafe mkdir(path, 0o777) != 0 else { return }
        var failure = errno
        let parent = FilePath.directory(of: withoutSlashes(path))
        if failure == ENOENT, parent != path {
            try make(parent)
            failure = unsafe mkdir(path, 0o777) == 0 ? 0 : errno
        }
        // Another conversion may have made it meanwhile.
        if failure == 0 || SoundFolder.isFolder(path) { return }
        throw ConversionError(
            .unwritable, "cannot make the folder '\(path)': \(systemErrorText(failure).lowercased())")
    }

    private static func withoutSlashes(_ path: String) -> String {
        var path = path[...]
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path = path.dropLast() }
        return String(path)
    }
}
