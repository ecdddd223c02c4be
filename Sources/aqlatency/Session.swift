// SPDX-License-Identifier: MIT

import Glibc
import AQToolSupport

/// The waits of a run: they show the progress, and end early at a signal. Main thread only.
final class Session {
    let console: Console
    /// The signal that ended the run; nil before.
    private(set) var interruption: Int32?
    private let signals: SignalWaiter
    private let showsProgress: Bool

    /// - Throws: ``SystemError`` if the process is out of descriptors.
    init(console: Console) throws(SystemError) {
        self.console = console
        signals = try SignalWaiter([SIGINT, SIGTERM, SIGHUP])
        showsProgress = Terminal.takesEscapeSequences(2) && !console.isQuiet
    }

    /// Waits until `condition` holds, which is checked every 20 ms.
    ///
    /// - Parameters:
    ///   - activity: The text of the progress line.
    ///   - showsTime: Whether the line also shows the elapsed part of `seconds`.
    /// - Returns: False after `seconds`, or at a signal: see ``interruption``.
    /// - Throws: The error of `condition`.
    func wait<Failure: Error>(
        upToSeconds seconds: Double, _ activity: String, showsTime: Bool = false,
        until condition: () throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let start = MonotonicClock.seconds
        var nextDrawing = start
        while interruption == nil {
            if try condition() { return true }
            let now = MonotonicClock.seconds
            if now - start >= seconds { return false }
            if showsProgress, now >= nextDrawing {
                draw(activity, elapsed: now - start, of: showsTime ? seconds : nil)
                nextDrawing = now + 0.1
            }
            let rest = min(0.02, seconds - (now - start))
            if signals.wait(milliseconds: Int32(rest * 1000) + 1) { interruption = signals.next() }
        }
        return false
    }

    private func draw(_ activity: String, elapsed: Double, of seconds: Double?) {
        console.showProgress { columns in
            let line = seconds.map { "\(activity), \(TimeParser.clocks(elapsed: elapsed, total: $0))" }
            return DisplayText.truncated(DisplayText.sanitized(line ?? activity), toColumns: columns)
        }
    }
}
