import AudioFiles
import CAudioToolbox
import Glibc

/// The bytes of a regular file, to be read at any place.
///
/// Chunks and the stored bytes of packets are read through it, as the engine has them by place only.
final class FileBytes {
    private let descriptor: CInt

    /// Opens a file beside the one that the engine has open.
    ///
    /// - Returns: Nil for what is no regular file: to open a pipe once more would take its bytes away.
    static func open(path: FilePath) -> FileBytes? {
        var status = stat()
        guard unsafe stat(path.cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let descriptor = unsafe Glibc.open(path.cString, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        return descriptor < 0 ? nil : FileBytes(descriptor: descriptor)
    }

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// Bytes of the file now.
    var byteCount: Int64 {
        var status = stat()
        return unsafe fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Reads bytes; fewer only where the file ends.
    ///
    /// - Throws: `kAudioFilePositionError` for a place before the first byte, `kAudioFileUnspecifiedError` if the
    ///   system fails.
    func read(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(StatusError) -> Int {
        let (end, overflow) = offset.addingReportingOverflow(Int64(memory.count))
        guard offset >= 0, !overflow, end >= 0 else { throw StatusError(kAudioFilePositionError) }
        var filled = 0
        while filled < memory.count {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            let got = unsafe pread(descriptor, room.baseAddress, room.count, off_t(offset) + off_t(filled))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw StatusError(kAudioFileUnspecifiedError) }
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// Reads bytes that must all be there; nil if they are not.
    func bytes(at offset: Int64, count: Int) throws(StatusError) -> [UInt8]? {
        guard count >= 0, offset >= 0, Int64(count) <= byteCount - offset else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let got = try unsafe bytes.withUnsafeMutableBufferPointer { memory throws(StatusError) in
            try unsafe read(at: offset, into: UnsafeMutableRawBufferPointer(memory))
        }
        return got == count ? bytes : nil
    }
}
