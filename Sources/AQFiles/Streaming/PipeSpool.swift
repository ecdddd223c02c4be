// SPDX-License-Identifier: MIT

import Glibc

/// All bytes read from a pipe, stored so that they can be read again as a file.
///
/// The first bytes are kept in memory, enough for usual headers. The rest is written to a file without a name, which
/// the system deletes with its descriptor, however the process ends.
final class PipeSpool {
    /// The first bytes of the pipe.
    private(set) var head: [UInt8]

    /// Whether no bytes after ``head`` were read.
    var isHeadOnly: Bool { storage == nil && failure == nil }

    private var storage: (descriptor: CInt, folder: FilePath)?
    private var bytes: Int64
    private var uncheckedBytes = 0
    /// The reason why some bytes are not stored; nil if all are.
    private var failure: AudioFileError?

    /// - Parameter head: The bytes already read.
    init(head: [UInt8]) {
        self.head = head
        bytes = Int64(head.count)
    }

    deinit { if let storage { close(storage.descriptor) } }

    /// Stores the next bytes. A failure is reported only by ``makeFile(from:onWait:)``.
    func append(_ new: ArraySlice<UInt8>) {
        guard failure == nil else { return }
        bytes += Int64(new.count)
        do throws(AudioFileError) {
            if storage == nil {
                guard head.count + new.count > Self.mostHeadBytes else {
                    head += new
                    return
                }
                try open()
            }
            try write(new)
        } catch { failure = error }
    }

    /// Reads the rest of the pipe, and returns all its bytes as a file.
    ///
    /// - Parameter onWait: Called a few times per second with the number of bytes so far.
    /// - Throws: `diskFull` and similar codes if the bytes cannot be stored, `unreadable` if the system fails to read.
    func makeFile(
        from pipe: OpenFile, onWait: ((_ bytes: Int64) -> Void)?
    ) throws(AudioFileError) -> OpenFile {
        var block = [UInt8](repeating: 0, count: Self.blockBytes)
        var announcement = Self.milliseconds() + Self.announcingMilliseconds
        while true {
            if let failure { throw failure }
            if let onWait {
                // The caller is also informed while the pipe delivers nothing.
                pipe.wait(milliseconds: announcement - Self.milliseconds())
                if Self.milliseconds() >= announcement {
                    onWait(bytes)
                    announcement += Self.announcingMilliseconds
                    continue
                }
            }
            let got = try pipe.readSome(into: &block)
            if got == 0 { break }
            append(block[..<got])
        }
        if storage == nil { try open() }
        guard let kept = storage else { throw AudioFileError(.unwritable, "no temporary file was written") }
        storage = nil
        // Reads with and without an offset must agree.
        lseek(kept.descriptor, 0, SEEK_SET)
        return OpenFile(descriptor: kept.descriptor, bytes: bytes)
    }

    /// Opens the file, and writes the head to it.
    private func open() throws(AudioFileError) {
        var reason = ""
        for folder in Self.folders() {
            let descriptor = Self.openUnnamed(in: folder)
            guard descriptor < 0 else {
                storage = (descriptor, folder)
                try write(head[...])
                return
            }
            reason = unsafe String(cString: strerror(errno)).lowercased()
        }
        throw AudioFileError(
            .unwritable, "no folder can hold a temporary file for it (set TMPDIR to one that can): \(reason)")
    }

    /// The directories for temporary files, the user's setting first.
    private static func folders() -> [FilePath] {
        let chosen = unsafe getenv("TMPDIR").map { unsafe FilePath(cString: $0) } ?? ""
        return (chosen.bytes.isEmpty ? [] : [chosen]) + ["/tmp", "/var/tmp"]
    }

    private static func openUnnamed(in folder: FilePath) -> CInt {
        let descriptor = unsafe Glibc.open(folder.cString, O_RDWR | O_CLOEXEC | O_DIRECTORY | unnamed, 0o600)
        // Not all file systems support files without names.
        guard descriptor < 0, errno != ENOENT, errno != EACCES else { return descriptor }
        var template = FilePath(bytes: folder.bytes + "/audio-XXXXXX".utf8).cString
        let named = unsafe mkstemp(&template)
        guard named >= 0 else { return named }
        unsafe unlink(template)
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        return named
    }

    private func write(_ new: ArraySlice<UInt8>) throws(AudioFileError) {
        guard let storage else { return }
        try checkRoom(for: new.count, storage)
        let number = unsafe new.withUnsafeBytes {
            unsafe writeFully($0, to: storage.descriptor).errorNumber
        }
        guard number == 0 else { throw full(storage.folder, number) }
    }

    /// Checks the free space: a pipe may be endless, and other programs write to the directory, which may be in memory.
    private func checkRoom(
        for newBytes: Int, _ storage: (descriptor: CInt, folder: FilePath)
    ) throws(AudioFileError) {
        uncheckedBytes += newBytes
        guard uncheckedBytes >= Self.checkedBytes else { return }
        uncheckedBytes = 0
        var status = statvfs()
        guard unsafe fstatvfs(storage.descriptor, &status) == 0 else { return }
        let reserve = min(UInt(status.f_blocks) / 16, Self.reservedBytes / max(UInt(status.f_frsize), 1))
        guard UInt(status.f_bavail) > reserve else { throw full(storage.folder, ENOSPC) }
    }

    private func full(_ folder: FilePath, _ number: CInt) -> AudioFileError {
        let failure = OutputFile.failure(number)
        return AudioFileError(
            failure.code,
            "all of it must be read first, and '\(folder)' cannot hold more than \(bytes) bytes: "
                + failure.message)
    }

    private static func milliseconds() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1000 + Int64(now.tv_nsec) / 1_000_000
    }

    /// `O_TMPFILE` without its `O_DIRECTORY`: Swift does not import the C macro.
    private static let unnamed: CInt = 0o20_000_000
    private static let mostHeadBytes = 1 << 20
    private static let blockBytes = 256 << 10
    private static let announcingMilliseconds: Int64 = 250
    /// The number of bytes stored between two checks of the free space.
    private static let checkedBytes = 4 << 20
    /// The largest space left for other programs, in bytes. On small file systems a sixteenth is left.
    private static let reservedBytes: UInt = 64 << 20
}
