// SPDX-License-Identifier: MIT

import AQFiles
import AQNetworkInput
import AQToolSupport

extension Playlist {
    /// Returns whether the path has the extension of a playlist.
    static func isPlaylist(path: FilePath) -> Bool {
        // Compared as bytes, because the first audio waits for the result, and a comparison of lower-case text takes
        // longer.
        path.hasExtension("m3u") || path.hasExtension("m3u8") || path.hasExtension("pls")
            || path.hasExtension("xspf")
    }
}

extension Playlist.Entry {
    /// Returns the track of an entry of a local list: a file, or an http or https address as its path.
    ///
    /// - Parameter directory: The directory of the list.
    /// - Throws: ``UsageError`` with the reason if the entry is neither.
    func path(in directory: FilePath) throws(UsageError) -> FilePath {
        if let address = RemoteAddress(bytes: location.bytes) { return FilePath(address.text) }
        return directory.joined(try FilePath.local(location, isReference: isReference))
    }
}
