// SPDX-License-Identifier: MIT

import Glibc

/// A file written beside another file to replace it.
final class Replacement {
    let path: FilePath
    let file: EditableFile
    private let target: FilePath

    /// Replaces a file, after the replacement is completely on disk, and keeps the old file after an error.
    ///
    /// - Parameter write: Writes the replacement.
    /// - Throws: The errors of `write`, of creating a file, and of renaming it.
    static func replace(
        _ path: FilePath, write: (Replacement) throws(AudioFileError) -> Void
    ) throws(AudioFileError) {
        let replacement = try Replacement(ofFileAt: path)
        do throws(AudioFileError) {
            try write(replacement)
            try FileOnDisk.rename(replacement.path, to: replacement.target)
        } catch {
            unsafe unlink(replacement.path.cString)
            throw error
        }
    }

    /// - Throws: `unsupported` for a file without a name; the errors of creating a file.
    private init(ofFileAt path: FilePath) throws(AudioFileError) {
        // A symbolic link is kept, and its target is replaced.
        guard let resolved = unsafe realpath(path.cString, nil) else {
            throw AudioFileError(.unsupported, "it has no path for a replacement")
        }
        defer { unsafe free(resolved) }
        target = unsafe FilePath(cString: resolved)
        var status = stat()
        guard unsafe stat(target.cString, &status) == 0 else { throw OutputFile.failure(errno) }
        var template = FilePath(bytes: target.bytes + ".XXXXXX".utf8).cString
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw OutputFile.failure(errno) }
        self.path = FilePath(bytes: template.map { UInt8(bitPattern: $0) })
        // Without permission to change the owner, the file belongs to the user.
        _ = fchown(descriptor, status.st_uid, status.st_gid)
        _ = fchmod(descriptor, status.st_mode & 0o7777)
        close(descriptor)
        do throws(AudioFileError) {
            file = try EditableFile(path: self.path)
        } catch {
            unsafe unlink(self.path.cString)
            throw error
        }
    }
}
