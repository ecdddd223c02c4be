// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc

/// An open file or pipe, or bytes from elsewhere.
final class OpenFile {
    private enum Source {
        case descriptor(CInt)
        case stream(any ByteStream)
        case remote(any RandomAccessBytes)
    }

    private let source: Source
    /// The size of a regular file or of one elsewhere; nil for anything that can only be read forwards.
    let bytes: Int64?
    /// The reason why bytes of a file elsewhere could not be read.
    private(set) var failure: AudioFileError?
    /// Whether the whole file may be read without need, to count its packets: not from elsewhere.
    var mayScan: Bool { if case .remote = source { isScanRequested } else { true } }
    /// Whether the caller needs the counts, even if the whole file has to be read.
    var isScanRequested = false

    /// Opens the file at `path`, or takes standard input for "-".
    convenience init(path: FilePath) throws(AudioFileError) {
        // Standard input is duplicated, so that all descriptors are closed alike.
        let descriptor =
            path == "-"
            ? fcntl(0, F_DUPFD_CLOEXEC, 3) : unsafe open(path.cString, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw Self.failure(number)
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            close(descriptor)
            throw AudioFileError(.isDirectory, "it is a folder")
        case S_IFREG:
            // Standard input may be at another offset; reads with and without an offset must agree.
            lseek(descriptor, 0, SEEK_SET)
            self.init(descriptor: descriptor, bytes: Int64(status.st_size))
        default: self.init(descriptor: descriptor, bytes: nil)
        }
    }

    /// Takes ownership of the reading end of a pipe.
    convenience init(pipe: CInt) { self.init(descriptor: pipe, bytes: nil) }

    /// Takes ownership of a descriptor.
    ///
    /// - Parameter bytes: The size of a regular file; nil for anything that can only be read forwards.
    init(descriptor: CInt, bytes: Int64?) {
        source = .descriptor(descriptor)
        self.bytes = bytes
    }

    init(stream: any ByteStream) {
        source = .stream(stream)
        bytes = nil
    }

    init(remote: any RandomAccessBytes) {
        source = .remote(remote)
        bytes = remote.byteCount
    }

    deinit { if let descriptor { close(descriptor) } }

    /// The descriptor of a file or pipe; nil for bytes from elsewhere.
    var descriptor: CInt? { if case .descriptor(let descriptor) = source { descriptor } else { nil } }

    // MARK: Pipes

    /// Reads from a pipe until its first `count` bytes are available. Returns fewer only if the pipe ends, and more, up
    /// to `room`, if they are already available.
    func readOn(_ head: inout [UInt8], to count: Int, room: Int = 0) throws(AudioFileError) {
        var filled = head.count
        guard filled < count else { return }
        head += [UInt8](repeating: 0, count: max(count, room) - filled)
        defer { head.removeLast(head.count - filled) }
        while filled < count {
            let got = try readSome(into: &head, from: filled)
            if got == 0 { break }
            filled += got
        }
    }

    /// Reads the bytes available in a pipe, or waits for some; returns 0 at the end.
    func readSome(into block: inout [UInt8], from start: Int) throws(AudioFileError) -> Int {
        try unsafe block.withUnsafeMutableBufferPointer { memory throws(AudioFileError) in
            try unsafe readSome(
                into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: memory[start...])))
        }
    }

    private func readSome(into room: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        switch source {
        case .stream(let stream): return try unsafe stream.read(into: room)
        case .remote: return 0
        case .descriptor(let descriptor):
            while true {
                let got = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
                if got >= 0 { return got }
                switch errno {
                case EINTR: break
                // Another process that shares the pipe has made it non-blocking.
                case EAGAIN: wait(milliseconds: nil)
                default: throw Self.failure(errno)
                }
            }
        }
    }

    /// Waits until a pipe has data or has ended.
    ///
    /// - Parameter milliseconds: The time limit; nil if there is none.
    /// - Returns: False if the time limit passed.
    @discardableResult
    func wait(milliseconds: Int64?) -> Bool {
        switch source {
        case .stream(let stream): return stream.wait(milliseconds: milliseconds)
        case .remote: return true
        case .descriptor(let descriptor):
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return unsafe poll(&request, 1, milliseconds.map { CInt(clamping: max($0, 0)) } ?? -1) != 0
        }
    }

    /// The number of bytes that have arrived in a pipe with a descriptor.
    var arrivedBytes: Int {
        guard let descriptor else { return 0 }
        var count: CInt = 0
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    // MARK: Files

    /// Reads bytes of a file; returns fewer only at its end.
    func read(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try unsafe bytes.withUnsafeMutableBufferPointer { memory throws(AudioFileError) in
            try unsafe fill(UnsafeMutableRawBufferPointer(memory), from: offset)
        }
        bytes.removeLast(count - got)
        return bytes
    }

    /// Fills memory from a file; reads fewer bytes at its end, or if reading fails.
    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) -> Int {
        unsafe readFully(at: offset, into: memory).byteCount
    }

    /// Fills memory from a file; reads fewer bytes only at its end.
    ///
    /// - Throws: `unreadable` if the system or the source fails.
    func fill(
        _ memory: UnsafeMutableRawBufferPointer, from offset: Int64
    ) throws(AudioFileError) -> Int {
        let (got, number) = unsafe readFully(at: offset, into: memory)
        guard number == 0 else { throw failure ?? Self.failure(number) }
        return got
    }

    /// The bytes at an offset; nil if they are not all present.
    func whole(at offset: Int64, count: Int) -> [UInt8]? {
        guard let bytes = try? read(at: offset, count: count), bytes.count == count else { return nil }
        return bytes
    }

    /// A window onto the file up to `end`.
    func window(end: Int64) -> ByteWindow {
        unsafe ByteWindow(end: end) { [self] offset, memory in unsafe readFully(at: offset, into: memory) }
    }

    private func readFully(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) -> (byteCount: Int, errorNumber: CInt) {
        switch source {
        case .descriptor(let descriptor):
            return unsafe CoreAudioTypes.readFully(descriptor, at: offset, into: memory)
        case .stream: return (0, ESPIPE)
        case .remote(let remote):
            do throws(AudioFileError) {
                return (try unsafe remote.read(at: offset, into: memory), 0)
            } catch {
                failure = error
                return (0, EIO)
            }
        }
    }

    static func failure(_ number: CInt) -> AudioFileError {
        let reason = unsafe String(cString: strerror(number)).lowercased()
        return AudioFileError(number == ENOENT || number == ENOTDIR ? .notFound : .unreadable, reason)
    }
}
