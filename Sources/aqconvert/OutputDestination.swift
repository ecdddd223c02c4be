// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

/// The files of an output. An incomplete output is a file beside the final path, so that a failed conversion keeps the
/// old file, and no reader finds an incomplete file.
struct OutputDestination {
    /// The path that the user gave.
    let path: FilePath
    /// The path that is written: a file beside ``target``, or an output that cannot be replaced (a device, a
    /// pipe, a descriptor).
    let workPath: FilePath
    /// Whether ``workPath`` is a temporary file, which becomes the target when it is complete.
    var isBeside: Bool { target != nil }
    /// Whether the beginning of the output can be written again.
    var isRegular: Bool {
        isBeside || (workPath == "-" ? FileIdentity(descriptor: 1) : FileIdentity(path: workPath)) != nil
    }
    /// The final path, with links resolved; nil for an output that is written directly.
    private let target: (path: FilePath, part: PartFile)?
    private let overwrites: Bool

    /// - Throws: ``ToolFailure`` if a file may not be replaced, or a folder cannot be written.
    init(path: FilePath, overwrites: Bool) throws(ToolFailure) {
        self.path = path
        self.overwrites = overwrites
        switch try Self.goal(of: path) {
        case .stream(let path): (workPath, target) = (path, nil)
        case .file(let goal):
            var status = stat()
            // A link exists even if its target does not.
            if !overwrites, unsafe lstat(path.cString, &status) == 0 { throw Self.existing(path) }
            let part: PartFile
            do throws(SystemError) { part = try PartFile(beside: goal) } catch {
                throw ToolFailure(
                    .inputOutput, "cannot create '\(path)': \(systemErrorText(error.code).lowercased())")
            }
            (workPath, target) = (part.path, (goal, part))
        }
    }

    /// Moves the complete file to its final path.
    func publish() throws(ToolFailure) {
        guard let (target, part) = target else { return }
        if !overwrites {
            // link() never replaces a file that another process has created meanwhile.
            if unsafe link(workPath.cString, target.cString) == 0 {
                part.discard()
                return
            }
            if errno == EEXIST {
                part.discard()
                throw Self.existing(path)
            }
            // Some file systems do not support links.
        }
        keepMode(of: target)
        do throws(AudioFileError) {
            try FileOnDisk.rename(workPath, to: target)
            part.isGone()
        } catch {
            part.discard()
            throw ToolFailure(writing: error)
        }
    }

    /// Removes the written file.
    func discard() { target?.part.discard() }

    /// Returns an error with the path of the temporary file replaced by the user's path.
    func named(_ error: ToolFailure) -> ToolFailure {
        guard isBeside else { return error }
        let (old, new) = (workPath.description, path.description)
        return ToolFailure(error.status, error.message.replacing(old, with: new, maxReplacements: 1))
    }

    /// Copies the mode of the old file: if others could not read the old file, they must not read the new one.
    private func keepMode(of target: FilePath) {
        var status = stat()
        // SAFETY: stat fills a local.
        if unsafe stat(target.cString, &status) == 0 {
            unsafe _ = chmod(workPath.cString, status.st_mode & 0o777)
        }
    }

    private static func existing(_ path: FilePath) -> ToolFailure {
        ToolFailure(.inputOutput, "cannot write '\(path)': it exists; '--overwrite' replaces it")
    }
}

/// The final path of an output.
extension OutputDestination {
    private enum Goal {
        /// A regular file, existing or not, with links resolved.
        case file(FilePath)
        /// An output that is written directly.
        case stream(FilePath)
    }

    /// - Throws: ``ToolFailure`` for links that form a loop.
    private static func goal(of path: FilePath) throws(ToolFailure) -> Goal {
        guard path != "-" else { return .stream(path) }
        var target = path
        // The limit of links that the kernel follows.
        for _ in 0..<40 {
            var status = stat()
            // SAFETY: lstat fills a local.
            guard unsafe lstat(target.cString, &status) == 0 else { return .file(target) }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return .file(target)
            case S_IFLNK: break
            default: return .stream(path)
            }
            if let descriptor = Self.descriptor(named: target) {
                return .stream(descriptor == STDOUT_FILENO ? "-" : path)
            }
            guard let next = Self.destination(ofLink: target) else { return .stream(path) }
            target = target.directory.joined(next)
        }
        throw ToolFailure(.inputOutput, "cannot write '\(path)': its links form a loop")
    }

    /// Returns the number of this process's descriptor for `/dev/stdout`, `/dev/fd/1` and similar paths.
    private static func descriptor(named path: FilePath) -> CInt? {
        let directory = path.directory
        guard let own = realPath("/proc/self/fd"), realPath(directory == "" ? "." : directory) == own
        else { return nil }
        return CInt(path.name.description)
    }

    private static func realPath(_ path: FilePath) -> FilePath? {
        guard let found = unsafe realpath(path.cString, nil) else { return nil }
        defer { unsafe free(found) }
        return unsafe FilePath(cString: found)
    }

    private static func destination(ofLink path: FilePath) -> FilePath? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlink(path.cString, &bytes, bytes.count)
        guard count > 0, count < bytes.count else { return nil }
        return FilePath(bytes: bytes[..<count].map { UInt8(bitPattern: $0) })
    }
}
