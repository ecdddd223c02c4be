import Glibc

/// Fills memory from a regular file, in as many reads as that takes.
///
/// - Returns: The bytes read, fewer only where the file ends or the system fails, and the `errno` of the failure, or 0.
package func readFully(
    _ descriptor: CInt, at offset: Int64, into memory: UnsafeMutableRawBufferPointer
) -> (byteCount: Int, errorNumber: CInt) {
    var filled = 0
    while filled < memory.count {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: memory[filled...])
        let got = unsafe pread(descriptor, room.baseAddress, room.count, off_t(offset) + off_t(filled))
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { return (filled, errno) }
        if got == 0 { break }
        filled += got
    }
    return (filled, 0)
}
