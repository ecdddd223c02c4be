import BenchKit
import SoundHarness

/// Latency, gaps, callback timing and cost of what plays.
extension Bench {
    /// All peers at a few settings.
    mutating func roundTrip(on rig: Rig) throws {
        say("\n## Round trip: callback to monitor, ms\n\(OutputTable.header)")
        try measure(schedule.roundTrip, as: .roundtrip, on: rig)
    }

    /// The same beside two busy processes.
    mutating func loaded(on rig: Rig) throws {
        say("\n## Beside two busy processes\n\(OutputTable.header)")
        let load = try Load()
        defer { load.end() }
        try measure(schedule.load, as: .load, isLoaded: true, on: rig)
    }

    private mutating func measure(
        _ runs: Schedule.Runs, as measure: Measure, isLoaded: Bool? = nil, on rig: Rig
    ) throws {
        let all = runs.settings.flatMap { setting in
            peers.map { run(measure, $0, setting, seconds: runs.seconds, isLoaded: isLoaded) }
        }
        for run in order.interleaved(all, repeats: runs.repeats) { try self.measure(run, on: rig) }
    }

    /// What each latency goal of ours costs and gives, on an idle machine and beside two busy processes.
    mutating func goals(on rig: Rig) throws {
        guard let ours = peers.first(where: \.traits.isOurs) else { return }
        say("\n## Latency goals\n\(OutputTable.header)")
        for isLoaded in [false, true] {
            let load = try isLoaded ? Load() : nil
            defer { load?.end() }
            for goal in schedule.goals {
                var run = run(
                    .goals, ours, goal.setting, seconds: schedule.goalSeconds, isLoaded: isLoaded,
                    more: ["--goal", goal.name])
                run.goal = goal.name
                try measure(run, on: rig)
            }
        }
    }
}
