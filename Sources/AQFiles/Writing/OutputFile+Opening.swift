// SPDX-License-Identifier: MIT

import Glibc

extension OutputFile {
    /// Returns a descriptor of standard output that can be closed like any other.
    static func standardOutput() throws(AudioFileError) -> CInt {
        let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { throw failure(errno) }
        return descriptor
    }

    /// Opens a path for writing, and returns whether that created a file.
    static func open(_ path: FilePath, overwrite: Bool) throws(AudioFileError) -> (CInt, isNew: Bool) {
        let name = path.cString
        let created = retrying { unsafe Glibc.open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
        if created >= 0 { return (created, true) }
        guard errno == EEXIST else { throw failure(errno) }
        if !overwrite {
            // Checked before opening, so that a FIFO's reader is not disturbed.
            var status = stat()
            guard unsafe stat(name, &status) == 0, isStream(status) else { throw existing(status) }
        }
        // A dangling link is followed and its file created, if overwriting is allowed.
        let creation = overwrite ? O_CREAT : 0
        let opened = retrying { unsafe Glibc.open(name, O_WRONLY | creation | O_CLOEXEC, 0o666) }
        guard opened >= 0 else { throw failure(errno) }
        return (opened, false)
    }

    /// Empties the file if allowed, and returns whether it is a regular file that can be written at any offset.
    static func prepare(
        _ descriptor: CInt, isStandardOutput: Bool, overwrite: Bool
    ) throws(AudioFileError) -> Bool {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw failure(errno) }
        let isRegular = status.st_mode & S_IFMT == S_IFREG
        if isStandardOutput {
            // A file that the shell opened for appending, or has written to before, must not be overwritten.
            return isRegular && status.st_size == 0 && lseek(descriptor, 0, SEEK_CUR) == 0
                && fcntl(descriptor, F_GETFL) & O_APPEND == 0
        }
        guard isRegular else { return false }
        // The path named a stream when it was checked.
        guard overwrite else { throw existing(status) }
        guard status.st_size == 0 || ftruncate(descriptor, 0) == 0 else { throw failure(errno) }
        return true
    }

    /// Makes an error for a failed call, with this project's wording if it is clearer than the system's.
    static func failure(_ number: CInt) -> AudioFileError {
        let reason = unsafe String(cString: strerror(number)).lowercased()
        return switch number {
        case EISDIR: AudioFileError(.isDirectory, "it is a folder")
        case EEXIST: AudioFileError(.exists, "it exists already")
        case ENOENT, ENOTDIR: AudioFileError(.notFound, reason)
        case ENOSPC: AudioFileError(.diskFull, reason)
        case EDQUOT: AudioFileError(.quotaExceeded, reason)
        case EFBIG: AudioFileError(.fileTooLarge, reason)
        case EROFS: AudioFileError(.readOnly, reason)
        default: AudioFileError(.unwritable, reason)
        }
    }

    private static func existing(_ status: stat) -> AudioFileError {
        failure(status.st_mode & S_IFMT == S_IFDIR ? EISDIR : EEXIST)
    }

    /// Returns whether a file takes bytes without keeping them. Disks are excluded, because naming one is a mistake.
    private static func isStream(_ status: stat) -> Bool {
        [S_IFIFO, S_IFCHR, S_IFSOCK].contains(status.st_mode & S_IFMT)
    }

    private static func retrying(_ call: () -> CInt) -> CInt {
        while true {
            let result = call()
            guard result < 0, errno == EINTR else { return result }
        }
    }
}
