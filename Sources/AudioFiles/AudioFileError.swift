/// Why a file cannot be opened, read or written, and what was being done.
public struct AudioFileError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure, for callers that act on it.
    public enum Code: UInt8, Sendable {
        /// No file has this path.
        case notFound
        /// The system refuses to open or read the file.
        case unreadable
        /// The path names a directory.
        case isDirectory
        /// The file has no bytes at all.
        case empty
        /// The bytes are of no kind that is known here.
        case unrecognised
        /// The kind is known, but the header contradicts itself or the file.
        case damaged
        /// The file is sound, but its coding, rate or channel count is not played here.
        case unsupported
        /// The place asked for is past the last packet or frame.
        case endOfFile
        /// The place asked for is behind what was read, and the source only goes forwards.
        case notSeekable
        /// The memory given does not hold a single packet.
        case bufferTooSmall
        /// A file has the path already, and it is not to be replaced.
        case exists
        /// No space is left where the file is written (ENOSPC).
        case diskFull
        /// The user's share of the disk is used up (EDQUOT).
        case quotaExceeded
        /// The file may not grow further: the process's limit or the file system's (EFBIG).
        case fileTooLarge
        /// The file system takes no writing, perhaps since a fault (EROFS).
        case readOnly
        /// The container's own fields cannot count more.
        case containerFull
        /// The system refuses to create or write the file for another reason.
        case unwritable
    }

    /// What kind of failure.
    public var code: Code
    /// Lower case, without full stop: what was attempted, on what, why.
    public var message: String
    /// The message.
    public var description: String { message }

    /// Makes an error of a kind and a message in the manner of ``message``.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
