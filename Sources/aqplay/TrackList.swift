// SPDX-License-Identifier: MIT

import AQFiles
import Glibc
import AQNetworkInput
import AQToolSupport

/// The tracks of a command line's operands, with directories and playlists expanded.
struct TrackList {
    struct Track: Equatable {
        /// The path of the file, or an http or https address; "-" is standard input.
        var path: FilePath
        /// The title in a playlist, for a file that has no title itself.
        var title: String?
    }

    private(set) var tracks: [Track] = []
    /// Operands and entries that could not be expanded: a line with the reason for each.
    private(set) var problems: [String] = []

    /// Expands `operands` in order. A missing file stays in the list, and its opening reports the reason.
    ///
    /// - Parameter network: The settings for playlists on servers, which are received during this call; nil leaves them
    ///   in the list.
    init(operands: [FilePath], network: NetworkInput.Options? = nil) {
        self.network = network
        for operand in operands where !isFull {
            if operand == "-" {
                tracks.append(Track(path: "-", title: nil))
            } else {
                add(operand, title: nil, within: [])
            }
        }
    }

    private static let largestPlaylistBytes = 16 << 20

    let network: NetworkInput.Options?
    private var entriesSeen = 0
    private var isFull = false
    /// The playlists on servers that are being expanded.
    private var remoteLists: [RemoteAddress] = []

    /// - Parameter ancestors: The directories and playlists that are being expanded, to detect one that contains
    ///   itself.
    private mutating func add(_ path: FilePath, title: String?, within ancestors: [FileIdentity]) {
        entriesSeen += 1
        guard entriesSeen <= AudioFolder.mostEntries else {
            if !isFull { problems.append("cannot follow more than \(AudioFolder.mostEntries) entries") }
            isFull = true
            return
        }
        if Playlist.isPlaylist(path: path), let address = RemoteAddress(bytes: path.bytes), network != nil {
            return addRemotePlaylist(address, title: title)
        }
        let playlist = FileIdentity(path: path).flatMap { Playlist.isPlaylist(path: path) ? $0 : nil }
        guard let identity = playlist ?? FileIdentity(directory: path) else {
            tracks.append(Track(path: path, title: title))
            return
        }
        guard !ancestors.contains(identity) else {
            problems.append("cannot follow '\(path)': it contains itself")
            return
        }
        guard ancestors.count < AudioFolder.deepestNesting else {
            problems.append(
                "cannot follow '\(path)': it is more than \(AudioFolder.deepestNesting) levels deep")
            return
        }
        do throws(SystemError) {
            if playlist != nil {
                try addPlaylist(path, within: ancestors + [identity])
            } else {
                try addDirectory(path, within: ancestors + [identity])
            }
        } catch {
            problems.append(error.message)
        }
    }

    private mutating func addPlaylist(_ path: FilePath, within ancestors: [FileIdentity]) throws(SystemError)
    {
        let playlist = Playlist(try Self.readPlaylist(path))
        if playlist.entries.isEmpty && playlist.tooLongLines.isEmpty {
            problems.append("cannot play '\(path)': the playlist is empty")
        }
        for line in playlist.tooLongLines {
            let most = Playlist.mostLineBytes
            problems.append("cannot play line \(line) of '\(path)': it is longer than \(most) bytes")
        }
        let directory = path.directory
        for entry in playlist.entries where !isFull {
            do throws(UsageError) {
                let path = try Self.find(entry, in: directory)
                add(path, title: entry.title, within: ancestors)
            } catch {
                problems.append(
                    "cannot play '\(entry.location)', line \(entry.line) of '\(path)': \(error.message)")
                entriesSeen += 1
            }
        }
    }

    private mutating func addRemotePlaylist(_ address: RemoteAddress, title: String?) {
        guard !remoteLists.contains(address) else {
            problems.append("cannot follow '\(address)': it contains itself")
            return
        }
        guard remoteLists.count < Self.deepestRemoteNesting, let network else {
            problems.append(
                "cannot follow '\(address)': it is more than \(Self.deepestRemoteNesting) levels deep")
            return
        }
        do throws(AudioFileError) {
            guard let list = try NetworkInput(address, options: network).openPlaylist() else {
                // A stream in segments has the name of a playlist.
                tracks.append(Track(path: FilePath(address.text), title: title))
                return
            }
            if list.entries.isEmpty && list.refusals.isEmpty {
                problems.append("cannot play '\(address)': the playlist is empty")
            }
            for refusal in list.refusals {
                let place = "line \(refusal.line) of '\(address)'"
                problems.append("cannot play '\(refusal.location)', \(place): \(refusal.reason)")
            }
            remoteLists.append(address)
            for entry in list.entries where !isFull {
                add(FilePath(entry.address.text), title: entry.title ?? title, within: [])
            }
            remoteLists.removeLast()
        } catch { problems.append(error.message) }
    }

    /// The largest depth of nested playlists on servers.
    private static let deepestRemoteNesting = 5

    private mutating func addDirectory(_ path: FilePath, within ancestors: [FileIdentity]) throws(SystemError)
    {
        let before = tracks.count + problems.count
        for name in try AudioFolder.names(in: path) where !isFull {
            let inside = path.joined(name)
            // Playlists in a directory are skipped, because they would play the files beside them again.
            if AudioFolder.isAudioFile(named: name) || AudioFolder.isFolder(inside) {
                add(inside, title: nil, within: ancestors)
            }
        }
        if ancestors.count == 1 && tracks.count + problems.count == before {
            problems.append("cannot play '\(path)': there are no audio files in the folder")
        }
    }

    /// Returns the file of an entry, by the bytes of its location. If there is no such file, the location is also read
    /// as programs on other systems write it: with backslashes between directories, with percent escapes as in a URL,
    /// and, if it is not UTF-8, as Latin-1.
    private static func find(_ entry: Playlist.Entry, in directory: FilePath) throws(UsageError) -> FilePath {
        let path = try entry.path(in: directory)
        if RemoteAddress(bytes: path.bytes) != nil || exists(path) { return path }
        let bytes = entry.location.bytes
        let slashed = bytes.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 }
        for location in bytes == slashed ? [bytes] : [bytes, slashed] {
            for isReference in [false, true] {
                var other = entry
                (other.location, other.isReference) = (FilePath(bytes: location), isReference)
                if let found = try? other.path(in: directory), exists(found) { return found }
                guard other.location.string == nil else { continue }
                other.location = FilePath(String(latin1: location))
                if let found = try? other.path(in: directory), exists(found) { return found }
            }
        }
        return path
    }

    private static func exists(_ path: FilePath) -> Bool { unsafe access(path.cString, F_OK) == 0 }

    private static func readPlaylist(_ path: FilePath) throws(SystemError) -> [UInt8] {
        let descriptor = unsafe open(path.cString, O_RDONLY | O_CLOEXEC)
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
