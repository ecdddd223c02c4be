// SPDX-License-Identifier: MIT

import AQExpectations
import Glibc
import Synchronization
import AQTestSupport
import Testing

@testable import AQMediaPlayerBus

/// A player that obeys each command at once.
private final class TestPlayer: Sendable {
    private let received = Mutex<[MediaPlayerCommand]>([])
    let bus: MediaPlayerBus

    var commands: [MediaPlayerCommand] { received.withLock { $0 } }

    /// - Parameter obeys: Whether commands are taken. Otherwise they wait.
    init(artworkFolder: String? = nil, obeys: Bool = true) throws {
        let relay = Relay()
        bus = try MediaPlayerBus(
            identity: "testplayer", artworkFolder: artworkFolder, wake: { relay.call() },
            position: { 2_000_000 })
        relay.target.withLock { target in
            target = { [weak self] in if obeys { self?.obey() } }
        }
    }

    private final class Relay: Sendable {
        let target = Mutex<(@Sendable () -> Void)?>(nil)
        func call() { target.withLock { $0 }?() }
    }

    private func obey() {
        while let command = bus.nextCommand() {
            received.withLock { $0.append(command) }
            if case .setVolume(let volume) = command {
                var state = Self.state
                state.volume = volume
                bus.update(state)
            }
            bus.finishCommand()
        }
    }

    static var state: MediaPlayerState {
        var state = MediaPlayerState()
        state.status = .playing
        var track = MediaTrack(number: 0)
        (track.title, track.lengthMicroseconds) = ("Title", 9_000_000)
        state.track = track
        state.canSeek = true
        return state
    }

    /// Connects, and waits for the name.
    func start(on bus: PrivateBus) throws {
        self.bus.start(address: bus.address, state: Self.state)
        let name = self.bus.name
        try #require(eventually(within: 10) { try bus.has(name) }, "the name does not appear")
    }
}

@Suite(
    "MediaPlayerBus on a private bus", .serialized,
    .enabled(if: PrivateBus.isInstalled, Comment(rawValue: PrivateBus.reason)),
    .timeLimit(.minutes(20)))
struct AQMediaPlayerBusTests {
    private let folder = ScratchFolder()

    @Test("a command is answered after the player has obeyed, and the new state can be read then")
    func command() throws {
        let bus = try PrivateBus()
        let player = try TestPlayer()
        try player.start(on: bus)
        defer { player.bus.close() }
        let monitor = try bus.startMonitor()
        try expectEqual(bus.property("Volume", of: player.bus.name), "double 1")
        try expectEqual(bus.set("Volume", of: player.bus.name, to: "double:0.5").error, nil)
        try expectEqual(bus.property("Volume", of: player.bus.name), "double 0.5")
        try expectEqual(bus.property("Position", of: player.bus.name), "int64 2000000")
        expectEqual(player.commands, [.setVolume(0.5)])
        #expect(eventually { monitor.standardOutput.contains("PropertiesChanged") })
        #expect(monitor.standardOutput.contains("double 0.5"))
        #expect(!monitor.standardOutput.contains("PlaybackStatus"), "only what has changed")
        player.bus.update(TestPlayer.state, hasJumped: true)
        #expect(eventually { monitor.standardOutput.contains("member=Seeked\n   int64 2000000") })
    }

    @Test("a player that does not obey delays its callers by half a second each, and refuses the 17th")
    func busy() throws {
        let bus = try PrivateBus()
        let player = try TestPlayer(obeys: false)
        try player.start(on: bus)
        defer { player.bus.close() }
        let begin = HostClock.now
        try expectEqual(bus.call(player.bus.name, "org.mpris.MediaPlayer2.Player.Pause").error, nil)
        let seconds = HostClock.seconds(from: begin, to: HostClock.now)
        #expect(seconds > 0.49 && seconds < 5)
        for _ in 2...16 {
            try expectEqual(bus.call(player.bus.name, "org.mpris.MediaPlayer2.Player.Pause").error, nil)
        }
        let refused = try bus.call(player.bus.name, "org.mpris.MediaPlayer2.Player.Pause")
        expectEqual(refused.error, "LimitsExceeded")
        try expectEqual(bus.property("PlaybackStatus", of: player.bus.name), "Playing")
    }

    @Test("a taken name, a bus that ends and one that is absent leave the player alone")
    func failures() throws {
        let bus = try PrivateBus()
        let player = try TestPlayer(artworkFolder: folder.path)
        try player.start(on: bus)
        var state = TestPlayer.state
        state.track?.artwork = MediaArtwork(bytes: [1], mimeType: "image/png")
        player.bus.update(state)
        #expect(eventually { folder.names.count == 1 })
        // Of the same process, so its name is the same.
        let second = try TestPlayer()
        second.bus.start(address: bus.address, state: TestPlayer.state)
        try expectEqual(bus.property("PlaybackStatus", of: player.bus.name), "Playing")
        let absent = try TestPlayer()
        absent.bus.start(address: "unix:path=\(folder.path)/none", state: TestPlayer.state)
        bus.kill()
        #expect(eventually { folder.names == [] }, "the thread does not end")
        for player in [player, second, absent] {
            player.bus.update(TestPlayer.state)
            expectEqual(player.commands, [])
            player.bus.close()
        }
    }

    @Test("a bus that hangs delays neither the player nor its end")
    func hanging() throws {
        let bus = try PrivateBus()
        let player = try TestPlayer()
        try player.start(on: bus)
        bus.setHanging(true)
        let begin = HostClock.now
        for step in 0..<10_000 {
            var state = TestPlayer.state
            state.track?.title = "Title \(step)"
            player.bus.update(state)
        }
        player.bus.close()
        #expect(HostClock.seconds(from: begin, to: HostClock.now) < 5)
        bus.setHanging(false)
        #expect(try eventually(within: 10) { try !bus.has(player.bus.name) })
    }

    @Test("a picture is written to a file whose URL is in the metadata, and removed at the end")
    func artwork() throws {
        let bus = try PrivateBus()
        let player = try TestPlayer(artworkFolder: folder.path)
        var state = TestPlayer.state
        state.track?.artwork = MediaArtwork(bytes: [1, 2, 3], mimeType: "image/jpeg")
        player.bus.start(address: bus.address, state: state)
        #expect(try eventually(within: 10) { try bus.has(player.bus.name) })
        let metadata = try bus.property("Metadata", of: player.bus.name)
        let name = try #require(folder.names.first)
        #expect(metadata.contains("file://\(folder.path)/\(name)/cover-1.jpg"))
        player.bus.close()
        expectEqual(folder.names, [])
    }
}
