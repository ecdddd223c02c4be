// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import Foundation
import AQTestSupport
import AQTestTraits
import Testing

@testable import AQNetworkInput

/// Servers that answer wrongly, whether by a fault or on purpose: each is a clear error, and none blocks.
@Suite("Hostile servers", .waiting)
struct HostileServerTests {
    /// The reason of the error with which an address cannot be opened.
    private func reason(
        path: String = "/a.mp3", _ answer: @escaping HTTPTestServer.Answer
    ) throws -> String {
        let server = try HTTPTestServer(answer: answer)
        defer { server.stop() }
        let address = server.address(path)
        let input = try TestInput(address, reconnectSeconds: 1)
        let message = try #require(input.openingFailure())
        #expect(message.allSatisfy { !$0.isNewline && $0 != "\u{1B}" && $0 != "\u{7}" })
        let prefix = "cannot open '\(address)': "
        return message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
    }

    @Test("that never answer are given up")
    func silence() throws {
        let start = HostClock.now
        try expectEqual(
            reason { _, connection in _ = eventually { connection.isClosed } }, "the server does not answer")
        #expect(HostClock.seconds(from: start, to: HostClock.now) < 4)
    }

    @Test("that answer a megabyte of headers are refused")
    func longHeader() throws {
        let found = try reason { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            for number in 0..<1000 {
                connection.send("x-\(number): \(String(repeating: "a", count: 1000))\r\n")
            }
            connection.send("\r\n")
        }
        expectEqual(found, "the server's header is larger than 256 KiB")
    }

    @Test("that answer one line without end are refused")
    func longLine() throws {
        let found = try reason { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nx: ")
            while connection.send([UInt8](repeating: 0x61, count: 65_536)) {}
        }
        #expect(!found.isEmpty)
    }

    @Test("that redirect in a circle are refused")
    func circle() throws {
        let found = try reason { request, connection in
            connection.respond("302 Found", ["Location": request.path == "/a.mp3" ? "/b.mp3" : "/a.mp3"])
        }
        expectEqual(found, "it is redirected more than ten times")
    }

    @Test("that redirect to a file of this machine are refused")
    func redirectedToFile() throws {
        let found = try reason { _, connection in
            connection.respond("302 Found", ["Location": "file:///etc/passwd"])
        }
        expectEqual(found, "it is not an HTTP or HTTPS address")
    }

    @Test("that send compressed data are refused, before the data is expanded")
    func bomb() throws {
        let found = try reason { _, connection in
            connection.respond("200 OK", ["Content-Encoding": "gzip"], [0x1F, 0x8B, 8, 0])
        }
        expectEqual(found, "the server sends compressed data ('gzip'), which was not requested")
    }

    @Test("that refuse are quoted", arguments: [401, 403, 404, 410, 500, 503])
    func refusals(status: Int) throws {
        let found = try reason { _, connection in connection.respond("\(status) \u{1B}[31mNo") }
        #expect(found.hasPrefix("the server answered \(status)"))
    }

    @Test("that do not speak HTTP are refused")
    func otherProtocol() throws {
        #expect(
            !(try reason { _, connection in
                connection.send("220 mail.example.org ESMTP\r\n")
                connection.close()
            }).isEmpty)
    }

    @Test("that close the connection without an answer are refused")
    func closed() throws {
        try expectEqual(reason { _, connection in connection.close() }, "the connection was lost")
    }

    @Test("that send a web page are refused")
    func page() throws {
        let found = try reason { _, connection in
            connection.respond("200 OK", ["Content-Type": "text/html"], Array("<!DOCTYPE html><html>".utf8))
        }
        expectEqual(found, "it is a web page, not audio")
    }

    @Test("whose playlist names itself are refused")
    func ownPlaylist() throws {
        let found = try reason(path: "/a.m3u") { _, connection in
            connection.respond("200 OK", ["Content-Type": "audio/x-mpegurl"], Array("#EXTM3U\n/a.m3u\n".utf8))
        }
        expectEqual(found, "playlists name each other")
    }

    @Test("whose playlist names files of this machine are refused")
    func filePlaylist() throws {
        let found = try reason(path: "/a.m3u") { _, connection in
            connection.respond(
                "200 OK", ["Content-Type": "audio/x-mpegurl"],
                Array("#EXTM3U\nfile:///etc/passwd\n".utf8))
        }
        expectEqual(found, "the playlist has no address to open")
    }

    @Test("whose playlist has no end are refused")
    func endlessPlaylist() throws {
        let found = try reason(path: "/a.m3u") { _, connection in
            connection.send("HTTP/1.0 200 OK\r\nContent-Type: audio/x-mpegurl\r\n\r\n#EXTM3U\n")
            while connection.send(String(repeating: "# comment\n", count: 10_000)) {}
        }
        expectEqual(found, "the playlist is larger than 4 MiB")
    }

    @Test(
        "that state an absurd length are read as far as they go",
        arguments: [
            "99999999999999999999", "9223372036854775807", "-5", "1125899906842624",
        ])
    func absurdLength(length: String) throws {
        let wave = RIFFBytes.wave(TestAudio.samples(1000), channels: 2, sampleRate: 48_000)
        let server = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: \(length)\r\n\r\n")
            connection.send(wave)
            connection.close()
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/a.wav"), reconnectSeconds: 0.5)
        // An error, or the samples that arrived: but no wait without end.
        if let file = try? input.input.open() { _ = try? file.packets() }
    }

    @Test("whose metadata is garbage do not disturb the audio")
    func garbageMetadata() throws {
        let audio = try TestAudio.adts(0..<100)
        var body: [UInt8] = []
        for start in stride(from: 0, to: audio.count, by: 500) {
            let part = audio[start..<min(start + 500, audio.count)]
            body += part
            if part.count == 500 { body += [255] + (0..<4080).map { UInt8(truncatingIfNeeded: $0 * 37) } }
        }
        let sent = body
        let server = try HTTPTestServer { _, connection in
            connection.send(
                "HTTP/1.0 200 OK\r\nContent-Type: audio/aac\r\nicy-metaint: 500\r\nicy-name: \u{1B}]0;x\u{7}\r\n\r\n"
            )
            connection.send(sent)
            _ = eventually(within: 20) { connection.isClosed }
        }
        defer { server.stop() }
        let input = try TestInput(server.address("/"))
        #expect(try input.input.open().packets(bytes: 9900).starts(with: TestAudio.packets(0..<99)))
    }

    @Test(
        "whose certificate is not signed are refused",
        .enabled(if: ToolPaths.isInPath("openssl"), "openssl is not installed"))
    func certificate() throws {
        let folder = ScratchFolder()
        let made = try ChildProcess(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                "-keyout", folder.file("key"), "-out", folder.file("certificate"),
            ])
        try #require(made.wait().exitStatus == 0)
        // The number of a port that was free just now.
        let port = try HTTPTestServer { $1.close() }
        port.stop()
        let server = try ChildProcess(
            "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port.port)", "-www", "-key", folder.file("key"), "-cert",
                folder.file("certificate"),
            ])
        defer { server.signal(SIGKILL) }
        var message: String?
        _ = try eventually {
            message = try TestInput("https://127.0.0.1:\(port.port)/").openingFailure()
            return message?.hasSuffix("the server cannot be reached") == false
        }
        expectEqual(message?.contains("the connection is not secure: "), true)
    }
}
