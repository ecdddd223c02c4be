// SPDX-License-Identifier: MIT

import Glibc

/// A file, or a stream such as a pipe, that is being written.
///
/// The bytes written are counted, so that after a failure the writer knows how much is complete. The program must block
/// or ignore the signals SIGPIPE and SIGXFSZ: by default they end the program before a call returns an error.
///
/// The class is not final, so that tests can stop between two writes.
class OutputFile {
    /// Whether the output is a regular file, which can be overwritten and truncated.
    let isSeekable: Bool
    /// The number of bytes appended so far.
    private(set) var byteCount: Int64 = 0

    private let path: FilePath
    /// Whether there was no file with this path before.
    private let isNew: Bool
    /// The file descriptor; negative once closed.
    private var descriptor: CInt

    /// Creates the file at `path`, or uses standard output for "-".
    ///
    /// Anything except a regular file (a FIFO, `/dev/null`, a terminal) is written forwards, and may exist before.
    /// Standard output is written forwards too, unless it is at the start of an empty regular file. Opening a FIFO
    /// waits for its reader.
    ///
    /// - Parameter overwrite: True to replace an existing file instead of failing.
    init(path: FilePath, overwrite: Bool) throws(AudioFileError) {
        self.path = path
        (descriptor, isNew) =
            try path == "-"
            ? (Self.standardOutput(), false) : Self.open(path, overwrite: overwrite)
        do throws(AudioFileError) {
            isSeekable = try Self.prepare(
                descriptor, isStandardOutput: path == "-", overwrite: overwrite || isNew)
        } catch {
            Glibc.close(descriptor)
            throw error
        }
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Appends bytes; returns once the system has accepted all of them.
    ///
    /// - Throws: Any of the codes for writing. ``byteCount`` then shows how many of the bytes were written.
    ///
    /// The corresponding C function is `write`.
    func append(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        let (done, number) = unsafe writeFully(bytes, to: descriptor)
        byteCount += Int64(done)
        guard number == 0 else { throw Self.failure(number) }
    }

    func append(_ bytes: [UInt8]) throws(AudioFileError) {
        try unsafe bytes.withUnsafeBufferPointer { memory throws(AudioFileError) in
            try unsafe append(UnsafeRawBufferPointer(memory))
        }
    }

    /// Overwrites bytes, also past the end of a regular file; ``append(_:)`` keeps its position.
    ///
    /// - Throws: Any of the codes for writing; some of the bytes may have been changed.
    ///
    /// The corresponding C function is `pwrite`.
    func patch(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
        let number = unsafe writeFully(bytes, to: descriptor, at: offset).errorNumber
        guard number == 0 else { throw Self.failure(number) }
    }

    func patch(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(AudioFileError) {
        try unsafe bytes.withUnsafeBufferPointer { memory throws(AudioFileError) in
            try unsafe patch(UnsafeRawBufferPointer(memory), at: offset)
        }
    }

    /// Truncates a regular file, or extends it by zeros without storing them; later bytes are appended at the new end.
    ///
    /// The corresponding C function is `ftruncate`.
    func truncate(to bytes: Int64) throws(AudioFileError) {
        while ftruncate(descriptor, off_t(bytes)) != 0 {
            guard errno == EINTR else { throw Self.failure(errno) }
        }
        try move(to: bytes)
    }

    /// Moves the position for appending in a regular file.
    ///
    /// The corresponding C function is `lseek`.
    func move(to bytes: Int64) throws(AudioFileError) {
        guard lseek(descriptor, off_t(bytes), SEEK_SET) >= 0 else { throw Self.failure(errno) }
        byteCount = bytes
    }

    /// Closes the file. Does nothing if it is already closed.
    ///
    /// - Throws: Errors that the system reports only here, as network file systems do.
    ///
    /// The corresponding C function is `close`.
    func close() throws(AudioFileError) {
        guard descriptor >= 0 else { return }
        let status = Glibc.close(descriptor)
        let number = errno
        descriptor = -1
        // Linux has closed the descriptor even after an error.
        guard status == 0 || number == EINTR else { throw Self.failure(number) }
    }

    /// Closes the file, and removes it if this object created it and no other file replaced it.
    func discard() {
        guard descriptor >= 0 else { return }
        var own = stat()
        var named = stat()
        if isNew, unsafe fstat(descriptor, &own) == 0, unsafe lstat(path.cString, &named) == 0,
            own.st_ino == named.st_ino, own.st_dev == named.st_dev
        {
            unsafe unlink(path.cString)
        }
        Glibc.close(descriptor)
        descriptor = -1
    }
}
