// SPDX-License-Identifier: MIT

import Glibc

/// Fills memory from a regular file, with as many reads as required.
///
/// - Returns: The number of bytes read, and the `errno` of a failure, or 0. The number is smaller only at the end of
///   the file or after a failure.
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
