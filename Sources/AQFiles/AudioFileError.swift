// SPDX-License-Identifier: MIT

/// An error of opening, reading or writing a file: the operation that failed, and the reason.
public struct AudioFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The type of failure, for callers that act on it.
    public enum Code: UInt8, Sendable {
        /// No file has this path.
        case notFound
        /// The system refused to open or read the file.
        case unreadable
        /// The path names a directory.
        case isDirectory
        /// The file is empty.
        case empty
        /// The file type is not known.
        case unrecognised
        /// The file type is known, but the header contradicts itself or the file.
        case damaged
        /// The file is valid, but its coding, rate or channel count is not supported; or the file type, or the state of
        /// a writer, does not allow the call.
        case unsupported
        /// The requested position is past the last packet or frame, or before the first.
        case endOfFile
        /// The requested position was already passed, or all data would have to be read twice, and the source cannot go
        /// back.
        case notSeekable
        /// The memory is too small for a single packet.
        case bufferTooSmall
        /// The path exists, and the file must not be replaced.
        case exists
        /// The disk is full (ENOSPC).
        case diskFull
        /// The user's disk quota is used up (EDQUOT).
        case quotaExceeded
        /// The file exceeds the process's or the file system's size limit (EFBIG).
        case fileTooLarge
        /// The file system is read-only, perhaps after a fault (EROFS).
        case readOnly
        /// The container's fields cannot hold a larger count.
        case containerFull
        /// The file cannot be created or written for another reason.
        case unwritable
    }

    /// The type of failure.
    public var code: Code
    /// The reason in lower case, without full stop: the attempt, its object, the cause.
    public var message: String
    /// The text of ``message``.
    public var description: String { message }

    /// Makes an error from a code and a message in the style of ``message``.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
