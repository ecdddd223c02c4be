// SPDX-License-Identifier: MIT

import AQMagicCookies

/// The type of the bytes at an address.
package enum ContentKind: Equatable, Sendable {
    case mpegAudio, adts, ogg, flac
    case m3u, pls, xspf
    /// A playlist of HTTP Live Streaming: an M3U list in which a line begins with `#EXT-X-`.
    case hls
    case html
    /// Anything else, which may still be audio.
    case unknown

    /// Determines the type from the Content-Type; if that is missing or general, from the first bytes, then from the
    /// path.
    ///
    /// Between the playlist formats, and between Ogg and FLAC, the bytes decide: servers confuse them.
    ///
    /// - Parameters:
    ///   - contentType: The value of the header, with any parameters.
    ///   - head: The first bytes; of a playlist all of them, because an M3U list is HLS by any of its lines.
    package init(contentType: String?, head: ArraySlice<UInt8>, address: RemoteAddress?) {
        let stated = contentType.flatMap(Self.kind(ofType:)) ?? .unknown
        switch stated {
        case .mpegAudio, .adts, .hls: self = stated
        case .ogg, .flac: self = Self.mark(in: head).flatMap { $0.isContainer ? $0 : nil } ?? stated
        case .m3u, .pls, .xspf: self = Self.text(in: head).flatMap { $0 == .html ? nil : $0 } ?? stated
        case .html, .unknown:
            let shown = Self.mark(in: head) ?? Self.text(in: head) ?? Self.packet(in: head)
            let named = stated == .html ? stated : address.map { Self.kind(ofExtension: $0.pathExtension) }
            self = shown ?? named ?? .unknown
        }
    }

    /// Whether the bytes are a list of addresses.
    package var isPlaylist: Bool { [.m3u, .pls, .xspf, .hls].contains(self) }

    private var isContainer: Bool { self == .ogg || self == .flac }

    private static func kind(ofType contentType: String) -> ContentKind? {
        let words = contentType.prefix { $0 != ";" && $0 != "," }.split(whereSeparator: \.isWhitespace)
        switch words.first?.lowercased() {
        case "audio/mpeg", "audio/mp3", "audio/x-mpeg", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg-3",
            "audio/mpg", "audio/x-mpg":
            return .mpegAudio
        case "audio/aac", "audio/aacp", "audio/x-aac", "audio/x-aacp", "audio/x-hx-aac-adts": return .adts
        case "application/ogg", "application/x-ogg", "audio/ogg", "audio/x-ogg", "audio/opus", "audio/vorbis":
            return .ogg
        case "audio/flac", "audio/x-flac", "application/flac", "application/x-flac": return .flac
        // Servers send HLS and plain lists under the same types.
        case "audio/x-mpegurl", "audio/mpegurl", "application/x-mpegurl", "application/mpegurl",
            "application/vnd.apple.mpegurl", "application/vnd.apple.mpegurl.audio", "audio/m3u",
            "audio/x-m3u":
            return .m3u
        case "audio/x-scpls", "audio/scpls", "application/pls+xml", "application/x-scpls": return .pls
        case "application/xspf+xml": return .xspf
        case "text/html", "application/xhtml+xml": return .html
        default: return nil
        }
    }

    private static func kind(ofExtension name: String) -> ContentKind {
        switch name {
        case "mp3", "mp2", "mp1", "mpga": .mpegAudio
        case "aac", "aacp", "adts": .adts
        case "ogg", "oga", "opus": .ogg
        case "flac": .flac
        case "m3u", "m3u8": .m3u
        case "pls": .pls
        case "xspf": .xspf
        case "html", "htm": .html
        default: .unknown
        }
    }

    /// The type by the mark of a container.
    private static func mark(in head: ArraySlice<UInt8>) -> ContentKind? {
        if head.starts(with: "OggS".utf8) { return .ogg }
        return head.starts(with: "fLaC".utf8) ? .flac : nil
    }

    /// The type of packets that begin at the first byte, or after tags.
    private static func packet(in head: ArraySlice<UInt8>) -> ContentKind? {
        let tags = SegmentTag.byteCount(of: head)
        let head = head.dropFirst(tags)
        guard head.count >= 4 else { return tags > 0 ? .mpegAudio : nil }
        if ADTSHeader(bytes: head) != nil { return .adts }
        let fields = Array(head.prefix(4))
        // Layer, bit rate and sample rate have reserved values.
        let isFrame =
            fields[0] == 0xFF && fields[1] & 0xE0 == 0xE0 && fields[1] & 0x18 != 0x08
            && fields[1] & 0x06 != 0 && fields[2] & 0xF0 != 0xF0 && fields[2] & 0x0C != 0x0C
        return isFrame ? .mpegAudio : nil
    }

    /// The type of a text by its first line.
    private static func text(in head: ArraySlice<UInt8>) -> ContentKind? {
        guard let first = TextLines(head).first(where: { !$0.bytes.isEmpty })?.bytes.prefix(64) else {
            return nil
        }
        let words = String(decoding: first.map(URLEscapes.lowercased), as: UTF8.self)
        if words.hasPrefix("<") { return markup(in: head) }
        if words == "[playlist]" { return .pls }
        if words.hasPrefix("#ext") {
            let isHLS = TextLines(head).contains { $0.bytes.starts(with: "#EXT-X-".utf8) }
            return isHLS ? .hls : .m3u
        }
        return words.hasPrefix("http://") || words.hasPrefix("https://") ? .m3u : nil
    }

    /// The type of a text that begins with `<`, by its first element that is known.
    private static func markup(in head: ArraySlice<UInt8>) -> ContentKind? {
        var rest = head.prefix(4096)
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            let name = String(decoding: rest.prefix(16).map(URLEscapes.lowercased), as: UTF8.self)
            if name.hasPrefix("playlist") { return .xspf }
            if ["!doctype html", "html", "head", "body"].contains(where: name.hasPrefix) { return .html }
        }
        return nil
    }
}
