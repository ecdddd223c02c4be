// SPDX-License-Identifier: MIT

import AQExpectations
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
        expectEqual(kind(type), expected)
    }

    @Test("a list is HLS if any line begins with an HLS tag")
    func liveStreaming() {
        let list = "#EXTM3U\r\n#EXTINF:1,a\r\na.ts\r\n"
        expectEqual(kind("audio/mpegurl", list), .m3u)
        expectEqual(kind("audio/mpegurl", list + "#EXT-X-ENDLIST"), .hls)
        expectEqual(kind(nil, "\u{FEFF}" + list + "#EXT-X-ENDLIST"), .hls)
        expectEqual(kind("audio/mpegurl", list + "http://h/#EXT-X-ENDLIST"), .m3u)
        expectEqual(kind("audio/mpegurl", "[PlayList]\nFile1=a"), .pls)
        expectEqual(kind("audio/x-scpls", "#EXTM3U\na"), .m3u)
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
        for type in [nil, "application/octet-stream", "text/plain"] {
            expectEqual(kind(type, text), expected)
        }
        expectEqual(kind("text/html", text), (expected == .unknown ? .html : expected))
        expectEqual(kind("audio/mpeg", text), .mpegAudio)
    }

    @Test("Ogg under the type of FLAC, and FLAC under the type of Ogg")
    func lossless() {
        expectEqual(kind("audio/flac", "OggS"), .ogg)
        expectEqual(kind("audio/ogg", "fLaC"), .flac)
        expectEqual(kind("audio/flac", "...."), .flac)
    }

    @Test("packets at the first byte or after a tag")
    func packets() {
        let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC]
        let mpeg: [UInt8] = [0xFF, 0xFB, 0x90, 0x64]
        let tag: [UInt8] = [0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 2, 0, 0]
        expectEqual(kind(nil, adts), .adts)
        expectEqual(kind(nil, mpeg), .mpegAudio)
        expectEqual(kind(nil, tag + adts), .adts)
        expectEqual(kind(nil, tag + mpeg), .mpegAudio)
        expectEqual(kind(nil, tag), .mpegAudio)
        expectEqual(kind(nil, [0xFF, 0xFB, 0xF0, 0x64]), .unknown)
        expectEqual(kind(nil, [0xFF]), .unknown)
    }

    @Test("by path at last")
    func path() {
        expectEqual(kind(nil, "abc", "http://h/a.OPUS?x"), .ogg)
        expectEqual(kind("application/octet-stream", [], "http://h/a.pls"), .pls)
        expectEqual(kind(nil, [], "http://h/a"), .unknown)
        expectEqual(kind("text/html", [], "http://h/a.mp3"), .html)
    }
}
