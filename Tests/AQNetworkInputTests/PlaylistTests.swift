// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Testing

@testable import AQNetworkInput

@Suite("Playlist")
struct PlaylistTests {
    @Test("M3U: comments, titles, blank lines, byte order mark, any line ends")
    func m3u() {
        let text =
            "\u{FEFF}#EXTM3U\r\n#EXTINF:12, One, two \r\n  a b.mp3\t\r\n\n# note\rc.mp3\r\n#EXTINF:3,\nd.mp3"
        expectEqual(
            Playlist(Array(text.utf8)).entries,
            [
                .init(line: 3, location: "a b.mp3", title: "One, two"),
                .init(line: 6, location: "c.mp3", title: nil),
                .init(line: 8, location: "d.mp3", title: nil),
            ])
    }

    @Test("M3U: a length of -1 is live, attributes with commas are not part of the title")
    func live() {
        let text = """
            #EXTINF:-1 logo="a,b" group="c",One, "two", three
            a
            #EXTINF:-1,
            b
            #EXTINF:-10,C
            c
            #EXTINF:1 "open,D
            d
            """
        expectEqual(
            Playlist(Array(text.utf8)).entries,
            [
                .init(line: 2, location: "a", title: "One, \"two\", three", isLive: true),
                .init(line: 4, location: "b", isLive: true), .init(line: 6, location: "c", title: "C"),
                .init(line: 8, location: "d", title: "D"),
            ])
    }

    @Test("PLS: by number, with titles and lengths, keys in any case")
    func pls() {
        let text = """
            [Playlist]
            File10=ten.mp3
            file2 = two.mp3
            Title2=Two
            Length2=-1
            LENGTH10=-12
            File1=
            NumberOfEntries=3
            Version=2
            """
        expectEqual(
            Playlist(Array(text.utf8)).entries,
            [
                .init(line: 3, location: "two.mp3", title: "Two", isLive: true),
                .init(line: 2, location: "ten.mp3", title: nil),
            ])
    }

    @Test("a list that is not UTF-8 names files by its bytes, and has titles in Windows-1252")
    func windows() {
        let list = Playlist(Array("#EXTINF:1,f".utf8) + [0xFC, 0x72, 0x85, 0x0A, 0x66, 0xFC, 0x72, 0x0A])
        expectEqual(list.entries.map(\.location), [FilePath(bytes: [0x66, 0xFC, 0x72])])
        expectEqual(list.entries.map(\.title), ["für…"])
    }

    @Test("XSPF: entities, CDATA, comments, prefixes, line numbers; only what is directly in a track")
    func xspf() {
        let text = """
            \u{FEFF}<?xml version="1.0"?>
            <!DOCTYPE x><playlist><title>List</title><location>list</location>
            <x:trackList a='>'><x:track id="1/">
              <x:location> a&amp;b&#38;c&#x26;d&#xfc;&no;&x </x:location><image/><title><![CDATA[A <b> &amp;]]></title>
              <creator>C&#10;D</creator><location>second</location>
              <extension><location>inner</location><title>inner</title></extension>
            </x:track><!-- <track><location>no</location></track> -->
            <track><title>only a title</title></track>
            <track><extension><location>inner</location></extension><creator>only</creator><location
             >b</location></track>
            """
        let entries = Playlist(Array(text.utf8)).entries
        expectEqual(
            entries,
            [
                .init(
                    line: 4, location: "a&b&c&d\u{FC}&no;&x", isReference: true, title: "C D - A <b> &amp;"),
                .init(line: 10, location: "b", isReference: true, title: nil),
            ])
    }

    @Test(
        "XSPF that ends anywhere is read up to there",
        arguments: [
            "<track><location>a</location></track", "<track><location>a</location></track><track><loc",
            "<track><location>a</location></track><track><location>b",
            "<track><location>a</location></track><![CDATA[", "<track><location>a</location></track><!--",
            "<track><location>a</location></track><track a='>",
            "<track><location>a</location><image></track><?",
        ])
    func truncatedXSPF(text: String) {
        let entries = Playlist(Array(text.utf8)).entries
        expectEqual(entries.map(\.location), (text.contains("</track>") ? ["a"] : []))
    }

