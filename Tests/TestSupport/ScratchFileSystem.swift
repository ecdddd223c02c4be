import Glibc
import Synchronization

/// A small file system of its own, mounted in a temporary folder, to which what happens to disks is done for
/// real: it fills up, stalls, or goes read-only.
///
/// It is taken away with its owner, and with this process in whatever way that ends.
public final class ScratchFileSystem: Sendable {
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Memory: holds as many bytes as it is given.
        case memory
        /// An ext4 image, which goes read-only upon an error.
        case disk
        /// A btrfs image with a quota for all that is in it. Unlike ext4's, its quotas are in every kernel
        /// that has btrfs, and hold for root as well.
        case quota

        /// What it takes besides root's rights.
        var programs: [String] {
            switch self {
            case .memory: ["mount", "umount"]
            case .disk: ["mount", "umount", "mkfs.ext4", "findmnt", "fsfreeze"]
            case .quota: ["mount", "umount", "mkfs.btrfs", "btrfs"]
            }
        }
        /// Images are sparse: this is no space that is taken.
        var imageBytes: Int { self == .quota ? 128 << 20 : 64 << 20 }
    }

    public let kind: Kind
    /// Where it is mounted.
    public let path: String

    private let folder: String
    // Thaws what was left frozen: a process that waits for a frozen disk cannot even be killed.
    private let watchdog = Mutex<ChildProcess?>(nil)

    /// Makes and mounts a file system.
    ///
    /// - Parameter byteCount: How much may be written; nothing but the image's size limits a `disk`.
    /// - Throws: ``HarnessError`` when this machine, or this user, cannot: see ``obstacle(to:)``.
    public init(_ kind: Kind, byteCount: Int = 1 << 20) throws {
        self.kind = kind
        folder = try SystemFile.makeTemporaryFolder(prefix: "test-disk")
        try ProcessGuard.shared.watch(folder: folder)
        path = "\(folder)/\(ProcessGuard.mountName)"
        try SystemFile.makeFolder(path)
        switch kind {
        case .memory: try Self.run("mount", "-t", "tmpfs", "-o", "size=\(byteCount)", "none", path)
        case .disk:
            try makeImage("mkfs.ext4")
            try Self.run("mount", "-o", "loop,errors=remount-ro", image, path)
        case .quota:
            try makeImage("mkfs.btrfs")
            try Self.run("mount", "-o", "loop", image, path)
            try Self.run("btrfs", "quota", "enable", path)
            try Self.run("btrfs", "qgroup", "limit", String(byteCount), path)
        }
    }

    deinit {
        thaw()
        if (try? Self.run("umount", path)) == nil { _ = try? Self.run("umount", "-l", path) }
        // Should it be mounted still, then the guard tries once more at the end.
        guard unsafe rmdir(path) == 0 else { return }
        unsafe _ = unlink(image)
        if unsafe rmdir(folder) == 0 { ProcessGuard.shared.forget(folder: folder) }
    }

    /// The path of a file in it.
    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Lets every write wait, as a disk that does not answer, until ``thaw()``, or for ten seconds.
    ///
    /// - Throws: ``HarnessError`` unless it is a `disk`, whose writes can be held.
    public func freeze() throws {
        let process = try ChildProcess("sh", ["-c", "sleep 10; fsfreeze -u \"$0\"", path])
        watchdog.withLock { $0 = process }
        try Self.run("fsfreeze", "-f", path)
    }

    /// Lets writes go on.
    public func thaw() {
        watchdog.withLock { watchdog in
            guard let process = watchdog.take() else { return }
            // Ends the wait first: whatever became of it, it is not frozen afterwards.
            process.signal(SIGKILL)
            process.wait()
            _ = try? Self.run("fsfreeze", "-u", path)
        }
    }

    /// Provokes an error of a `disk`, upon which it goes read-only while files are open, as a failing disk does.
    ///
    /// - Throws: ``HarnessError`` when the kernel offers no way to.
    public func makeReadOnly() throws {
        let device = try Self.run("findmnt", "-n", "-o", "SOURCE", path).filter { !$0.isWhitespace }
        let name = device.split(separator: "/").last ?? ""
        try SystemFile.write(Array("1".utf8), toPath: "/sys/fs/ext4/\(name)/trigger_fs_error")
    }

    // MARK: Capability

    /// Why such a file system cannot be made here, for tests that need one; nil when it can, which was tried.
    public static func obstacle(to kind: Kind) -> String? { obstacles[kind] }

    private static let obstacles: [Kind: String] = {
        var obstacles: [Kind: String] = [:]
        for kind in Kind.allCases {
            let missing = kind.programs.filter { !ToolPaths.isInPath($0) }
            if !missing.isEmpty {
                obstacles[kind] = "needs \(missing.joined(separator: ", "))"
                continue
            }
            do {
                let trial = try ScratchFileSystem(kind)
                try SystemFile.write([0], toPath: trial.file("trial"))
            } catch { obstacles[kind] = "needs a file system of its own: \(error)" }
        }
        return obstacles
    }()

    private var image: String { "\(folder)/image" }

    private func makeImage(_ maker: String) throws {
        try SystemFile.write([], toPath: image)
        guard unsafe truncate(image, kind.imageBytes) == 0 else {
            throw HarnessError("cannot make \(image): \(SystemFile.lastError)")
        }
        try Self.run(maker, "-q", image)
    }

    @discardableResult
    private static func run(_ program: String, _ arguments: String...) throws -> String {
        let result = try ChildProcess.run(program, arguments, deadlineSeconds: 15)
        guard result.exitStatus == 0 else {
            let command = ([program] + arguments).joined(separator: " ")
            let reason = result.standardError.split(separator: "\n").first ?? "no reason given"
            throw HarnessError("cannot do `\(command)`: status \(result.exitStatus), \(reason)")
        }
        return result.standardOutput
    }
}
