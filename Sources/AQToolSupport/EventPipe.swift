// SPDX-License-Identifier: MIT

import Glibc

/// A pipe that carries single bytes to a thread that waits in `poll`, from any thread or signal handler.
public final class EventPipe: Sendable {
    /// The descriptor that is readable while bytes wait.
    public let readDescriptor: Int32
    let writeDescriptor: Int32

    /// Makes the pipe. Both ends are non-blocking, and are closed in child programs.
    ///
    /// - Throws: ``SystemError`` if the process has no descriptor left.
    public init() throws(SystemError) {
        var descriptors: (Int32, Int32) = (-1, -1)
        // SAFETY: pipe writes two descriptors, for which the pair has room.
        let result = unsafe withUnsafeMutableBytes(of: &descriptors) { bytes in
            unsafe pipe(bytes.bindMemory(to: Int32.self).baseAddress)
        }
        guard result == 0 else { throw SystemError("make a pipe", errno) }
        (readDescriptor, writeDescriptor) = descriptors
        for descriptor in [readDescriptor, writeDescriptor] {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }
    }

    deinit {
        close(readDescriptor)
        close(writeDescriptor)
    }

    /// Adds a byte. If the pipe is full, the byte is dropped, because 64 KiB already wake the reader.
    public func post(_ byte: UInt8) {
        var byte = byte
        // SAFETY: one byte is read from a local.
        unsafe _ = write(writeDescriptor, &byte, 1)
    }

    /// The next byte; nil if none waits.
    public func next() -> UInt8? {
        var byte: UInt8 = 0
        // SAFETY: one byte is written to a local.
        return unsafe read(readDescriptor, &byte, 1) == 1 ? byte : nil
    }
}
