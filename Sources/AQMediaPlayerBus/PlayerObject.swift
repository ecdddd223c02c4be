// SPDX-License-Identifier: MIT

import AQToolSupport

/// The answers of a player's object to calls, by the MPRIS D-Bus Interface Specification 2.2.
///
/// A value without a connection: the bus's thread passes it each call, and sends the outcome.
struct PlayerObject {
    static let path = "/org/mpris/MediaPlayer2"

    /// The result of a call.
    enum Outcome: Equatable {
        case reply([BusValue])
        /// The player has to act before the reply, which is empty.
        case perform(MediaPlayerCommand)
        case fail(BusFailure)
    }

    /// The name that a desktop shows, and that of the desktop file.
    var identity: String
    var state = MediaPlayerState()
    /// The URL of the file with the track's picture; nil if there is none.
    var artworkURL: String?
    /// Returns the audible position in microseconds.
    var position: () -> Int64

    func answer(_ call: BusCall) -> Outcome {
        do throws(BusFailure) {
            return try outcome(of: call)
        } catch {
            return .fail(error)
        }
    }

    private func outcome(of call: BusCall) throws(BusFailure) -> Outcome {
        let interface = try interface(of: call)
        guard let expected = PlayerInterface.methods[interface]?[call.member] else {
            throw BusFailure(.unknownMethod, "no method '\(Self.shown(call.member))' in \(interface)")
        }
        guard call.signature == expected else {
            throw BusFailure(
                .invalidArguments,
                "\(call.member) takes arguments of type '\(expected)', not '\(Self.shown(call.signature))'")
        }
        switch interface {
        case PlayerInterface.peer: return try answerPeer(call)
        case PlayerInterface.introspectable:
            return .reply([.string(PlayerInterface.description(ofPath: call.path))])
        case PlayerInterface.properties: return try answerProperties(call)
        case PlayerInterface.root: return call.member == "Quit" ? .perform(.quit) : .reply([])
        default: return try answerPlayer(call)
        }
    }

    /// The interface of a call, which may omit it.
    private func interface(of call: BusCall) throws(BusFailure) -> String {
        let isPlayer = call.path == Self.path
        guard
            isPlayer || PlayerInterface.child(ofPath: call.path) != nil
                || call.interface == PlayerInterface.peer
        else { throw BusFailure(.unknownObject, "no object at '\(Self.shown(call.path))'") }
        let available =
            isPlayer
            ? PlayerInterface.all : [PlayerInterface.introspectable, PlayerInterface.peer]
        guard let name = call.interface else {
            let owner = available.first { PlayerInterface.methods[$0]?[call.member] != nil }
            guard let owner else {
                throw BusFailure(.unknownMethod, "no method '\(Self.shown(call.member))'")
            }
            return owner
        }
        guard available.contains(name) else {
            throw BusFailure(
                .unknownInterface, "no interface '\(Self.shown(name))' at '\(Self.shown(call.path))'")
        }
        return name
    }

    private func answerPeer(_ call: BusCall) throws(BusFailure) -> Outcome {
        guard call.member == "GetMachineId" else { return .reply([]) }
        guard let identifier = MachineIdentifier.read() else {
            throw BusFailure(.fileNotFound, "the machine has no identifier")
        }
        return .reply([.string(identifier)])
    }

    // MARK: The player

    private func answerPlayer(_ call: BusCall) throws(BusFailure) -> Outcome {
        switch (call.member, call.arguments.first, call.arguments.dropFirst().first) {
        case ("Next", _, _): return state.canGoNext ? .perform(.next) : .reply([])
        case ("Previous", _, _): return state.canGoPrevious ? .perform(.previous) : .reply([])
        case ("Pause", _, _): return ifPlayable(.pause)
        case ("PlayPause", _, _): return ifPlayable(.playPause)
        case ("Play", _, _): return ifPlayable(.play)
        case ("Stop", _, _): return ifPlayable(.stop)
        case ("Seek", .int64(let offset)?, _):
            return state.canSeek ? .perform(.seek(byMicroseconds: offset)) : .reply([])
        case ("SetPosition", .objectPath(let path)?, .int64(let position)?):
            return setPosition(position, ofTrack: path)
        case ("OpenUri", _, _):
            throw BusFailure(.notSupported, "\(identity) plays only the tracks that it was started with")
        default: throw BusFailure(.invalidArguments, "wrong arguments of \(call.member)")
        }
    }

    func ifPlayable(_ command: MediaPlayerCommand) -> Outcome {
        state.track == nil ? .reply([]) : .perform(command)
    }

    /// A position outside the track, and one in a track that is not audible any more, has no effect, as specified.
    private func setPosition(_ position: Int64, ofTrack path: String) -> Outcome {
        guard state.canSeek, let track = state.track, path == Self.path(ofTrack: track.number), position >= 0,
            position <= track.lengthMicroseconds ?? .max
        else { return .reply([]) }
        return .perform(.setPosition(microseconds: position, track: track.number))
    }

    /// The object path that identifies a track. Paths below /org/mpris are reserved.
    static func path(ofTrack number: UInt) -> String { "/track/\(number)" }

    /// Text of a caller, for an error.
    static func shown(_ text: String) -> String { DisplayText.sanitized(String(text.prefix(100))) }
}
