// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import Synchronization
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQNetworkInput

/// Files on a server that sends parts of them.
@Suite("Files on a server", .waiting)
struct RemoteFileTests {
    private let samples = TestAudio.samples(800_000)

    private var wave: [UInt8] { RIFFBytes.wave(samples, channels: 2, sampleRate: 48_000) }

    @Test("have all their samples, at any offset")
    func whole() throws {
        let file = wave
        let server = try HTTPTestServer { $1.respond($0, file: file) }
        defer { server.stop() }
        let remote = try TestInput(server.address("/a.wav")).input.open()
        #expect(remote.isSeekable)
        expectEqual(remote.frameCount, 400_000)
        try expectEqual(remote.packets(), TestAudio.bytes(samples))
        let tail = Array(samples.suffix(2 * 1000))
        try expectEqual(remote.packets(from: 399_000), TestAudio.bytes(tail))
    }

    @Test("are received from where reading goes on, however quickly it moves")
    func moves() throws {
        let file = wave
        let server = try HTTPTestServer { $1.respond($0, file: file) }
        defer { server.stop() }
        for _ in 0..<200 {
            let input = try TestInput(server.address("/a.wav")).input
            let remote = try input.open()
            // Nothing is needed after the last frames, and the first ones are in memory already.
            _ = try remote.packets(from: 399_900, bytes: 100)
            _ = try remote.packets(from: 1000, bytes: 100)
            try #require(input.wait(milliseconds: 5000))
        }
    }

    @Test("are not received whole for a seek")
    func seek() throws {
        let file = wave
        let sent = Mutex(0)
        let server = try HTTPTestServer { request, connection in
            let end = min(request.range?.end ?? file.count, file.count)
            sent.withLock { $0 += end - (request.range?.start ?? 0) }
            connection.respond(request, file: file)
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.wav"))
        let remote = try input.input.open()
        // Without reading ahead from the beginning, which would take most of this small file.
        _ = try remote.packets(from: 390_000)
        let ranges = server.requests.compactMap(\.range)
        #expect(ranges.contains { $0.start > 1_400_000 })
    }

    @Test("are complete although each connection is cut")
    func cuts() throws {
        let file = wave
        let server = try HTTPTestServer { request, connection in
            guard let range = request.range else { return connection.respond(request, file: file) }
            let end = min(range.end.map { $0 + 1 } ?? file.count, file.count)
            connection.send(
                "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes \(range.start)-\(end - 1)/\(file.count)\r\n"
                    + "Content-Length: \(end - range.start)\r\n\r\n")
            connection.send(file[range.start..<min(range.start + 200_000, end)])
            connection.close()
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.wav"))
        try expectEqual(input.input.open().packets(), TestAudio.bytes(samples))
        expectEqual(input.notices, input.notices.filter { $0 == "the connection was lost; connecting again" })
        #expect(!input.notices.isEmpty)
    }

    @Test("that change while they are read are an error")
    func changed() throws {
        let file = wave
        let server = try HTTPTestServer { request, connection in
            let isFirst = request.range == nil
            connection.respond(
                request, file: isFirst ? file : file + [0], ["ETag": isFirst ? "\"1\"" : "\"2\""])
        }
        defer { server.stop() }
        let error = #expect(throws: AudioFileError.self) {
            try TestInput(server.address("/a.wav")).input.open().packets()
        }
        expectEqual(error?.message.hasSuffix("the file on the server has changed"), true)
        #expect(server.requests.contains { $0.fields["if-range"] == "\"1\"" })
    }

    @Test("whose server is gone are an error after the permitted time, and not before")
    func gone() throws {
        let file = wave
        let server = try HTTPTestServer { request, connection in
            if request.range == nil { connection.respond(request, file: file) } else { connection.close() }
        }
        let input = try TestInput(server.address("/a.wav"), reconnectSeconds: 1.5)
        let start = HostClock.now
        let error = #expect(throws: AudioFileError.self) { try input.input.open().packets() }
        server.stop()
        expectEqual(error?.code, .unreadable)
        #expect(HostClock.seconds(from: start, to: HostClock.now) > 1.2)
        expectEqual(input.notices.count, 1)
    }

    @Test("of which a server sends less than was requested are an error after the permitted time")
    func shortParts() throws {
        let file = wave
        let server = try HTTPTestServer { request, connection in
            guard let range = request.range else { return connection.respond(request, file: file) }
            let place = "bytes \(range.start)-\(range.start + 999)/\(file.count)"
            connection.respond(
                "206 Partial Content", ["Content-Range": place],
                Array(file[range.start..<(range.start + 1000)]))
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.wav"), reconnectSeconds: 1.5)
        let error = #expect(throws: AudioFileError.self) { try input.input.open().packets() }
        expectEqual(error?.message.contains("the server sent less than was requested"), true)
        #expect(server.requests.count < 20)
    }

    @Test("are downloaded in order if the server sends no parts, and resumed by skipping")
    func withoutRanges() throws {
        let file = wave
        let server = try HTTPTestServer { request, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(file.count)\r\nETag: \"1\"\r\n\r\n")
            // The second response is complete.
            connection.send(request.range == nil ? Array(file.prefix(700_000)) : file)
            connection.close()
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.wav"))
        let remote = try input.input.open()
        #expect(!remote.isSeekable)
        try expectEqual(remote.packets(), TestAudio.bytes(samples))
        expectEqual(server.requests.count, 2)
        expectEqual(input.notices.count, 1)
    }

    @Test("are cancelled while they are waited for")
    func cancelled() throws {
        let file = wave
        let server = try HTTPTestServer { request, connection in
            if request.range == nil { connection.respond(request, file: file) } else { leaveAsIs(seconds: 3) }
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.wav"))
        let remote = try input.input.open()
        Thread.detachNewThread {
            _ = eventually { server.requests.count > 1 }
            input.input.cancel()
        }
        let start = HostClock.now
        #expect(throws: AudioFileError.self) { try remote.packets() }
        #expect(HostClock.seconds(from: start, to: HostClock.now) < 2)
    }
}
