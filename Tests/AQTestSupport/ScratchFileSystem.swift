// SPDX-License-Identifier: MIT

import Glibc
import Synchronization

/// A small mounted file system in a temporary folder, with real faults: it becomes full, stalls, or becomes read-only.
///
/// It is removed with its owner, and with this process in any case.
public final class ScratchFileSystem: Sendable {
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// Memory with a limited size.
        case memory
        /// An ext4 image, which becomes read-only after an error.
        case disk
        /// A btrfs image with a quota for all its contents. Unlike ext4's, its quotas are in every kernel with btrfs,
        /// and apply to root as well.
        case quota

        /// The requirements besides root.
        var programs: [String] {
            switch self {
            case .memory: ["mount", "umount"]
            case .disk: ["mount", "umount", "mkfs.ext4", "findmnt", "fsfreeze"]
            case .quota: ["mount", "umount", "mkfs.btrfs", "btrfs"]
            }
        }
        /// Images are sparse, and use no space.
        var imageBytes: Int { self == .quota ? 128 << 20 : 64 << 20 }
    }

    public let kind: Kind
    /// The mount point.
    public let path: String

    private let folder: String
    // Thaws a frozen disk: a process that waits for one cannot even be killed.
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
        // If it is still mounted, the guard tries again at the end.
        guard unsafe rmdir(path) == 0 else { return }
        unsafe _ = unlink(image)
        if unsafe rmdir(folder) == 0 { ProcessGuard.shared.forget(folder: folder) }
    }

    public func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Blocks every write until ``thaw()``, or for ten seconds.
    ///
    /// - Throws: ``HarnessError`` unless it is a `disk`, whose writes can be blocked.
    public func freeze() throws {
        let process = try ChildProcess("sh", ["-c", "sleep 10; fsfreeze -u \"$0\"", path])
        watchdog.withLock { $0 = process }
        try Self.run("fsfreeze", "-f", path)
    }

    /// Resumes writes.
    public func thaw() {
        watchdog.withLock { watchdog in
            guard let process = watchdog.take() else { return }
            // Ends the wait first: it is not frozen afterwards in any case.
            process.signal(SIGKILL)
            process.wait()
            _ = try? Self.run("fsfreeze", "-u", path)
        }
    }

    /// Causes an error of a `disk`, after which it becomes read-only while files are open, like a failing disk.
    ///
    /// - Throws: ``HarnessError`` if the kernel cannot do so.
    public func makeReadOnly() throws {
        let device = try Self.run("findmnt", "-n", "-o", "SOURCE", path).filter { !$0.isWhitespace }
        let name = device.split(separator: "/").last ?? ""
        try SystemFile.write(Array("1".utf8), toPath: "/sys/fs/ext4/\(name)/trigger_fs_error")
    }

    // MARK: Capability

    /// The reason why such a file system cannot be made here; nil if it can, which was tried.
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
