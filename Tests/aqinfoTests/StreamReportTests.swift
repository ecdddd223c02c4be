// SPDX-License-Identifier: MIT

import AQExpectations
import AQTestSupport
import AQTestTraits
import Testing
import AQToolSupport

@testable import aqinfo

@Suite("Streams whose server states no size", .waiting, .timeLimit(.minutes(20)))
struct StreamReportTests {
    @Test("are reported by their first bytes, without a length")
    func endless() throws {
        let bytes = SystemFile.contents(ofPath: ToolPaths.fixture("network/tone.aac"))
        let server = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: audio/aac\r\n\r\n")
            while connection.send(bytes) {}
        }
        defer { server.stop() }
        let run = Run([server.address("/")])
        expectEqual(run.status, .success)
        expectEqual(run.complaints, [])
        #expect(run.output.contains("unknown"), "\(run.output)")
    }

    @Test("are reported with their first title, wherever it is", arguments: [4000, 16_000, 300_000])
    func title(interval: Int) throws {
        let tone = SystemFile.contents(ofPath: ToolPaths.fixture("network/tone.aac"))
        let audio = (0...interval / tone.count).flatMap { _ in tone }
        let server = try HTTPTestServer { _, connection in
            connection.send(
                "HTTP/1.0 200 OK\r\nContent-Type: audio/aac\r\nicy-name: S\r\nicy-metaint: \(interval)\r\n\r\n"
            )
            // Not all at once.
            connection.send(Array(audio[..<(interval / 2)]))
            leaveAsIs(seconds: 0.3)
            connection.send(Array(audio[(interval / 2)..<interval]))
            connection.send([2] + Array("StreamTitle='Some words';".utf8) + [UInt8](repeating: 0, count: 7))
            while connection.send(Array(audio[..<interval]) + [0]) {}
        }
        defer { server.stop() }
        let run = Run([server.address("/")])
        expectEqual(run.status, .success)
        #expect(run.output.contains("Some words"), "\(run.output)")
    }

    @Test("without a title are reported after as much as precedes one")
    func noTitle() throws {
        let tone = SystemFile.contents(ofPath: ToolPaths.fixture("network/tone.aac"))
        let server = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.0 200 OK\r\nContent-Type: audio/aac\r\nicy-metaint: 4000\r\n\r\n")
            while connection.send(Array((tone + tone + tone)[..<4000]) + [0]) {}
        }
        defer { server.stop() }
        expectEqual(Run([server.address("/")]).status, .success)
    }

    @Test("cannot be given tags, which is reported before they are requested")
    func tags() {
        let run = Run(["--write-tags", "http://127.0.0.1:1/a.mp3"])
        expectEqual(run.status, .usage)
        expectEqual(run.complaints.first?.hasPrefix("'--write-tags' needs files"), true)
    }

    @Test("are read to their end if a request needs it")
    func check() throws {
        let bytes = SystemFile.contents(ofPath: ToolPaths.fixture("tune-vbr.mp3"))
        let server = try HTTPTestServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\n\r\n")
            connection.send(bytes)
            connection.close()
        }
        defer { server.stop() }
        let remote = Run(["--check", server.address("/")])
        let local = Run(["--check", ToolPaths.fixture("tune-vbr.mp3")])
        expectEqual(remote.status, .success)
        expectEqual(remote.field("Duration"), local.field("Duration"))
        expectEqual(remote.field("Check"), local.field("Check"))
    }
}
