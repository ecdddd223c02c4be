// SPDX-License-Identifier: MIT

import CoreAudioTypes
import Glibc

/// A regular file that is changed in place, and can be restored.
///
/// Overwritten bytes are kept until the change is complete. If a change fails, as on a full disk, they are restored.
/// This needs no space, because the file contained those bytes before.
final class EditableFile {
    private(set) var byteCount: Int64

    /// A closure called before each write to the file, so that tests can inspect the state after each step, or make the
    /// step fail.
    var willChange: (() throws(AudioFileError) -> Void)?

    private let file: OpenFile
    /// The descriptor that `file` owns.
    private let descriptor: CInt
    private var undone: [(offset: Int64, bytes: [UInt8])] = []
    private var undoneByteCount: Int64?

    /// Opens an existing file.
    ///
    /// - Throws: `unsupported` for anything that is not a regular file; the errors of opening.
    init(path: FilePath) throws(AudioFileError) {
        var status = stat()
        // Checked before opening, so that the other end of a FIFO is not connected.
        guard unsafe stat(path.cString, &status) == 0 else { throw OutputFile.failure(errno) }
        try Self.checkIsRegular(status)
        descriptor = unsafe open(path.cString, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw OutputFile.failure(errno) }
        file = OpenFile(descriptor: descriptor, bytes: nil)
        guard unsafe fstat(descriptor, &status) == 0 else { throw OutputFile.failure(errno) }
        byteCount = Int64(status.st_size)
        try Self.checkIsRegular(status)
    }

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
    /// - Throws: `damaged` if the file ends before the last byte, `unreadable` if the system fails.
    func read(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
        let bytes = try file.read(at: offset, count: count)
        guard bytes.count == count else { throw AudioFileError(.damaged, "it ends inside a chunk") }
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

    /// Copies bytes of a file, possibly of this file, to a range that does not overlap them.
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

    /// Writes bytes at an offset. After a failure, some of them may have extended the file, and must be truncated.
    private func put(_ bytes: [UInt8], at offset: Int64) throws(AudioFileError) {
        let number = unsafe bytes.withUnsafeBytes {
            unsafe writeFully($0, to: descriptor, at: offset).errorNumber
        }
        guard number == 0 else { throw OutputFile.failure(number) }
    }

    /// Undoes the current change after a failure, which the caller reports. If undoing fails too, some of the change
    /// remains, but the audio is intact.
    private func takeBack() {
        for (offset, bytes) in undone.reversed() { try? put(bytes, at: offset) }
        if let undoneByteCount { try? cut(to: undoneByteCount) }
    }

    private static func checkIsRegular(_ status: stat) throws(AudioFileError) {
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw AudioFileError(.unsupported, "it is not a regular file, so parts of it cannot be changed")
        }
    }

    private static let blockBytes = 1 << 20
}
