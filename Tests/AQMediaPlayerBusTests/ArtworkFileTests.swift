// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import AQTestSupport
import Testing

@testable import AQMediaPlayerBus

@Suite("ArtworkFile")
struct ArtworkFileTests {
    private let folder = ScratchFolder()
    private let picture = MediaArtwork(bytes: [1, 2, 3], mimeType: "image/png")

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test("only the user can read the file, and it is removed with its folder")
    func privacy() throws {
        let file = ArtworkFile(in: folder.path, program: "player")
        let url = try #require(file.replace(by: picture))
        let path = String(url.dropFirst("file://".count))
        #expect(path.hasPrefix("\(folder.path)/player-") && path.hasSuffix(".png"))
        expectEqual(SystemFile.contents(ofPath: path), [1, 2, 3])
        expectEqual(mode(path), 0o600)
        expectEqual(mode("\(folder.path)/\(try #require(folder.names.first))"), 0o700)
        file.remove()
        expectEqual(folder.names, [])
        #expect(file.replace(by: picture) == nil && folder.names == [])
    }

    @Test("each picture has another URL, and the last file is removed")
    func replacement() throws {
        let file = ArtworkFile(in: folder.path, program: "player")
        let first = try #require(file.replace(by: picture))
        let second = try #require(file.replace(by: picture))
        #expect(first != second)
        expectEqual(mode(String(first.dropFirst("file://".count))), 0)
        expectEqual(file.replace(by: nil), nil)
        expectEqual(mode(String(second.dropFirst("file://".count))), 0)
        file.remove()
    }

    @Test("a picture of unknown type, and one that cannot be written, has no URL")
    func failures() {
        let file = ArtworkFile(in: folder.path, program: "player")
        expectEqual(file.replace(by: MediaArtwork(bytes: [1], mimeType: "text/html")), nil)
        expectEqual(folder.names, [])
        expectEqual(ArtworkFile(in: "/nonexistent", program: "player").replace(by: picture), nil)
        expectEqual(ArtworkFile(in: "/dev/full", program: "player").replace(by: picture), nil)
    }
}
