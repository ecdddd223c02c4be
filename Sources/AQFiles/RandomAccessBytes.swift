// SPDX-License-Identifier: MIT

/// The bytes of a file that is elsewhere, such as on a server, at any offset.
///
/// Used by one thread at a time.
public protocol RandomAccessBytes: AnyObject {
    /// The size of the file.
    var byteCount: Int64 { get }

    /// Fills the memory from an offset on, and waits for the bytes; returns fewer only at the end of the file.
    ///
    /// - Throws: `unreadable` if bytes cannot be had, now or later.
    func read(
        at offset: Int64, into memory: UnsafeMutableRawBufferPointer
    ) throws(AudioFileError) -> Int
}
