// SPDX-License-Identifier: MIT

import AQExpectations
import AQFiles
import CoreAudioTypes
import Foundation
import AQSoundHarness
import AQTestTraits
import Testing

/// aqplay on a private bus, driven by the programs of D-Bus and by `playerctl`.
@Suite(
    "aqplay on the session's bus", .serialized, .besideOthers, .timeLimit(.minutes(5)),
    .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.reason)))
struct AqplayRemoteTests {
    private static let player = "org.mpris.MediaPlayer2.Player."

    private let folder: ScratchFolder
    private let bus: PrivateBus

    init() throws {
        folder = ScratchFolder()
        bus = try PrivateBus()
    }

    /// A running aqplay.
    private struct Run {
        let process: ChildProcess
        let bus: PrivateBus
        var name: String { "org.mpris.MediaPlayer2.aqplay.instance\(process.processIdentifier)" }

        func property(_ name: String) throws -> String { try bus.property(name, of: self.name) }
        func call(_ method: String, _ arguments: String...) throws -> PrivateBus.Answer {
            try bus.call(name, AqplayRemoteTests.player + method, arguments)
        }
        func seconds() throws -> Double {
            Double(try property("Position").split(separator: " ").last ?? "").map { $0 / 1e6 } ?? -1
        }
        /// The title in the metadata.
        func isPlaying(_ title: String) throws -> Bool { try property("Metadata").contains(title) }
    }

    /// Starts aqplay without a sound server, and waits for its name.
    private func start(_ arguments: [String], environment: [String: String?] = [:]) throws -> Run {
        let process = try ChildProcess(
            ToolPaths.tool("aqplay"), ["--device=virtual"] + arguments,
            environment: folder.serverlessEnvironment.merging(bus.environment) { $1 }
                .merging(environment) { $1 })
        let run = Run(process: process, bus: bus)
        try #require(eventually(within: 15) { try bus.has(run.name) }, "\(process.standardError)")
        return run
    }

    /// Writes a file of silence.
    private func track(
        _ name: String, seconds: Int = 60, tags: [(String, String)] = [], picture: [UInt8]? = nil
    ) throws -> String {
        let path = folder.file(name)
        let writer = try AudioFileWriter.create(
            path: path, type: .wave, format: .float(channels: 2, sampleRate: 48_000))
        if !tags.isEmpty { try writer.setInformation(tags.map { AudioFileInformation($0, $1) }) }
        if let picture { try writer.setArtwork(AudioFileArtwork(bytes: picture)) }
        let silence = [UInt8](repeating: 0, count: seconds * 48_000 * 8)
        try unsafe silence.withUnsafeBytes { try unsafe writer.append($0) }
        try writer.close()
        return path
    }

    // MARK: Functions

