/// Which settings are tried for the lowest latency that holds: the lowest first, and after a failure one that is
/// enough later to be worth another minute.
public struct FrontierTries: Sendable {
    /// A setting that had no gap in its short run, or hardly any.
    public struct Candidate: Sendable, Equatable {
        public var setting: BufferSetting
        public var latencyMilliseconds: Double

        public init(setting: BufferSetting, latencyMilliseconds: Double) {
            self.setting = setting
            self.latencyMilliseconds = latencyMilliseconds
        }
    }

    /// How much later the next one is at least, after the first failure, the second and so on; the last counts for
    /// all that follow.
    private let steps: [Double]
    private let mostTries: Int
    private let mostRepeats: Int
    private var repeats = 0
    private var left: [Candidate]
    private var failures = 0
    private var last: Candidate?
    /// The one that held.
    public private(set) var best: Candidate?

    /// - Parameters:
    ///   - isFine: Whether the last few percent are sought; otherwise steps grow soon, so that few tries
    ///   lead to one that holds.
    ///   - repeats: How often a setting is tried again that nearly held: a minute in which the machine is not kept from
    ///     its work by others may come later.
    public init(_ candidates: [Candidate], tries: Int, isFine: Bool, repeats: Int = 0) {
        mostRepeats = repeats
        left = candidates.filter(\.latencyMilliseconds.isFinite)
            .sorted { $0.latencyMilliseconds < $1.latencyMilliseconds }
        steps = isFine ? [1.03, 1.03, 1.05, 1.1] : [1.05, 1.25, 1.6, 2]
        mostTries = tries
    }

    /// What to try next; nil when one has held, all were tried, or as many as may be.
    public var next: Candidate? {
        guard best == nil else { return nil }
        guard let last else { return left.first }
        guard failures < mostTries, failures > 0 else { return nil }
        let least = last.latencyMilliseconds * steps[min(failures, steps.count) - 1]
        return left.first { $0.latencyMilliseconds >= least }
    }

    /// How a try went.
    public enum Outcome: Sendable {
        case held
        /// For the shortest run, and not for one of the longer.
        case nearlyHeld
        case failed
    }

    /// Says how the try of ``next`` went.
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
