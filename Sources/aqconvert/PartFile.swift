import Glibc
import Synchronization
import ToolSupport

/// A file beside another, in which that is written until it is whole: `.NAME.PROCESS.NUMBER.part`.
///
/// A lock is held on it, by which a later run knows that nobody writes it any more: a process that is killed holds none.
final class PartFile: Sendable {
    let path: String
    private let descriptor: CInt
    private let isThere = Atomic(true)

    private static let count = Atomic<Int>(0)
    private static let searchedFolders = Mutex<Set<String>>([])
    /// Of the other's name, which alone may be as long as the file system takes.
    private static let mostNameBytes = 100

    /// Makes it, after those were removed that killed processes have left in the folder.
    ///
    /// - Throws: ``SystemError``.
    init(beside target: String) throws(SystemError) {
        let folder = FilePath.directory(of: target)
        if Self.searchedFolders.withLock({ $0.insert(folder).inserted }) { Self.removeAbandoned(in: folder) }
        let number = Self.count.add(1, ordering: .relaxed).oldValue
        let name = Self.shortened(FilePath.name(of: target))
        path = FilePath.join(folder, ".\(name).\(getpid()).\(number).part")
        // One of the same number, of an earlier process, is nobody's.
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError("create '\(target)'", errno) }
        // Where there are no locks, nobody removes it either.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        discard()
        close(descriptor)
    }

    /// It has its final name, or none.
    func isGone() { isThere.store(false, ordering: .relaxed) }

    func discard() {
        if isThere.exchange(false, ordering: .relaxed) { unsafe _ = unlink(path) }
    }

    /// Removes what processes that exist no more have left in a folder.
    static func removeAbandoned(in folder: String) {
        guard let stream = unsafe opendir(folder.isEmpty ? "." : folder) else { return }
        defer { unsafe closedir(stream) }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe String(cString: UnsafeRawPointer(name).assumingMemoryBound(to: CChar.self))
            }
            if let process = process(ofPartFileNamed: name), kill(process, 0) != 0, errno == ESRCH {
                removeIfUnlocked(FilePath.join(folder, name))
            }
        }
    }

    /// The process whose file has such a name; nil for all other names.
    static func process(ofPartFileNamed name: String) -> pid_t? {
        let parts = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count >= 5, parts[0].isEmpty, parts.last.map(Substring.init) == "part",
            UInt32(Substring(parts[parts.count - 2])) != nil,
            let process = pid_t(Substring(parts[parts.count - 3])), process > 0
        else { return nil }
        return process
    }

    /// A process of another machine, or another container, has a number that means nothing here; its lock does.
    private static func removeIfUnlocked(_ path: String) {
        let descriptor = unsafe open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard FileIdentity(descriptor: descriptor) != nil, flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        unsafe _ = unlink(path)
    }

    /// As much of a name as stands ahead of ours.
    private static func shortened(_ name: String) -> String {
        var end = name.startIndex
        while end < name.endIndex, name[...end].utf8.count <= mostNameBytes { end = name.index(after: end) }
        return String(name[..<end])
    }
}
