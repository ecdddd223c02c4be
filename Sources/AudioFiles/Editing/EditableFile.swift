import CoreAudioTypes
import Glibc

/// A regular file that is changed in place, and can be restored.
///
/// Overwritten bytes are kept until the change is complete. If a change fails half-way, as on a full disk, it is
/// undone, which needs no space, because the file had those bytes before.
final class EditableFile {
    /// The current size of the file.
    private(set) var byteCount: Int64

    /// Called before each change of the file, so that tests can inspect what a killed process leaves, or make the
    /// change fail.
    var willChange: (() throws(AudioFileError) -> Void)?

    private let descriptor: CInt
    private var undone: [(offset: Int64, bytes: [UInt8])] = []
    private var undoneByteCount: Int64?

    /// Opens an existing file.
    ///
    /// - Throws: `unsupported` for anything that is not a regular file; the errors of opening.
    init(path: FilePath) throws(AudioFileError) {
        var status = stat()
        // Checked before opening, so that the other end of a FIFO is not woken.
        guard unsafe stat(path.cString, &status) == 0 else { throw OutputFile.failure(errno) }
        try Self.checkIsRegular(status)
        descriptor = unsafe open(path.cString, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw OutputFile.failure(errno) }
        guard unsafe fstat(descriptor, &status) == 0 else {
            let number = errno
            close(descriptor)
            throw OutputFile.failure(number)
        }
        byteCount = Int64(status.st_size)
        do throws(AudioFileError) {
            try Self.checkIsRegular(status)
        } catch {
            close(descriptor)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Makes a change completely or not at all: a failure undoes it.
    ///
    /// - Throws: The errors of `body`.
    func change(_ body: () throws(AudioFileError) -> Void) throws(AudioFileError) {
        undone = []
        undoneByteCount = byteCount
        defer {
            undone = []
            undoneByteCount = nil
        }
        do throws(AudioFileError) {
            try body()
        } catch {
            takeBack()
            throw error
        }
    }

    /// Reads bytes that must all be present.
    ///
    /// - Throws: `damaged` if the file ends before, `unreadable` if the system fails.
    func read(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let (got, number) = unsafe bytes.withUnsafeMutableBytes {
            unsafe readFully(descriptor, at: offset, into: $0)
        }
        guard number == 0 else { throw OpenFile.failure(number) }
        guard got == count else { throw AudioFileError(.damaged, "it ends inside a chunk") }
        return bytes
    }

    /// Overwrites bytes, or writes at the end.
    ///
    /// - Throws: Any of the codes for writing.
    func write(_ bytes: [UInt8], at offset: Int64) throws(AudioFileError) {
        guard !bytes.isEmpty else { return }
        if undoneByteCount != nil, offset < byteCount {
            let count = Int(min(Int64(bytes.count), byteCount - offset))
            undone.append((offset, try read(at: offset, count: count)))
        }
        try willChange?()
        try put(bytes, at: offset)
        byteCount = max(byteCount, offset + Int64(bytes.count))
    }

    /// Truncates the file. This cannot be undone, so it must be the last step that can fail in a change.
    func truncate(to bytes: Int64) throws(AudioFileError) {
        try willChange?()
        try cut(to: bytes)
    }

    private func cut(to bytes: Int64) throws(AudioFileError) {
        while ftruncate(descriptor, off_t(bytes)) != 0 {
            guard errno == EINTR else { throw OutputFile.failure(errno) }
        }
        byteCount = bytes
    }

    /// Copies bytes of a file, possibly of this one, to a range that does not overlap them.
    func copy(
        _ range: Range<Int64>, of source: EditableFile, to offset: Int64
    ) throws(AudioFileError) {
        var done: Int64 = 0
        while done < Int64(range.count) {
            let count = Int(min(Int64(range.count) - done, Int64(Self.blockBytes)))
            try write(source.read(at: range.lowerBound + done, count: count), at: offset + done)
            done += Int64(count)
        }
    }

    private func put(_ bytes: [UInt8], at offset: Int64) throws(AudioFileError) {
        var done = 0
        while done < bytes.count {
            let put = unsafe bytes.withUnsafeBytes { memory in
                let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[done...])
                return unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            }
            if put < 0, errno == EINTR { continue }
            guard put > 0 else {
                // Some of them may have extended the file, which must be truncated.
                throw OutputFile.failure(put < 0 ? errno : EIO)
            }
            done += put
        }
    }

    /// Undoes the current change, which has failed and reports the reason. If undoing fails too, some of the change
    /// remains, but the audio is intact.
    private func takeBack() {
        for (offset, bytes) in undone.reversed() { try? put(bytes, at: offset) }
        if let undoneByteCount { try? cut(to: undoneByteCount) }
    }

    private static func checkIsRegular(_ status: stat) throws(AudioFileError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AudioFileError(.unsupported, "it is no regular file, whose parts could be changed")
        }
    }

    private static let blockBytes = 1 << 20
}
