// SPDX-License-Identifier: MIT

import BenchKit
import Foundation
import AQSoundHarness

/// The sweep, and the frontier: the lowest setting of a peer without a gap, and its latency.
extension Bench {
    /// Makes short runs of all settings in turn.
    mutating func sweep(on rig: Rig) throws {
        say("\n## Sweep: every setting for 2.4 s or some rounds\n\(OutputTable.header)")
        let all = peers.flatMap { peer in
            schedule.sweep(of: peer.traits).map { setting in
                let seconds = schedule.sweepSeconds(setting, sampleRate: Double(Rig.sampleRate))
                return run(.sweep, peer, setting, seconds: seconds)
            }
        }
        for run in order.interleaved(all, repeats: 1) { try measure(run, on: rig) }
    }

    /// Makes long runs of the promising settings of the sweep, the lowest latency first.
    ///
    /// - Throws: ``BenchError`` if there was no sweep.
    mutating func frontier(on rig: Rig) throws {
        let swept = record.outputs.filter {
            $0.measure == Measure.sweep.rawValue && $0.server == rig.kind.rawValue
        }
        guard !swept.isEmpty else { throw BenchError("there is no sweep to choose settings from") }
        let seconds = schedule.frontierSeconds
        say("\n## Frontier: the lowest latency without a gap for \(seconds) s\n\(OutputTable.header)")
        var rows = peers.filter { schedule.isTried($0.traits) }.map { row($0, swept) { _ in true } }
        // This project's library is tried a second time, with three buffers.
        if let ours = peers.first(where: \.traits.isOurs) {
            rows.append(row(ours, swept) { $0.buffers == 3 })
        }
        let end = HostClock.time(inSeconds: schedule.frontierBudgetSeconds)
        // In turn: one try for each row that has no result.
        while rows.contains(where: { $0.tries.next != nil }), HostClock.now < end {
            for index in rows.indices.shuffled(using: &order) {
                guard let next = rows[index].tries.next, HostClock.now < end else { continue }
                rows[index].tries.finish(try outcome(of: next.setting, rows[index].peer, on: rig))
            }
        }
        tellFrontier(rig.kind.rawValue)
    }

    private typealias Row = (peer: PeerProgram, tries: FrontierTries)

    private func row(
        _ peer: PeerProgram, _ swept: [OutputResult], _ isWanted: (BufferSetting) -> Bool
    ) -> Row {
        let candidates = swept.filter {
            $0.peer == peer.name && $0.failure == nil && isWanted($0.setting)
                && $0.gaps.own <= Schedule.mostGapsOfCandidates
        }
        .map {
            FrontierTries.Candidate(
                setting: $0.setting, latencyMilliseconds: $0.latency?.median ?? .infinity)
        }
        return (
            peer,
            FrontierTries(
                candidates, tries: schedule.frontierTries, isFine: peer.traits.isContender,
                repeats: schedule.frontierRepeats(of: peer.traits))
        )
    }

    /// Tries a setting. Earlier runs of the same setting for another row count too.
    private mutating func outcome(
        of setting: BufferSetting, _ peer: PeerProgram, on rig: Rig
    ) throws -> FrontierTries.Outcome {
        let all = record.outputs.filter {
            $0.measure == Measure.frontier.rawValue && $0.server == rig.kind.rawValue && $0.peer == peer.name
                && $0.setting == setting
        }
        if all.contains(where: \.isGapFree) { return .held }
        let known = all.filter { !$0.isDisturbed }
        let stages = schedule.frontierStages
        let isStaged = stages.count > 1
        if isStaged, known.contains(where: { $0.seconds == stages[0] }) { return .failed }
        if known.count > schedule.frontierRepeats(of: peer.traits) { return .failed }
        // A second try begins with the longest run, because the first try may have failed by chance.
        for seconds in known.isEmpty ? stages : [schedule.frontierSeconds] {
            var result = try measure(run(.frontier, peer, setting, seconds: seconds), on: rig)
            let isLast = seconds >= schedule.frontierSeconds
            var hasHeld = result.isGapFree
            // A disturbed run is repeated. The setting succeeds if either run has no gap; the latency of the
            // undisturbed one counts.
            for _ in 0..<Schedule.mostDisturbedRuns where result.isDisturbed && (isLast || !hasHeld) {
                result = try measure(run(.frontier, peer, setting, seconds: seconds), on: rig)
                hasHeld = hasHeld || result.isGapFree
            }
            guard hasHeld else {
                return isStaged && seconds == stages[0] ? .failed : .nearlyHeld
            }
            // A shorter run without a gap is no result.
            if !isLast { record.outputs.removeLast() }
        }
        return .held
    }

    /// Prints the result of each peer.
    private func tellFrontier(_ server: String) {
        say("\npeer          lowest setting without a gap, and its latency in ms")
        for peer in peers where schedule.isTried(peer.traits) {
            let runs = record.outputs.filter {
                $0.measure == Measure.frontier.rawValue && $0.server == server && $0.peer == peer.name
            }
            let best = runs.filter(\.isGapFree).leastDisturbed
            for result in best { say(OutputTable.pad(peer.name, 14) + OutputTable.frontier(result)) }
            if best.isEmpty { say(OutputTable.pad(peer.name, 14) + "none of those that were tried") }
        }
    }
}
