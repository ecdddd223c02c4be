// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Testing
import AQTestSupport

@testable import aqplay

extension ScratchFolder {
    /// Writes a file, and makes its folders.
    fileprivate func write(_ name: String, _ text: String = "x") throws {
        let file = "\(path)/\(name)"
        let folder = (file as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    fileprivate func names(_ list: TrackList) -> [String] {
        list.tracks.map { $0.path.description.replacingOccurrences(of: "\(path)/", with: "") }
    }
}

extension TrackList {
    fileprivate init(operands: [String]) { self.init(operands: operands.map { FilePath($0) }) }
}

@Suite("TrackList")
struct TrackListTests {
    @Test("a directory is searched recursively, in order, for audio files")
    func directory() throws {
        let folder = ScratchFolder()
        for name in [
            "b.mp3", "a.WAV", "notes.txt", ".hidden.mp3", "sub/z.aiff", "sub/deep/y.caf", "c.m3u", "d.m4a",
        ] {
            try folder.write(name)
        }
        let list = TrackList(operands: [folder.path + "/"])
        expectEqual(folder.names(list), ["a.WAV", "b.mp3", "d.m4a", "sub/deep/y.caf", "sub/z.aiff"])
        #expect(list.problems.isEmpty)
    }

    @Test("a playlist is followed, relative to itself, into other lists and directories")
    func playlist() throws {
        let folder = ScratchFolder()
        try folder.write("music/a.mp3")
        try folder.write("lists/inner.pls", "[playlist]\nFile1=../music/a.mp3\nTitle1=A\n")
        try folder.write(
            "lists/outer.m3u8", "inner.pls\r\nmissing.mp3\r\n../music\r\nfile://\(folder.path)/x%20y.mp3\r\n")
        let list = TrackList(operands: ["\(folder.path)/lists/outer.m3u8"])
        expectEqual(
            folder.names(list),
            [
                "lists/../music/a.mp3", "lists/missing.mp3", "lists/../music/a.mp3", "x y.mp3",
            ])
        expectEqual(list.tracks.first?.title, "A")
        #expect(list.problems.isEmpty)
    }

    @Test("an address in a list is a track, another URL is refused by line")
    func stream() throws {
        let folder = ScratchFolder()
        try folder.write(
            "a.m3u", "#EXTM3U\n#EXTINF:-1,Radio\nhttp://example.org/radio\nrtsp://example.org/b\nb.mp3\n")
        let list = TrackList(operands: ["\(folder.path)/a.m3u"])
        expectEqual(folder.names(list), ["http://example.org/radio", "b.mp3"])
        expectEqual(list.tracks.map(\.title), ["Radio", nil])
        expectEqual(
            list.problems,
            [
                "cannot play 'rtsp://example.org/b', line 4 of '\(folder.path)/a.m3u': only files and http and "
                    + "https addresses can be played"
            ])
    }

    @Test("entries are found as programs on other systems write them", arguments: ["m3u", "pls"])
    func foreignEntries(type: String) throws {
        let folder = ScratchFolder()
        for name in ["music/deep/a.mp3", "music/b c.mp3", "100%.mp3", "x%20y.mp3", "music/d\\e.mp3", "ü.mp3"]
        {
            try folder.write(name)
        }
        let entries = [
            "music\\deep\\a.mp3", ".\\music\\b%20c.mp3", "music/b%20c.mp3", "100%.mp3", "x%20y.mp3",
            "music/d\\e.mp3", "%C3%BC.mp3", "music\\none%20.mp3",
        ]
        let lines = entries.enumerated().map { type == "pls" ? "File\($0 + 1)=\($1)" : $1 }
        let text = (type == "pls" ? "[playlist]\n" : "") + lines.joined(separator: "\n")
        try folder.write("list.\(type)", text)
        let list = TrackList(operands: ["\(folder.path)/list.\(type)"])
        expectEqual(
            folder.names(list),
            [
                "music/deep/a.mp3", "./music/b c.mp3", "music/b c.mp3", "100%.mp3", "x%20y.mp3",
                "music/d\\e.mp3", "ü.mp3", "music\\none%20.mp3",
            ])
        #expect(list.problems.isEmpty)
    }

    @Test("an address is not looked for among files")
    func addressIsNoFile() throws {
        let folder = ScratchFolder()
        try folder.write("http:/example.org/a.m3u", "x.mp3\n")
        try folder.write("list.m3u", "http://example.org/a.m3u\n")
        let list = TrackList(operands: ["\(folder.path)/list.m3u"])
        expectEqual(folder.names(list), ["http://example.org/a.m3u"])
    }

    @Test("an XSPF list names files by URL references")
    func xspf() throws {
        let folder = ScratchFolder()
        try folder.write(
            "a.xspf",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>List</title><trackList>
            <track><location>a%20b.mp3</location><title>A &amp; B</title><creator>C</creator></track>
            <track><location>file://\(folder.path)/c%23.mp3</location></track>
            <track><location>https://example.org/d?e=1&amp;f=2</location></track>
            </trackList></playlist>
            """)
        let list = TrackList(operands: ["\(folder.path)/a.xspf"])
        expectEqual(folder.names(list), ["a b.mp3", "c#.mp3", "https://example.org/d?e=1&f=2"])
        expectEqual(list.tracks.map(\.title), ["C - A & B", nil, nil])
        #expect(list.problems.isEmpty)
    }

    @Test("an endless line is a problem, the other entries stay")
    func endlessLine() throws {
        let folder = ScratchFolder()
        try folder.write("a.m3u", "a.mp3\n\(String(repeating: "b", count: 100_000))\nc.mp3\n")
        let list = TrackList(operands: ["\(folder.path)/a.m3u"])
        expectEqual(folder.names(list), ["a.mp3", "c.mp3"])
        expectEqual(
            list.problems, ["cannot play line 2 of '\(folder.path)/a.m3u': it is longer than 16384 bytes"])
    }

    @Test("circular lists and links end")
    func cycles() throws {
        let folder = ScratchFolder()
        try folder.write("a.m3u", "b.m3u\nx.mp3\n")
        try folder.write("b.m3u", "a.m3u\ny.mp3\n")
        let list = TrackList(operands: ["\(folder.path)/a.m3u"])
        expectEqual(folder.names(list), ["y.mp3", "x.mp3"])
        expectEqual(list.problems, ["cannot follow '\(folder.path)/a.m3u': it contains itself"])

        try folder.write("music/x.mp3")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/music/up", withDestinationPath: "../music")
        let directory = TrackList(operands: ["\(folder.path)/music"])
        expectEqual(folder.names(directory), ["music/x.mp3"])
        expectEqual(directory.problems.count, 1)
    }

    @Test("lists that name each other repeatedly are limited")
    func explosion() throws {
        let folder = ScratchFolder()
        for level in 0..<30 {
            try folder.write("\(level).m3u", String(repeating: "\(level + 1).m3u\n", count: 10))
        }
        try folder.write("30.m3u", "x.mp3\n")
        let list = TrackList(operands: ["\(folder.path)/0.m3u"])
        expectEqual(list.problems, ["cannot follow more than 200000 entries"])
        #expect(list.tracks.count < 200_000)
    }

    @Test("an empty or unreadable folder is a problem, a missing file a track")
    func nothing() throws {
        let folder = ScratchFolder()
        try folder.write("notes/readme.txt")
        try folder.write("empty.m3u", "#EXTM3U\n\n")
        let list = TrackList(operands: [
            "\(folder.path)/notes", "\(folder.path)/empty.m3u", "missing.mp3", "-",
        ])
        expectEqual(list.tracks.map(\.path), ["missing.mp3", "-"])
        expectEqual(
            list.problems,
            [
                "cannot play '\(folder.path)/notes': there are no audio files in the folder",
                "cannot play '\(folder.path)/empty.m3u': the playlist is empty",
            ])
    }
}
