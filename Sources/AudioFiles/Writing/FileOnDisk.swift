import Glibc

/// A regular file whose contents and name can be synchronized to the disk, to survive a power failure.
@safe public final class FileOnDisk: Sendable {
    private let path: FilePath
    private let descriptor: CInt

    /// Opens an existing file for this purpose only; others may write it before and after.
    ///
    /// - Throws: The errors of opening.
    public init(path: FilePath) throws(AudioFileError) {
        self.path = path
        descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno, path) }
    }

    deinit { close(descriptor) }

    /// Waits until everything written to the file so far, and its name in its directory, is on the disk.
    ///
    /// - Throws: The system's errors, also for bytes written earlier.
    ///
    /// The corresponding C function is `fsync`.
    public func synchronize() throws(AudioFileError) {
        guard Self.synchronize(descriptor) else { throw Self.failure(errno, path) }
        try Self.synchronizeFolder(of: path)
    }

    /// Renames a file, and replaces any file with the new name. First the contents are synchronized to the disk, then
    /// the name. After a power failure the name refers to the old file or the new one, and either is complete.
    ///
    /// - Throws: The system's errors. The old file is then unchanged, unless only synchronizing the directory failed.
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
        // A directory that is writable but not readable cannot be opened for this.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard synchronize(descriptor) else { throw failure(errno, path) }
    }

    /// - Returns: False for a failure; `errno` has the reason.
    private static func synchronize(_ descriptor: CInt) -> Bool {
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            // Not on a disk: a pipe, or a file system without synchronization.
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
