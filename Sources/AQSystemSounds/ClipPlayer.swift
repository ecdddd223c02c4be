// SPDX-License-Identifier: MIT

package import AQDevices
import CAQRealTime

/// The player of clips, which overlap: each has a short-lived queue of its own.
///
/// At most ``mostAtOnce`` clips play at once. Those that are started meanwhile are dropped, and count as played, so that
/// a program cannot exhaust threads, memory or the server's streams. May be used from any thread. No call waits for the
/// server.
package final class ClipPlayer: Sendable {
    package typealias DeviceMaker = @Sendable () throws(DeviceError) -> any OutputDevice

    /// The number of clips that play at once: as many as a hardware synthesizer has voices.
    package static let mostAtOnce = 32

    private struct State {
        var playing: [ObjectIdentifier: PlayingClip] = [:]
        /// Whether a thread ends the playbacks that are overdue.
        var isWatched = false

        /// The earliest host time at which a playback is overdue; nil if nothing plays.
        var nextDeadline: UInt64? { playing.values.map(\.deadline).min() }
    }

    private let makeDevice: DeviceMaker
    private let mostAtOnce: Int
    private let state = Monitor(State())

    package init(mostAtOnce: Int = ClipPlayer.mostAtOnce, makeDevice: @escaping DeviceMaker) {
        self.mostAtOnce = mostAtOnce
        self.makeDevice = makeDevice
    }

    /// The number of clips that play now.
    package var count: Int { state.withLock { $0.playing.count } }

    /// Plays a clip.
    ///
    /// - Parameters:
    ///   - number: The number of the sound, for ``stop(_:)``.
    ///   - role: The purpose of the stream.
    ///   - completion: Called once, on any thread: after the last frame was played; at once if the clip is empty, too
    ///     many play, or it cannot be played; otherwise when it is stopped, its server ends, or it is overdue.
    package func play(
        _ clip: SoundClip, number: UInt32, role: StreamRole?, completion: @escaping @Sendable () -> Void
    ) {
        guard clip.frames > 0 else { return completion() }
        let started = PlayingClip(
            clip, number: number, onEnd: { [self] in forget($0) }, completion: completion)
        let (isAccepted, mustWatch) = state.withLock { state in
            guard state.playing.count < mostAtOnce else { return (false, false) }
            state.playing[ObjectIdentifier(started)] = started
            defer { state.isWatched = true }
            return (true, !state.isWatched)
        }
        guard isAccepted else { return completion() }
        state.notifyAll()
        if mustWatch, DetachedThread.start(named: "aq sounds", { [self] in watch() }) != 0 {
            state.withLock { $0.isWatched = false }
        }
        do {
            try started.begin(on: makeDevice(), role: role)
        } catch {
            started.end()
        }
    }

    /// Stops all playbacks of a sound, with a short fade.
    package func stop(_ number: UInt32) {
        let stopped = state.withLock { state in state.playing.values.filter { $0.number == number } }
        for clip in stopped { clip.end() }
    }

    private func forget(_ clip: PlayingClip) {
        _ = state.withLock { $0.playing.removeValue(forKey: ObjectIdentifier(clip)) }
        state.notifyAll()
    }

    // MARK: The thread

    /// Ends playbacks that are overdue, because their server hangs. Returns when nothing plays.
    private func watch() {
        while let deadline = nextDeadline() {
            _ = state.wait(until: deadline) { $0.nextDeadline == deadline }
            let now = aq_host_time()
            let overdue = state.withLock { state in state.playing.values.filter { $0.deadline <= now } }
            for clip in overdue { clip.end() }
        }
    }

    private func nextDeadline() -> UInt64? {
        state.withLock { state in
            let deadline = state.nextDeadline
            if deadline == nil { state.isWatched = false }
            return deadline
        }
    }
}
