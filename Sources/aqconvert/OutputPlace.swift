import AudioFiles
import Glibc
import ToolSupport

/// Where an output is written: beside its place until it is whole, so that a conversion that fails leaves what was
/// there, and nobody finds half a file.
struct OutputPlace {
    /// What the user calls it.
    let path: FilePath
    /// What is written to: a file beside ``target``, or what cannot be replaced (a device, a pipe, a descriptor).
    let workPath: FilePath
    /// Whether ``workPath`` is a file of our own, which becomes the target when it is whole.
    var isBeside: Bool { target != nil }
    /// Whether it can be written to once more, at its beginning.
    var isRegular: Bool {
        isBeside || (workPath == "-" ? FileIdentity(descriptor: 1) : FileIdentity(path: workPath)) != nil
    }
    /// Where the file goes: where `path` leads, if that is a link. Nil for what is written as it is.
    private let target: (path: FilePath, part: PartFile)?
    private let overwrites: Bool

    /// - Throws: ``ConversionError`` for a file that is not to be replaced, and a place where none can be made.
    init(path: FilePath, overwrites: Bool) throws(ConversionError) {
        self.path = path
        self.overwrites = overwrites
        switch try Self.goal(of: path) {
        case .stream(let path): (workPath, target) = (path, nil)
        case .file(let goal):
            var status = stat()
            // A link is something that exists, wherever it leads.
            if !overwrites, unsafe lstat(path.cString, &status) == 0 { throw Self.existing(path) }
            let part: PartFile
            do throws(SystemError) { part = try PartFile(beside: goal) } catch {
                throw ConversionError(
                    .unwritable, "cannot create '\(path)': \(systemErrorText(error.code).lowercased())")
            }
            (workPath, target) = (part.path, (goal, part))
        }
    }

    /// Puts the file that is whole in its place.
    func publish() throws(ConversionError) {
        guard let (target, part) = target else { return }
        if !overwrites {
            // A link never replaces what somebody else put there meanwhile.
            if unsafe link(workPath.cString, target.cString) == 0 {
                part.discard()
                return
            }
            if errno == EEXIST {
                part.discard()
                throw Self.existing(path)
            }
            // Some file systems have no links.
        }
        keepMode(of: target)
        do throws(AudioFileError) {
            try FileOnDisk.rename(workPath, to: target)
            part.isGone()
        } catch {
            part.discard()
            throw ConversionError(writing: error)
        }
    }

    /// Removes what was written.
    func discard() { target?.part.discard() }

    /// An error's message, with the name that the user knows.
    func named(_ error: ConversionError) -> ConversionError {
        guard isBeside, let place = error.message.firstRange(of: workPath.description) else { return error }
        return ConversionError(
            error.kind, error.message.replacingCharacters(in: place, with: path.description))
    }

    /// A file that nobody else may read is not opened to others by a new one in its place.
    private func keepMode(of target: FilePath) {
        var status = stat()
        // SAFETY: stat fills a local.
        if unsafe stat(target.cString, &status) == 0 {
            unsafe _ = chmod(workPath.cString, status.st_mode & 0o777)
        }
    }

    private static func existing(_ path: FilePath) -> ConversionError {
        ConversionError(.unwritable, "cannot write '\(path)': it exists; '--overwrite' replaces it")
    }
}

/// What a path leads to.
extension OutputPlace {
    private enum Goal {
        /// A regular file, there or not, that no link stands before.
        case file(FilePath)
        /// What is written as it is.
        case stream(FilePath)
    }

    /// - Throws: ``ConversionError`` for links that lead in a circle.
    private static func goal(of path: FilePath) throws(ConversionError) -> Goal {
        guard path != "-" else { return .stream(path) }
        var place = path
        // As many links as the kernel follows.
        for _ in 0..<40 {
            var status = stat()
            // SAFETY: lstat fills a local.
            guard unsafe lstat(place.cString, &status) == 0 else { return .file(place) }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return .file(place)
            case S_IFLNK: break
            default: return .stream(path)
            }
            if let descriptor = Self.descriptor(named: place) {
                return .stream(descriptor == STDOUT_FILENO ? "-" : path)
            }
            guard let next = Self.destination(ofLink: place) else { return .stream(path) }
            place = place.directory.joined(next)
        }
        throw ConversionError(.unwritable, "cannot write '\(path)': its links form a loop")
    }

    /// The number of this process's descriptor that `/dev/stdout`, `/dev/fd/1` and the like lead to.
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

extension String {
    fileprivate func firstRange(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }

    fileprivate func replacingCharacters(in range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
