// SPDX-License-Identifier: MIT

/// Selects the settings to try for the lowest latency without a gap: the lowest first, and after a failure one whose
/// latency is sufficiently higher.
public struct FrontierTries: Sendable {
    /// A setting that had few or no gaps in its short run.
    public struct Candidate: Sendable, Equatable {
        public var setting: BufferSetting
        public var latencyMilliseconds: Double

        public init(setting: BufferSetting, latencyMilliseconds: Double) {
            self.setting = setting
            self.latencyMilliseconds = latencyMilliseconds
        }
    }

    /// The smallest factor between the latencies of a failed setting and the next one: after the first failure, after
    /// the second, and so on. The last factor applies to all further failures.
    private let steps: [Double]
    private let mostTries: Int
    private let mostRepeats: Int
    private var repeats = 0
    private var left: [Candidate]
    private var failures = 0
    private var last: Candidate?
    /// The setting without a gap.
    public private(set) var best: Candidate?

    /// - Parameters:
    ///   - isFine: Whether steps are a few percent. Otherwise they grow quickly, so that few tries suffice.
    ///   - repeats: The number of times that a setting is tried again after it failed only in a longer run. The machine
    ///     may have fewer stalls later.
    public init(_ candidates: [Candidate], tries: Int, isFine: Bool, repeats: Int = 0) {
        mostRepeats = repeats
        left = candidates.filter(\.latencyMilliseconds.isFinite)
            .sorted { $0.latencyMilliseconds < $1.latencyMilliseconds }
        steps = isFine ? [1.03, 1.03, 1.05, 1.1] : [1.05, 1.25, 1.6, 2]
        mostTries = tries
    }

    /// The setting to try next; nil if one succeeded, if none remain, or if the number of tries is reached.
    public var next: Candidate? {
        guard best == nil else { return nil }
        guard let last else { return left.first }
        guard failures < mostTries, failures > 0 else { return nil }
        let least = last.latencyMilliseconds * steps[min(failures, steps.count) - 1]
        return left.first { $0.latencyMilliseconds >= least }
    }

    /// The result of a try.
    public enum Outcome: Sendable {
        case held
        /// No gap in the shortest run, but some in a longer one.
        case nearlyHeld
        case failed
    }

    /// Records the result of the try of ``next``.
    public mutating func finish(_ outcome: Outcome) {
        guard let tried = next else { return }
        if outcome == .nearlyHeld, repeats < mostRepeats {
            repeats += 1
            return
        }
        repeats = 0
        if outcome == .held {
            best = tried
        } else {
            failures += 1
            left.removeAll { $0 == tried }
            last = tried
        }
    }
}
