// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import Synchronization
import AQToolSupport

/// A temporary file beside an output, used until the output is complete: `.NAME.PROCESS.NUMBER.part`.
///
/// A lock on the file protects it from other runs, which remove abandoned files. A killed process holds no lock.
final class PartFile: Sendable {
    let path: FilePath
    private let descriptor: CInt
    private let isThere = Atomic(true)

    private static let count = Atomic<Int>(0)
    private static let searchedFolders = Mutex<Set<FilePath>>([])
    /// The largest length of NAME, because the output's name alone may be as long as the file system permits.
    private static let mostNameBytes = 100

    /// Creates the file, after removing abandoned ones from the folder.
    ///
    /// - Throws: ``SystemError``.
    init(beside target: FilePath) throws(SystemError) {
        let folder = target.directory
        if Self.searchedFolders.withLock({ $0.insert(folder).inserted }) { Self.removeAbandoned(in: folder) }
        let number = Self.count.add(1, ordering: .relaxed).oldValue
        let name = Self.shortened(target.name)
        path = folder.joined("." + name + FilePath(".\(getpid()).\(number).part"))
        // An existing file of this name was left by an earlier process with the same number, and is replaced.
        descriptor = unsafe open(path.cString, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError("create '\(target)'", errno) }
        // If the file system does not support locks, no process removes the file either.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        discard()
        close(descriptor)
    }

    /// Records that the file was renamed or removed.
    func isGone() { isThere.store(false, ordering: .relaxed) }

    func discard() {
        if isThere.exchange(false, ordering: .relaxed) { unsafe _ = unlink(path.cString) }
    }

    /// Removes the temporary files of ended processes from a folder.
    static func removeAbandoned(in folder: FilePath) {
        guard let stream = unsafe opendir((folder == "" ? "." : folder).cString) else { return }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe FilePath(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if let process = process(ofPartFileNamed: name), kill(process, 0) != 0, errno == ESRCH {
                removeIfUnlocked(folder.joined(name))
            }
        }
    }

    /// Returns the number of the process that created a temporary file; nil for other names.
    static func process(ofPartFileNamed name: FilePath) -> pid_t? {
        let parts = name.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { FilePath(bytes: $0).description }
        guard parts.count >= 5, parts[0].isEmpty, parts.last == "part", UInt32(parts[parts.count - 2]) != nil,
            let process = pid_t(parts[parts.count - 3]), process > 0
        else { return nil }
        return process
    }

    /// Removes a file that is not locked. The lock decides, because a process number from another machine or container
    /// has no meaning here.
    private static func removeIfUnlocked(_ path: FilePath) {
        let descriptor = unsafe open(path.cString, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard FileIdentity(descriptor: descriptor) != nil, flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        unsafe _ = unlink(path.cString)
    }

    /// Returns the part of a name that the temporary name begins with.
    private static func shortened(_ name: FilePath) -> FilePath {
        var end = min(name.bytes.count, mostNameBytes)
        // Never cut within a character, because some file systems accept only UTF-8.
        while 1..<name.bytes.count ~= end, name.bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return FilePath(bytes: name.bytes[..<end])
    }
}
