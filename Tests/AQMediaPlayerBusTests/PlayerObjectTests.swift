// SPDX-License-Identifier: MIT

import AQExpectations
import Testing

@testable import AQMediaPlayerBus

@Suite("PlayerObject")
struct PlayerObjectTests {
    private static let root = "org.mpris.MediaPlayer2"
    private static let player = "org.mpris.MediaPlayer2.Player"
    private static let properties = "org.freedesktop.DBus.Properties"

    private var object = PlayerObject(identity: "aqplay", position: { 1_500_000 })

    init() {
        var track = MediaTrack(number: 7)
        track.lengthMicroseconds = 10_000_000
        (track.title, track.artists, track.trackNumber) = ("Title", ["Ann", "Bob"], 3)
        object.state.track = track
        object.state.status = .playing
        (object.state.canGoNext, object.state.canGoPrevious, object.state.canSeek) = (true, true, true)
    }

    private func call(
        _ member: String, in interface: String? = Self.player, _ arguments: BusValue...,
        path: String = PlayerObject.path
    ) -> PlayerObject.Outcome {
        object.answer(
            BusCall(
                path: path, interface: interface, member: member,
                signature: arguments.map(\.signature).joined(), arguments: arguments))
    }

    private func set(_ name: String, _ value: BusValue) -> PlayerObject.Outcome {
        call("Set", in: Self.properties, .string(Self.player), .string(name), .variant(value))
    }

    private func error(_ outcome: PlayerObject.Outcome) -> BusFailure.Name? {
        guard case .fail(let failure) = outcome else { return nil }
        return failure.name
    }

    // MARK: Methods

    @Test(
        "each method of the player is a command",
        arguments: [
            ("Next", .next), ("Previous", .previous), ("Pause", .pause), ("PlayPause", .playPause),
            ("Play", .play), ("Stop", .stop),
        ] as [(String, MediaPlayerCommand)])
    func methods(member: String, command: MediaPlayerCommand) {
        expectEqual(call(member), .perform(command))
        expectEqual(call(member, in: nil), .perform(command), "a caller may omit the interface")
    }

    @Test("Quit is a command, Raise has no effect, and OpenUri is refused")
    func others() {
        expectEqual(call("Quit", in: Self.root), .perform(.quit))
        expectEqual(call("Raise", in: Self.root), .reply([]))
        expectEqual(error(call("OpenUri", .string("file:///x.wav"))), .notSupported)
    }

    @Test("what the player cannot do has no effect")
    mutating func impossible() {
        object.state.canGoNext = false
        object.state.canGoPrevious = false
        object.state.canSeek = false
        expectEqual(call("Next"), .reply([]))
        expectEqual(call("Previous"), .reply([]))
        expectEqual(call("Seek", .int64(1)), .reply([]))
        expectEqual(call("SetPosition", .objectPath("/track/7"), .int64(1)), .reply([]))
        object.state.track = nil
        for member in ["Play", "Pause", "PlayPause", "Stop"] { expectEqual(call(member), .reply([])) }
    }

    @Test("Seek accepts every offset", arguments: [Int64.min, -1, 0, 5_000_000, .max])
    func seek(offset: Int64) {
        expectEqual(call("Seek", .int64(offset)), .perform(.seek(byMicroseconds: offset)))
    }

