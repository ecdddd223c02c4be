// SPDX-License-Identifier: MIT

public import AQFiles

/// The entries of a playlist from the network, which may only name http and https addresses, never files.
public struct RemotePlaylist: Equatable, Sendable {
    public struct Entry: Equatable, Sendable {
        /// The address, resolved against that of the list.
        public var address: RemoteAddress
        /// The title, or artist and title, without control characters.
        public var title: String?
        /// Whether the list states that the entry has no end. The entry after it is its substitute, not its successor.
        public var isLive: Bool
    }

    /// An entry that is left out.
    public struct Refusal: Equatable, Sendable {
        /// The number of the line in the list, from 1.
        public var line: Int
        /// The entry as written, up to ``Playlist/mostLineBytes``; empty if it is longer.
        public var location: FilePath
        /// The reason, as in "cannot play 'LOCATION': REASON".
        public var reason: String
    }

    /// The entries, in the order of playing.
    public private(set) var entries: [Entry] = []
    /// The entries that were refused, in the order of the list; too long ones last.
    public private(set) var refusals: [Refusal] = []
    /// Whether entries beyond ``mostEntries`` were left out.
    public private(set) var isTruncated = false

    /// The size of the longest list in bytes.
    public static let mostBytes = 1 << 20
    /// The number of entries that are read, refused ones included.
    public static let mostEntries = 1000

    /// Parses a list of at most ``mostBytes``; nil if it is longer.
    ///
    /// - Parameters:
    ///   - bytes: A list as ``Playlist`` reads it.
    ///   - address: The address of the list, after redirects.
    public init?(_ bytes: [UInt8], from address: RemoteAddress) {
        guard bytes.count <= Self.mostBytes else { return nil }
        let list = Playlist(bytes)
        isTruncated = list.isTruncated || list.entries.count > Self.mostEntries
        for entry in list.entries.prefix(Self.mostEntries) {
            if let resolved = address.resolved(bytes: Self.slashed(entry.location.bytes)) {
                entries.append(Entry(address: resolved, title: entry.title, isLive: entry.isLive))
            } else {
                refusals.append(
                    Refusal(
                        line: entry.line, location: entry.location,
                        reason: "a playlist from the network may only name http and https addresses"))
            }
        }
        for line in list.tooLongLines {
            refusals.append(
                Refusal(line: line, location: "", reason: "it is longer than \(Playlist.mostLineBytes) bytes")
            )
        }
    }

    /// Replaces backslashes between directories, as browsers do in http addresses; not those of a query.
    private static func slashed(_ location: [UInt8]) -> [UInt8] {
        let end = location.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }
        let path = location[..<(end ?? location.endIndex)]
        return path.map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0 } + location[path.endIndex...]
    }
}
