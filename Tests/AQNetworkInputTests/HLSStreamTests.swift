// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQNetworkInput

/// Streams of HLS: playlists and their segments.
@Suite("HLS streams", .waiting)
struct HLSStreamTests {
    /// Ten packets of AAC in each segment.
    private static func segment(_ number: Int) throws -> [UInt8] {
        try TestAudio.adts(number * 10..<(number + 1) * 10)
    }

    /// A server with the segments `/N.aac`, and the playlist that `list` returns.
    private static func server(
        _ list: @escaping @Sendable () -> String, missing: Set<Int> = []
    ) throws -> HTTPTestServer {
        try HTTPTestServer { request, connection in
            if request.path.hasSuffix(".m3u8") {
                return connection.respond(
                    "200 OK", ["Content-Type": "application/vnd.apple.mpegurl"], Array(list().utf8))
            }
            let name = request.path.dropFirst().prefix { $0 != "." }
            guard let number = Int(name), !missing.contains(number), let bytes = try? segment(number) else {
                return connection.respond("404 Not Found")
            }
            connection.respond(request, file: bytes)
        }
    }

    private static func list(
        _ numbers: Range<Int>, more: String = "", ending: String = "#EXT-X-ENDLIST\n"
    ) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)\n\(more)"
            + numbers.map { "#EXTINF:0.2,\n\($0).aac\n" }.joined() + ending
    }

    @Test("on demand have the packets of all segments, and an end")
    func onDemand() throws {
        let server = try Self.server { Self.list(0..<20) }
        defer { server.stop() }
        let file = try TestInput(server.address("/a.m3u8")).input.open()
        try expectEqual(file.packets(), TestAudio.packets(0..<200))
    }

    @Test("that are live begin at the third segment from the end, and go on")
    func live() throws {
        let start = HostClock.now
        let server = try Self.server {
            // A segment each fifth of a second, and ten in the list.
            let first = Int(HostClock.seconds(from: start, to: HostClock.now) * 5)
            return Self.list(first..<(first + 10), ending: "")
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.m3u8"))
        let file = try input.input.open()
        let packets = try file.packets(bytes: 20_000)
        #expect(packets.starts(with: TestAudio.packet(70)))
        expectEqual(packets, Array(TestAudio.packets(70..<400).prefix(packets.count)))
        #expect(input.notices.isEmpty)
    }

    @Test("of variants play the best that is audio alone")
    func variants() throws {
        let master = """
            #EXTM3U
            #EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.2"
            low.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"
            high.m3u8
            #EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.42,mp4a.40.2",RESOLUTION=640x360
            video.m3u8

            """
        let server = try HTTPTestServer { request, connection in
            switch request.path {
            case "/master.m3u8": connection.respond("200 OK", [:], Array(master.utf8))
            case "/high.m3u8": connection.respond("200 OK", [:], Array(Self.list(0..<3).utf8))
            default: connection.respond(request, file: (try? Self.segment(1)) ?? [])
            }
        }
        defer { server.stop() }
        let file = try TestInput(server.address("/master.m3u8")).input.open()
        _ = try file.packets()
        expectEqual(server.requests.map(\.path).prefix(2), ["/master.m3u8", "/high.m3u8"])
    }

    @Test("go on behind a segment that is missing, as another file")
    func missing() throws {
        let server = try Self.server({ Self.list(0..<6) }, missing: [3])
        defer { server.stop() }
        let input = try TestInput(server.address("/a.m3u8"))
        try expectEqual(input.input.open().packets(), TestAudio.packets(0..<30))
        try expectEqual(input.input.openNext()?.packets(), TestAudio.packets(40..<60))
        #expect(try input.input.openNext() == nil)
        expectEqual(input.notices, ["a segment is missing: the server answered 404 (not found)"])
    }

    @Test("go on after a discontinuity, as another file")
    func discontinuity() throws {
        let text = Self.list(0..<2, ending: "#EXT-X-DISCONTINUITY\n#EXTINF:0.2,\n7.aac\n#EXT-X-ENDLIST\n")
        let server = try Self.server { text }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.m3u8"))
        try expectEqual(input.input.open().packets(), TestAudio.packets(0..<20))
        try expectEqual(input.input.openNext()?.packets(), TestAudio.packets(70..<80))
    }

    @Test("are received again where a connection was cut inside a segment")
    func cut() throws {
        let wasCut = Mutex(false)
        let server = try HTTPTestServer { request, connection in
            if request.path.hasSuffix(".m3u8") {
                return connection.respond("200 OK", [:], Array(Self.list(0..<4).utf8))
            }
            let bytes = (try? Self.segment(Int(request.path.dropFirst().prefix(1)) ?? 0)) ?? []
            let mustCut = wasCut.withLock { wasCut in
                defer { wasCut = wasCut || request.path == "/2.aac" }
                return request.path == "/2.aac" && !wasCut
            }
            guard mustCut else { return connection.respond(request, file: bytes) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(bytes.prefix(500))
            connection.close()
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.m3u8"))
        try expectEqual(input.input.open().packets(), TestAudio.packets(0..<40))
        expectEqual(input.notices, ["the connection was lost; connecting again"])
    }

    @Test("in parts of one file are requested by range")
    func byteRanges() throws {
        let bytes = try Self.segment(0) + Self.segment(1)
        let half = bytes.count / 2
        let text = """
            #EXTM3U
            #EXT-X-TARGETDURATION:1
            #EXTINF:0.2,
            #EXT-X-BYTERANGE:\(half)@0
            all.aac
            #EXTINF:0.2,
            #EXT-X-BYTERANGE:\(half)
            all.aac
            #EXT-X-ENDLIST

            """
        let server = try HTTPTestServer { request, connection in
            if request.path.hasSuffix(".m3u8") { return connection.respond("200 OK", [:], Array(text.utf8)) }
            connection.respond(request, file: bytes)
        }
        defer { server.stop() }
        try expectEqual(
            TestInput(server.address("/a.m3u8")).input.open().packets(), TestAudio.packets(0..<20))
        expectEqual(server.requests.compactMap(\.range).map(\.start), [0, half])
    }

    @Test("that are encrypted are refused")
    func encrypted() throws {
        let text = Self.list(0..<2, more: "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"\n")
        let server = try Self.server { text }
        defer { server.stop() }
        let message = try TestInput(server.address("/a.m3u8")).openingFailure()
        expectEqual(message?.hasSuffix("its segments are encrypted (AES-128), which is not supported"), true)
    }

    @Test("whose playlist does not change any more end with an error after the permitted time")
    func stalled() throws {
        let server = try Self.server { Self.list(0..<3, ending: "") }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.m3u8"), reconnectSeconds: 1)
        let file = try input.input.open()
        let error = #expect(throws: AudioFileError.self) { try file.packets() }
        expectEqual(error?.message.contains("its playlist has not changed for"), true)
    }

    @Test("whose playlist names itself as a variant are refused")
    func ownVariant() throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=64000\na.m3u8\n"
        let server = try Self.server { text }
        defer { server.stop() }
        let message = try TestInput(server.address("/a.m3u8"), reconnectSeconds: 1).openingFailure()
        expectEqual(message?.hasSuffix("an HLS playlist of variants names another of its kind"), true)
    }

    @Test("whose segments are files of this machine are left out")
    func localSegments() throws {
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n"
        let server = try Self.server { text }
        defer { server.stop() }
        let message = try TestInput(server.address("/a.m3u8")).openingFailure()
        #expect(message != nil)
        expectEqual(server.requests.count, 1)
    }
}
