// SPDX-License-Identifier: MIT

import AQFiles
import AudioQueues
import Glibc
import AQMediaPlayerBus
import AQNetworkInput
import AQToolSupport

/// The state for the session's message bus, and commands from it.
extension Player {
    /// The length of the shortest track that is shown alone. Signals of programs and scripts would appear in panels for
    /// a moment.
    private static let leastSeconds = 3.0
    /// The time for which a command waits for a file that is being read. Reading a pipe may take for ever.
    private static let commandSeconds = 0.4

    /// Publishes the state, as soon as the first audio is played.
    ///
    /// - Returns: Whether a complete state was published. It is not while a file is being read.
    @discardableResult
    func publish() -> Bool {
        guard let remote, let queue, let current = lastStatus.current, remote.isStarted || isPublic(current),
            let facts = facts(about: current, remote), queue.isRunning || remote.isStarted
        else { return false }
        if !isPaused { remote.isStopped = false }
        var state = MediaPlayerState()
        state.status = !isPaused ? .playing : remote.isStopped ? .stopped : .paused
        state.volume = Double(gain)
        (state.rate, state.canSeek) = (speed, current.isSeekable)
        state.rates = canChangeSpeed(of: current) ? Player.speeds : speed...speed
        state.track = facts.track
        (state.isLooping, state.isShuffled) = (facts.surroundings.isLooping, facts.surroundings.isShuffled)
        (state.canGoNext, state.canGoPrevious) = (facts.surroundings.hasNext, facts.surroundings.hasPrevious)
        remote.setPosition(current, in: queue, playedFrames: lastStatusFrames)
        remote.publish(state, seconds: Double(current.frame) / current.sampleRate)
        return remote.hasFacts(about: current)
    }

    /// The time in milliseconds until a command or the state can be processed, because a file is being read; nil if
    /// there is none to process.
    var remoteMilliseconds: Int32? {
        guard let remote, let queue, queue.isRunning else { return nil }
        if remote.firstCommand != nil { return 5 }
        guard let current = lastStatus.current else { return 100 }
        return remote.hasFacts(about: current) || !isPublic(current) ? nil : 100
    }

    /// Whether the player is shown: not for a single short track.
    private func isPublic(_ current: Feeder.CurrentTrack) -> Bool {
        guard let total = current.totalFrames else { return true }
        return feeder.playsSeveral || Double(total) / current.sampleRate >= Player.leastSeconds
    }

    private func facts(about current: Feeder.CurrentTrack, _ remote: RemoteControl) -> RemoteControl.Facts? {
        remote.facts(about: current) {
            feeder.withSequence { sequence, audible in
                guard let audible, audible.step == current.step else { return nil }
                return RemoteControl.Facts(
                    track: MediaTrack(current, audible),
                    surroundings: sequence.surroundings(ofStep: current.step))
            } ?? nil
        }
    }

    // MARK: Commands

    /// Executes the commands that wait. Those that need the tracks wait on while a file is being read.
    func obeyRemote() {
        guard let remote else { return }
        while exitStatus == nil, queue != nil, let command = remote.firstCommand {
            let deadline = remote.commandDeadline ?? MonotonicClock.seconds + Player.commandSeconds
            remote.commandDeadline = deadline
            let isLast = !command.needsTracks || MonotonicClock.seconds >= deadline
            update()
            if !remote.isObeyed { remote.isObeyed = obey(command) }
            // The caller reads the new state after the reply.
            let isUpdated = update()
            let isPublished = publish()
            guard remote.isObeyed && isUpdated && isPublished || isLast else { return }
            remote.finishCommand()
        }
    }

    /// Executes a command. Returns false if nothing was done, because a file is being read.
    private func obey(_ command: MediaPlayerCommand) -> Bool {
        switch command {
        case .play: setPaused(false)
        case .pause: setPaused(true)
        case .playPause: setPaused(!isPaused)
        case .setVolume(let volume): setGain(Float(volume))
        case .quit: press(.character("q"))
        default:
            guard let current = lastStatus.current else { return false }
            return obey(command, in: current)
        }
        return true
    }

