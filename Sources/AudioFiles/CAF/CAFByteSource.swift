import Glibc

/// The bytes of a regular file.
struct CAFByteSource {
    /// Bytes of the file when it was opened.
    var fileBytes: Int64 { file.bytes ?? 0 }

    private let file: OpenFile

    init(file: OpenFile) { self.file = file }

    /// Reads bytes; fewer only at the end.
    ///
    /// - Throws: `unreadable` if the system fails.
    func read(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int {
        guard let start = memory.baseAddress else { return 0 }
        var filled = 0
        while filled < memory.count {
            let got = unsafe pread(
                file.descriptor, start + filled, memory.count - filled, off_t(offset) + off_t(filled))
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw OpenFile.failure(errno) }
            if got == 0 { break }
            filled += got
        }
        return filled
    }

    /// Reads bytes as the other method does.
    func bytes(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
        try file.read(at: offset, count: count)
    }
}
