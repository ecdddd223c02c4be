// SPDX-License-Identifier: MIT

import Glibc

/// Writes memory in as many calls as necessary, at an offset of a file or at the position of a file or stream.
///
/// - Returns: The number of bytes written, smaller only if the system fails, and the `errno` of the failure, or 0.
func writeFully(
    _ memory: UnsafeRawBufferPointer, to descriptor: CInt, at offset: Int64? = nil
) -> (byteCount: Int, errorNumber: CInt) {
    var done = 0
    while done < memory.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: memory[done...])
        let count =
            if let offset {
                unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
            } else {
                unsafe write(descriptor, rest.baseAddress, rest.count)
            }
        let number = count < 0 ? errno : EIO
        if count > 0 {
            done += count
        } else if number == EAGAIN {
            // Another process that shares the pipe or terminal may have made it non-blocking.
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&wait, 1, -1)
        } else if number != EINTR {
            return (done, number)
        }
    }
    return (done, 0)
}
