// SPDX-License-Identifier: MIT

/// Bytes that arrive in order from elsewhere than a file or a pipe, such as from a server.
///
/// Used by one thread at a time.
public protocol ByteStream: AnyObject {
    /// Takes the available bytes, or waits for some; returns 0 at the end.
    ///
    /// - Throws: `unreadable` if no more bytes can arrive.
    func read(into memory: UnsafeMutableRawBufferPointer) throws(AudioFileError) -> Int

    /// Waits until ``read(into:)`` would return at once.
    ///
    /// - Parameter milliseconds: The time limit; nil if there is none.
    /// - Returns: False if the time limit passed.
    func wait(milliseconds: Int64?) -> Bool
}
