import Glibc
import ToolSupport

/// The tracks that operands of the command line stand for, directories and playlists followed.
struct TrackList {
    struct Track: Equatable {
        /// "-" is standard input.
        var path: String
        /// From a playlist, for files without a title of their own.
        var title: String?
    }

    private(set) var tracks: [Track] = []
    /// What could not be followed, each a line with the reason.
    private(set) var problems: [String] = []

    /// Follows `operands` in their order. What does not exist is kept as a track, whose opening then tells why.
    init(operands: [String]) {
        for operand in operands where !isFull {
            if operand == "-" {
                tracks.append(Track(path: "-", title: nil))
            } else {
                add(operand, title: nil, within: [])
            }
        }
    }

    /// A directory or playlist that is being followed, by which one that leads back to itself is known.
    private struct FileIdentity: Equatable {
        var device: dev_t
        var inode: ino_t
    }

    /// How deep playlists and directories may lie in each other.
    private static let deepestNesting = 32
    /// How many entries are looked at in all: lists that name each other twice would double at each level.
    private static let mostEntries = 200_000
    private static let largestPlaylistBytes = 16 << 20
    private static let soundExtensions: Set<String> = [
        "aac", "adts", "aif", "aifc", "aiff", "au", "caf", "flac", "m4a", "m4b", "mp1", "mp2", "mp3", "mpa",
        "mpga", "oga", "ogg", "opus", "rf64", "snd", "w64", "wav", "wave",
    ]

    private var entriesSeen = 0
    private var isFull = false

    private mutating func add(_ path: String, title: String?, within ancestors: [FileIdentity]) {
        entriesSeen += 1
        guard entriesSeen <= Self.mostEntries else {
            if !isFull { problems.append("cannot follow more than \(Self.mostEntries) entries") }
            isFull = true
            return
        }
        var status = stat()
        // SAFETY: stat reads the path and fills a local.
        let exists = unsafe stat(path, &status) == 0
        let kind = status.st_mode & S_IFMT
        let isPlaylist = exists && kind == S_IFREG && Playlist.isPlaylist(path: path)
        guard exists, kind == S_IFDIR || isPlaylist else {
            tracks.append(Track(path: path, title: title))
            return
        }
        let identity = FileIdentity(device: status.st_dev, inode: status.st_ino)
        guard !ancestors.contains(identity) else {
            problems.append("cannot follow '\(path)': it leads back to itself")
            return
        }
        guard ancestors.count < Self.deepestNesting else {
            problems.append("cannot follow '\(path)': it lies more than \(Self.deepestNesting) levels deep")
            return
        }
        do throws(SystemError) {
            if isPlaylist {
                try addPlaylist(path, within: ancestors + [identity])
            } else {
                try addDirectory(path, within: ancestors + [identity])
            }
        } catch {
            problems.append(error.message)
        }
    }

    private mutating func addPlaylist(_ path: String, within ancestors: [FileIdentity]) throws(SystemError) {
        let playlist = Playlist(try Self.readPlaylist(path))
        if playlist.entries.isEmpty { problems.append("cannot play '\(path)': the playlist is empty") }
        let directory = FilePath.directory(of: path)
        for entry in playlist.entries where !isFull {
            do throws(UsageError) {
                add(
                    try FilePath.resolve(entry.location, in: directory), title: entry.title, within: ancestors
                )
            } catch {
                problems.append(
                    "cannot play '\(entry.location)', line \(entry.line) of '\(path)': \(error.message)")
                entriesSeen += 1
            }
        }
    }

    private mutating func addDirectory(_ path: String, within ancestors: [FileIdentity]) throws(SystemError) {
        let before = tracks.count + problems.count
        for name in try Self.names(inDirectory: path) where !isFull {
            let inside = FilePath.join(path, name)
            // A playlist in a directory would play again what lies beside it.
            if Self.soundExtensions.contains(FilePath.lowercasedExtension(of: name))
                || Self.isDirectory(inside)
            {
                add(inside, title: nil, within: ancestors)
            }
        }
        if ancestors.count == 1 && tracks.count + problems.count == before {
            problems.append("cannot play '\(path)': there are no sound files in the directory")
        }
    }

    private static func isDirectory(_ path: String) -> Bool {
        var status = stat()
        // SAFETY: stat reads the path and fills a local.
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a directory in the order of their bytes, without hidden ones.
    private static func names(inDirectory path: String) throws(SystemError) -> [String] {
        guard let directory = unsafe opendir(path) else {
            throw SystemError("open directory '\(path)'", errno)
        }
        defer { unsafe _ = closedir(directory) }
        var names: [String] = []
        while names.count < mostEntries, let entry = unsafe readdir(directory) {
            // SAFETY: the entry is valid until the next readdir, and its name ends with a zero byte.
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func readPlaylist(_ path: String) throws(SystemError) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open playlist '\(path)'", errno) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while true {
            var failure: Int32 = 0
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                let result = unsafe read(descriptor, buffer.baseAddress, buffer.count)
                if result < 0 { failure = errno }
                count = max(0, result)
            }
            if failure == EINTR { continue }
            guard failure == 0 else { throw SystemError("read playlist '\(path)'", failure) }
            guard !chunk.isEmpty else { return bytes }
            bytes += chunk
            guard bytes.count <= largestPlaylistBytes else {
                throw SystemError("read playlist '\(path)'", EFBIG)
            }
        }
    }
}