    @Test("its methods play, pause, stop, seek and change tracks")
    func methods() throws {
        let run = try start([track("one.wav"), track("two.wav")])
        try expectEqual(run.property("PlaybackStatus"), "Playing")
        try expectEqual(run.call("Pause").error, nil)
        try expectEqual(run.property("PlaybackStatus"), "Paused")
        let paused = try run.seconds()
        #expect(try remains(forSeconds: 0.2) { try run.seconds() == paused })
        try expectEqual(run.call("PlayPause").error, nil)
        try expectEqual(run.property("PlaybackStatus"), "Playing")
        #expect(try eventually { try run.seconds() > paused })

        try expectEqual(run.call("Seek", "int64:30000000").error, nil)
        #expect(try (30...35).contains(run.seconds()))
        try expectEqual(run.call("Seek", "int64:-10000000").error, nil)
        #expect(try (20...29).contains(run.seconds()))
        try expectEqual(run.call("Seek", "int64:-9223372036854775808").error, nil)
        #expect(try (0...5).contains(run.seconds()))
        try expectEqual(run.call("SetPosition", "objpath:/track/0", "int64:40000000").error, nil)
        #expect(try (40...45).contains(run.seconds()))
        try expectEqual(run.call("SetPosition", "objpath:/track/1", "int64:1000000").error, nil)
        #expect(try run.seconds() >= 40, "it is not that track")

        try expectEqual(run.property("CanGoPrevious"), "boolean false")
        try expectEqual(run.call("Seek", "int64:9223372036854775807").error, nil)
        #expect(try run.isPlaying("two.wav"), "a seek past the end is Next")
        try expectEqual(run.property("CanGoNext"), "boolean false")
        try expectEqual(run.call("Next").error, nil)
        #expect(try run.isPlaying("two.wav"), "there is no next track")
        try expectEqual(run.call("Pause").error, nil)
        try expectEqual(run.call("Previous").error, nil)
        #expect(try run.isPlaying("one.wav"))
        try expectEqual(run.property("PlaybackStatus"), "Paused", "it stays paused")
        try expectEqual(run.call("Play").error, nil)

        try expectEqual(run.call("Seek", "int64:10000000").error, nil)
        try expectEqual(run.call("Stop").error, nil)
        try expectEqual(run.property("PlaybackStatus"), "Stopped")
        #expect(try run.seconds() < 0.1)
        try expectEqual(run.call("Play").error, nil)
        try expectEqual(run.property("PlaybackStatus"), "Playing")
        #expect(try eventually { try (0.01...5).contains(run.seconds()) })

        try expectEqual(bus.call(run.name, "org.mpris.MediaPlayer2.Quit").error, nil)
        let result = run.process.wait(deadlineSeconds: 10)
        #expect(result.exitStatus == 0 && result.standardError == "")
    }

    @Test("volume, loop, shuffle and rate can be set")
    func settings() throws {
        let run = try start(["--volume=0.5", track("one.wav"), track("two.wav"), track("three.wav")])
        try expectEqual(run.property("Volume"), "double 0.5")
        try expectEqual(bus.set("Volume", of: run.name, to: "double:0.25").error, nil)
        try expectEqual(run.property("Volume"), "double 0.25")
        try expectEqual(bus.set("Volume", of: run.name, to: "double:1e300").error, nil)
        try expectEqual(run.property("Volume"), "double 1")

        try expectEqual(run.property("LoopStatus"), "None")
        try expectEqual(bus.set("LoopStatus", of: run.name, to: "string:Playlist").error, nil)
        try expectEqual(run.property("LoopStatus"), "Playlist")
        for title in ["two.wav", "three.wav", "one.wav"] {
            try expectEqual(run.call("Next").error, nil)
            #expect(try run.isPlaying(title))
        }
        try expectEqual(bus.set("LoopStatus", of: run.name, to: "string:None").error, nil)
        try expectEqual(run.property("LoopStatus"), "None")
        try expectEqual(run.property("CanGoNext"), "boolean true")

        try expectEqual(run.property("Shuffle"), "boolean false")
        try expectEqual(bus.set("Shuffle", of: run.name, to: "boolean:true").error, nil)
        try expectEqual(run.property("Shuffle"), "boolean true")
        try expectEqual(run.property("MaximumRate"), "double 4")
        try expectEqual(bus.set("Rate", of: run.name, to: "double:2").error, nil)
        try expectEqual(run.property("Rate"), "double 2")
        try expectEqual(bus.set("Rate", of: run.name, to: "double:1").error, nil)
        try expectEqual(run.property("Rate"), "double 1")
        try expectEqual(bus.set("Rate", of: run.name, to: "double:0").error, nil)
        try expectEqual(run.property("PlaybackStatus"), "Paused")
    }

    @Test("the titles of a station change without a terminal")
    func stationTitles() throws {
        let tune = SystemFile.contents(ofPath: ToolPaths.fixture("tune-cbr.mp3"))
        let web = try HTTPTestServer { _, connection in
            connection.send(
                "HTTP/1.0 200 OK\r\nicy-metaint: 40000\r\nContent-Type: audio/mpeg\r\n\r\n")
            for title in ["First", "Second"] {
                let block = "StreamTitle='\(title)';"
                let padded = Array(block.utf8) + [UInt8](repeating: 0, count: 32 - block.utf8.count)
                connection.send(tune[..<40_000] + [2] + padded)
            }
            connection.send(tune)
            _ = eventually(within: 60) { connection.isClosed }
        }
        defer { web.stop() }
        let run = try start([web.address("/live")])
        #expect(try eventually(within: 10) { try run.isPlaying("First") })
        #expect(try eventually(within: 10) { try run.isPlaying("Second") })
        run.process.signal(SIGTERM)
        expectEqual(run.process.wait(deadlineSeconds: 10).exitStatus, 143)
    }