    @Test("any bytes are a list, an empty one at worst")
    func anyBytes() {
        #expect(Playlist([]).entries.isEmpty)
        #expect(Playlist(Array("[playlist]".utf8)).entries.isEmpty)
        #expect(Playlist(Array("[playlist]\nFile99999999999999999999=x\nFile=y\n=z".utf8)).entries.isEmpty)
        expectEqual(Playlist([0xFF, 0, 0x0D]).entries.count, 1)
        #expect(Playlist(Array("<html><body>404</body></html>".utf8)).entries.isEmpty)
    }

    @Test("titles have no control characters")
    func controls() {
        let text = "#EXTINF:1,\u{1B}[31ma\tb\u{202E}c\u{85}d\u{FEFF}\nx"
        expectEqual(Playlist(Array(text.utf8)).entries.first?.title, "[31ma bc d")
    }

    @Test("long lines are left out, in each format")
    func longLines() {
        let long = String(repeating: "x", count: Playlist.mostLineBytes + 1)
        let m3u = Playlist(Array("a\n\(long)\nb".utf8))
        expectEqual(m3u.entries.map(\.location), ["a", "b"])
        expectEqual(m3u.tooLongLines, [2])
        let pls = Playlist(Array("[playlist]\nFile1=\(long)\nFile2=b".utf8))
        expectEqual(pls.entries.map(\.location), ["b"])
        expectEqual(pls.tooLongLines, [2])
        let xspf = Playlist(
            Array("<track>\n<location>\(long)</location></track><track><location>b</location></track>".utf8))
        expectEqual(xspf.entries.map(\.location), ["b"])
        expectEqual(xspf.tooLongLines, [2])
    }

    @Test("entries are limited, in each format")
    func manyEntries() {
        let count = Playlist.mostEntries + 10
        let m3u = Playlist(Array(repeatElement(Array("a\n".utf8), count: count).joined()))
        expectEqual(m3u.entries.count, Playlist.mostEntries)
        #expect(m3u.isTruncated)
        let pls = Playlist(Array(("[playlist]\n" + String(repeating: "File1=a\n", count: count)).utf8))
        expectEqual(pls.entries.count, Playlist.mostEntries)
        #expect(pls.isTruncated)
        #expect(!Playlist(Array("a\nb".utf8)).isTruncated)
    }
}

@Suite("RemotePlaylist")
struct RemotePlaylistTests {
    private func address() throws -> RemoteAddress { try #require(RemoteAddress("https://h/lists/a.m3u?x")) }

    @Test("entries are resolved against the list's address; files and other schemes are refused")
    func resolved() throws {
        let text = """
            #EXTINF:-1,Radio
            b c.mp3
            /etc/passwd
            file:///etc/passwd
            C:\\music.mp3
            http://other/é
            """
        let list = try #require(RemotePlaylist(Array(text.utf8), from: address()))
        expectEqual(
            list.entries.map(\.address.text),
            [
                "https://h/lists/b%20c.mp3", "https://h/etc/passwd", "http://other/%C3%A9",
            ])
        expectEqual(list.entries.map(\.title), ["Radio", nil, nil])
        expectEqual(list.entries.map(\.isLive), [true, false, false])
        expectEqual(list.refusals.map(\.line), [4, 5])
        expectEqual(list.refusals.map(\.location), ["file:///etc/passwd", "C:\\music.mp3"])
        expectEqual(
            list.refusals.first?.reason, "a playlist from the network may only name http and https addresses")
        #expect(!list.isTruncated)
    }

    @Test("size, entries and lines are limited")
    func limits() throws {
        let address = try address()
        expectEqual(
            RemotePlaylist([UInt8](repeating: 0x61, count: RemotePlaylist.mostBytes + 1), from: address), nil)
        let line = try #require(
            RemotePlaylist([UInt8](repeating: 0x61, count: RemotePlaylist.mostBytes), from: address))
        #expect(line.entries.isEmpty)
        expectEqual(line.refusals, [.init(line: 1, location: "", reason: "it is longer than 16384 bytes")])
        let many = try #require(
            RemotePlaylist(Array(String(repeating: "a\n", count: 500_000).utf8), from: address))
        expectEqual(many.entries.count, RemotePlaylist.mostEntries)
        #expect(many.isTruncated)
    }

    @Test("an escape that a list in XSPF has is kept")
    func escapes() throws {
        let text = "<track><location>a%3Fb&amp;c</location></track>"
        let list = try #require(RemotePlaylist(Array(text.utf8), from: address()))
        expectEqual(list.entries.map(\.address.text), ["https://h/lists/a%3Fb&c"])
    }
}
