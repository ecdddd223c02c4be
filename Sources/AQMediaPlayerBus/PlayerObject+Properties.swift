// SPDX-License-Identifier: MIT

/// Properties: reading, setting, and their changes.
extension PlayerObject {
    /// The properties of the root interface, which never change.
    var rootProperties: [String: BusValue] {
        [
            "CanQuit": .boolean(true), "CanRaise": .boolean(false), "HasTrackList": .boolean(false),
            "Identity": .string(identity), "DesktopEntry": .string(identity),
            "SupportedUriSchemes": .strings([]), "SupportedMimeTypes": .strings([]),
        ]
    }

    /// The properties of the player's interface whose changes are announced. The position is not.
    var announcedProperties: [String: BusValue] {
        let isPlayable = state.track != nil
        return [
            "PlaybackStatus": .string(state.status.rawValue),
            "LoopStatus": .string(state.isLooping ? "Playlist" : "None"),
            "Rate": .double(state.rate), "MinimumRate": .double(state.rates.lowerBound),
            "MaximumRate": .double(state.rates.upperBound),
            "Shuffle": .boolean(state.isShuffled), "Volume": .double(state.volume),
            "Metadata": .dictionary(metadata),
            "CanGoNext": .boolean(state.canGoNext), "CanGoPrevious": .boolean(state.canGoPrevious),
            "CanPlay": .boolean(isPlayable), "CanPause": .boolean(isPlayable),
            "CanSeek": .boolean(state.canSeek), "CanControl": .boolean(true),
        ]
    }

    var metadata: [String: BusValue] {
        guard let track = state.track else { return [:] }
        var metadata: [String: BusValue] = [
            "mpris:trackid": .objectPath(PlayerObject.path(ofTrack: track.number))
        ]
        if let length = track.lengthMicroseconds { metadata["mpris:length"] = .int64(length) }
        let texts = [
            ("mpris:artUrl", artworkURL), ("xesam:title", track.title), ("xesam:album", track.album),
            ("xesam:url", track.url),
        ]
        for case (let key, let text?) in texts { metadata[key] = .string(text) }
        let lists = [
            ("xesam:artist", track.artists), ("xesam:albumArtist", track.albumArtists),
            ("xesam:composer", track.composers), ("xesam:genre", track.genres),
        ]
        for (key, list) in lists where !list.isEmpty { metadata[key] = .strings(list) }
        let numbers = [("xesam:trackNumber", track.trackNumber), ("xesam:discNumber", track.discNumber)]
        for case (let key, let number?) in numbers { metadata[key] = .int32(number) }
        return metadata
    }

    func answerProperties(_ call: BusCall) throws(BusFailure) -> Outcome {
        guard case .string(let interface)? = call.arguments.first else {
            throw BusFailure(.invalidArguments, "wrong arguments of \(call.member)")
        }
        let properties = try properties(of: interface)
        guard call.member != "GetAll" else { return .reply([.dictionary(properties)]) }
        guard call.arguments.count > 1, case .string(let name) = call.arguments[1],
            let value = properties[name]
        else {
            let name = if case .string(let name)? = call.arguments.dropFirst().first { name } else { "" }
            throw BusFailure(
                .unknownProperty, "no property '\(Self.shown(name))' in \(Self.shown(interface))")
        }
        guard call.member == "Set" else { return .reply([.variant(value)]) }
        guard call.arguments.count > 2, case .variant(let newValue) = call.arguments[2] else {
            throw BusFailure(.invalidArguments, "wrong arguments of Set")
        }
        return try set(name, from: value, to: newValue)
    }

    private func properties(of interface: String) throws(BusFailure) -> [String: BusValue] {
        switch interface {
        case PlayerInterface.root: return rootProperties
        case PlayerInterface.player:
            return announcedProperties.merging(["Position": .int64(max(0, position()))]) { $1 }
        case PlayerInterface.properties, PlayerInterface.introspectable, PlayerInterface.peer: return [:]
        default:
            throw BusFailure(.unknownInterface, "no interface '\(Self.shown(interface))'")
        }
    }

    private func set(
        _ name: String, from value: BusValue, to newValue: BusValue
    ) throws(BusFailure) -> Outcome {
        guard PlayerInterface.settableProperties.contains(name) else {
            throw BusFailure(.propertyReadOnly, "the property \(name) is read-only")
        }
        guard newValue.signature == value.signature else {
            throw BusFailure(
                .invalidArguments,
                "\(name) has the type '\(value.signature)', not '\(newValue.signature)'")
        }
        switch (name, newValue) {
        case ("Volume", .double(let volume)):
            guard !volume.isNaN else { throw BusFailure(.invalidArguments, "the volume is not a number") }
            return .perform(.setVolume(min(max(volume, 0), 1)))
        case ("Rate", .double(let rate)):
            // The specification: 0 has the effect of Pause.
            if rate == 0 { return ifPlayable(.pause) }
            guard state.rates.contains(rate) else {
                throw BusFailure(
                    .notSupported, "a rate is \(state.rates.lowerBound) to \(state.rates.upperBound)")
            }
            return .perform(.setRate(rate))
        case ("Shuffle", .boolean(let isShuffled)): return .perform(.setShuffled(isShuffled))
        case ("LoopStatus", .string(let status)):
            switch status {
            case "None": return .perform(.setLooping(false))
            case "Playlist": return .perform(.setLooping(true))
            case "Track": throw BusFailure(.notSupported, "a single track cannot be repeated")
            default:
                throw BusFailure(
                    .invalidArguments, "a LoopStatus is None, Track or Playlist, not '\(Self.shown(status))'")
            }
        default: throw BusFailure(.invalidArguments, "wrong value of \(name)")
        }
    }
}
