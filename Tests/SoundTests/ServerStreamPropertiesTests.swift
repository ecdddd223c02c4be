// SPDX-License-Identifier: MIT

import AQDevices
import AQExpectations
import AQFiles
import AudioQueues
import CoreAudioTypes
import Glibc
import AQSoundHarness
import AQTestTraits
import Testing

/// The stream properties shown by `pactl` and mixers.
@Suite("Properties of a stream at the server", .serialized, .besideOthers, .timeLimit(.minutes(5)))
struct ServerStreamPropertiesTests {
    private let folder: ScratchFolder
    private let server: PulseServer

    init() throws {
        folder = ScratchFolder()
        server = try PulseServer()
    }

    /// Writes two seconds of the test signal, with tags.
    private func track(_ name: String, _ tags: [(String, String)]) throws -> String {
        let path = try folder.writeSignal(frames: 96_000, name: name)
        if !tags.isEmpty {
            try AudioFileEditor.open(path: path).setInformation(tags.map { AudioFileInformation($0, $1) })
        }
        return path
    }

    private func start(
        _ tool: String, _ arguments: [String], _ environment: [String: String?] = [:]
    ) throws -> ChildProcess {
        try ChildProcess(
            ToolPaths.tool(tool), arguments, environment: server.environment.merging(environment) { $1 })
    }

    /// The properties of the one stream of a program, once `isWanted` of them.
    private func properties(
        _ kind: PulseServer.StreamKind, of binary: String?, upToSeconds seconds: Double = 10,
        where isWanted: ([String: String]) -> Bool = { _ in true },
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String: String] {
        var found: [[String: String]] = []
        let isFound = HostClock.poll(upToSeconds: seconds, every: 0.05) {
            // A server that is just starting does not answer.
            found = (try? server.properties(of: kind, by: binary)) ?? []
            return found.count == 1 && isWanted(found[0])
        }
        #expect(isFound, "\(found)", sourceLocation: sourceLocation)
        return try #require(found.first, sourceLocation: sourceLocation)
    }

    // MARK: aqplay

    @Test("aqplay's stream is music of the audible artist and title, also if the next track follows in it")
    func tracks() throws {
        let player = try start(
            "aqplay",
            [
                track("1.wav", [("title", "One"), ("artist", "Ann")]), track("2.wav", [("title", "Two")]),
                track("3.wav", []),
            ])
        let first = try properties(.playing, of: "aqplay")
        #expect(first["media.name"] == "Ann - One" && first["application.name"] == "aqplay")
        #expect(first["media.role"] == "music" && first["media.icon_name"] == "audio-x-generic")
        let second = try properties(.playing, of: "aqplay") { $0["media.name"] != "Ann - One" }
        #expect(second["media.name"] == "Two" && second["#"] == first["#"])
        #expect(player.standardOutput == "" && player.isRunning)
        let third = try properties(.playing, of: "aqplay") { $0["media.name"] != "Two" }
        #expect(third["media.name"] == "3.wav" && third["#"] == first["#"])
        #expect(third["media.role"] == "music" && third["media.icon_name"] == "audio-x-generic")
        expectEqual(player.wait(deadlineSeconds: 20).exitStatus, 0)
    }

    @Test(
        "aqplay names a pipe, and shows a path that is not UTF-8 with escapes",
        arguments: [
            ("\"$0\" - <\"$1\"", "standard input"),
            ("cp \"$1\" \"$2/$(printf 'caf\\351.wav')\"; \"$0\" \"$2\"/caf*", "caf\\xe9.wav"),
        ])
    func oddNames(command: String, name: String) throws {
        let player = try ChildProcess(
            "sh", ["-c", command, ToolPaths.tool("aqplay"), track("a.wav", []), folder.path],
            environment: server.environment)
        try expectEqual(properties(.playing, of: "aqplay")["media.name"], name)
        expectEqual(player.wait(deadlineSeconds: 20).exitStatus, 0)
    }

    // MARK: aqrecord

    @Test("aqrecord's stream is a production of the written file")
    func recording() throws {
        let path = "\(folder.path)/take.wav"
        let recorder = try start("aqrecord", ["--json", path])
        let first = try properties(.recording, of: "aqrecord")
        #expect(first["media.name"] == "take.wav" && first["application.name"] == "aqrecord")
        expectEqual(first["media.role"], "production")
        expectEqual(first["media.icon_name"], "audio-input-microphone")
        #expect(HostClock.poll(upToSeconds: 10) { SystemFile.byteCount(ofPath: path) > 9_600 }, "no audio")
        recorder.signal(SIGUSR1)
        let second = try properties(.recording, of: "aqrecord") { $0["media.name"] != "take.wav" }
        #expect(second["media.name"] == "take-002.wav" && second["#"] == first["#"])
        recorder.signal(SIGINT)
        expectEqual(recorder.wait(deadlineSeconds: 10).exitStatus, 0)
    }

