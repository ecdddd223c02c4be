public import AudioFiles
import Glibc

/// Which regular file it is, whatever its names.
public struct FileIdentity: Sendable, Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// What a tool reads by the name `operand`, of which "-" is standard input; nil if that is nothing, or no regular
    /// file.
    public init?(operand: FilePath) {
        // Standard input may be a file.
        if operand == "-" { self.init(descriptor: 0) } else { self.init(path: operand) }
    }

    /// What is at `path`; nil if that is nothing, or no regular file.
    ///
    /// - Parameter followsLinks: Whether a symbolic link stands for what it leads to.
    public init?(path: FilePath, followsLinks: Bool = true) {
        var facts = stat()
        // SAFETY: both calls read a string that outlives them, and fill a local.
        let status = unsafe followsLinks ? stat(path.cString, &facts) : lstat(path.cString, &facts)
        guard status == 0 else { return nil }
        self.init(facts)
    }

    /// What is open; nil if that is nothing, or no regular file.
    public init?(descriptor: CInt) {
        var facts = stat()
        // SAFETY: fstat fills a local.
        guard unsafe fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init?(_ facts: stat) {
        guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }
}

/// Which directory it is, whatever its names.
public struct DirectoryIdentity: Sendable, Equatable {
    private let device: dev_t
    private let inode: ino_t

    /// What is at `path`, links followed; nil if that is nothing, or no directory.
    public init?(path: FilePath) {
        var facts = stat()
        // SAFETY: stat reads a string that outlives it, and fills a local.
        guard unsafe stat(path.cString, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else { return nil }
        (device, inode) = (facts.st_dev, facts.st_ino)
    }
}
