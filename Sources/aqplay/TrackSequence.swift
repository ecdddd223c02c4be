// SPDX-License-Identifier: MIT

import AQFiles
import AQNetworkInput
import Synchronization
import AQToolSupport

/// Opens the tracks in the order in which they are played, and reports those that fail.
///
/// The lock of ``Feeder`` guards it, except for constants, ``hasFailures``, ``playsSeveral`` and functions that any thread
/// may call.
final class TrackSequence {
    private let tracks: [TrackList.Track]
    private let options: PlayOptions
    private let console: Console
    private let showsProgress: Bool
    private var order: PlayOrder
    private var nextStep = 0
    /// The step from which playback went back; nil after a previous track is open.
    private var stepBeforeGoingBack: Int?
    /// The number of consecutive tracks without audio. It ends a list that has no audio at all.
    private var barrenTracks = 0
    private var failed: [TrackReport] = []
    /// The numbers of the tracks that could not be opened.
    private var failedTracks: Set<Int> = []
    private let hasFailed = Atomic(false)
    private let isRepeated: Atomic<Bool>
    private let network = Mutex(Network())

    /// The server from which the latest track is read, for the main thread.
    private struct Network {
        var input: NetworkInput?
        var isSkipped = false
        var isInterrupted = false
    }

    init(tracks: [TrackList.Track], options: PlayOptions, console: Console, showsProgress: Bool) {
        self.tracks = tracks
        self.options = options
        self.console = console
        self.showsProgress = showsProgress
        isRepeated = Atomic(options.passes != 1)
        let seed = options.isShuffled ? UInt64.random(in: 0...UInt64.max) : nil
        order = PlayOrder(trackCount: tracks.count, passes: options.passes, shuffleSeed: seed)
    }

    var trackCount: Int { tracks.count }

    /// Whether more than one track is played, or one track more than once.
    var playsSeveral: Bool { tracks.count > 1 || isRepeated.load(ordering: .relaxed) }

    /// Whether a track could not be played, in whole or in part.
    var hasFailures: Bool { hasFailed.load(ordering: .relaxed) }

    /// The number of a step's track in the list, from 1.
    func trackNumber(ofStep step: Int) -> Int { (order.track(at: step) ?? 0) + 1 }

    // MARK: The order

    /// Continues at another step than that of the audible track.
    func go(to step: Int, from played: Playback?) {
        nextStep = step
        stepBeforeGoingBack = played.flatMap { $0.step > step ? $0.step : nil }
        barrenTracks = 0
        if let played { failed.append(played.report) }
    }

    /// Continues after a track that is being read again.
    func goOn(behind playback: Playback) { nextStep = playback.step + 1 }

    /// Returns the step to go back to from `step`.
    func stepBack(from step: Int) -> Int { order.stepBack(from: step) }

    /// The settings of the order, and the steps that can follow the audible one.
    struct Surroundings {
        var isLooping: Bool
        var isShuffled: Bool
        var hasNext: Bool
        var hasPrevious: Bool
    }

    func surroundings(ofStep step: Int) -> Surroundings {
        let hasNextPass = order.passes.map { step / max(1, tracks.count) + 1 < $0 } ?? true
        return Surroundings(
            isLooping: hasNextPass, isShuffled: order.shuffleSeed != nil,
            hasNext: order.track(at: step + 1) != nil, hasPrevious: order.stepBack(from: step) < step)
    }

    /// Plays the list without end, or ends it after the pass of the audible step.
    func setLooping(_ isLooping: Bool, atStep step: Int) {
        order.passes = isLooping ? nil : step / max(1, tracks.count) + 1
        isRepeated.store(isLooping, ordering: .relaxed)
    }

    /// Shuffles the tracks that are not open, or plays them in the order of the list.
    func setShuffled(_ isShuffled: Bool) {
        guard isShuffled != (order.shuffleSeed != nil) else { return }
        order.setShuffle(seed: isShuffled ? .random(in: 0...UInt64.max) : nil, from: nextStep)
    }

    func didGiveSound(_ playback: Playback) {
        barrenTracks = 0
        order.note(step: playback.step, gaveSound: true)
    }

    func gaveNoSound(_ playback: Playback) { order.note(step: playback.step, gaveSound: false) }

    /// The result of opening the next track.
    enum Next {
        case open(Playback)
        /// The next track is on a server, and this thread must not wait.
        case needsServer
        /// The wait for a server was interrupted.
        case interrupted
        /// There are no more tracks.
        case end
    }

    /// Opens the next track that can be opened.
    ///
    /// - Parameters:
    ///   - isAwaited: Whether nothing is audible meanwhile.
    ///   - mayWaitForServer: Whether this thread may wait for a server.
    func openNext(isAwaited: Bool = false, mayWaitForServer: Bool) -> Next {
        while barrenTracks < max(1, tracks.count), let index = order.track(at: nextStep) {
            let track = tracks[index]
            let address = RemoteAddress(bytes: track.path.bytes)
            guard mayWaitForServer || address == nil else { return .needsServer }
            let step = nextStep
            nextStep += 1
            barrenTracks += 1
            do throws(AudioFileError) {
                let (file, input) = try open(track, at: address, isAwaited: isAwaited && showsProgress)
                let playback = try Playback(track, step: step, file: file, input: input, options: options)
                stepBeforeGoingBack = nil
                return .open(playback)
            } catch {
                if isInterrupted { return .interrupted }
                order.note(step: step, gaveSound: false)
                if let start = stepBeforeGoingBack {
                    let earlier = order.stepBack(from: step)
                    nextStep = earlier < step ? earlier : start
                }
                if takeSkip() { continue }
                let path = address.map { FilePath($0.description) } ?? track.path
                let isFile = address == nil && error.code == .notFound
                let refusal = isFile ? NetworkAddress.refusal(of: path, command: "aqplay -") : nil
                let message = refusal ?? error.message
                // Once, and not in each pass of a loop.
                if failedTracks.insert(index).inserted { complain(message) }
                failed.append(TrackReport(file: path, error: message))
            }
        }
        return .end
    }

