// SPDX-License-Identifier: MIT

/// A playlist of HTTP Live Streaming (RFC 8216).
package enum HLSPlaylist: Equatable, Sendable {
    case master(HLSMasterPlaylist)
    case media(HLSMediaPlaylist)

    /// The size of the longest playlist in bytes. A day of segments with signed addresses has about three million.
    package static let mostBytes = 4 << 20

    /// Parses a playlist. Unknown tags are skipped.
    ///
    /// - Throws: An error if the playlist is longer than ``mostBytes``, has neither variants nor segments nor a tag of a
    ///   media playlist, or exceeds a limit of ``HLSMasterPlaylist`` or ``HLSMediaPlaylist``.
    package init(_ bytes: [UInt8]) throws(HLSPlaylistError) {
        guard bytes.count <= Self.mostBytes else {
            throw HLSPlaylistError("it has more than \(Self.mostBytes) bytes")
        }
        var isMedia = false
        for (_, line) in TextLines(bytes[...]) {
            guard case .tag(let name, _) = HLSLine(line) else { continue }
            if ["EXT-X-STREAM-INF", "EXT-X-MEDIA"].contains(name) {
                self = .master(HLSMasterPlaylist(bytes))
                return
            }
            isMedia = isMedia || ["EXTINF", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE"].contains(name)
        }
        guard isMedia else { throw HLSPlaylistError("it has neither variants nor segments") }
        self = .media(try HLSMediaPlaylist(bytes))
    }
}