    @Test("metadata are the tags, and a cover in a private file that is removed at the end")
    func metadata() throws {
        let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]
        let tags = [
            ("title", "Song"), ("artist", "Ann"), ("album", "Songs"), ("track number", "3/12"),
            ("genre", "Folk"),
        ]
        let path = try track("a ü.wav", tags: tags, picture: picture)
        let run = try start(["--start=10", path])
        let metadata = try run.property("Metadata")
        for text in [
            "/track/0", "Song", "Ann", "Songs", "Folk", "60000000", "int32 3",
            "file://\(folder.path)/a%20%c3%bc.wav",
        ] { #expect(metadata.contains(text), "\(text)") }
        let url = try #require(metadata.firstMatch(of: /file:\/\/(\S+\/aqplay-\w+\/cover-1\.png)/))
        let cover = String(url.output.1)
        expectEqual(SystemFile.contents(ofPath: cover), picture)
        #expect(try run.seconds() >= 10)
        run.process.signal(SIGTERM)
        expectEqual(run.process.wait(deadlineSeconds: 10).exitStatus, 143)
        #expect(!FileManager.default.fileExists(atPath: cover))
        expectEqual(folder.names.filter { $0.hasPrefix("aqplay-") }, [])
    }

    @Test("changes are announced: the next track, a pause, a jump")
    func signals() throws {
        let monitor = try bus.startMonitor()
        let run = try start([track("one.wav", seconds: 4), track("two.wav")])
        #expect(eventually(within: 10) { monitor.standardOutput.contains("two.wav") }, "the next track")
        #expect(!monitor.standardOutput.contains("member=Seeked"))
        try expectEqual(run.call("Seek", "int64:5000000").error, nil)
        #expect(eventually { monitor.standardOutput.contains("member=Seeked") })
        #expect(!monitor.standardOutput.contains("\"Paused\""))
        try expectEqual(run.call("Pause").error, nil)
        #expect(eventually { monitor.standardOutput.contains("\"Paused\"") })
    }

    @Test("a pipe cannot seek, and stops where it is")
    func pipe() throws {
        let path = try track("one.wav")
        let process = try ChildProcess(
            "sh",
            [
                // A second of audio, and then none.
                "-c", "(head -c 400000 \"$1\"; sleep 60) | exec \"$0\" --device=virtual -",
                ToolPaths.tool("aqplay"), path,
            ],
            environment: folder.serverlessEnvironment.merging(bus.environment) { $1 }, input: nil,
            output: nil, isGroup: true)
        var name = ""
        try #require(
            eventually(within: 15) {
                let names = try bus.call(
                    "org.freedesktop.DBus", path: "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
                name = String(names.text.firstMatch(of: /org\.mpris\S+/)?.output ?? "")
                return !name.isEmpty
            })
        try expectEqual(bus.property("CanSeek", of: name), "boolean false")
        try expectEqual(bus.call(name, Self.player + "Seek", ["int64:1000000"]).error, nil)
        let begin = HostClock.now
        try expectEqual(bus.call(name, Self.player + "Pause").error, nil)
        #expect(HostClock.seconds(from: begin, to: HostClock.now) < 0.35, "waits for the pipe")
        try expectEqual(bus.property("PlaybackStatus", of: name), "Paused")
        try expectEqual(bus.call(name, Self.player + "Play").error, nil)
        try expectEqual(bus.call(name, Self.player + "Stop").error, nil)
        try expectEqual(bus.property("PlaybackStatus", of: name), "Paused")
        #expect(process.isRunning)
    }

    // MARK: Nonsense

