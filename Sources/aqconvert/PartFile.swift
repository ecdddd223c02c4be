import AudioFiles
import Glibc
import Synchronization
import ToolSupport

/// A file beside another, which is written until that is complete: `.NAME.PROCESS.NUMBER.part`.
///
/// A lock on it shows a later run that it is in use: a killed process holds none.
final class PartFile: Sendable {
    let path: FilePath
    private let descriptor: CInt
    private let isThere = Atomic(true)

    private static let count = Atomic<Int>(0)
    private static let searchedFolders = Mutex<Set<FilePath>>([])
    /// The length of the other name's part, which alone may be as long as the file system allows.
    private static let mostNameBytes = 100

    /// Makes it, after removing those that killed processes have left in the folder.
    ///
    /// - Throws: ``SystemError``.
    init(beside target: FilePath) throws(SystemError) {
        let folder = target.directory
        if Self.searchedFolders.withLock({ $0.insert(folder).inserted }) { Self.removeAbandoned(in: folder) }
        let number = Self.count.add(1, ordering: .relaxed).oldValue
        let name = Self.shortened(target.name)
        path = folder.joined("." + name + FilePath(".\(getpid()).\(number).part"))
        // One of the same number, of an earlier process, is abandoned.
        descriptor = unsafe open(path.cString, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError("create '\(target)'", errno) }
        // Without locks, no process removes it either.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit {
        discard()
        close(descriptor)
    }

    /// Marks it as renamed or removed.
    func isGone() { isThere.store(false, ordering: .relaxed) }

    func discard() {
        if isThere.exchange(false, ordering: .relaxed) { unsafe _ = unlink(path.cString) }
    }

    /// Removes the files that ended processes have left in a folder.
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

    /// The process whose file has such a name; nil for all other names.
    static func process(ofPartFileNamed name: FilePath) -> pid_t? {
        let parts = name.bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map { FilePath(bytes: $0).description }
        guard parts.count >= 5, parts[0].isEmpty, parts.last == "part", UInt32(parts[parts.count - 2]) != nil,
            let process = pid_t(parts[parts.count - 3]), process > 0
        else { return nil }
        return process
    }

    /// A process number of another machine, or another container, has no meaning here; a lock does.
    private static func removeIfUnlocked(_ path: FilePath) {
        let descriptor = unsafe open(path.cString, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard FileIdentity(descriptor: descriptor) != nil, flock(descriptor, LOCK_EX | LOCK_NB) == 0
        else { return }
        unsafe _ = unlink(path.cString)
    }

    /// The part of a name that precedes ours.
    private static func shortened(_ name: FilePath) -> FilePath {
        var end = min(name.bytes.count, mostNameBytes)
        // Not within a character: some file systems accept only UTF-8.
        while 1..<name.bytes.count ~= end, name.bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return FilePath(bytes: name.bytes[..<end])
    }
}
