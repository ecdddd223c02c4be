import Glibc

/// A file, or a stream such as a pipe, that is being written.
///
/// Counts what reached it, so that whoever writes knows after a failure how much is whole. The signals SIGPIPE
/// and SIGXFSZ are the program's to block or ignore: their default action ends it before a call here returns
/// with an error.
final class OutputFile {
    /// True for a regular file, whose bytes can be written again and cut off.
    let isSeekable: Bool
    /// Bytes appended so far.
    private(set) var byteCount: Int64 = 0

    private let path: FilePath
    /// True if there was no file of this path before.
    private let isNew: Bool
    /// Negative once closed.
    private var descriptor: CInt

    /// Creates the file at `path`, or takes standard output for "-".
    ///
    /// What is no regular file (a FIFO, `/dev/null`, a terminal) is written forwards, and need not be new. So is
    /// standard output, unless it stands at the beginning of an empty regular file. Opening a FIFO waits for
    /// its reader.
    ///
    /// - Parameter overwrite: Empties a file that exists already, rather than refusing it.
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

    /// Writes bytes behind those written before; returns once the system has taken all of them.
    ///
    /// - Throws: Any of the codes for writing. ``byteCount`` then tells how many of the bytes arrived.
    ///
    /// The corresponding C function is `write`.
    func append(_ bytes: UnsafeRawBufferPointer) throws(AudioFileError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe write(descriptor, rest.baseAddress, rest.count)
            if count > 0 {
                done += count
                byteCount += Int64(count)
            } else {
                try recover(from: count < 0 ? errno : EIO)
            }
        }
    }

    /// Writes bytes as the other method of this name does.
    func append(_ bytes: [UInt8]) throws(AudioFileError) {
        try unsafe bytes.withUnsafeBufferPointer { memory throws(AudioFileError) in
            try unsafe append(UnsafeRawBufferPointer(memory))
        }
    }

    /// Writes bytes over others, or past the end of a regular file; ``append(_:)`` goes on where it was.
    ///
    /// - Throws: Any of the codes for writing; some of the bytes may have been changed.
    ///
    /// The corresponding C function is `pwrite`.
    func patch(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFileError) {
        var done = 0
        while done < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
            let count = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            if count > 0 {
                done += count
            } else {
                try recover(from: count < 0 ? errno : EIO)
            }
        }
    }

    /// Writes bytes as the other method of this name does.
    func patch(_ bytes: ArraySlice<UInt8>, at offset: Int64) throws(AudioFileError) {
        try unsafe bytes.withUnsafeBufferPointer { memory throws(AudioFileError) in
            try unsafe patch(UnsafeRawBufferPointer(memory), at: offset)
        }
    }

    /// Cuts a regular file off, or lengthens it by zeros without storing them; bytes are appended from there.
    ///
    /// The corresponding C function is `ftruncate`.
    func truncate(to bytes: Int64) throws(AudioFileError) {
        while ftruncate(descriptor, off_t(bytes)) != 0 {
            try recover(from: errno)
        }
        try move(to: bytes)
    }

    /// Has bytes appended from there, in a regular file.
    ///
    /// The corresponding C function is `lseek`.
    func move(to bytes: Int64) throws(AudioFileError) {
        guard lseek(descriptor, off_t(bytes), SEEK_SET) >= 0 else { throw Self.failure(errno) }
        byteCount = bytes
    }

    /// Closes the file; does nothing the second time.
    ///
    /// - Throws: What the system found out only now, as network file systems do.
    ///
    /// The corresponding C function is `close`.
    func close() throws(AudioFileError) {
        guard descriptor >= 0 else { return }
        let status = Glibc.close(descriptor)
        let number = errno
        descriptor = -1
        // Linux has closed the descriptor whatever it says.
        guard status == 0 || number == EINTR else { throw Self.failure(number) }
    }

    /// Closes the file, and removes it if it was made new and nobody has put another in its place.
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

    /// Waits out what only delays a call, so that it can be made again.
    private func recover(from number: CInt) throws(AudioFileError) {
        switch number {
        case EINTR: return
        case EAGAIN:
            // Whoever shares a pipe or terminal with us may have made it non-blocking.
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&wait, 1, -1)
        default: throw Self.failure(number)
        }
    }
}
