// SPDX-License-Identifier: MIT

import AQDevices
import AudioQueues
import AQThreads

/// The state of a player, between its runs and during them.
///
/// One thread at a time calls a player, but runs end on threads of their queues.
final class PlayerCore: Sendable {
    private struct State {
        var run: PlayerRun?
        var isPlaying = false
        /// The position without a run.
        var frame: Int64 = 0
        var repeats = 0
        /// The number of repetitions before the present run.
        var repetitionsBefore = 0
        var settings = PlayerSettings()
        var levels = LevelReading()
    }

    /// The audio; nil for a player that plays nothing.
    let source: PlayerSource?
    let link = PlayerLink()
    private let name: String
    private let devices = SoundDevices.current
    private let state = Monitor(State())

    /// - Parameter name: The name of the audio for messages.
    init(_ source: PlayerSource?, name: String) {
        self.source = source
        self.name = name
    }

    var isPlaying: Bool { state.withLock { $0.isPlaying } }

    // MARK: Control

    func prepare() -> Bool {
        guard let run = preparedRun() else { return false }
        guard !run.isStarted else { return true }
        do throws(QueueError) {
            try run.prime()
            return true
        } catch {
            MisuseNote.write(failureTo: "prepare \(name)", error)
            return false
        }
    }

    /// Starts or resumes.
    ///
    /// - Parameters:
    ///   - hostTime: The time of the first frame; nil for as soon as possible.
    ///   - awaitsStart: Whether to wait until the device runs. If not, a failure ends playback later.
    /// - Returns: False if playback is not possible.
    func play(atHostTime hostTime: UInt64? = nil, awaitsStart: Bool = true) -> Bool {
        if isPlaying { return true }
        // A paused queue would resume at once.
        if hostTime != nil, state.withLock({ $0.run })?.isStarted == true { leaveRun() }
        guard let run = preparedRun() else { return false }
        state.withLock { $0.isPlaying = true }
        do throws(QueueError) {
            try run.start(atHostTime: hostTime, awaitsStart: awaitsStart)
            return true
        } catch {
            MisuseNote.write(failureTo: "play \(name)", error)
            run.close()
            ended(run, .lost)
            return false
        }
    }

    func pause() {
        let run = state.withLock { state in
            defer { state.isPlaying = false }
            return state.isPlaying ? state.run : nil
        }
        run?.pause()
    }

    /// Stops, keeps the position, and releases the queue.
    func stop() {
        leaveRun()
        state.withLock { $0.repetitionsBefore = 0 }
    }

    /// The run, which is made if there is none; nil if that is impossible.
    private func preparedRun() -> PlayerRun? {
        guard let source else { return nil }
        let (run, frame, settings) = state.withLock { ($0.run, $0.frame, $0.settings) }
        if let run { return run }
        let made = PlayerRun(
            source, at: frame, mayRepeat: { [self] passes in mayRepeat(after: passes) },
            onEnd: { [self] run, ending in ended(run, ending) })
        do {
            try made.prepare(on: devices.output(settings.deviceName), settings)
        } catch {
            MisuseNote.write(failureTo: "play \(name)", error)
            made.close()
            return nil
        }
        state.withLock { $0.run = made }
        return made
    }

    // MARK: The end of a run

    /// Closes the run, and keeps its position.
    ///
    /// - Returns: Whether it was playing.
    @discardableResult private func leaveRun() -> Bool {
        guard let run = state.withLock({ $0.run }) else { return false }
        // If it has just ended by itself, that counts as its end, but the client has stopped it as well.
        let wasOpen = run.close()
        let position = run.position
        return state.withLock { state in
            guard state.run === run else { return false }
            state.run = nil
            state.frame = wasOpen ? position.frame : 0
            state.repetitionsBefore = wasOpen ? state.repetitionsBefore + position.repetitions : 0
            defer { state.isPlaying = false }
            return state.isPlaying
        }
    }

    /// Plays on with another queue, because the present one has audio or settings that no longer apply.
    private func replaceRun() {
        if leaveRun() { _ = play(awaitsStart: false) }
    }

    private func ended(_ run: PlayerRun, _ ending: PlayerRun.Ending) {
        let position = run.position
        let isPresent = state.withLock { state in
            guard state.run === run else { return false }
            (state.run, state.isPlaying) = (nil, false)
            if case .lost = ending {
                state.frame = position.frame
                state.repetitionsBefore += position.repetitions
            } else {
                (state.frame, state.repetitionsBefore) = (0, 0)
            }
            return true
        }
        guard isPresent else { return }
        switch ending {
        case .finished: link.postEnd()
        case .undecodable(let error): link.postEnd(error: error)
        case .lost: break
        }
    }

    // MARK: Position

    /// The audible frame, or the one that is played next.
    var frame: Int64 {
        let (run, frame) = state.withLock { ($0.run, $0.frame) }
        return run?.position.frame ?? frame
    }

    /// Moves to a frame of the file, and plays on if it was playing.
    func seek(to frame: Int64) {
        if let run = state.withLock({ $0.run }), !run.isStarted, run.startFrame == frame { return }
        let wasPlaying = leaveRun()
        state.withLock { $0.frame = frame }
        if wasPlaying { _ = play(awaitsStart: false) }
    }

    // MARK: Repetitions

    /// The number of repetitions; negative for no end.
    var repeats: Int {
        get { state.withLock { $0.repeats } }
        set {
            state.withLock { $0.repeats = newValue }
            if let run = state.withLock({ $0.run }), run.mustReadAgain { replaceRun() }
        }
    }

    private func mayRepeat(after passes: Int) -> Bool {
        state.withLock { $0.repeats < 0 || $0.repetitionsBefore + passes <= $0.repeats }
    }

    // MARK: Settings

    var settings: PlayerSettings { state.withLock { $0.settings } }

    /// Changes a setting that a running queue takes over.
    func set(_ change: (inout PlayerSettings) -> Void, on apply: (OutputQueue, PlayerSettings) -> Void) {
        let (run, settings) = state.withLock { state in
            change(&state.settings)
            return (state.run, state.settings)
        }
        if let queue = run?.queue { apply(queue, settings) }
    }

    /// Changes a setting that needs another queue.
    func setAnew(_ change: (inout PlayerSettings) -> Void) {
        state.withLock { change(&$0.settings) }
        replaceRun()
    }

    // MARK: Levels

    var levels: LevelReading { state.withLock { $0.levels } }

    func updateLevels() {
        let run = state.withLock { $0.isPlaying ? $0.run : nil }
        let reading = LevelReading(
            run?.queue?.levels() ?? [], channels: Int(source?.fileFormat.channelCount ?? 0))
        state.withLock { $0.levels = reading }
    }
}
