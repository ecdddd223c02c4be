import Glibc

/// A regular file whose contents and name can be forced to the disk, where they outlive a power failure.
@safe public final class FileOnDisk: Sendable {
    private let path: FilePath
    private let descriptor: CInt

    /// Opens a file that exists, for this alone; whoever writes it may do so before and after.
    ///
    /// - Throws: What opening throws.
    public init(path: FilePath) throws(AudioFileError) {
        self.path = path
        descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno, path) }
    }

    deinit { close(descriptor) }

    /// Waits until everything written to the file so far is on the disk, and its name in its folder.
    ///
    /// - Throws: What the system reports, also of bytes that were written earlier.
    ///
    /// The corresponding C function is `fsync`.
    public func synchronize() throws(AudioFileError) {
        guard Self.synchronize(descriptor) else { throw Self.failure(errno, path) }
        try Self.synchronizeFolder(of: path)
    }

    /// Gives a file another name, in the place of the file that has it: first the contents are forced to the disk,
    /// then the name. After a power failure the name has the old file or the new one, either of them whole.
    ///
    /// - Throws: What the system reports. The old file is in its place, unless only the folder could not be forced.
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
        // A folder that may be written, but not read, cannot be opened for this.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard synchronize(descriptor) else { throw failure(errno, path) }
    }

    /// - Returns: False for a failure, which `errno` tells.
    private static func synchronize(_ descriptor: CInt) -> Bool {
        while fsync(descriptor) != 0 {
            switch errno {
            case EINTR: continue
            // Not of a disk: a pipe, or a file system that has nothing to force.
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
