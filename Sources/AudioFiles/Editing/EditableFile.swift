import CoreAudioTypes
import Glibc

/// A regular file that is changed in place, and can be put back as it was.
///
/// What is written over is kept until the change is complete: one that fails half-way, as on a full disk, is
/// taken back, which needs no room, as the file had those bytes before.
final class EditableFile {
    /// Bytes of the file now.
    private(set) var byteCount: Int64

    /// Called before each change of the file, so that tests can look at what a killed process leaves, or have the
    /// change fail.
    var willChange: (() throws(AudioFileError) -> Void)?

    private let descriptor: CInt
    private var undone: [(offset: Int64, bytes: [UInt8])] = []
    private var undoneByteCount: Int64?

    /// Opens a file that is there.
    ///
    /// - Throws: `unsupported` for what is no regular file, and must not be opened twice; what opening throws.
    init(path: FilePath) throws(AudioFileError) {
        var status = stat()
        // Looked at before it is opened: a FIFO's other end should not be woken.
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

    /// Makes a change, or none: what fails is taken back.
    ///
    /// - Throws: What the change throws.
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

    /// Reads bytes that must all be there.
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

    /// Writes bytes over others, or behind the end.
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

    /// Cuts the file off. What is cut off does not come back: no failure may follow in a change.
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

    /// Writes bytes of a file, perhaps of this one, to a place where they are not.
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
                // A part of them may have made the file longer, and is to be cut off.
                throw OutputFile.failure(put < 0 ? errno : EIO)
            }
            done += put
        }
    }

    /// The change at hand failed, and tells why; what fails here leaves what it had done, in which the sound is
    /// whole as well.
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
