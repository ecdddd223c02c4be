// SPDX-License-Identifier: MIT

/// The number of runs of a measure, and their approximate duration.
public struct Estimate: Sendable, Equatable {
    public var runs: Int
    public var seconds: Double

    public init(runs: Int = 0, seconds: Double = 0) {
        self.runs = runs
        self.seconds = seconds
    }

    public static func + (one: Estimate, other: Estimate) -> Estimate {
        Estimate(runs: one.runs + other.runs, seconds: one.seconds + other.seconds)
    }

    /// A text such as "12 runs, about 3 min".
    public var text: String {
        let minutes = seconds / 60
        let time =
            seconds < 90 ? "\(Int(seconds.rounded(.up))) s" : "\(Int(minutes.rounded(.up))) min"
        return "\(runs) runs, about \(time)"
    }
}

extension Schedule {
    /// The time for the start of a program and the analysis of its recording, for each run.
    private static let overheadSeconds = 0.35
    /// The same time beside two busy processes, which slow down the start and the analysis.
    private static let loadedOverheadSeconds = 0.8
    /// The expected number of settings of a library that fail early: with a single stage, and with several.
    private static let usualFailures = 0.8
    private static let usualStagedFailures = 3.0
    /// The durations of a start, of a start after a rest, and of a run that pauses and resumes.
    private static let startSeconds = 1.05
    private static let primedStartSeconds = 1.45
    private static let pauseSeconds = 4.5
    /// The time for the start of a tool, for the end of its audio, and for the silence after it.
    private static let toolOverheadSeconds = 0.9
    /// Two players with two files each, and two recorders.
    private static let toolsStarted = 6

    /// Returns the estimate of a measure. `tools` is the number of tools, counted once for each of their file formats.
    public func estimate(
        _ measure: Measure, peers: [PeerTraits], tools: Int, sampleRate: Double
    ) -> Estimate {
        func runs(_ number: Int, _ seconds: Double, overhead: Double = Self.overheadSeconds) -> Estimate {
            Estimate(runs: number, seconds: Double(number) * (seconds + overhead))
        }
        func runs(_ all: Runs, overhead: Double = Self.overheadSeconds) -> Estimate {
            runs(all.settings.count * peers.count * all.repeats, all.seconds, overhead: overhead)
        }
        switch measure {
        case .roundtrip: return runs(roundTrip)
        case .load:
            let number = loadRounds(peers).joined()
                .reduce(0) { $0 + load(of: $1, sampleRate: sampleRate).count }
            return runs(number, loadSeconds, overhead: Self.loadedOverheadSeconds)
        case .input, .duplex: return runs(input, overhead: 0.6)
        case .sweep:
            return peers.flatMap { sweep(of: $0) }
                .reduce(Estimate()) { $0 + runs(1, sweepSeconds($1, sampleRate: sampleRate)) }
        case .frontier: return frontierEstimate(peers)
        case .goals:
            return runs(peers.contains(where: \.isOurs) ? goals.count * 2 : 0, goalSeconds, overhead: 2)
        case .scale: return scaleEstimate(peers)
        case .coldstart:
            return runs(
                peers.count * starts.repeats, Self.startSeconds, overhead: 0)
                + runs(peers.count * starts.repeats, Self.primedStartSeconds, overhead: 0)
                + runs(peers.count * starts.pauses, Self.pauseSeconds, overhead: 0)
        case .tools:
            let starts = tools == 0 ? 0 : Self.toolsStarted * toolStarts
            return runs(tools * self.tools.repeats, self.tools.seconds, overhead: Self.toolOverheadSeconds)
                + runs(starts, self.tools.seconds, overhead: Self.toolOverheadSeconds)
        case .audiothread: return runs(audioThreadRuns(peers), audioThreadSeconds, overhead: 1)
        case .mix:
            // Two programs of other libraries, and two ways of the engine.
            let number = 4 * mix.runs.settings.count * mix.runs.repeats
            return runs(number, mix.runs.seconds, overhead: 1)
        case .throughput: return runs(13 * conversions.repeats, Double(conversions.seconds) / 240)
        }
    }

    private func frontierEstimate(_ peers: [PeerTraits]) -> Estimate {
        let tried = peers.filter(isTried)
        // This project's library is tried a second time, with three buffers.
        let rows = tried.count + (tried.contains(where: \.isOurs) ? 1 : 0)
        let stages = frontierStages
        let failures = stages.count > 1 ? Self.usualStagedFailures : Self.usualFailures
        let success = stages.reduce(0) { $0 + $1 + Self.overheadSeconds }
        let one = failures * ((stages.first ?? 0) + Self.overheadSeconds) + success
        let number = min(Double(rows), (frontierBudgetSeconds + success) / one)
        return Estimate(
            runs: Int((number * (failures + Double(stages.count))).rounded(.up)), seconds: number * one)
    }

    private func scaleEstimate(_ peers: [PeerTraits]) -> Estimate {
        let streams = streams
        let numbers = peers.filter(isScaled).flatMap { peer in
            streams.numbers.filter { $0 <= peer.mostStreams }
        }
        var sum = Estimate(
            runs: numbers.count,
            seconds: numbers.reduce(0) { $0 + streams.seconds + 0.6 + Double($1) * 0.012 })
        if let longest = streams.longest, peers.contains(where: \.isOurs) {
            sum = sum + Estimate(runs: 1, seconds: longest.seconds + 6)
        }
        return sum
    }
}
