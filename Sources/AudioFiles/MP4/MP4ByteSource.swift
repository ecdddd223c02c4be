/// The bytes of a regular file.
struct MP4ByteSource {
    /// The size of the file when it was opened.
    var fileBytes: Int64 { file.bytes ?? 0 }

    private let file: OpenFile

    init(file: OpenFile) { self.file = file }

    /// Reads bytes into memory; fewer than fit only at the end.
    ///
    /// - Throws: `unreadable` if the system fails.
    func read(at offset: Int64, into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int {
        try unsafe file.fill(memory, from: offset)
    }

    /// Reads bytes; fewer only at the end. Memory grows with the bytes present, not with the requested count.
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
}