    @Test("calls with nonsense are answered by errors, and playback goes on")
    func nonsense() throws {
        let run = try start([track("one.wav")])
        let long = String(repeating: "x", count: 100_000)
        let calls: [(String, [String], String)] = [
            ("Seek", ["string:x"], "InvalidArgs"), ("Seek", [], "InvalidArgs"),
            ("Seek", ["double:5"], "InvalidArgs"), ("Next", ["int32:1"], "InvalidArgs"),
            ("SetPosition", ["string:/track/0", "int64:1"], "InvalidArgs"),
            ("SetPosition", ["objpath:/track/0", "int64:1", "int64:1"], "InvalidArgs"),
            ("OpenUri", ["string:file:///x.wav"], "NotSupported"),
            ("OpenUri", ["array:string:a,b"], "InvalidArgs"),
            ("Explode", [], "UnknownMethod"), ("Explode", ["string:" + long], "UnknownMethod"),
        ]
        for (method, arguments, error) in calls {
            let answer = try bus.call(run.name, Self.player + method, arguments)
            expectEqual(answer.error, error, "\(method) \(arguments)")
        }
        let values = [
            ("Volume", "double:nan", "InvalidArgs"), ("Volume", "string:loud", "InvalidArgs"),
            ("Rate", "double:5", "NotSupported"),
            ("Rate", "double:nan", "NotSupported"), ("LoopStatus", "string:Track", "NotSupported"),
            ("LoopStatus", "string:" + long, "InvalidArgs"), ("Shuffle", "int32:1", "InvalidArgs"),
            ("Position", "int64:1", "PropertyReadOnly"), ("Metadata", "string:x", "PropertyReadOnly"),
            ("Colour", "string:red", "UnknownProperty"),
        ]
        for (property, value, error) in values {
            let answer = try bus.set(property, of: run.name, to: value)
            expectEqual(answer.error, error, "\(property) \(value)")
        }
        let properties = "org.freedesktop.DBus.Properties."
        try expectEqual(bus.call(run.name, properties + "GetAll", ["string:x"]).error, "UnknownInterface")
        try expectEqual(bus.call(run.name, properties + "Get", ["string:x"]).error, "InvalidArgs")
        try expectEqual(bus.call(run.name, path: "/x", Self.player + "Next").error, "UnknownObject")
        try expectEqual(bus.call(run.name, "org.example.Next").error, "UnknownInterface")
        // Not an error: the player leaves what is out of range as it is.
        for position in ["int64:-1", "int64:9223372036854775807"] {
            try expectEqual(run.call("SetPosition", "objpath:/track/0", position).error, nil)
        }
        try expectEqual(run.property("PlaybackStatus"), "Playing")
        #expect(try run.seconds() < 50)
        #expect(run.process.isRunning && run.process.standardError == "")
    }

    // MARK: Without a bus

    @Test("a bus that ends leaves playback alone")
    func lostBus() throws {
        let path = try track("one.wav", seconds: 5)
        let run = try start(["--json", path])
        bus.kill()
        let result = run.process.wait(deadlineSeconds: 20)
        #expect(result.exitStatus == 0 && result.standardError == "")
        #expect(try result.reports().first?["framesPlayed"] as? Int == 240_000)
    }

    @Test(
        "no bus, an empty variable and a bus that does not answer are silent",
        arguments: [nil, "", "unix:path=/nonexistent", "nonsense", "autolaunch:"] as [String?])
    func noBus(address: String?) throws {
        let result = try ChildProcess.run(
            ToolPaths.tool("aqplay"), ["--device=virtual", "--end=0.5", track("one.wav", seconds: 4)],
            environment: folder.serverlessEnvironment.merging(["DBUS_SESSION_BUS_ADDRESS": address]) { $1 },
            deadlineSeconds: 20)
        #expect(result.exitStatus == 0 && result.standardError == "" && result.wallSeconds < 5)
    }

