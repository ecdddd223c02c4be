import Glibc

/// The bytes of a regular file at any place, or of a pipe in their order.
final class CAFByteSource {
    /// Bytes of a file; nil for a pipe.
    var fileBytes: Int64? { file.bytes }

    private let file: OpenFile
    /// Of a pipe: what was read from it before, and how much of it and of the pipe has been passed on.
    private let head: [UInt8]
    private var position: Int64 = 0

    /// - Parameter head: What was read from a pipe already.
    init(file: OpenFile, head: [UInt8]) {
        self.file = file
        self.head = file.bytes == nil ? head : []
    }

    /// Reads bytes; fewer only at the end.
    ///
    /// - Throws: `unreadable` if the system fails, `notSeekable` if a pipe is past the place.
    func read(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int {
        guard file.bytes == nil else {
            return try unsafe fill(memory) { unsafe pread(file.descriptor, $0, $1, off_t(offset) + $2) }
        }
        guard offset >= position else {
            throw AudioFileError(.notSeekable, "byte \(offset) has passed, and it can only be read forwards")
        }
        try skip(to: offset)
        guard position == offset else { return 0 }
        return try unsafe take(into: memory)
    }

    /// Reads bytes as the other method does.
    func bytes(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = unsafe bytes.withUnsafeMutableBytes { memory in
            Result { () throws(AudioFileError) in try unsafe read(at: offset, into: memory) }
        }
        bytes.removeLast(count - (try got.get()))
        return bytes
    }

    /// Passes over bytes of a pipe, up to a place or to its end.
    private func skip(to offset: Int64) throws(AudioFileError) {
        let passed = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 16)
        defer { unsafe passed.deallocate() }
        while position < offset {
            let wanted = Int(min(offset - position, Int64(passed.count)))
            let got = try unsafe take(into: UnsafeMutableRawBufferPointer(rebasing: passed[..<wanted]))
            if got == 0 { return }
        }
    }

    /// Takes the next bytes of a pipe.
    private func take(into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        var fromHead = 0
        if position < head.count {
            fromHead = min(head.count - Int(position), memory.count)
            unsafe memory.copyBytes(from: head[Int(position)...].prefix(fromHead))
            position += Int64(fromHead)
        }
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[fromHead...])
        let got = try unsafe fill(rest) { memory, count, _ in
            unsafe Glibc.read(file.descriptor, memory, count)
        }
        position += Int64(got)
        return fromHead + got
    }

    /// Calls the system until the memory is full or nothing comes any more.
    private func fill(
        _ memory: UnsafeMutableRawBufferPointer,
        _ call: (UnsafeMutableRawPointer, Int, off_t) -> Int
    ) throws(AudioFileError) -> Int {
        guard let start = memory.baseAddress else { return 0 }
        var filled = 0
        while filled < memory.count {
            let got = unsafe call(start + filled, memory.count - filled, off_t(filled))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw OpenFile.failure(errno) }
            if got == 0 { break }
            filled += got
        }
        return filled
    }
}
