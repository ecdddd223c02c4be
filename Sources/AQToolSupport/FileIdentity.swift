// SPDX-License-Identifier: MIT

public import AQFiles
import Glibc

/// The identity of a regular file or of a directory, independent of its names.
public struct FileIdentity: Sendable, Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// The file that a tool reads for `operand`, where "-" is standard input; nil if it does not exist or is
    /// not a regular file.
    public init?(operand: FilePath) {
        // Standard input may be a file.
        if operand == "-" { self.init(descriptor: 0) } else { self.init(path: operand) }
    }

    /// The file at `path`; nil if it does not exist or is not a regular file.
    ///
    /// - Parameter followsLinks: Whether a symbolic link is replaced by its target.
    public init?(path: FilePath, followsLinks: Bool = true) {
        var facts = stat()
        // SAFETY: both calls read a string that outlives them, and fill a local.
        let status = unsafe followsLinks ? stat(path.cString, &facts) : lstat(path.cString, &facts)
        guard status == 0 else { return nil }
        self.init(facts)
    }

    /// The file of an open descriptor; nil if it is not open or not a regular file.
    public init?(descriptor: CInt) {
        var facts = stat()
        // SAFETY: fstat fills a local.
        guard unsafe fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    /// The directory at `path`, with links followed; nil if it does not exist or is not a directory.
    public init?(directory path: FilePath) {
        var facts = stat()
        // SAFETY: stat reads a string that outlives it, and fills a local.
        guard unsafe stat(path.cString, &facts) == 0 else { return nil }
        self.init(facts, type: S_IFDIR)
    }

    private init?(_ facts: stat, type: mode_t = S_IFREG) {
        guard facts.st_mode & S_IFMT == type else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }
}
