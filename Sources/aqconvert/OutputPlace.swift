import AudioFiles
import Glibc
import ToolSupport

/// Where an output is written: beside its place until it is whole, so that a conversion that fails leaves what was
/// there, and nobody finds half a file.
struct OutputPlace {
    /// What the user calls it.
    let path: String
    /// What is written to.
    let workPath: String
    private let overwrites: Bool

    /// - Throws: ``ConversionError`` for a file that is not to be replaced.
    init(path: String, overwrites: Bool) throws(ConversionError) {
        self.path = path
        self.overwrites = overwrites
        guard path != "-", Self.isOrdinary(path) else {
            workPath = path
            return
        }
        if !overwrites, unsafe access(path, F_OK) == 0 {
            throw ConversionError(
                .unsupported, "cannot write '\(path)': it exists; '--overwrite' replaces it")
        }
        let name = ".\(FilePath.name(of: path)).\(getpid()).part"
        workPath = FilePath.join(FilePath.directory(of: path), name)
    }

    /// Puts the file that is whole in its place.
    func publish() throws(ConversionError) {
        guard workPath != path else { return }
        if !overwrites {
            // A link never replaces what somebody else put there meanwhile.
            if unsafe link(workPath, path) == 0 {
                unsafe _ = unlink(workPath)
                return
            }
            if errno == EEXIST {
                discard()
                throw ConversionError(
                    .unsupported, "cannot write '\(path)': it exists; '--overwrite' replaces it")
            }
            // Some file systems have no links.
        }
        guard unsafe rename(workPath, path) == 0 else {
            let reason = systemErrorText(errno).lowercased()
            discard()
            throw ConversionError(.unwritable, "cannot write '\(path)': \(reason)")
        }
    }

    /// Removes what was written.
    func discard() {
        if workPath != path { unsafe _ = unlink(workPath) }
    }

    /// An error's message, with the name that the user knows.
    func named(_ error: ConversionError) -> ConversionError {
        guard workPath != path, let place = error.message.firstRange(of: workPath) else { return error }
        return ConversionError(error.kind, error.message.replacingCharacters(in: place, with: path))
    }

    /// Whether there is a file, or nothing yet: not a device, a pipe or the like.
    private static func isOrdinary(_ path: String) -> Bool {
        var status = stat()
        // SAFETY: stat fills a local.
        guard unsafe stat(path, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFREG
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
