// SPDX-License-Identifier: MIT

import AQFiles
import AQToolSupport

/// The audio files below a folder.
struct InputFolder {
    /// The files, each with its folder relative to this one: empty, or "disc 1/side b".
    private(set) var files: [(path: FilePath, folder: FilePath)] = []
    private let skipped: FileIdentity?
    private var entriesSeen = 0

    /// Finds the files, in the order of their names. Hidden files, and files without an audio extension, are omitted.
    ///
    /// - Parameter output: A subfolder that is not searched, because the outputs are written to it.
    /// - Throws: ``ToolFailure`` if a folder cannot be read, if there are too many entries or levels, or if there are
    ///   no audio files.
    init(_ path: FilePath, without output: FilePath?) throws(ToolFailure) {
        skipped = output.flatMap { FileIdentity(directory: $0) }
        try add(path, as: "", within: [])
        guard !files.isEmpty else {
            throw ToolFailure(
                .failure, "cannot convert '\(path)': there are no audio files in the folder")
        }
    }

    private mutating func add(
        _ path: FilePath, as folder: FilePath, within ancestors: [FileIdentity]
    ) throws(ToolFailure) {
        guard let identity = FileIdentity(directory: path), !ancestors.contains(identity),
            ancestors.isEmpty || identity != skipped
        else { return }
        guard ancestors.count < AudioFolder.deepestNesting else {
            throw ToolFailure(
                .failure,
                "cannot convert '\(path)': it is more than \(AudioFolder.deepestNesting) levels deep")
        }
        let names: [FilePath]
        do throws(SystemError) { names = try AudioFolder.names(in: path) } catch {
            throw ToolFailure(.failure, error.message)
        }
        for name in names {
            entriesSeen += 1
            guard entriesSeen <= AudioFolder.mostEntries else {
                throw ToolFailure(
                    .failure, "cannot search more than \(AudioFolder.mostEntries) entries of folders")
            }
            let inside = path.joined(name)
            if AudioFolder.isFolder(inside) {
                try add(inside, as: folder.joined(name), within: ancestors + [identity])
            } else if AudioFolder.isAudioFile(named: name) {
                files.append((inside, folder))
            }
        }
    }
}
