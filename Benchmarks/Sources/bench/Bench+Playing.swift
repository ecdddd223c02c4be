// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The measures of latency, gaps, callback timing and cost during playback.
extension Bench {
    /// Runs all peers with a few settings.
    mutating func roundTrip(on rig: Rig) throws {
        say("\n## Round trip: callback to monitor, ms\n\(OutputTable.header)")
        let plan = schedule.roundTrip
        let all = plan.settings.flatMap { setting in
            peers.map { run(.roundtrip, $0, setting, seconds: plan.seconds) }
        }
        for run in order.interleaved(all, repeats: plan.repeats) { try measure(run, on: rig) }
    }

    /// Counts gaps beside two busy processes, at equal latencies.
    mutating func loaded(on rig: Rig) throws {
        say("\n## Beside two busy processes\n\(OutputTable.header)")
        let load = try Load()
        defer { load.end() }
        for round in schedule.loadRounds(peers.map(\.traits)) {
            let all = round.flatMap { traits -> [PeerRun] in
                guard let peer = peers.first(where: { $0.name == traits.name }) else { return [] }
                return schedule.load(of: traits, sampleRate: Double(Rig.sampleRate)).map {
                    run(.load, peer, $0, seconds: schedule.loadSeconds, isLoaded: true)
                }
            }
            for run in order.interleaved(all, repeats: 1) { try measure(run, on: rig) }
        }
        for peer in peers {
            let own = LoadPoint.points(
                record.outputs.filter {
                    $0.measure == Measure.load.rawValue && $0.server == rig.kind.rawValue
                        && $0.peer == peer.name
                })
            let points = own.map {
                String(format: "%.2f ms: %.1f", $0.latencyMilliseconds, $0.gapsPerMinute)
            }
            say("\(peer.name), gaps a minute at a latency: \(points.joined(separator: ", "))")
        }
    }

    /// Measures each latency goal of this project's library, on an idle machine and beside two busy processes.
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