    private func obey(_ command: MediaPlayerCommand, in current: Feeder.CurrentTrack) -> Bool {
        switch command {
        case .stop: return stopAtStart(current)
        case .next: return goNext(from: current)
        case .previous:
            guard let step = feeder.stepBack(from: current.step) else { return false }
            return step >= current.step || jump(to: .step(step))
        case .seek(let microseconds):
            return seek(
                to: Double(current.frame) + Double(microseconds) / 1e6 * current.sampleRate, in: current)
        case .setPosition(let microseconds, let track):
            guard track == UInt(max(0, current.step)) else { return true }
            return seek(to: Double(microseconds) / 1e6 * current.sampleRate, in: current)
        case .setRate(let rate): return setSpeed(rate)
        case .setLooping(let isLooping):
            return changeOrder { $0.setLooping(isLooping, atStep: current.step) }
        case .setShuffled(let isShuffled): return changeOrder { $0.setShuffled(isShuffled) }
        case .play, .pause, .playPause, .setVolume, .quit: return true
        }
    }

    private func changeOrder(_ change: (TrackSequence) -> Void) -> Bool {
        guard feeder.withSequence({ sequence, _ in change(sequence) }) != nil else { return false }
        remote?.invalidateFacts()
        return true
    }

    private func goNext(from current: Feeder.CurrentTrack) -> Bool {
        let surroundings = feeder.withSequence { sequence, _ in sequence.surroundings(ofStep: current.step) }
        guard let surroundings else { return false }
        return !surroundings.hasNext || jump(to: .step(current.step + 1))
    }

    /// Moves to a frame; past the end, to the next track, if there is one.
    private func seek(to frame: Double, in current: Feeder.CurrentTrack) -> Bool {
        guard current.isSeekable else { return true }
        if let total = current.totalFrames, frame > Double(total) { return goNext(from: current) }
        return jump(to: .frame(max(0, Int64(clamping: frame))))
    }

    private func stopAtStart(_ current: Feeder.CurrentTrack) -> Bool {
        setPaused(true)
        // The data of a pipe cannot be played again, so it is only paused.
        guard current.isSeekable, isPaused else { return true }
        guard jump(to: .frame(Int64(clamping: options.startSeconds * current.sampleRate))) else {
            return false
        }
        remote?.isStopped = isPaused
        return true
    }
}

extension MediaTrack {
    /// Describes the audible track.
    init(_ current: Feeder.CurrentTrack, _ playback: Playback) {
        self.init(number: UInt(max(0, current.step)))
        lengthMicroseconds = current.totalFrames.map {
            Int64(clamping: Double($0) / current.sampleRate * 1e6)
        }
        let file = playback.file
        let information = file.information
        func all(_ key: String) -> [String] {
            information.filter { $0.key == key && !$0.value.isEmpty }.map { DisplayText.sanitized($0.value) }
        }
        func number(_ key: String) -> Int32? {
            information.first { $0.key == key }.flatMap {
                Int32($0.value.prefix { $0.isASCII && $0.isNumber })
            }
        }
        title = all("title").first ?? current.title
        artists = all("artist")
        album = all("album").first
        albumArtists = all("album artist")
        composers = all("composer")
        genres = all("genre")
        trackNumber = number("track number")
        discNumber = number("disc number")
        // The address of a track on a server, without a password.
        if let input = playback.input {
            url = input.address.description
        } else if playback.path != "-" {
            url = playback.path.fileURL
        }
        artwork = file.artwork.map { MediaArtwork(bytes: $0.bytes, mimeType: $0.mimeType) }
    }
}

extension MediaPlayerCommand {
    /// Whether the command uses the tracks, which are locked while a file is being read.
    fileprivate var needsTracks: Bool {
        switch self {
        case .play, .pause, .playPause, .setVolume, .quit: false
        case .stop, .next, .previous, .seek, .setPosition, .setRate, .setLooping, .setShuffled: true
        }
    }
}

extension FilePath {
    /// The `file:` URL of the path; nil if the current folder is unknown.
    fileprivate var fileURL: String? {
        guard bytes.first != UInt8(ascii: "/") else { return PercentEncoding.fileURL(bytes) }
        guard let folder = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(folder) }
        return PercentEncoding.fileURL(unsafe FilePath(cString: folder).joined(self).bytes)
    }
}
