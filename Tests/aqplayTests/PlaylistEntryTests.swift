// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import AQNetworkInput
import Testing
import AQToolSupport

@testable import aqplay

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
        try expectEqual(directory.joined(FilePath.local(location)), path)
    }

    @Test(
        "refuses what is not a local file",
        arguments: [
            ("ftp://example.org/a.mp3", "only files and http and https addresses can be played"),
            ("http://", "its URL is not valid"), ("HTTPS://a b/c.mp3", "its URL is not valid"),
            ("file://server/a.mp3", "it is a file on another host, 'server'"),
            ("file:///a%00b", "its URL has no valid path"),
            ("file://", "its URL has no valid path"),
        ])
    func refuses(location: FilePath, reason: String) {
        #expect(throws: UsageError(reason)) { try FilePath.local(location) }
    }

    @Test(
        "an entry of a list is a file or an address",
        arguments: [
            ("http://h/a b.mp3", "http://h/a%20b.mp3"), ("HTTPS://H:443/a", "https://h/a"),
            ("a.mp3", "d/a.mp3"), ("a%20b.mp3", "d/a%20b.mp3"), ("http:/a", "d/http:/a"),
        ])
    func entries(location: FilePath, path: FilePath) throws {
        let entry = Playlist.Entry(line: 1, location: location)
        try expectEqual(entry.path(in: "d/"), path)
    }

    @Test("a reference has escapes without a scheme too")
    func references() throws {
        let entry = Playlist.Entry(line: 1, location: "a%20b%C3%BC.mp3", isReference: true)
        try expectEqual(entry.path(in: "d/"), "d/a b\u{FC}.mp3")
        let zero = Playlist.Entry(line: 1, location: "a%00", isReference: true)
        #expect(throws: UsageError("its URL has no valid path")) { try zero.path(in: "d/") }
    }

    @Test(
        "extensions",
        arguments: [
            ("a.MP3", "mp3"), ("a.b.wav", "wav"), ("dir.d/a", ""), (".mp3", ""), ("a.", ""), ("", ""),
            ("/", ""),
        ])
    func extensions(path: FilePath, expected: String) {
        expectEqual(path.lowercasedExtension, expected)
    }

    @Test(
        "lists are known by their names, in any case",
        arguments: [
            ("a.m3u", true), ("dir.d/A.M3U8", true), ("/x/b.PlS", true), ("a.m3u9", false), ("a.m3", false),
            ("m3u", false), (".m3u", false), ("a.m3u/", false), ("a.m3u/b", false), ("a.M\u{B3}U", false),
            ("a.mSu", false), ("", false), ("a.XSPF", true), ("xspf", false),
        ])
    func lists(path: FilePath, expected: Bool) {
        expectEqual(Playlist.isPlaylist(path: path), expected)
    }

    @Test(
        "names",
        arguments: [
            ("a", "a"), ("/a", "a"), ("a/b.c", "b.c"), ("a/b//", "b"), ("//", "//"), ("/", "/"), ("", ""),
            ("\u{E4}/\u{F6}", "\u{F6}"),
        ])
    func names(path: FilePath, expected: FilePath) {
        expectEqual(path.name, expected)
    }
}
