// SPDX-License-Identifier: MIT

/// A window onto a file at any offset, with constant memory for files of any length.
@safe package final class ByteWindow {
    /// The offset and the `errno` of a read that failed, where reading ends; nil if none failed.
    package private(set) var failure: (byteOffset: Int64, errorNumber: CInt)?
    /// The offset of the end of the readable bytes.
    package let end: Int64

    /// Fills memory from an offset; returns fewer bytes only at the end or after a failure, with its `errno`.
    package typealias Read =
        (_ offset: Int64, _ memory: UnsafeMutableRawBufferPointer) -> (byteCount: Int, errorNumber: CInt)

    private let read: Read
    private let buffer: UnsafeMutableRawBufferPointer
    private var start: Int64 = 0
    private var filledBytes = 0

    /// - Parameter descriptor: A regular file that is open for reading, and must outlive the window.
    package convenience init(descriptor: CInt, end: Int64) {
        unsafe self.init(end: end) { offset, memory in unsafe readFully(descriptor, at: offset, into: memory)
        }
    }

    package init(end: Int64, read: @escaping Read) {
        unsafe self.read = read
        self.end = end
        unsafe buffer = .allocate(byteCount: Self.capacity, alignment: 16)
    }

    deinit { unsafe buffer.deallocate() }

    /// The largest number of bytes available at once.
    package static let capacity = 65_536

    /// Returns the bytes from `offset` on, valid until the next call.
    ///
    /// - Parameter leastBytes: The required number of bytes, at most ``capacity``. Fewer are returned only at the end
    ///   of the file or after a failure.
    package func bytes(at offset: Int64, leastBytes: Int) -> UnsafeRawBufferPointer {
        if offset < start || offset + Int64(leastBytes) > start + Int64(filledBytes) {
            fill(from: offset, leastBytes: leastBytes)
        }
        guard offset >= start, offset - start <= Int64(filledBytes) else {
            return unsafe UnsafeRawBufferPointer(rebasing: buffer[..<0])
        }
        return unsafe UnsafeRawBufferPointer(rebasing: buffer[Int(offset - start)..<filledBytes])
    }

    private func fill(from offset: Int64, leastBytes: Int) {
        guard failure == nil else { return }
        if offset < start || offset > start + Int64(filledBytes) {
            start = offset
            filledBytes = 0
        }
        while start + Int64(filledBytes) < offset + Int64(min(leastBytes, Self.capacity)) {
            dropBytes(before: offset)
            guard readMore() else { return }
        }
    }

    private func dropBytes(before offset: Int64) {
        guard offset > start, let base = unsafe buffer.baseAddress else { return }
        let dropped = Int(min(offset - start, Int64(filledBytes)))
        unsafe base.copyMemory(from: base + dropped, byteCount: filledBytes - dropped)
        start += Int64(dropped)
        filledBytes -= dropped
    }

    private func readMore() -> Bool {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filledBytes...])
        let position = start + Int64(filledBytes)
        let count = Int(min(Int64(room.count), end - position))
        guard count > 0 else { return false }
        let (got, number) = unsafe read(
            position, UnsafeMutableRawBufferPointer(rebasing: room[..<count]))
        filledBytes += got
        guard number != 0 else { return got > 0 }
        failure = (position + Int64(got), number)
        return false
    }
}
