// SPDX-License-Identifier: MIT

import AQToolSupport

/// The keys that move the position or change the speed.
///
/// They are executed in order, each as soon as the state after the one before is known. While a file is being read,
/// they wait, so that none of several keys at once is lost.
extension Player {
    /// A move that a key requests.
    enum Move {
        case seek(seconds: Double)
        case next
        case previous
        /// A change by a factor; nil is the normal speed.
        case speed(factor: Double?)
    }

    /// The time after which a move that cannot be made is dropped, in seconds: the audio has gone on meanwhile.
    private static let moveSeconds = 2.0
    /// The time for which the line shows a note, in seconds.
    private static let noteSeconds = 2.0
    /// The time after which the key "previous" returns to the start of the track.
    private static let restartSeconds = 2.0

    /// Adds a move to those that wait. Seeks one after another become one.
    func request(_ move: Move) {
        let deadline = MonotonicClock.seconds + Player.moveSeconds
        if case .seek(let seconds) = move, case .seek(let earlier)? = moves.last?.move {
            moves[moves.count - 1] = (.seek(seconds: earlier + seconds), deadline)
        } else {
            moves.append((move, deadline))
        }
    }

    /// Executes the moves that wait, as far as that is possible now.
    func executeMoves() {
        while exitStatus == nil, let (move, deadline) = moves.first {
            guard execute(move) || MonotonicClock.seconds >= deadline else { return }
            moves.removeFirst()
        }
    }

    /// Executes a move; returns false if nothing was done, because a file is being read or opened.
    private func execute(_ move: Move) -> Bool {
        // While a server is waited for, the last state is used, and the wait is interrupted.
        update()
        guard queue != nil, let current = lastStatus.current else { return false }
        switch move {
        case .seek(let seconds):
            guard current.isSeekable else {
                show(
                    note:
                        "cannot seek: \(current.isBroadcast ? "it is a broadcast" : "it can only be read forwards")"
                )
                return true
            }
            let frame = max(0, current.frame + Int64(seconds * current.sampleRate))
            guard jump(to: .frame(frame)) else { return false }
            if !update() { lastStatus.current?.frame = frame }
            return true
        case .next: return go(to: current.step + 1)
        case .previous: return goBack(in: current)
        case .speed(let factor): return setSpeed(factor.map { speed * $0 } ?? 1)
        }
    }

    private func goBack(in current: Feeder.CurrentTrack) -> Bool {
        let isRestart =
            current.isSeekable && Double(current.frame) / current.sampleRate > Player.restartSeconds
        guard let step = isRestart ? current.step : feeder.stepBack(from: current.step) else { return false }
        // The data of a pipe cannot be read again.
        if step == current.step && !current.isSeekable {
            show(note: "cannot go back")
            return true
        }
        return go(to: step)
    }

    private func go(to step: Int) -> Bool {
        guard jump(to: .step(step)) else { return false }
        if !update() { lastStatus.current?.step = step }
        return true
    }

    /// Shows a note in the progress line for a moment.
    private func show(note: String) { keyNote = (note, MonotonicClock.seconds + Player.noteSeconds) }

    /// The note in the progress line that answers a key; nil if there is none now.
    var presentKeyNote: String? {
        guard let (text, end) = keyNote, MonotonicClock.seconds < end else { return nil }
        return text
    }
}
