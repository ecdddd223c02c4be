import Glibc
import ToolSupport

/// The file that a picture goes to.
enum ImageFile {
    /// Writes a new file, or in the place of an old one if that is allowed.
    ///
    /// - Throws: ``SystemError``; a file that was begun and could not be finished is taken away.
    static func write(_ bytes: [UInt8], toPath path: String, overwrites: Bool) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (overwrites ? O_TRUNC : O_EXCL)
        let descriptor = unsafe open(path, flags, 0o666)
        guard descriptor >= 0 else {
            let number = errno
            var error = SystemError("write '\(path)'", number)
            if number == EEXIST { error.message += "; '--overwrite' replaces it" }
            throw error
        }
        let failure = write(bytes, to: descriptor)
        // Some file systems tell only now that the disk is full.
        let closeFailure = close(descriptor) == 0 ? 0 : errno
        guard failure == 0, closeFailure == 0 else {
            if !overwrites { unsafe _ = unlink(path) }
            throw SystemError("write '\(path)'", failure != 0 ? failure : closeFailure)
        }
    }

    /// Writes all bytes; returns 0 or the `errno` of the failure.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var done = 0
        while done < bytes.count {
            // SAFETY: the rest lies inside `bytes`.
            let written = unsafe bytes.withUnsafeBytes { bytes in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
                return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return written < 0 ? errno : EIO }
            done += written
        }
        return 0
    }
}
