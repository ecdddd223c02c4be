// SPDX-License-Identifier: MIT

import AQNetworkInput
import Testing

@Suite("ContentKind")
struct ContentKindTests {
    private func kind(_ type: String?, _ head: [UInt8] = [], _ address: String? = nil) -> ContentKind {
        ContentKind(contentType: type, head: head[...], address: address.flatMap { RemoteAddress($0) })
    }

    private func kind(_ type: String?, _ text: String, _ address: String? = nil) -> ContentKind {
        kind(type, Array(text.utf8), address)
    }

    @Test(
        "by Content-Type, in any case, without parameters",
        arguments: [
            ("audio/mpeg", .mpegAudio), ("AUDIO/MPEG; charset=utf-8", .mpegAudio), (" audio/aacp ", .adts),
            ("application/ogg", .ogg), ("audio/ogg;codecs=opus", .ogg), ("audio/x-flac", .flac),
            ("audio/x-mpegurl", .m3u), ("application/vnd.apple.mpegurl", .m3u), ("audio/x-scpls", .pls),
            ("application/xspf+xml", .xspf), ("text/html;charset=x", .html), ("audio/wav", .unknown),
            ("application/octet-stream", .unknown), ("", .unknown), (";", .unknown),
        ] as [(String, ContentKind)])
    func type(type: String, expected: ContentKind) {
        #expect(kind(type) == expected)
    }

    @Test("a list is HLS if any line begins with an HLS tag")
    func liveStreaming() {
        let list = "#EXTM3U\r\n#EXTINF:1,a\r\na.ts\r\n"
        #expect(kind("audio/mpegurl", list) == .m3u)
        #expect(kind("audio/mpegurl", list + "#EXT-X-ENDLIST") == .hls)
        #expect(kind(nil, "\u{FEFF}" + list + "#EXT-X-ENDLIST") == .hls)
        #expect(kind("audio/mpegurl", list + "http://h/#EXT-X-ENDLIST") == .m3u)
        #expect(kind("audio/mpegurl", "[PlayList]\nFile1=a") == .pls)
        #expect(kind("audio/x-scpls", "#EXTM3U\na") == .m3u)
    }

    @Test(
        "by first bytes if the type is missing or general",
        arguments: [
            ("OggS", .ogg), ("fLaC", .flac), ("#EXTM3U\n", .m3u), ("\n[playlist]\n", .pls),
            ("http://h/a\n", .m3u), ("<?xml version='1.0'?>\n<!-- x --><playlist version='1'>", .xspf),
            ("<!DOCTYPE HTML>", .html), ("  <html><playlist>", .html), ("<a><b>", .unknown),
            ("abc", .unknown),
        ] as [(String, ContentKind)])
    func bytes(text: String, expected: ContentKind) {
        for type in [nil, "application/octet-stream", "text/plain"] { #expect(kind(type, text) == expected) }
        #expect(kind("text/html", text) == (expected == .unknown ? .html : expected))
        #expect(kind("audio/mpeg", text) == .mpegAudio)
    }

    @Test("Ogg under the type of FLAC, and FLAC under the type of Ogg")
    func lossless() {
        #expect(kind("audio/flac", "OggS") == .ogg)
        #expect(kind("audio/ogg", "fLaC") == .flac)
        #expect(kind("audio/flac", "....") == .flac)
    }

    @Test("packets at the first byte or after a tag")
    func packets() {
        let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC]
        let mpeg: [UInt8] = [0xFF, 0xFB, 0x90, 0x64]
        let tag: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 2, 0, 0]
        #expect(kind(nil, adts) == .adts)
        #expect(kind(nil, mpeg) == .mpegAudio)
        #expect(kind(nil, tag + adts) == .adts)
        #expect(kind(nil, tag + mpeg) == .mpegAudio)
        #expect(kind(nil, tag) == .mpegAudio)
        #expect(kind(nil, [0xFF, 0xFB, 0xF0, 0x64]) == .unknown)
        #expect(kind(nil, [0xFF]) == .unknown)
    }

    @Test("by path at last")
    func path() {
        #expect(kind(nil, "abc", "http://h/a.OPUS?x") == .ogg)
        #expect(kind("application/octet-stream", [], "http://h/a.pls") == .pls)
        #expect(kind(nil, [], "http://h/a") == .unknown)
        #expect(kind("text/html", [], "http://h/a.mp3") == .html)
    }
}
