// SPDX-License-Identifier: MIT

import Glibc

/// The process's standard output and standard error, written without a buffer.
public enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Reserves the descriptors of standard input, output and error if the process was started without them. Otherwise
    /// the first opened files would get these descriptors, and would be used as the streams. Reading from a reserved
    /// input, and writing to a reserved output, fails.
    static func reserveDescriptors() {
        for descriptor in Int32(0)...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number.
            unsafe _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Whether the stream is a pipe or a socket whose reader has closed it.
    public var isReaderGone: Bool {
        var request = pollfd(fd: rawValue, events: 0, revents: 0)
        return unsafe poll(&request, 1, 0) > 0 && request.revents & Int16(POLLERR | POLLHUP) != 0
    }

    /// Writes all of `text`, in one system call unless the kernel splits it.
    ///
    /// - Returns: 0, or the `errno` of the failure: EPIPE if the reader is gone, ENOSPC if the disk is full.
    @discardableResult
    public func write(_ text: String) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in unsafe Self.write(UnsafeRawBufferPointer(bytes), to: rawValue) }
    }

    /// Writes all bytes to a descriptor, with the result of ``write(_:)``.
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var written = 0
        while written < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
            // SAFETY: `rest` is inside `bytes`, which outlives the call.
            let result = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            if result >= 0 {
                written += result
            } else if errno == EAGAIN {
                // Another process made the shared descriptor non-blocking: waits until the descriptor accepts more
                // bytes.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                unsafe _ = poll(&request, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}

/// The C library's description of an `errno`.
public func systemErrorText(_ code: Int32) -> String {
    // SAFETY: glibc's strerror returns a constant, or a string of the calling thread's own.
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
}
