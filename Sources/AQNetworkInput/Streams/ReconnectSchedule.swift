// SPDX-License-Identifier: MIT

import Glibc

/// The times at which a lost connection is tried again.
///
/// Attempts are close together for two minutes, because a server that restarts is back within seconds, and then fewer.
/// A server that answers, but sends nothing new, is asked less and less often: its station has ended.
struct ReconnectSchedule {
    /// The time for which attempts are made, in seconds.
    let limitSeconds: Double
    /// The number of attempts since the connection was lost.
    private(set) var attempts = 0
    private var elapsedSeconds = 0.0
    /// The number of answers without anything new, one after another.
    private var emptyAnswers = 0

    init(limitSeconds: Double) { self.limitSeconds = limitSeconds }

    /// Decides whether to connect again after a lost connection, and reports the first attempt to the user.
    ///
    /// - Parameters:
    ///   - lastSeconds: The duration of the attempt that failed.
    ///   - isAnswered: Whether the server answered without sending anything new; a status other than success is such
    ///     an answer too.
    /// - Returns: The time to wait before the next attempt, in nanoseconds; nil if no more are made.
    mutating func pause(
        after failure: NetworkError, lastSeconds: Double, isAnswered: Bool = false,
        notice: ((String) -> Void)?
    ) -> UInt64? {
        let isFirst = attempts == 0
        if case .status = failure.kind {
            emptyAnswers += 1
        } else {
            emptyAnswers = isAnswered ? emptyAnswers + 1 : 0
        }
        guard failure.mayPass,
            let delay = next(lastSeconds: isFirst ? 0 : lastSeconds, chance: .random(in: 0...1))
        else { return nil }
        if isFirst { notice?("\(failure.reason); connecting again") }
        return UInt64(delay * 1e9)
    }

    /// The time to wait before the next attempt, in seconds; nil if no more attempts are made.
    ///
    /// - Parameters:
    ///   - lastSeconds: The duration of the last attempt.
    ///   - chance: A random number, 0 to 1, by which many listeners do not return at the same moment.
    mutating func next(lastSeconds: Double, chance: Double) -> Double? {
        elapsedSeconds += lastSeconds
        guard elapsedSeconds < limitSeconds else { return nil }
        let usual = attempts == 0 ? 0.25 : elapsedSeconds < 120 ? 0.4 : min(elapsedSeconds / 60, 15)
        // 0.6 s, 0.9 s, 1.35 s and so on.
        let patient = emptyAnswers == 0 ? 0 : min(0.4 * pow(1.5, Double(emptyAnswers)), 5)
        let delay = min(max(usual, patient) * (0.8 + 0.4 * chance), max(limitSeconds - elapsedSeconds, 0))
        attempts += 1
        elapsedSeconds += delay
        return delay
    }

    /// Begins anew after new bytes have arrived.
    mutating func reset() { (attempts, elapsedSeconds, emptyAnswers) = (0, 0, 0) }
}
