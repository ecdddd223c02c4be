// SPDX-License-Identifier: MIT

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
        #expect(call(member) == .perform(command))
        #expect(call(member, in: nil) == .perform(command), "a caller may omit the interface")
    }

    @Test("Quit is a command, Raise has no effect, and OpenUri is refused")
    func others() {
        #expect(call("Quit", in: Self.root) == .perform(.quit))
        #expect(call("Raise", in: Self.root) == .reply([]))
        #expect(error(call("OpenUri", .string("file:///x.wav"))) == .notSupported)
    }

    @Test("what the player cannot do has no effect")
    mutating func impossible() {
        object.state.canGoNext = false
        object.state.canGoPrevious = false
        object.state.canSeek = false
        #expect(call("Next") == .reply([]))
        #expect(call("Previous") == .reply([]))
        #expect(call("Seek", .int64(1)) == .reply([]))
        #expect(call("SetPosition", .objectPath("/track/7"), .int64(1)) == .reply([]))
        object.state.track = nil
        for member in ["Play", "Pause", "PlayPause", "Stop"] { #expect(call(member) == .reply([])) }
    }

    @Test("Seek accepts every offset", arguments: [Int64.min, -1, 0, 5_000_000, .max])
    func seek(offset: Int64) {
        #expect(call("Seek", .int64(offset)) == .perform(.seek(byMicroseconds: offset)))
    }

    @Test("SetPosition ignores another track, and positions outside the track")
    func setPosition() {
        let own = BusValue.objectPath("/track/7")
        #expect(
            call("SetPosition", own, .int64(10_000_000))
                == .perform(.setPosition(microseconds: 10_000_000, track: 7)))
        #expect(call("SetPosition", own, .int64(10_000_001)) == .reply([]))
        #expect(call("SetPosition", own, .int64(-1)) == .reply([]))
        #expect(call("SetPosition", own, .int64(.max)) == .reply([]))
        #expect(call("SetPosition", .objectPath("/track/6"), .int64(1)) == .reply([]))
        #expect(
            call("SetPosition", .objectPath("/org/mpris/MediaPlayer2/TrackList/NoTrack"), .int64(1))
                == .reply([]))
    }

    // MARK: Nonsense

    @Test("unknown objects, interfaces and methods are errors")
    func unknown() {
        #expect(error(call("Next", path: "/")) == .unknownInterface)
        #expect(error(call("Next", path: "/org/mpris/MediaPlayer2/x")) == .unknownObject)
        #expect(error(call("Next", in: "org.mpris.MediaPlayer2.TrackList")) == .unknownInterface)
        #expect(error(call("Next", in: Self.root)) == .unknownMethod)
        #expect(error(call("next")) == .unknownMethod)
        #expect(error(call("Explode", in: nil)) == .unknownMethod)
    }

    @Test("wrong arguments are errors")
    func wrongArguments() {
        #expect(error(call("Next", .string("x"))) == .invalidArguments)
        #expect(error(call("Seek")) == .invalidArguments)
        #expect(error(call("Seek", .int32(5))) == .invalidArguments)
        #expect(error(call("Seek", .double(5))) == .invalidArguments)
        #expect(error(call("SetPosition", .string("/track/7"), .int64(1))) == .invalidArguments)
        #expect(error(call("OpenUri", .other)) == .invalidArguments)
        #expect(error(call("Get", in: Self.properties, .string(Self.player))) == .invalidArguments)
        // A signature that does not describe the arguments cannot arrive, but must not crash either.
        let odd = BusCall(path: PlayerObject.path, interface: Self.player, member: "Seek", signature: "x")
        #expect(error(object.answer(odd)) == .invalidArguments)
        for member in ["Get", "GetAll", "Set"] {
            let signature = ["Get": "ss", "GetAll": "s", "Set": "ssv"][member] ?? ""
            let odd = BusCall(
                path: PlayerObject.path, interface: Self.properties, member: member, signature: signature)
            #expect(error(object.answer(odd)) == .invalidArguments)
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
        #expect(set("Volume", .double(0.25)) == .perform(.setVolume(0.25)))
        #expect(set("Volume", .double(-3)) == .perform(.setVolume(0)))
        #expect(set("Volume", .double(1e300)) == .perform(.setVolume(1)))
        #expect(set("Volume", .double(.infinity)) == .perform(.setVolume(1)))
        #expect(set("Volume", .double(-.infinity)) == .perform(.setVolume(0)))
        #expect(error(set("Volume", .double(.nan))) == .invalidArguments)
        #expect(error(set("Volume", .int32(1))) == .invalidArguments)
        #expect(error(set("Volume", .variant(.double(1)))) == .invalidArguments)
    }

    @Test("the rate is within its limits, and 0 pauses")
    func rate() {
        #expect(set("Rate", .double(1)) == .perform(.setRate(1)))
        #expect(set("Rate", .double(0)) == .perform(.pause))
        for rate in [-1, 0.5, 2, .infinity, .nan] as [Double] {
            #expect(error(set("Rate", .double(rate))) == .notSupported)
        }
    }

    @Test("LoopStatus is None or Playlist")
    func loopStatus() {
        #expect(set("LoopStatus", .string("Playlist")) == .perform(.setLooping(true)))
        #expect(set("LoopStatus", .string("None")) == .perform(.setLooping(false)))
        #expect(error(set("LoopStatus", .string("Track"))) == .notSupported)
        #expect(error(set("LoopStatus", .string("playlist"))) == .invalidArguments)
        #expect(error(set("LoopStatus", .boolean(true))) == .invalidArguments)
        #expect(set("Shuffle", .boolean(true)) == .perform(.setShuffled(true)))
        #expect(error(set("Shuffle", .string("true"))) == .invalidArguments)
    }

    @Test("other properties cannot be set, and unknown ones do not exist")
    func otherProperties() {
        for name in object.announcedProperties.keys where !PlayerInterface.settableProperties.contains(name) {
            #expect(error(set(name, .boolean(true))) == .propertyReadOnly)
        }
        #expect(error(set("Position", .int64(0))) == .propertyReadOnly)
        #expect(error(set("Colour", .int64(0))) == .unknownProperty)
        let unknown = call("Get", in: Self.properties, .string(Self.player), .string("Fullscreen"))
        #expect(error(unknown) == .unknownProperty)
        let noInterface = call("GetAll", in: Self.properties, .string("org.example"))
        #expect(error(noInterface) == .unknownInterface)
    }

    @Test("properties are read as variants, the position in microseconds")
    func reading() {
        let position = call("Get", in: Self.properties, .string(Self.player), .string("Position"))
        #expect(position == .reply([.variant(.int64(1_500_000))]))
        let identity = call("Get", in: Self.properties, .string(Self.root), .string("Identity"))
        #expect(identity == .reply([.variant(.string("aqplay"))]))
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
        #expect(
            object.metadata == [
                "mpris:trackid": .objectPath("/track/7"), "mpris:length": .int64(10_000_000),
                "xesam:title": .string("Title"), "xesam:artist": .strings(["Ann", "Bob"]),
                "xesam:trackNumber": .int32(3),
            ])
        object.state.track = nil
        #expect(object.metadata == [:])
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
        #expect(call("Ping", in: "org.freedesktop.DBus.Peer", path: "/anything") == .reply([]))
    }
}
