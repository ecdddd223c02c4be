// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

/// A folder for outputs.
enum OutputFolder {
    /// Creates a folder and its parents, unless they exist.
    ///
    /// - Throws: ``ToolFailure``.
    static func make(_ path: FilePath) throws(ToolFailure) {
        guard path != "", unsafe mkdir(path.cString, 0o777) != 0 else { return }
        var failure = errno
        let parent = withoutSlashes(path).directory
        if failure == ENOENT, parent != path {
            try make(parent)
            failure = unsafe mkdir(path.cString, 0o777) == 0 ? 0 : errno
        }
        // Another conversion may have created the folder meanwhile.
        if failure == 0 || AudioFolder.isFolder(path) { return }
        throw ToolFailure(
            .inputOutput, "cannot create the folder '\(path)': \(systemErrorText(failure).lowercased())")
    }

    private static func withoutSlashes(_ path: FilePath) -> FilePath {
        var bytes = path.bytes[...]
        while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes = bytes.dropLast() }
        return FilePath(bytes: bytes)
    }
}
