// SPDX-License-Identifier: MIT

public import AQFiles
import Glibc

/// The audio files of a folder that is named on a command line.
public enum AudioFolder {
    /// The extensions of audio files, in lower case without the dot.
    public static let extensions: Set<String> = [
        "aac", "adts", "aif", "aifc", "aiff", "au", "caf", "flac", "m4a", "m4b", "mp1", "mp2", "mp3", "mpa",
        "mpga", "oga", "ogg", "opus", "rf64", "snd", "w64", "wav", "wave",
    ]
    /// The largest number of entries that are read. Without this limit, links between folders could double the number
    /// at each level.
    public static let mostEntries = 200_000
    /// The largest depth of nested folders.
    public static let deepestNesting = 32

    /// Returns whether a file's extension is that of an audio file.
    public static func isAudioFile(named name: FilePath) -> Bool {
        extensions.contains(name.lowercasedExtension)
    }

    public static func isFolder(_ path: FilePath) -> Bool { FileIdentity(directory: path) != nil }

    /// Returns the names in a folder, sorted by their bytes, without hidden files.
    public static func names(in path: FilePath) throws(SystemError) -> [FilePath] {
        guard let directory = unsafe opendir(path.cString) else {
            throw SystemError("open folder '\(path)'", errno)
        }
        defer { unsafe _ = closedir(directory) }
        var names: [FilePath] = []
        while names.count < mostEntries, let entry = unsafe readdir(directory) {
            // SAFETY: the entry is valid until the next readdir, and its name ends with a zero byte.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
                    unsafe FilePath(cString: $0)
                }
            }
            if name.bytes.first != UInt8(ascii: ".") { names.append(name) }
        }
        return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