    @Test("a single short file is not shown, a list of them is")
    func short() throws {
        let monitor = try bus.startMonitor()
        let path = try track("one.wav", seconds: 2)
        for (count, isShown) in [(1, false), (2, true)] {
            let process = try ChildProcess(
                ToolPaths.tool("aqplay"), ["--device=virtual"] + Array(repeating: path, count: count),
                environment: folder.serverlessEnvironment.merging(bus.environment) { $1 })
            let name = "org.mpris.MediaPlayer2.aqplay.instance\(process.processIdentifier)"
            try expectEqual(eventually(within: 1.5) { try bus.has(name) }, isShown)
            expectEqual(process.wait(deadlineSeconds: 20).exitStatus, 0)
        }
        #expect(monitor.isRunning)
    }

    @Test("the main thread sleeps while nothing happens")
    func wakeUps() throws {
        let run = try start([track("one.wav")])
        func switches() -> Int {
            let process = run.process.processIdentifier
            let status = String(
                decoding: SystemFile.contents(ofPath: "/proc/\(process)/task/\(process)/status"),
                as: UTF8.self)
            return status.firstMatch(of: /\nvoluntary_ctxt_switches:\s+(\d+)/).flatMap { Int($0.output.1) }
                ?? -1
        }
        // The last events of the start.
        leaveAsIs(seconds: 1)
        let before = switches()
        leaveAsIs(seconds: 2)
        #expect(before > 0 && switches() - before <= 1)
    }

    // MARK: playerctl

    @Test(
        "playerctl drives every function, and the audio follows",
        .enabled(if: ToolPaths.isInPath("playerctl"), "playerctl is not installed"))
    func playerctl() throws {
        let server = try PulseServer()
        let capture = try MonitorCapture(server)
        let signal = try folder.writeSignal(frames: 60 * 48_000, name: "one.wav")
        try AudioFileEditor.open(path: signal).setInformation([
            AudioFileInformation("title", "One"), AudioFileInformation("artist", "Ann"),
        ])
        let paths = [signal, try track("two.wav")]
        let process = try ChildProcess(
            ToolPaths.tool("aqplay"), paths, environment: server.environment.merging(bus.environment) { $1 })
        let run = Run(process: process, bus: bus)
        try #require(eventually(within: 15) { try bus.has(run.name) })
        func control(_ arguments: String...) throws -> String {
            let result = try ChildProcess.run("playerctl", arguments, environment: bus.environment)
            expectEqual(result.exitStatus, 0, "\(arguments): \(result.standardError)")
            return String(result.standardOutput.prefix { $0 != "\n" })
        }
        try expectEqual(control("--list-all"), "aqplay.instance\(process.processIdentifier)")
        try expectEqual(control("status"), "Playing")
        try expectEqual(control("metadata", "--format", "{{artist}} - {{title}}"), "Ann - One")
        #expect(capture.waitForSound(upToSeconds: 10))
        #expect(try control("pause") == "" && control("status") == "Paused")
        #expect(capture.waitForSilence(ofSeconds: 0.2), "a pause is audible")
        #expect(try control("play") == "" && control("status") == "Playing")
        #expect(try control("play-pause") == "" && control("status") == "Paused")
        #expect(try control("play-pause") == "" && control("status") == "Playing")
        try expectEqual(control("position", "30"), "")
        #expect(try (30...40).contains(Double(control("position")) ?? 0))
        // Each position has its own signal.
        #expect(capture.waitForSignal(30 * 48_000), "a seek is audible")
        try expectEqual(control("position", "10+"), "")
        #expect(try (40...60).contains(Double(control("position")) ?? 0))
        try expectEqual(control("position", "20-"), "")
        #expect(try (20...45).contains(Double(control("position")) ?? 0))
        #expect(try control("volume", "0.5") == "" && control("volume") == "0.500000")
        #expect(try control("loop", "Playlist") == "" && control("loop") == "Playlist")
        #expect(try control("loop", "None") == "" && control("loop") == "None")
        #expect(try control("shuffle", "On") == "" && control("shuffle") == "On")
        #expect(try control("shuffle", "Off") == "" && control("shuffle") == "Off")
        #expect(try control("next") == "" && control("metadata", "title") == "two.wav")
        #expect(try control("previous") == "" && control("metadata", "title") == "One")
        #expect(try control("stop") == "" && control("status") == "Stopped")
        #expect(process.isRunning && process.standardError == "")
    }
}