    @Test("aqrecord names a pipe")
    func recordingToPipe() throws {
        let recorder = try start("aqrecord", ["--seconds=2", "-"])
        try expectEqual(properties(.recording, of: "aqrecord")["media.name"], "standard output")
        expectEqual(recorder.wait(deadlineSeconds: 10).exitStatus, 0)
    }

    // MARK: The user

    @Test(
        "PULSE_PROP and its variants override a program's properties, also when those change",
        arguments: [
            ["PULSE_PROP": "media.role=event media.name='my own' media.icon_name=face-smile x.y=z"],
            [
                "PULSE_PROP_media.role": "event", "PULSE_PROP_OVERRIDE_media.name": "my own",
                "PULSE_PROP_OVERRIDE": "media.icon_name=face-smile x.y=z",
            ],
        ])
    func user(environment: [String: String]) throws {
        func expectOwn(_ properties: [String: String], _ sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(properties["media.name"] == "my own", sourceLocation: sourceLocation)
            #expect(properties["media.role"] == "event", sourceLocation: sourceLocation)
            #expect(properties["media.icon_name"] == "face-smile", sourceLocation: sourceLocation)
            #expect(properties["x.y"] == "z", sourceLocation: sourceLocation)
        }
        let player = try start(
            "aqplay",
            ["--json", track("1.wav", [("title", "One")]), track("2.wav", []), track("3.wav", [])],
            environment)
        expectOwn(try properties(.playing, of: "aqplay"))
        #expect(HostClock.poll(upToSeconds: 10) { player.standardOutput.contains("framesPlayed") })
        // The second track's name is not shown.
        let isOwn = try remains(forSeconds: 0.3) {
            try properties(.playing, of: "aqplay")["media.name"] == "my own"
        }
        #expect(isOwn)
        expectOwn(try properties(.playing, of: "aqplay"))
        let recorder = try start("aqrecord", ["\(folder.path)/take.wav"], environment)
        expectOwn(try properties(.recording, of: "aqrecord"))
        recorder.signal(SIGINT)
        expectEqual(recorder.wait(deadlineSeconds: 10).exitStatus, 0)
        expectEqual(player.wait(deadlineSeconds: 20).exitStatus, 0)
    }

    // MARK: Queues

    @Test("a queue has the program's name until another is set, also at a restarted server")
    func queue() throws {
        let player = try SignalPlayer(on: server)
        player.play(0..<1_440_000, stopsAtEnd: false)
        try player.queue.start()
        let first = try properties(.playing, of: nil)
        expectEqual(first["media.name"], first["application.process.binary"])
        #expect(first["media.role"] == "music" && first["media.icon_name"] == nil)
        player.queue.name = "one"
        try expectEqual(properties(.playing, of: nil) { $0["media.name"] == "one" }["#"], first["#"])
        // More than a server accepts, with characters that libpulse refuses.
        player.queue.name = "\u{FFFF}" + String(repeating: "é", count: 100_000)
        let long = try properties(.playing, of: nil) { $0["media.name"] != "one" }
        #expect(long["media.name"]?.utf8.count == 1023 && long["#"] == first["#"])
        player.queue.name = "two"
        server.kill()
        try server.start()
        _ = try properties(.playing, of: nil) { $0["media.name"] == "two" }
        server.kill()
        player.queue.name = "three"
        try server.start()
        let last = try properties(.playing, of: nil) { $0["media.name"] == "three" }
        expectEqual(last["media.role"], "music")
        expectEqual(player.queue.failure, nil)
        try player.queue.dispose(immediate: true)
    }

    @Test("an input queue has no role unless one is set, and its own name")
    func inputQueue() throws {
        let queue = try InputQueue(
            format: .float(channels: 2, sampleRate: 48000),
            device: PulseSource(monitorOf: "test", server: server.address),
            configuration: InputQueue.Configuration(name: "one")
        ) { queue, buffer, _ in try? queue.enqueue(buffer) }
        for _ in 0..<3 { try queue.enqueue(queue.allocateBuffer(byteCapacity: 38_400)) }
        try queue.start()
        let isNamed = { ($0 as [String: String])["media.name"] }
        let first = try #require(
            server.poll(.recording) { isNamed($0) == "one" }, "its stream is not shown")
        #expect(first["media.role"] == nil && first["media.icon_name"] == nil)
        queue.name = "two"
        try expectEqual(server.poll(.recording) { isNamed($0) == "two" }?["#"], first["#"])
        try queue.dispose(immediate: true)
    }
}

extension PulseServer {
    /// The properties of a stream that appears within ten seconds.
    fileprivate func poll(
        _ kind: StreamKind, where isWanted: ([String: String]) -> Bool
    ) throws -> [String: String]? {
        var found: [String: String]?
        _ = try HostClock.poll(upToSeconds: 10, every: 0.05) {
            found = try properties(of: kind).first(where: isWanted)
            return found != nil
        }
        return found
    }
}
