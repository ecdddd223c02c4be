import Glibc

/// The bytes of a file by their places; of a pipe, in ascending order only.
final class MP4ByteSource {
    /// Bytes of a regular file; nil for a pipe.
    let fileBytes: Int64?

    private let file: OpenFile
    /// What was read from a pipe before, and how far it has been given out.
    private var head: [UInt8]
    private var position: Int64 = 0

    init(file: OpenFile, head: [UInt8]) {
        self.file = file
        self.head = file.bytes == nil ? head : []
        fileBytes = file.bytes
    }

    /// Reads bytes into memory; fewer than fit only at the end.
    ///
    /// - Throws: `notSeekable` if a pipe has passed the place, `unreadable` if the system fails.
    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        guard fileBytes == nil else { return try unsafe readFile(at: offset, into: memory) }
        guard offset >= position else {
            throw AudioFileError(
                .notSeekable, "byte \(offset) of it has passed, and it can only be read forwards")
        }
        while position < offset {
            var skipped = [UInt8](repeating: 0, count: Int(min(offset - position, 65_536)))
            let got = try unsafe skipped.withUnsafeMutableBufferPointer { memory throws(AudioFileError) in
                try unsafe readPipe(into: UnsafeMutableRawBufferPointer(memory))
            }
            guard got > 0 else { return 0 }
        }
        return try unsafe readPipe(into: memory)
    }

    /// Reads bytes; fewer only at the end. Memory grows with what is there, not with what is asked for.
    func bytes(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let start = bytes.count
            let wanted = min(count - start, max(start, 4096))
            bytes.append(contentsOf: repeatElement(0, count: wanted))
            let got = try unsafe bytes.withUnsafeMutableBufferPointer { memory throws(AudioFileError) in
                let room = unsafe UnsafeMutableBufferPointer(rebasing: memory[start...])
                return try unsafe read(at: offset + Int64(start), into: UnsafeMutableRawBufferPointer(room))
            }
            if got < wanted {
                bytes.removeLast(wanted - got)
                break
            }
        }
        return bytes
    }

    private func readFile(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int {
        var filled = 0
        while filled < memory.count {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            let got = unsafe pread(
                file.descriptor, room.baseAddress, room.count, off_t(offset) + off_t(filled))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw OpenFile.failure(errno) }
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    private func readPipe(into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        var filled = 0
        if position < Int64(head.count) {
            filled = min(head.count - Int(position), memory.count)
            unsafe memory.copyBytes(from: head[Int(position)..<Int(position) + filled])
        }
        while filled < memory.count {
            let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
            let got = unsafe Glibc.read(file.descriptor, room.baseAddress, room.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw OpenFile.failure(errno) }
            if got == 0 { break }
            filled += got
        }
        position += Int64(filled)
        return filled
    }
}
