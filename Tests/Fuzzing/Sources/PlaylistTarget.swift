// SPDX-License-Identifier: MIT

import AQFiles
import AQNetworkInput
import AQTestSupport

/// Reads playlists, as local and remote ones, and resolves every line as an address.
final class PlaylistTarget: FuzzTarget {
    private let base = RemoteAddress("https://user:secret@example.org:8000/lists/a/b.m3u?c=d")

    func test(_ input: [UInt8]) -> Bool {
        let list = Playlist(input)
        check(list, input)
        guard let base, let remote = RemotePlaylist(input, from: base) else {
            require(false, "a short list is read")
            return false
        }
        require(
            remote.entries.count + remote.refusals.count
                == min(list.entries.count, RemotePlaylist.mostEntries) + list.tooLongLines.count,
            "each entry is resolved or refused")
        for entry in remote.entries {
            require(isShown(entry.title, bytes: 4 * input.count), "a title is safe")
        }
        // Each address is parsed five times, so a few of them take as long as everything else.
        for entry in remote.entries.prefix(2) { check(entry.address) }
        for line in input.split(separator: 0x0A, maxSplits: 2).prefix(2) {
            if let address = RemoteAddress(bytes: line) { check(address) }
            if let address = base.resolved(bytes: line) { check(address) }
        }
        checkKind(input)
        return true
    }

    private func check(_ list: Playlist, _ input: [UInt8]) {
        // An entry in XSPF has at least "<track><location>a</location></track>", in the others a byte and an end.
        require(list.entries.count <= input.count / 2 + 1, "no entry is made up: \(list.entries.count)")
        let locations = list.entries.reduce(0) { $0 + $1.location.bytes.count }
        // An entity of five bytes may be a character of four.
        require(locations <= input.count, "locations come from the list: \(locations)")
        for entry in list.entries {
            require(1...input.count + 1 ~= entry.line, "an entry is in a line: \(entry.line)")
            require(isShown(entry.title, bytes: 4 * input.count), "a title is safe")
        }
        // Titles may contain line ends in XSPF only, where they become spaces.
        guard !input.contains(0x0D) else { return }
        let windows = Playlist(input.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
        require(
            windows.entries.map(\.line) == list.entries.map(\.line)
                && windows.entries.map(\.title) == list.entries.map(\.title),
            "line ends of Windows change nothing")
    }

    private func check(_ address: RemoteAddress) {
        let text = address.text
        require(text.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "an address is printable ASCII: \(text)")
        require(text.utf8.count <= RemoteAddress.mostBytes, "an address is short")
        require(
            text.hasPrefix(address.isSecure ? "https://" : "http://"), "an address is http or https: \(text)")
        require(!text.contains("#"), "an address has no fragment: \(text)")
        require(RemoteAddress(text) == address, "an address is read as it was written: \(text)")
        require(address.resolved("") == address, "an empty reference is the address itself: \(text)")
        require(!address.host.isEmpty && !address.host.contains("@"), "an address has a host: \(text)")
        let shown = RemoteAddress(address.description)
        require(shown?.host == address.host, "an address is shown with its host: \(text)")
        require(shown?.text == shown?.description, "an address is shown without user: \(text)")
        require(address.pathExtension.utf8.count < text.utf8.count, "an extension is in the address")
    }

    private func checkKind(_ input: [UInt8]) {
        let kind = ContentKind(contentType: nil, head: input[...], address: nil)
        let stated = ContentKind(contentType: "audio/mpegurl", head: input[...], address: nil)
        require(stated.isPlaylist, "a list by its type is a list: \(stated)")
        if kind == .hls { require(stated == .hls, "an HLS list is one under the type of M3U") }
        if let tag = SegmentTag(input[...]) {
            require(10...8 * (1 << 28 + 20) ~= tag.byteCount, "a tag has a size: \(tag.byteCount)")
            for text in [tag.title, tag.artist] {
                require(isShown(text, bytes: .max), "a tag's text is safe")
            }
        }
    }
}