    @Test("SetPosition ignores another track, and positions outside the track")
    func setPosition() {
        let own = BusValue.objectPath("/track/7")
        expectEqual(
            call("SetPosition", own, .int64(10_000_000)),
            .perform(.setPosition(microseconds: 10_000_000, track: 7)))
        expectEqual(call("SetPosition", own, .int64(10_000_001)), .reply([]))
        expectEqual(call("SetPosition", own, .int64(-1)), .reply([]))
        expectEqual(call("SetPosition", own, .int64(.max)), .reply([]))
        expectEqual(call("SetPosition", .objectPath("/track/6"), .int64(1)), .reply([]))
        expectEqual(
            call("SetPosition", .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack"), .int64(1)),
            .reply([]))
    }

    // MARK: Nonsense

    @Test("unknown objects, interfaces and methods are errors")
    func unknown() {
        expectEqual(error(call("Next", path: "/")), .unknownInterface)
        expectEqual(error(call("Next", path: "/org/mpris/MediaPlayer2/x")), .unknownObject)
        expectEqual(error(call("Next", in: "org.mpris.MediaPlayer2.TrackList")), .unknownInterface)
        expectEqual(error(call("Next", in: Self.root)), .unknownMethod)
        expectEqual(error(call("next")), .unknownMethod)
        expectEqual(error(call("Explode", in: nil)), .unknownMethod)
    }

    @Test("wrong arguments are errors")
    func wrongArguments() {
        expectEqual(error(call("Next", .string("x"))), .invalidArguments)
        expectEqual(error(call("Seek")), .invalidArguments)
        expectEqual(error(call("Seek", .int32(5))), .invalidArguments)
        expectEqual(error(call("Seek", .double(5))), .invalidArguments)
        expectEqual(error(call("SetPosition", .string("/track/7"), .int64(1))), .invalidArguments)
        expectEqual(error(call("OpenUri", .other)), .invalidArguments)
        expectEqual(error(call("Get", in: Self.properties, .string(Self.player))), .invalidArguments)
        // A signature that does not describe the arguments cannot arrive, but must not crash either.
        let odd = BusCall(path: PlayerObject.path, interface: Self.player, member: "Seek", signature: "x")
        expectEqual(error(object.answer(odd)), .invalidArguments)
        for member in ["Get", "GetAll", "Set"] {
            let signature = ["Get": "ss", "GetAll": "s", "Set": "ssv"][member] ?? ""
            let odd = BusCall(
                path: PlayerObject.path, interface: Self.properties, member: member, signature: signature)
            expectEqual(error(object.answer(odd)), .invalidArguments)
        }
    }

    @Test("the texts of errors have no control characters, and are short")
    func errorTexts() {
        let outcome = call("\u{1B}[2J" + String(repeating: "x", count: 1000))
        guard case .fail(let failure) = outcome else {
            Issue.record("no error")
            return
        }
        #expect(!failure.text.contains("\u{1B}") && failure.text.count < 200)
    }

    // MARK: Properties

    @Test("a volume is limited to 0 to 1, and must be a number")
    func volume() {
        expectEqual(set("Volume", .double(0.25)), .perform(.setVolume(0.25)))
        expectEqual(set("Volume", .double(-3)), .perform(.setVolume(0)))
        expectEqual(set("Volume", .double(1e300)), .perform(.setVolume(1)))
        expectEqual(set("Volume", .double(.infinity)), .perform(.setVolume(1)))
        expectEqual(set("Volume", .double(-.infinity)), .perform(.setVolume(0)))
        expectEqual(error(set("Volume", .double(.nan))), .invalidArguments)
        expectEqual(error(set("Volume", .int32(1))), .invalidArguments)
        expectEqual(error(set("Volume", .variant(.double(1)))), .invalidArguments)
    }

    @Test("the rate is within its limits, and 0 pauses")
    func rate() {
        expectEqual(set("Rate", .double(1)), .perform(.setRate(1)))
        expectEqual(set("Rate", .double(0)), .perform(.pause))
        for rate in [-1, 0.5, 2, .infinity, .nan] as [Double] {
            expectEqual(error(set("Rate", .double(rate))), .notSupported)
        }
    }

    @Test("LoopStatus is None or Playlist")
    func loopStatus() {
        expectEqual(set("LoopStatus", .string("Playlist")), .perform(.setLooping(true)))
        expectEqual(set("LoopStatus", .string("None")), .perform(.setLooping(false)))
        expectEqual(error(set("LoopStatus", .string("Track"))), .notSupported)
        expectEqual(error(set("LoopStatus", .string("playlist"))), .invalidArguments)
        expectEqual(error(set("LoopStatus", .boolean(true))), .invalidArguments)
        expectEqual(set("Shuffle", .boolean(true)), .perform(.setShuffled(true)))
        expectEqual(error(set("Shuffle", .string("true"))), .invalidArguments)
    }

    @Test("other properties cannot be set, and unknown ones do not exist")
    func otherProperties() {
        for name in object.announcedProperties.keys where !PlayerInterface.settableProperties.contains(name) {
            expectEqual(error(set(name, .boolean(true))), .propertyReadOnly)
        }
        expectEqual(error(set("Position", .int64(0))), .propertyReadOnly)
        expectEqual(error(set("Colour", .int64(0))), .unknownProperty)
        let unknown = call("Get", in: Self.properties, .string(Self.player), .string("Fullscreen"))
        expectEqual(error(unknown), .unknownProperty)
        let noInterface = call("GetAll", in: Self.properties, .string("org.example"))
        expectEqual(error(noInterface), .unknownInterface)
    }

    @Test("properties are read as variants, the position in microseconds")
    func reading() {
        let position = call("Get", in: Self.properties, .string(Self.player), .string("Position"))
        expectEqual(position, .reply([.variant(.int64(1_500_000))]))
        let identity = call("Get", in: Self.properties, .string(Self.root), .string("Identity"))
        expectEqual(identity, .reply([.variant(.string("aqplay"))]))
        guard case .reply(let values) = call("GetAll", in: Self.properties, .string(Self.player)),
            case .dictionary(let all)? = values.first
        else {
            Issue.record("no properties")
            return
        }
        #expect(all.count == 15 && all["PlaybackStatus"] == .string("Playing"))
        #expect(all["Rate"] == .double(1) && all["LoopStatus"] == .string("None"))
    }

    @Test("metadata has only what is known")
    mutating func metadata() {
        expectEqual(
            object.metadata,
            [
                "mpris:trackid": .objectPath("/track/7"), "mpris:length": .int64(10_000_000),
                "xesam:title": .string("Title"), "xesam:artist": .strings(["Ann", "Bob"]),
                "xesam:trackNumber": .int32(3),
            ])
        object.state.track = nil
        expectEqual(object.metadata, [:])
    }

    @Test("the description names every method and property")
    func introspection() {
        guard case .reply(let values) = call("Introspect", in: nil), case .string(let text)? = values.first
        else {
            Issue.record("no description")
            return
        }
        for (interface, methods) in PlayerInterface.methods {
            #expect(text.contains("<interface name=\"\(interface)\">"))
            for method in methods.keys { #expect(text.contains("<method name=\"\(method)\"")) }
        }
        for name in Array(object.announcedProperties.keys) + Array(object.rootProperties.keys) {
            let access = PlayerInterface.settableProperties.contains(name) ? "readwrite" : "read"
            #expect(
                text.split(separator: "\n").contains {
                    $0.contains("property name=\"\(name)\"") && $0.contains("access=\"\(access)\"")
                })
        }
        let parent = call("Introspect", in: nil, path: "/org")
        guard case .reply(let children) = parent, case .string(let child)? = children.first else {
            Issue.record("no description of a parent")
            return
        }
        #expect(child.contains("<node name=\"mpris\"/>") && !child.contains("MediaPlayer2.Player"))
    }

    @Test("every object answers to Ping")
    func ping() {
        expectEqual(call("Ping", in: "org.freedesktop.DBus.Peer", path: "/anything"), .reply([]))
    }
}
