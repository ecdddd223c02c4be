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
        try unsafe file.fill(memory, from: offset)
    }

    /// Reads bytes as the other method does.
    func bytes(at offset: Int64, count: Int) throws(AudioFileError) -> [UInt8] {
        try file.read(at: offset, count: count)
    }
}
