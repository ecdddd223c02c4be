// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQToolSupport

extension RecordingTarget {
    /// Checks that the first file can be created, before the device is opened and anything is recorded.
    ///
    /// An existing file is not changed.
    ///
    /// - Parameter source: The input file, if there is one.
    /// - Throws: ``ToolFailure`` if the file certainly cannot be created.
    func check(overwrites: Bool, isNumbered: Bool, source: FileIdentity? = nil) throws(ToolFailure) {
        guard !isStandardOutput else {
            guard !Terminal.isTerminal(1) else {
                throw ToolFailure(
                    .usage, "standard output is a terminal; redirect it, or name a file to record into")
            }
            return
        }
        var names = FileNames(path: path, numbersFirst: isNumbered)
        let first = names.next()
        var facts = stat()
        // SAFETY: stat fills a local.
        guard unsafe stat(first.cString, &facts) == 0 else {
            guard errno == ENOENT else { throw Self.failure(first, systemErrorText(errno).lowercased()) }
            let directory = first.directory
            // SAFETY: access reads a string that outlives the call.
            guard unsafe access((directory == "" ? "." : directory).cString, W_OK | X_OK) == 0 else {
                throw Self.failure(first, systemErrorText(errno).lowercased())
            }
            return
        }
        let kind = facts.st_mode & S_IFMT
        if kind == S_IFDIR { throw Self.failure(first, "it is a folder") }
        if let source, FileIdentity(path: first) == source { throw Self.failure(first, Self.sourceReason) }
        if kind == S_IFREG, !overwrites {
            throw Self.failure(first, "it exists already; '--overwrite' replaces it")
        }
        guard unsafe access(first.cString, W_OK) == 0 else {
            throw Self.failure(first, systemErrorText(errno).lowercased())
        }
    }

    /// The reason why the input file is not overwritten.
    static let sourceReason = "it is the input file"

    private static func failure(_ path: FilePath, _ reason: String) -> ToolFailure {
        ToolFailure(.inputOutput, "cannot create '\(path)': \(reason)")
    }
}
