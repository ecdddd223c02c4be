// SPDX-License-Identifier: MIT

import AQExpectations
import AQSoundHarness
import Synchronization
import AQTestTraits
import Testing

@Suite("aqplay plays from a server", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct AqplayNetworkTests {
    private let server: PulseServer

    init() throws {
        var options = PulseServer.Options()
        (options.sampleRate, options.channels) = (44100, 2)
        server = try PulseServer(options)
    }

    @Test("a file bit for bit", arguments: ["tune.wav", "tune.caf", "tune-vbr.mp3"])
    func file(name: String) throws {
        let bytes = SystemFile.contents(ofPath: ToolPaths.fixture(name))
        let web = try HTTPTestServer { $1.respond($0, file: bytes) }
        defer { web.stop() }
        let local = try AqplayRun([ToolPaths.fixture(name)], on: server)
        let remote = try AqplayRun([web.address("/\(name)")], on: server)
        remote.expectSuccess()
        let sound = local.played.trimmedToSound()
        #expect(sound.frames > 20_000)
        #expect(
            try #require(remote.played.compare(to: sound, keyFrames: 2000))
                .isExact(referenceFrames: sound.frames))
    }

    @Test("the entries of a playlist, without a gap")
    func playlist() throws {
        let bytes = SystemFile.contents(ofPath: ToolPaths.fixture("tune.wav"))
        let list = "[playlist]\nFile1=a.wav\nFile2=b.wav\nNumberOfEntries=2\n"
        let web = try HTTPTestServer { request, connection in
            let isList = request.path.hasSuffix(".pls")
            connection.respond(request, file: isList ? Array(list.utf8) : bytes)
        }
        defer { web.stop() }
        let one = try AqplayRun([ToolPaths.fixture("tune.wav")], on: server)
        let both = try AqplayRun(["--json", web.address("/list.pls")], on: server)
        both.expectSuccess()
        try expectEqual(both.result.reports().count, 2)
        let single = one.played.trimmedToSound().frames
        #expect(both.played.trimmedToSound().frames >= 2 * single)
        expectEqual(
            both.played.gaps(minimumFrames: 4410).count, one.played.gaps(minimumFrames: 4410).count * 2)
    }

    @Test("a broadcast that goes on after its connection is lost, as one track")
    func broadcast() throws {
        let bytes = SystemFile.contents(ofPath: ToolPaths.fixture("tune.wav"))
        let connections = Atomic(0)
        let web = try HTTPTestServer { _, connection in
            guard connections.add(1, ordering: .relaxed).newValue <= 2 else { return connection.close() }
            connection.send("HTTP/1.0 200 OK\r\nicy-name: Station\r\nContent-Type: audio/wav\r\n\r\n")
            // Not the same audio twice, with which a station ends.
            connection.send(bytes.dropLast() + [UInt8(connections.load(ordering: .relaxed))])
            connection.close()
        }
        defer { web.stop() }
        let local = try AqplayRun([ToolPaths.fixture("tune.wav")], on: server)
        let run = try AqplayRun(["--json", "--reconnect", "1", web.address("/")], on: server)
        expectEqual(run.result.exitStatus, 1)
        #expect(run.result.standardError.contains("connecting again"))
        let reports = try run.result.reports()
        expectEqual(reports.count, 1)
        let frames = try #require(reports.first?["framesPlayed"] as? Int)
        expectEqual(frames, 2 * 44_159)
        #expect(run.played.trimmedToSound().frames >= 2 * local.played.trimmedToSound().frames)
    }

    @Test("a download whose connection stays lost, to the loss, with one error")
    func lostDownload() throws {
        let bytes = SystemFile.contents(ofPath: ToolPaths.fixture("tune-cbr.mp3"))
        let connections = Atomic(0)
        let web = try HTTPTestServer { _, connection in
            guard connections.add(1, ordering: .relaxed).newValue == 1 else { return connection.close() }
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: audio/mpeg\r\nContent-Length: \(bytes.count)\r\n\r\n")
            connection.send(bytes[..<20_000])
            connection.close()
        }
        defer { web.stop() }
        let run = try ChildProcess.run(
            ToolPaths.tool("aqplay"),
            ["--device=virtual", "--quiet", "--reconnect=1s", web.address("/a.mp3")])
        expectEqual(run.exitStatus, 1)
        expectEqual(run.standardError.split(separator: "\n").count, 1, "\(run.standardError)")
        #expect(run.standardError.contains("/a.mp3': "))
    }
}
