// SPDX-License-Identifier: MIT

import Glibc

/// A regular file whose contents and name can be synchronized to the disk, to survive a power failure.
@safe public final class FileOnDisk: Sendable {
    private let path: FilePath
    private let descriptor: CInt

    /// Opens an existing file for synchronization only; other code may write it before and after.
    ///
    /// - Throws: `notFound`, or an error of writing, such as `unwritable`.
    public init(path: FilePath) throws(AudioFileError) {
        self.path = path
        descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno, path) }
    }

    deinit { close(descriptor) }

    /// Waits until all data written to the file so far, and its name in its directory, are on the disk.
    ///
    /// - Throws: An error of writing, such as `diskFull`, also for bytes written earlier.
    ///
    /// The corresponding C function is `fsync`.
    public func synchronize() throws(AudioFileError) {
        guard Self.synchronize(descriptor) else { throw Self.failure(errno, path) }
        try Self.synchronizeFolder(of: path)
    }

    /// Renames a file, and replaces any file with the new name. First the contents are synchronized to the disk, then
    /// the name. After a power failure the name refers to the old file or to the new one, both of which are complete.
    ///
    /// - Throws: `notFound`, or an error of writing, such as `diskFull`. The old file is then unchanged, unless only
    ///   synchronizing the directory failed.
    ///
    /// The corresponding C function is `rename`.
    public static func rename(_ path: FilePath, to target: FilePath) throws(AudioFileError) {
        let file = try FileOnDisk(path: path)
        guard synchronize(file.descriptor) else { throw failure(errno, target) }
        guard unsafe Glibc.rename(path.cString, target.cString) == 0 else { throw failure(errno, target) }
        try synchronizeFolder(of: target)
    }

    private static func synchronizeFolder(of path: FilePath) throws(AudioFileError) {
        let slash = path.bytes.lastIndex(of: UInt8(ascii: "/"))
        let folder = slash.map { FilePath(bytes: path.bytes[...$0]) } ?? "."
        let descriptor = unsafe open(folder.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A directory that is writable but not readable cannot be opened for synchronization.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard synchronize(descriptor) else { throw failure(errno, path) }
    }

    /// Synchronizes a descriptor; returns false after a failure, whose reason is in `errno`.
    private static func synchronize(_ descriptor: CInt) -> Bool {
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            // The file is not on a disk: a pipe, or a file system without synchronization.
            case EINVAL, ENOTSUP, EROFS: return true
            default: return false
            }
        }
        return true
    }

    private static func failure(_ number: CInt, _ path: FilePath) -> AudioFileError {
        let failure = OutputFile.failure(number)
        return AudioFileError(failure.code, "cannot write '\(path)': \(failure.message)")
    }
}