    private func open(
        _ track: TrackList.Track, at address: RemoteAddress?, isAwaited: Bool
    ) throws(AudioFileError) -> (AudioFile, NetworkInput?) {
        guard let address else {
            network.withLock { $0.input = nil }
            let file = try AudioFile.open(path: track.path) { [self] bytes in
                if isAwaited { showWait(for: track, bytes: bytes) }
            }
            return (file, nil)
        }
        if isAwaited { showConnecting(to: address) }
        let input = NetworkInput(
            address,
            options: options.networkOptions { [console] notice in
                console.warning("'\(address)': \(DisplayText.sanitized(notice))")
            })
        let isInterrupted = network.withLock { network in
            // The track before may have become audible just before it was to be skipped.
            (network.input, network.isSkipped) = (input, false)
            return network.isInterrupted
        }
        if isInterrupted { input.cancel() }
        return (try input.open(), input)
    }

    /// Moves the reading position of an open track; returns nil after a failure, which is reported.
    ///
    /// A track whose reading was interrupted is opened again.
    func move(_ playback: Playback, to frame: Int64) -> Playback? {
        do throws(AudioFileError) {
            let moved = playback.input?.isCancelled == true ? try reopen(playback) : playback
            try moved.move(to: frame)
            return moved
        } catch {
            if !isInterrupted, !takeSkip() { fail(playback, error.message) }
            return nil
        }
    }

    private func reopen(_ playback: Playback) throws(AudioFileError) -> Playback {
        guard let index = order.track(at: playback.step) else { return playback }
        let track = tracks[index]
        let (file, input) = try open(track, at: RemoteAddress(bytes: track.path.bytes), isAwaited: false)
        let opened = try Playback(track, step: playback.step, file: file, input: input, options: options)
        opened.framesPlayed = playback.framesPlayed
        return opened
    }

    // MARK: Servers

    /// Opens the next file of a broadcast; nil at its end.
    func openContinuation(of playback: Playback) -> Playback? {
        guard let input = playback.input, let index = order.track(at: playback.step) else { return nil }
        do throws(AudioFileError) {
            guard let file = try input.openNext() else { return nil }
            return try Playback(file, continuing: playback, of: tracks[index], options: options)
        } catch {
            // The read that failed first has reported it.
            if !isInterrupted, !takeSkip(), playback.error == nil { complain(playback, error.message) }
            return nil
        }
    }

    /// The state of the server from which the latest track is read; nil for files of the system. Called by any thread.
    var networkState: NetworkInput.State? { network.withLock { $0.input }?.state }

    /// Ends the wait for a server that sends nothing: the track is not played. Called by any thread.
    func skipAwaitedTrack() {
        let input = network.withLock { network in
            network.isSkipped = network.input != nil
            return network.input
        }
        input?.cancel()
    }

    private func takeSkip() -> Bool {
        network.withLock { network in
            defer { network.isSkipped = false }
            return network.isSkipped
        }
    }

    /// Ends the reading of a file on a server with an error. Called by any thread.
    ///
    /// - Returns: False if no file on a server is read.
    func interruptServer() -> Bool {
        let input = network.withLock { network in
            network.isInterrupted = network.input != nil
            return network.input
        }
        input?.cancel()
        return input != nil
    }

    /// Whether ``interruptServer()`` was called.
    var isInterrupted: Bool { network.withLock { $0.isInterrupted } }

    func endInterruption() { network.withLock { $0.isInterrupted = false } }

    private func showConnecting(to address: RemoteAddress) {
        let line = DisplayText.sanitized("connecting to \(address)")
        console.showProgress { DisplayText.truncated(line, toColumns: $0) }
    }

    /// Shows the reason why nothing is audible.
    private func showWait(for track: TrackList.Track, bytes: Int64) {
        let title = Playback.title(of: track, tags: AudioFileTags())
        let megabytes = Decimal.text(Double(bytes) / 1e6, decimals: 1)
        let line = DisplayText.sanitized(
            "\(title): its index is at the end: reading the whole file first, \(megabytes) MB")
        console.showProgress { DisplayText.truncated(line, toColumns: $0) }
    }

    // MARK: Failures

    /// Returns the reports of tracks that were left or could not be played since the last call.
    func takeFailed() -> [TrackReport] {
        defer { failed = [] }
        return failed
    }

    /// Reports a track that is not played further.
    func fail(_ playback: Playback, _ message: String) {
        complain(playback, message)
        failed.append(playback.report)
    }

    func complain(_ playback: Playback, _ message: String) {
        playback.error = message
        complain(message)
    }

    func complain(_ message: String) {
        hasFailed.store(true, ordering: .relaxed)
        console.error(message)
    }
}
