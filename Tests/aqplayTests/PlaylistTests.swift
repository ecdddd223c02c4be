import AudioFiles
import Testing
import ToolSupport

@testable import aqplay

@Suite("Playlist")
struct PlaylistTests {
    @Test("M3U: comments, titles, blank lines, byte order mark, any line ends")
    func m3u() {
        let text =
            "\u{FEFF}#EXTM3U\r\n#EXTINF:12, One, two \r\n  a b.mp3\t\r\n\n# note\rc.mp3\r\n#EXTINF:3,\nd.mp3"
        #expect(
            Playlist(Array(text.utf8)).entries == [
                .init(line: 3, location: "a b.mp3", title: "One, two"),
                .init(line: 6, location: "c.mp3", title: nil),
                .init(line: 8, location: "d.mp3", title: nil),
            ])
    }

    @Test("PLS: by number, with titles, keys in any case")
    func pls() {
        let text = """
            [playlist]
            File10=ten.mp3
            file2 = two.mp3
            Title2=Two
            Length2=-1
            File1=
            NumberOfEntries=3
            Version=2
            """
        #expect(
            Playlist(Array(text.utf8)).entries == [
                .init(line: 3, location: "two.mp3", title: "Two"),
                .init(line: 2, location: "ten.mp3", title: nil),
            ])
    }

    @Test("a list that is not UTF-8 names files by its bytes, and has titles in Latin-1")
    func latin1() {
        let list = Playlist(Array("#EXTINF:1,f".utf8) + [0xFC, 0x72, 0x0A, 0x66, 0xFC, 0x72, 0x0A])
        #expect(list.entries.map(\.location) == [FilePath(bytes: [0x66, 0xFC, 0x72])])
        #expect(list.entries.map(\.title) == ["für"])
        #expect(throws: Never.self) { try FilePath.local("file:///%FF") }
    }

    @Test("any bytes are a list, an empty one at worst")
    func anyBytes() {
        #expect(Playlist([]).entries.isEmpty)
        #expect(Playlist(Array("[playlist]".utf8)).entries.isEmpty)
        #expect(Playlist(Array("[playlist]\nFile99999999999999999999=x\nFile=y\n=z".utf8)).entries.isEmpty)
        #expect(Playlist([0xFF, 0, 0x0D]).entries.count == 1)
    }
}

@Suite("FilePath")
struct FilePathTests {
    @Test(
        "resolves the entries of a list",
        arguments: [
            ("a.mp3", "dir/", "dir/a.mp3"), ("a.mp3", "", "a.mp3"), ("/a.mp3", "dir/", "/a.mp3"),
            ("../a.mp3", "x/dir/", "x/dir/../a.mp3"), ("file:///a%20b%C3%BC.mp3", "d/", "/a bü.mp3"),
            ("file://localhost/a.mp3", "d/", "/a.mp3"), ("file:/a.mp3", "d/", "/a.mp3"),
            ("FILE:///A.mp3", "d/", "/A.mp3"), ("a:b.mp3", "d/", "d/a:b.mp3"),
            ("file:x.mp3", "d/", "d/file:x.mp3"),
            ("100%.mp3", "d/", "d/100%.mp3"), ("file:///100%.mp3", "d/", "/100%.mp3"),
            ("file:///a%2", "d/", "/a%2"), ("file:///a%+1", "d/", "/a%+1"), ("a\\b.mp3", "d/", "d/a\\b.mp3"),
        ])
    func resolves(location: FilePath, directory: FilePath, path: FilePath) throws {
        #expect(try directory.joined(FilePath.local(location)) == path)
    }

    @Test(
        "refuses what is not a local file",
        arguments: [
            ("http://example.org/a.mp3", "only local files can be played"),
            ("HTTPS://example.org/a.mp3", "only local files can be played"),
            ("file://server/a.mp3", "it is a file of another host, 'server'"),
            ("file:///a%00b", "its URL has no valid path"),
            ("file://", "its URL has no valid path"),
        ])
    func refuses(location: FilePath, reason: String) {
        #expect(throws: UsageError(reason)) { try FilePath.local(location) }
    }

    @Test(
        "extensions",
        arguments: [
            ("a.MP3", "mp3"), ("a.b.wav", "wav"), ("dir.d/a", ""), (".mp3", ""), ("a.", ""), ("", ""),
            ("/", ""),
        ])
    func extensions(path: FilePath, expected: String) {
        #expect(path.lowercasedExtension == expected)
    }

    @Test(
        "lists are known by their names, in any case",
        arguments: [
            ("a.m3u", true), ("dir.d/A.M3U8", true), ("/x/b.PlS", true), ("a.m3u9", false), ("a.m3", false),
            ("m3u", false), (".m3u", false), ("a.m3u/", false), ("a.m3u/b", false), ("a.M\u{B3}U", false),
            ("a.mSu", false), ("", false),
        ])
    func lists(path: FilePath, expected: Bool) {
        #expect(Playlist.isPlaylist(path: path) == expected)
    }

    @Test(
        "names",
        arguments: [
            ("a", "a"), ("/a", "a"), ("a/b.c", "b.c"), ("a/b//", "b"), ("//", "//"), ("/", "/"), ("", ""),
            ("\u{E4}/\u{F6}", "\u{F6}"),
        ])
    func names(path: FilePath, expected: FilePath) {
        #expect(path.name == expected)
    }
}
